//! `smithy-waiters schedule`: simulates the times of a waiter's calls.

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
use smithy_waiters::internal::TEN_YEARS;
use smithy_waiters::{FinalPoll, Pace};
use smithy_waiters_model::read;

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;
use crate::waiters::{self, DEFAULT_DELAYS};
use calls::Calls;
use plan::Plan;
use sample::Sample;

/// Simulates when a waiter calls, and how soon it detects a change.
///
/// The engine runs a sample of waits in virtual time. Requests take no time.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// A waiter whose delays are used; its name is case-insensitive
    waiter: Option<String>,
    #[command(flatten)]
    files: Files,
    /// The operation, with or without its namespace, if several have a waiter of this name
    #[arg(long, value_name = "NAME", requires = "waiter")]
    operation: Option<String>,
    /// The minimum delay; by default the waiter's, or 2
    #[arg(long, value_name = "SECONDS")]
    min_delay: Option<f64>,
    /// The maximum delay; by default the waiter's, or 120
    #[arg(long, value_name = "SECONDS")]
    max_delay: Option<f64>,
    /// The duration of the wait
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS")]
    max_wait: f64,
    /// The rule for the delays: `specification`, `doubling`, `every=SECONDS`, or `proportional=PART` of the elapsed time
    #[arg(long, default_value = "specification", value_name = "PACE", value_parser = parse_pace)]
    pace: Pace,
    /// The time of the last call
    #[arg(long, value_enum, default_value_t = LastCall::Specification)]
    final_poll: LastCall,
    /// The number of waits in the sample
    #[arg(long, default_value_t = 1_000, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    draws: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LastCall {
    /// Shortly before the end of the wait
    Late,
    /// One minimum delay before the end of the wait
    Specification,
}

/// The range of the options that are times.
const TIME_RANGE: [Duration; 2] = [Duration::from_millis(1), TEN_YEARS];

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut out = String::new();
    let defaults = match &options.waiter {
        None => DEFAULT_DELAYS,
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
    out.push_str(&table::render(&plan, Calls::compute(&plan)?, &sample));
    output::print(&out)?;
    Ok(Outcome::Clean)
}

impl Options {
    /// Returns the operation and the delays of a waiter.
    fn find(&self, name: &str) -> Result<(String, [f64; 2])> {
        let mut matches = Vec::new();
        let mut names = BTreeSet::new();
        for sources in self.files.models()? {
            let sources = sources?;
            let model = read(&sources);
            output::note_incomplete_model(&model);
            waiters::names(&model, &mut names);
            let named = waiters::find(&model, name, self.operation.as_deref());
            let named = named.iter();
            matches.extend(named.map(|(id, waiter)| ((*id).to_owned(), waiters::delays(waiter))));
        }
        if matches.len() > 1 {
            let operations: Vec<String> = matches.into_iter().map(|(id, _)| id).collect();
            bail!(waiters::ambiguous(name, &operations));
        }
        let missing = || waiters::missing(name, self.operation.as_deref(), &names);
        matches.pop().ok_or_else(missing)
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
                "`--min-delay` must not exceed `--max-delay`, got {min} s and {max} s"
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
        ("doubling", None) if !text.contains('=') => Ok(Pace::Doubling),
        ("every", Some(delay)) => Ok(Pace::Every(seconds("every", delay)?)),
        ("proportional", Some(part)) if part > 0.0 && part <= 1.0 => Ok(Pace::Proportional(part)),
        ("proportional", Some(part)) => {
            bail!("`proportional` must be greater than 0 and at most 1, got {part}")
        }
        _ => bail!("must be `specification`, `doubling`, `every=SECONDS` or `proportional=PART`"),
    }
}

fn seconds(name: &str, value: f64) -> Result<Duration> {
    let [least, greatest] = TIME_RANGE;
    let time = Duration::try_from_secs_f64(value).ok();
    let time = time.filter(|time| (least..=greatest).contains(time));
    time.ok_or_else(|| {
        anyhow!(
            "`{name}` must be between {} and {} (ten years), got {value}",
            least.as_secs_f64(),
            greatest.as_secs_f64()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::parse_pace;

    #[test]
    fn a_pace_has_a_rule_and_perhaps_a_number() {
        for text in ["specification", "doubling", "every=0.5", "proportional=1"] {
            assert!(parse_pace(text).is_ok(), "{text}");
        }
        let form = "must be `specification`, `doubling`, `every=SECONDS` or `proportional=PART`";
        for (text, message) in [
            ("doubling=x", form),
            ("specification=", form),
            ("every", form),
            ("proportional=x", form),
            (
                "proportional=0",
                "`proportional` must be greater than 0 and at most 1, got 0",
            ),
            (
                "proportional=1.5",
                "`proportional` must be greater than 0 and at most 1, got 1.5",
            ),
        ] {
            let error = parse_pace(text).map(|_| ()).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        assert!(parse_pace("every=0").is_err());
    }
}
