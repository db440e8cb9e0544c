//! A schedule as people read it: a table with a plot, the calls, the end, and the lag.

use std::fmt::Write as _;
use std::time::Duration;

use super::calls::Calls;
use super::lag::Lag;
use super::plan::Plan;
use super::sample::{Sample, percentile};

/// How many calls of a wait are listed.
const LISTED: usize = 30;

/// How wide the plot is, in characters.
const WIDTH: usize = 40;

/// Returns the text; the bounds of the number of calls are in it if they are known.
pub(super) fn of(plan: &Plan, calls: Option<Calls>, sample: &Sample) -> String {
    let width = format_time(plan.max_wait, 0).len().max(8);
    let mut out = format!("a sample of {} waits:\n\n", sample.waits.len());
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "attempt   waits {:>width$} {:>width$} {:>width$}",
        "10 %", "median", "90 %"
    );
    let attempts = sample.waits.iter().map(|wait| wait.calls.len());
    let attempts = attempts.max().unwrap_or_default();
    for attempt in 0..attempts.min(LISTED) {
        let row = Row::of(sample, attempt);
        let [low, median, high] = row.times.map(|time| format_time(time, width));
        let plot = row.plot(plan.max_wait);
        let share = match row.share {
            0 => "<1".to_owned(),
            share => share.to_string(),
        };
        let number = attempt.saturating_add(1);
        let _ = writeln!(
            out,
            "{number:>7} {share:>5} % {low} {median} {high}  {plot}"
        );
    }
    if attempts > LISTED {
        let _ = writeln!(out, "later attempts are not listed");
    }
    out.push_str(&counts(calls, sample));
    out.push_str(&end(plan, sample));
    out.push_str(&lags(&Lag::all(plan, sample), width));
    out
}

/// When an attempt is made.
struct Row {
    /// How many of all waits have it, in percent.
    share: usize,
    /// When the first tenth, half and nine tenths of them have made it.
    times: [Duration; 3],
}

impl Row {
    fn of(sample: &Sample, attempt: usize) -> Self {
        let times = sample.waits.iter();
        let times = times.filter_map(|wait| wait.calls.get(attempt));
        let mut times: Vec<Duration> = times.copied().map(Duration::from_millis).collect();
        times.sort_unstable();
        let share = times
            .len()
            .saturating_mul(100)
            .checked_div(sample.waits.len());
        Self {
            share: share.unwrap_or_default(),
            times: [10, 50, 90].map(|percent| percentile(&times, percent)),
        }
    }

    /// The span of times on a line that is the whole wait.
    fn plot(&self, max_wait: Duration) -> String {
        let width = u128::try_from(WIDTH).unwrap_or_default();
        let place = |time: Duration| {
            let share = time.as_millis().saturating_mul(width);
            let place = share.checked_div(max_wait.as_millis()).unwrap_or_default();
            usize::try_from(place).unwrap_or(WIDTH)
        };
        let [low, median, high] = self.times.map(place);
        let cell = |at: usize| match at {
            at if at == median => '●',
            at if (low..=high).contains(&at) => '─',
            _ => '·',
        };
        (0..=WIDTH).map(cell).collect()
    }
}

fn format_time(time: Duration, width: usize) -> String {
    let seconds = format!("{:.1} s", time.as_secs_f64());
    format!("{seconds:>width$}")
}

fn counts(calls: Option<Calls>, sample: &Sample) -> String {
    let range = match calls {
        Some(Calls { least, most }) => {
            format!(
                "{least} at least (with the longest delays), {most} at most (with the shortest)"
            )
        }
        None => {
            let least = sample.calls.iter().copied().fold(f64::INFINITY, f64::min);
            let most = sample.calls.iter().copied().fold(0.0, f64::max);
            format!("{least:.0} to {most:.0} in the sample")
        }
    };
    let mean = sample.mean_calls();
    let mut out = format!("\ncalls: {mean:.1} expected (the sample's mean), {range}\n");
    if let Some(cut) = sample.cut {
        let _ = writeln!(
            out,
            "expected: waits are drawn up to their {cut}th call, the rest is estimated from the mean delay"
        );
    }
    out
}

/// The end of a wait for a resource that is never ready; nothing if all waits were cut.
fn end(plan: &Plan, sample: &Sample) -> String {
    let ends = sample.waits.iter().filter_map(|wait| wait.end);
    let ends: Vec<Duration> = ends.map(Duration::from_millis).collect();
    let (Some(first), Some(last)) = (ends.iter().min(), ends.iter().max()) else {
        return String::new();
    };
    let early = format_time(plan.max_wait.saturating_sub(*first), 0);
    let last = format_time(*last, 0);
    let up_to = if ends.iter().any(|end| end != first) {
        "up to "
    } else {
        ""
    };
    format!("end: after {last} at the latest, {up_to}{early} before the max wait\n")
}

fn lags(lags: &[Lag], width: usize) -> String {
    let width = width.max(8);
    let mut out = format!(
        "\n{:>width$}  noticed {:>width$} {:>width$}    calls\n",
        "ready at", "mean lag", "95 %"
    );
    for lag in lags {
        let ready = format_time(lag.ready, width);
        let _ = write!(out, "{ready} {:>6} %", lag.noticed);
        if let Some(detected) = &lag.detected {
            let [mean, p95] = [detected.mean, detected.p95].map(|time| format_time(time, width));
            let _ = write!(out, " {mean} {p95} {:>8.1}", detected.calls);
        }
        out.push('\n');
    }
    out
}
