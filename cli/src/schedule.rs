//! `smithy-waiters schedule`: the times of a waiter's calls.

mod calls;
mod lag;
mod plan;
mod sample;
mod simulation;
mod table;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use clap::ValueEnum;
use smithy_waiters::{FinalPoll, Pace};
use smithy_waiters_model::read;

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;
use crate::waiters::{self, DELAYS};
use calls::Calls;
use plan::Plan;
use sample::Sample;

/// Shows when a waiter calls and how soon it notices a change, for given delays: those of a waiter of a model, or others.
///
/// The engine makes a sample of waits in virtual time, in which requests take no time.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// The waiter whose delays are used, by its name in any case
    waiter: Option<String>,
    #[command(flatten)]
    files: Files,
    /// The operation, with or without its namespace, where several have a waiter of the name
    #[arg(long, value_name = "NAME", requires = "waiter")]
    operation: Option<String>,
    /// The least delay, in seconds, instead of the waiter's; 2 without a waiter
    #[arg(long, value_name = "SECONDS")]
    min_delay: Option<f64>,
    /// The greatest delay, in seconds, instead of the waiter's; 120 without a waiter
    #[arg(long, value_name = "SECONDS")]
    max_delay: Option<f64>,
    /// How long the caller waits, in seconds
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS")]
    max_wait: f64,
    /// The rule for the delays: `specification`, `every=SECONDS`, or `proportional=PART` of the time waited
    #[arg(long, default_value = "specification", value_name = "PACE", value_parser = parse_pace)]
    pace: Pace,
    /// The time of the last call
    #[arg(long, value_enum, default_value_t = LastCall::Specification)]
    final_poll: LastCall,
    /// How many waits are drawn
    #[arg(long, default_value_t = 1_000, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    draws: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LastCall {
    /// Shortly before the end of the wait
    Late,
    /// One least delay before the end of the wait
    Specification,
}

/// The least and the greatest time that an option takes: those of waiters.
const TIMES: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(315_360_000)];

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut out = String::new();
    let defaults = match &options.waiter {
        None => DELAYS,
        Some(name) => {
            let (operation, delays) = options.find(name)?;
            let [min, max] = delays;
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "waiter `{name}` of `{operation}`: {min} s to {max} s\n"
            );
            delays
        }
    };
    let plan = options.plan(defaults)?;
    let sample = Sample::draw(&plan, options.draws)?;
    out.push_str(&table::of(&plan, Calls::of(&plan)?, &sample));
    output::print(&out)?;
    Ok(Outcome::Clean)
}

impl Options {
    /// Returns the operation and the delays of the waiter of a name.
    fn find(&self, name: &str) -> Result<(String, [f64; 2])> {
        let mut found = Vec::new();
        let mut names = BTreeSet::new();
        for sources in self.files.models()? {
            let sources = sources?;
            let model = read(&sources);
            output::note_what_is_missing(&model);
            waiters::names(&model, &mut names);
            let named = waiters::find(&model, name, self.operation.as_deref());
            let named = named.iter();
            found.extend(named.map(|(id, waiter)| ((*id).to_owned(), waiters::delays(waiter))));
        }
        if found.len() > 1 {
            let operations: Vec<String> = found.into_iter().map(|(id, _)| id).collect();
            bail!(waiters::ambiguous(name, &operations));
        }
        found.pop().ok_or_else(|| waiters::missing(name, &names))
    }

    fn plan(&self, [min, max]: [f64; 2]) -> Result<Plan> {
        let [min_delay, max_delay] = if let Pace::Every(delay) = self.pace {
            ensure!(
                self.min_delay.is_none() && self.max_delay.is_none(),
                "`--pace every` cannot be combined with `--min-delay` or `--max-delay`"
            );
            [delay; 2]
        } else {
            let [min, max] = [self.min_delay.unwrap_or(min), self.max_delay.unwrap_or(max)];
            let delays = [seconds("--min-delay", min)?, seconds("--max-delay", max)?];
            ensure!(
                min <= max,
                "`--min-delay` is above `--max-delay`: {min} s and {max} s"
            );
            delays
        };
        Ok(Plan {
            min_delay,
            max_delay,
            max_wait: seconds("--max-wait", self.max_wait)?,
            pace: self.pace,
            final_poll: match self.final_poll {
                LastCall::Late => FinalPoll::Late,
                LastCall::Specification => FinalPoll::Specification,
            },
        })
    }
}

fn parse_pace(text: &str) -> Result<Pace> {
    let (rule, number) = match text.split_once('=') {
        Some((rule, number)) => (rule, number.parse().ok()),
        None => (text, None),
    };
    match (rule, number) {
        ("specification", None) if !text.contains('=') => Ok(Pace::Specification),
        ("every", Some(delay)) => Ok(Pace::Every(seconds("every", delay)?)),
        ("proportional", Some(part)) if part > 0.0 && part <= 1.0 => Ok(Pace::Proportional(part)),
        ("proportional", Some(part)) => {
            bail!("`proportional` must be more than 0 and at most 1, found {part}")
        }
        _ => bail!("must be `specification`, `every=SECONDS` or `proportional=PART`"),
    }
}

fn seconds(name: &str, value: f64) -> Result<Duration> {
    let [least, greatest] = TIMES;
    let time = Duration::try_from_secs_f64(value).ok();
    let time = time.filter(|time| (least..=greatest).contains(time));
    time.ok_or_else(|| {
        anyhow!("`{name}` must be from 0.001 to 315360000 (ten years), found {value}")
    })
}
