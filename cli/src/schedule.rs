//! `smithy-waiters schedule`: when a waiter calls.

mod bounds;
mod calls;
mod sample;
mod table;

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::outcome::Outcome;
use crate::output;
use bounds::Bounds;
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
pub(crate) fn run(options: &Options) -> Result<Outcome> {
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
    Ok(Outcome::Clean)
}

fn seconds(name: &str, value: f64) -> Result<Duration> {
    let [least, greatest] = TIMES;
    let time = Duration::try_from_secs_f64(value).ok();
    let time = time.filter(|time| (least..=greatest).contains(time));
    time.ok_or_else(|| {
        anyhow::anyhow!("`{name}` must be from 0.001 to 315360000 (ten years), found {value}")
    })
}
