//! `smithy-waiters schedule`: when a waiter calls.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Result, ensure};
use smithy_waiters::{DelayInput, delay};

use crate::{Answer, output};

/// Shows when a waiter calls, for given delays: over many draws, the attempt's number and its time.
///
/// Requests take no time here.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// The least delay, in seconds
    #[arg(long, default_value_t = 2.0, value_name = "SECONDS")]
    min_delay: f64,
    /// The greatest delay, in seconds
    #[arg(long, default_value_t = 120.0, value_name = "SECONDS")]
    max_delay: f64,
    /// How long the caller waits, in seconds
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS")]
    max_wait: f64,
    /// How many waits are drawn
    #[arg(long, default_value_t = 1_000, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    draws: u64,
}

/// How wide the plot is, in characters.
const WIDTH: usize = 40;

/// The most attempts that are listed.
const LISTED: usize = 30;

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Answer> {
    let seconds = |name: &str, value: f64| {
        let found = Duration::try_from_secs_f64(value).ok();
        let found =
            found.filter(|found| !found.is_zero() && *found <= Duration::from_secs(315_360_000));
        found.ok_or_else(|| {
            anyhow::anyhow!("`{name}` must be more than 0 and at most ten years, found {value}")
        })
    };
    let bounds = Bounds {
        min_delay: seconds("--min-delay", options.min_delay)?,
        max_delay: seconds("--max-delay", options.max_delay)?,
        max_wait: seconds("--max-wait", options.max_wait)?,
    };
    ensure!(
        bounds.min_delay <= bounds.max_delay,
        "`--min-delay` is above `--max-delay`: {} s and {} s",
        options.min_delay,
        options.max_delay
    );
    let draws = (0..options.draws).map(|draw| bounds.times(&mut Draws::new(draw)));
    let waits = draws.collect::<Result<Vec<_>>>()?;
    output::print(&table(&waits, bounds.max_wait))?;
    Ok(Answer::Good)
}

/// What a wait keeps to.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    min_delay: Duration,
    max_delay: Duration,
    max_wait: Duration,
}

/// The most attempts of a wait that are computed: a wait of years polled each second would have no end here.
const MAX_ATTEMPTS: u64 = 100_000;

impl Bounds {
    /// When the calls of one wait are made.
    fn times(&self, draws: &mut Draws) -> Result<Vec<Duration>> {
        let mut elapsed = Duration::ZERO;
        let mut times = vec![elapsed];
        for attempt in 1..MAX_ATTEMPTS {
            let next = delay(&DelayInput {
                attempt,
                remaining: self.max_wait.saturating_sub(elapsed),
                min_delay: self.min_delay,
                max_delay: self.max_delay,
                random: draws.next(),
            })?;
            let Some(next) = next else { break };
            elapsed = elapsed.saturating_add(next.delay);
            times.push(elapsed);
            if next.last {
                break;
            }
        }
        Ok(times)
    }
}

/// Draws that are the same on every run: splitmix64.
#[derive(Debug)]
struct Draws {
    state: u64,
}

impl Draws {
    const fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0xd1b5_4a32_d192_ed03),
        }
    }

    /// A number of `[0, 1)`.
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bits = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or_default();
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }
}

fn table(waits: &[Vec<Duration>], max_wait: Duration) -> String {
    let most = waits.iter().map(Vec::len).max().unwrap_or_default();
    let mut out = String::from("attempt   waits     10 %   median     90 %\n");
    for attempt in 0..most.min(LISTED) {
        let mut times: Vec<Duration> = waits
            .iter()
            .filter_map(|wait| wait.get(attempt))
            .copied()
            .collect();
        times.sort_unstable();
        let share = times
            .len()
            .saturating_mul(100)
            .checked_div(waits.len())
            .unwrap_or_default();
        let at = |percent: usize| {
            let place = times
                .len()
                .saturating_sub(1)
                .saturating_mul(percent)
                .checked_div(100);
            times
                .get(place.unwrap_or_default())
                .copied()
                .unwrap_or_default()
        };
        let (low, median, high) = (at(10), at(50), at(90));
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:>7} {share:>5} % {} {} {}  {}",
            attempt.saturating_add(1),
            shown(low),
            shown(median),
            shown(high),
            plot(low, median, high, max_wait)
        );
    }
    if most > LISTED {
        let _ = writeln!(out, "… and {} more", most.saturating_sub(LISTED));
    }
    let _ = writeln!(out, "\n{}", calls(waits));
    out
}

fn shown(time: Duration) -> String {
    format!("{:>6.1} s", time.as_secs_f64())
}

/// The span of times on a line that is the whole wait.
fn plot(low: Duration, median: Duration, high: Duration, max_wait: Duration) -> String {
    let place = |time: Duration| {
        let share = time
            .as_millis()
            .saturating_mul(u128::try_from(WIDTH).unwrap_or_default());
        let place = share.checked_div(max_wait.as_millis()).unwrap_or_default();
        usize::try_from(place).unwrap_or(WIDTH)
    };
    let (low, median, high) = (place(low), place(median), place(high));
    let cell = |at: usize| match at {
        at if at == median => '●',
        at if (low..=high).contains(&at) => '─',
        _ => '·',
    };
    (0..=WIDTH).map(cell).collect()
}

fn calls(waits: &[Vec<Duration>]) -> String {
    let counts = waits.iter().map(Vec::len);
    let (least, most) = (
        counts.clone().min().unwrap_or_default(),
        counts.clone().max().unwrap_or_default(),
    );
    let sum: usize = counts.sum();
    let mean = u32::try_from(sum).map(f64::from).unwrap_or_default();
    let mean = mean / u32::try_from(waits.len()).map(f64::from).unwrap_or(1.0);
    format!("calls: {mean:.1} expected, {least} at least, {most} at most")
}
