//! `smithy-waiters schedule`: when a waiter calls.

mod calls;
mod sample;
mod table;

use std::time::Duration;

use anyhow::{Result, ensure};
use smithy_waiters::{DelayInput, delay};

use crate::{Answer, output};
use calls::Calls;
use sample::Sample;

/// Shows when a waiter calls, for given delays: how often at least and at most, and the times of a sample of waits.
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
    #[arg(long, default_value_t = 1_000, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    draws: u32,
}

/// The least and the greatest time that an option takes: those of waiters.
const TIMES: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(315_360_000)];

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Answer> {
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
    let calls = Calls::of(&bounds)?;
    let sample = Sample::draw(&bounds, options.draws)?;
    output::print(&table::of(&bounds, &calls, &sample))?;
    Ok(Answer::Good)
}

fn seconds(name: &str, value: f64) -> Result<Duration> {
    let [least, greatest] = TIMES;
    let found = Duration::try_from_secs_f64(value).ok();
    let found = found.filter(|found| (least..=greatest).contains(found));
    found.ok_or_else(|| {
        anyhow::anyhow!("`{name}` must be from 0.001 to 315360000 (ten years), found {value}")
    })
}

/// What a wait keeps to.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    min_delay: Duration,
    max_delay: Duration,
    max_wait: Duration,
}

/// A call that has been made.
#[derive(Clone, Copy, Debug)]
struct Call {
    /// Its number, from 1.
    attempt: u64,
    /// When it was made.
    at: Duration,
}

impl Call {
    const FIRST: Self = Self {
        attempt: 1,
        at: Duration::ZERO,
    };
}

impl Bounds {
    /// The call after another one, and whether it is the last; none where the time is up.
    fn next(&self, call: Call, random: f64) -> Result<Option<(Call, bool)>> {
        let next = delay(&DelayInput {
            attempt: call.attempt,
            remaining: self.max_wait.saturating_sub(call.at),
            min_delay: self.min_delay,
            max_delay: self.max_delay,
            random,
        })?;
        Ok(next.map(|next| {
            let attempt = call.attempt.saturating_add(1);
            let at = call.at.saturating_add(next.delay);
            (Call { attempt, at }, next.last)
        }))
    }
}
