//! The options of the verb.

use std::ffi::OsString;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use smithy_waiters::{CompiledExpression, WaitOptions};

use super::command::{Program, Reading};
use super::goal::{Failure, Goal, values};
use super::run::{Plan, Target};
use super::time::{self, Interval};
use super::waiter::Conditions;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

/// Waits: calls what follows `--` again and again until it succeeds or has the value of `--until`.
///
/// Exit codes: 0 success; 1 the resource failed; 2 wrong usage; 3 the calls failed for good; 124 the time is over;
/// 126 and 127 the command cannot be run; 130 and 143 interrupted.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  smithy-waiters wait -- pg_isready -h db
  smithy-waiters wait --until Table.TableStatus=ACTIVE -- aws dynamodb describe-table --table-name orders")]
pub(crate) struct Options {
    #[arg(hide = true)]
    targets: Vec<String>,
    /// The command, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// Succeeds with `PATH=VALUE,…`, with a `PATH` that has a value, or with a JMESPath condition; several must all hold
    #[arg(long, visible_alias = "for", value_name = "GOAL")]
    until: Vec<String>,
    /// Fails with the same forms, or with only values of the path of `--until`; one of several is enough
    #[arg(long, value_name = "GOAL")]
    fail: Vec<String>,
    /// The values that may come before; any other then fails
    #[arg(long, value_name = "VALUE,…")]
    pending: Vec<String>,
    /// One item of a list with the value is enough
    #[arg(long, requires = "until")]
    any: bool,
    /// Succeeds as soon as the resource is found
    #[arg(long, conflicts_with_all = ["until", "until_deleted"])]
    until_exists: bool,
    /// Succeeds as soon as the resource is not found
    #[arg(long, conflicts_with = "until")]
    until_deleted: bool,
    /// Succeeds with this error code
    #[arg(long, value_name = "CODE")]
    until_error: Vec<String>,
    /// Fails with this error code
    #[arg(long, value_name = "CODE")]
    fail_error: Vec<String>,
    /// Continues after this error code
    #[arg(long, value_name = "CODE")]
    retry_error: Vec<String>,

    /// The longest wait: `30`, `30s`, `5m`, `1h30m` or `none`; 10 minutes by default
    #[arg(short, long, value_name = "TIME", value_parser = time::timeout)]
    timeout: Option<Duration>,
    /// The end of the wait: `2026-01-31T17:00:00Z`, or `@` and seconds since 1970
    #[arg(long, value_name = "TIME", value_parser = time::deadline)]
    deadline: Option<Duration>,
    /// Makes one call; the exit code is that of its verdict, 124 for "not yet"
    #[arg(long, conflicts_with = "max_attempts")]
    once: bool,
    /// The pause between calls: `5s`, or growing as in `2s..15s`, the default
    #[arg(long, value_name = "TIME", value_parser = Interval::read)]
    interval: Option<Interval>,
    /// The largest number of calls
    #[arg(long, value_name = "COUNT")]
    max_attempts: Option<u64>,
    /// The longest time of one call
    #[arg(long, value_name = "TIME", value_parser = time::positive)]
    attempt_timeout: Option<Duration>,
    /// The pause before the first call
    #[arg(long, value_name = "TIME", value_parser = time::duration)]
    initial_delay: Option<Duration>,
    /// The longest time without an answer of the service; 2 minutes by default
    #[arg(long, value_name = "TIME", value_parser = time::window)]
    transient_window: Option<Duration>,
    /// The seed of random pauses
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Prints this value of the last response to standard output; `@` is the whole response
    #[arg(long, value_name = "PATH")]
    query: Option<String>,
    /// Shows this value of each response
    #[arg(long, value_name = "PATH")]
    show: Vec<String>,
    /// The name of the wait in messages
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Writes only the final error
    #[arg(short, long)]
    quiet: bool,
    /// The largest output of one call, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16 * 1024 * 1024)]
    max_output: usize,
}

impl Options {
    /// Returns the plan of the wait, or an error if the usage is wrong.
    pub(super) fn plan(&self) -> Result<Plan> {
        if let Some(target) = self.targets.first() {
            bail!(
                "`{target}` is not an option: write `--` before a command, as in `smithy-waiters wait -- {target} …`"
            );
        }
        ensure!(
            !self.command.is_empty(),
            "there is nothing to call: add `-- COMMAND`"
        );
        let query = self
            .query
            .as_deref()
            .map(CompiledExpression::new)
            .transpose();
        let query = query.context("`--query` is invalid")?;
        let conditions = self.conditions()?;
        let waiter = conditions.waiter()?;
        let line: Vec<_> = self
            .command
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        let label = self.label.clone().unwrap_or_else(|| short(&line.join(" ")));
        let options = self.wait_options(&conditions, &label);
        let call = Box::new(Program {
            line: self.command.clone(),
            reading: if conditions.reads_response() {
                Reading::Json
            } else {
                Reading::Any
            },
            max_output: self.max_output,
        });
        let limit = match (self.timeout, self.deadline) {
            (Some(time::TEN_YEARS), None) => "without a timeout".to_owned(),
            (Some(timeout), None) => format!("at most {}", time::display(timeout)),
            (None, None) => format!("at most {} (the default)", time::display(DEFAULT_TIMEOUT)),
            (_, Some(deadline)) => format!(
                "at most {}",
                time::display(deadline.min(self.timeout.unwrap_or(deadline)))
            ),
        };
        Ok(Plan {
            targets: vec![Target {
                label,
                call,
                waiter,
                options,
            }],
            query,
            headline: format!("waiting {limit}{}", conditions.summary()),
            quiet: self.quiet,
            once: self.once,
        })
    }

    fn conditions(&self) -> Result<Conditions> {
        let goals = self
            .until
            .iter()
            .map(|text| Goal::read(text).with_context(|| format!("`--until {text}` is invalid")));
        let failures = self
            .fail
            .iter()
            .map(|text| Failure::read(text).with_context(|| format!("`--fail {text}` is invalid")));
        Ok(Conditions {
            goals: goals.collect::<Result<_>>()?,
            failures: failures.collect::<Result<_>>()?,
            pending: self.pending.iter().flat_map(|text| values(text)).collect(),
            any: self.any,
            exists: self.until_exists,
            deleted: self.until_deleted,
            until_errors: self.until_error.clone(),
            fail_errors: self.fail_error.clone(),
            retry_errors: self.retry_error.clone(),
        })
    }

    fn wait_options(&self, conditions: &Conditions, label: &str) -> WaitOptions {
        let timeout = self.timeout.or(self.deadline.map(|_| time::TEN_YEARS));
        let mut options = WaitOptions::new(timeout.unwrap_or(DEFAULT_TIMEOUT)).label(label);
        let shown = conditions.paths().into_iter().chain(self.show.clone());
        options = options.show(shown);
        if let Some(deadline) = self.deadline {
            options = options.deadline_in(deadline);
        }
        if let Some(interval) = self.interval {
            options = interval.apply(options);
        }
        if let Some(attempts) = self.max_attempts.or(self.once.then_some(1)) {
            options = options.max_attempts(attempts);
        }
        if let Some(timeout) = self.attempt_timeout {
            options = options.attempt_timeout(timeout);
        }
        if let Some(delay) = self.initial_delay {
            options = options.initial_delay(delay);
        }
        if let Some(window) = self.transient_window {
            options = options.transient_window(window);
        }
        if let Some(seed) = self.seed {
            options = options.seed(seed);
        }
        options
    }
}

/// Returns the beginning of a command or URL, as a label.
fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
