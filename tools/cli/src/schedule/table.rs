//! The text of a schedule: a table with a plot, the number of calls, the end, and the lag.

use std::fmt::Write as _;
use std::time::Duration;

use super::calls::Calls;
use super::lag::Lag;
use super::plan::Plan;
use super::sample::{Sample, percentile};

/// The maximum number of rows.
const MAX_ROWS: usize = 30;

/// The width of the table with the plot, in characters.
const WIDTH: usize = 80;

/// The minimum width of the plot, in characters.
const MIN_PLOT: usize = 10;

/// Returns the text of a schedule. `calls` contains the bounds of the number of calls, if they can be computed.
pub(super) fn render(plan: &Plan, calls: Option<Calls>, sample: &Sample) -> String {
    let width = format_time(plan.max_wait, 0).len().max(8);
    let plot_width = WIDTH.saturating_sub(table_width(width)).max(MIN_PLOT);
    let mut out = format!("a sample of {} waits:\n\n", sample.waits.len());
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "attempt   waits {:>width$} {:>width$} {:>width$}",
        "10 %", "median", "90 %"
    );
    let attempts = sample.waits.iter().map(|wait| wait.calls.len());
    let attempts = attempts.max().unwrap_or_default();
    for attempt in 0..attempts.min(MAX_ROWS) {
        let row = Row::new(sample, attempt);
        let [low, median, high] = row.times.map(|time| format_time(time, width));
        let plot = row.plot(plan.max_wait, plot_width);
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
    if attempts > MAX_ROWS {
        let _ = writeln!(out, "later attempts are not listed");
    }
    out.push_str(&counts(calls, sample));
    out.push_str(&end(plan, sample));
    out.push_str(&lags(&Lag::all(plan, sample), width));
    out
}

/// Returns the width of the columns before the plot, with the spaces between them.
const fn table_width(time_width: usize) -> usize {
    time_width
        .saturating_add(1)
        .saturating_mul(3)
        .saturating_add(17)
}

/// The times of an attempt.
struct Row {
    /// The percentage of waits that make the attempt.
    share: usize,
    /// The 10th, 50th and 90th percentile of the time of the attempt.
    times: [Duration; 3],
}

impl Row {
    fn new(sample: &Sample, attempt: usize) -> Self {
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

    /// Draws the percentiles on a line of `width` characters that represents the whole wait.
    fn plot(&self, max_wait: Duration, width: usize) -> String {
        let last = width.saturating_sub(1);
        let place = |time: Duration| {
            let share = time
                .as_millis()
                .saturating_mul(u128::try_from(last).unwrap_or_default());
            let place = share.checked_div(max_wait.as_millis()).unwrap_or_default();
            usize::try_from(place).unwrap_or(last)
        };
        let [low, median, high] = self.times.map(place);
        let cell = |at: usize| match at {
            at if at == median => '●',
            at if (low..=high).contains(&at) => '─',
            _ => '·',
        };
        (0..width).map(cell).collect()
    }
}

fn format_time(time: Duration, width: usize) -> String {
    let seconds = format!("{:.1} s", time.as_secs_f64());
    format!("{seconds:>width$}")
}

fn counts(calls: Option<Calls>, sample: &Sample) -> String {
    let range = match calls {
        Some(Calls { least, most }) => {
            format!("at least {least} with the longest delays, at most {most} with the shortest")
        }
        None => {
            let least = sample.calls.iter().copied().fold(f64::INFINITY, f64::min);
            let most = sample.calls.iter().copied().fold(0.0, f64::max);
            format!("{least:.0} to {most:.0} in the sample")
        }
    };
    let mean = sample.mean_calls();
    let mut out = format!("\ncalls: {mean:.1} on average\n       {range}\n");
    if let Some(call) = sample.truncated_at {
        let _ = writeln!(
            out,
            "       the average is an estimate: each wait is simulated up to call {call}"
        );
    }
    out
}

/// Describes the end of a wait for a resource that is never ready. Returns an empty text if all waits are truncated.
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
