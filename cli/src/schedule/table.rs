//! A schedule as people read it: a table with a plot, and the calls.

use std::fmt::Write as _;
use std::time::Duration;

use super::bounds::Bounds;
use super::calls::Calls;
use super::sample::{LISTED, Sample};

/// How wide the plot is, in characters.
const WIDTH: usize = 40;

/// The table, the plot and the numbers of calls.
pub(super) fn of(bounds: &Bounds, calls: &Calls, sample: &Sample) -> String {
    let width = format_time(bounds.max_wait, 0).len().max(8);
    let mut out = format!("a sample of {} waits:\n\n", sample.waits.len());
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "attempt   waits {:>width$} {:>width$} {:>width$}",
        "10 %", "median", "90 %"
    );
    for attempt in 0..sample.attempts() {
        let row = Row::of(sample, attempt);
        let [low, median, high] = row.times.map(|time| format_time(time, width));
        let plot = row.plot(bounds.max_wait);
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
    if calls.most > u64::try_from(LISTED).unwrap_or_default() && sample.attempts() == LISTED {
        let _ = writeln!(out, "later attempts are not listed");
    }
    out.push_str(&counts(calls, sample));
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
        let times = sample.waits.iter().filter_map(|wait| wait.get(attempt));
        let mut times: Vec<Duration> = times.copied().collect();
        times.sort_unstable();
        let part = |of: usize, percent: usize| {
            of.saturating_mul(percent)
                .checked_div(100)
                .unwrap_or_default()
        };
        let at = |percent| {
            let place = part(times.len().saturating_sub(1), percent);
            times.get(place).copied().unwrap_or_default()
        };
        let share = times
            .len()
            .saturating_mul(100)
            .checked_div(sample.waits.len());
        Self {
            share: share.unwrap_or_default(),
            times: [at(10), at(50), at(90)],
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

fn counts(calls: &Calls, sample: &Sample) -> String {
    let Calls { least, most } = calls;
    let mut out = format!(
        "\ncalls: {:.1} expected (the sample's mean), {least} at least (with the longest delays), {most} at most (with the shortest)\n",
        sample.calls
    );
    if let Some(cut) = sample.cut {
        let _ = writeln!(
            out,
            "expected: waits are drawn up to their {cut}th call, the rest is estimated from the mean delay"
        );
    }
    out
}
