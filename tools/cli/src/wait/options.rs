//! The options of the verb.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use smithy_waiters::LeftElse;

use super::change;
use super::display::Format;
use super::fleet::FleetArguments;
use super::http::HttpOptions;
use super::time::{self, Interval};

/// Waits: repeats what follows `--` until it succeeds or prints JSON with the value of `--until`.
///
/// Exit codes: 0 success; 1 the resource failed; 2 wrong usage; 3 the calls failed for good; 124 the time is over;
/// 126 and 127 the command cannot be run; 130 and 143 interrupted. Of several waits, an interruption comes first, then 3,
/// 126 or 127, 1, and 124.
#[derive(clap::Args, Debug)]
#[command(
    args_override_self = true,
    after_help = "Examples:
  smithy-waiters wait -- pg_isready -h db
  smithy-waiters wait tcp://db:5432
  smithy-waiters wait --until status=UP https://localhost:8443/health
  smithy-waiters wait --until Table.TableStatus=ACTIVE -- aws dynamodb describe-table --table-name orders
  smithy-waiters wait --preset kubernetes/deployment -- kubectl get deployment web -o json
  smithy-waiters wait -- aws ecs wait services-stable --cluster prod --services web
  smithy-waiters wait --for-each vol-1,vol-2 --items 'Volumes[]' --key VolumeId --until 'Volumes[].State=available' -- aws ec2 describe-volumes --volume-ids {}"
)]
pub(crate) struct Options {
    /// `tcp://HOST:PORT` or an HTTP URL, until it answers with 2xx; all of several must
    #[arg(value_name = "URL")]
    pub(super) targets: Vec<String>,
    /// The command, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub(super) command: Vec<OsString>,

    /// Succeeds with `PATH=VALUE,…`, with a `PATH` that has a value, or with a JMESPath condition; several must all hold
    #[arg(long, visible_alias = "for", value_name = "GOAL")]
    pub(super) until: Vec<String>,
    /// Fails with the same forms, or with only values of the path of `--until`; one of several is enough
    #[arg(long, value_name = "GOAL")]
    pub(super) fail: Vec<String>,
    /// The values that may come before; any other then fails
    #[arg(long, value_name = "VALUE,…")]
    pub(super) pending: Vec<String>,
    /// One item of a list with the value is enough
    #[arg(long, requires = "until")]
    pub(super) any: bool,
    /// Succeeds as soon as the resource is found
    #[arg(long, conflicts_with_all = ["until", "until_deleted", "until_text", "until_status", "until_error"])]
    pub(super) until_exists: bool,
    /// Succeeds as soon as the resource is not found
    #[arg(long, conflicts_with_all = ["until", "until_text", "until_status", "until_error"])]
    pub(super) until_deleted: bool,
    /// Succeeds if a line of standard output or of the body matches, also without JSON
    #[arg(long, value_name = "REGEX")]
    pub(super) until_text: Option<String>,
    /// Fails if a line matches
    #[arg(long, value_name = "REGEX")]
    pub(super) fail_text: Option<String>,
    /// Succeeds with these HTTP statuses
    #[arg(long, value_name = "STATUS,…")]
    pub(super) until_status: Option<String>,
    /// Succeeds with this error code, or with `--until`
    #[arg(long, value_name = "CODE")]
    pub(super) until_error: Vec<String>,
    /// Fails with this error code
    #[arg(long, value_name = "CODE")]
    pub(super) fail_error: Vec<String>,
    /// Continues after this error code
    #[arg(long, value_name = "CODE")]
    pub(super) retry_error: Vec<String>,

    /// Adds a rule for a failed command: `permanent:REGEX`, `not-found:REGEX` or `transient:REGEX` of its standard error
    #[arg(long, value_name = "CLASS:REGEX")]
    pub(super) error_pattern: Vec<String>,

    /// Waits with a ready definition, such as `kubernetes/deployment`; `smithy-waiters presets` lists them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["until", "until_exists", "until_deleted", "botocore", "waiter"])]
    pub(super) preset: Option<String>,
    /// Waits with a definition: a file with one Waiter structure of Smithy's specification, in JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["until", "until_exists", "until_deleted", "botocore"])]
    pub(super) waiter: Option<PathBuf>,
    /// Waits with a waiter of botocore
    #[arg(long, num_args = 2, value_names = ["SERVICE", "NAME"], conflicts_with_all = ["until", "until_exists", "until_deleted"])]
    pub(super) botocore: Option<Vec<String>>,

    /// Waits for each name, which replaces `{}` or is the last argument; `-` reads standard input
    #[arg(long, value_name = "NAME,…")]
    pub(super) for_each: Vec<String>,
    /// The largest number of waits at the same time, or of calls for many names
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 10,
        requires = "for_each"
    )]
    pub(super) jobs: usize,
    /// The number of names that must succeed; all by default
    #[arg(long, value_name = "COUNT", requires = "for_each")]
    pub(super) quorum: Option<usize>,
    /// Ends all waits after the first failure
    #[arg(long, requires = "for_each")]
    pub(super) fail_fast: bool,
    /// Succeeds if there are no names
    #[arg(long, requires = "for_each")]
    pub(super) allow_empty: bool,

    /// The longest wait: `30`, `30s`, `5m`, `1h30m` or `none`; 10 minutes by default
    #[arg(short, long, value_name = "TIME", value_parser = time::timeout)]
    pub(super) timeout: Option<Duration>,
    /// The end of the wait: `2026-01-31T17:00:00Z`, or `@` and seconds since 1970
    #[arg(long, value_name = "TIME", value_parser = time::deadline)]
    pub(super) deadline: Option<Duration>,
    /// Makes one call; the exit code is that of its verdict, 124 for "not yet"
    #[arg(long, conflicts_with = "max_attempts")]
    pub(super) once: bool,
    /// The pause between calls: `5s`, or growing as in `2s..15s`, the default
    #[arg(long, value_name = "TIME", value_parser = Interval::read)]
    pub(super) interval: Option<Interval>,
    /// The largest number of calls
    #[arg(long, value_name = "COUNT")]
    pub(super) max_attempts: Option<u64>,
    /// The longest time of one call
    #[arg(long, value_name = "TIME", value_parser = time::positive)]
    pub(super) attempt_timeout: Option<Duration>,
    /// The pause before the first call
    #[arg(long, value_name = "TIME", value_parser = time::duration)]
    pub(super) initial_delay: Option<Duration>,
    /// The longest time without an answer of the service; 2 minutes by default
    #[arg(long, value_name = "TIME", value_parser = time::window)]
    pub(super) transient_window: Option<Duration>,
    /// The longest time until the resource is found for the first time; 60 s by default, `none` with `--until-exists`
    #[arg(long, value_name = "TIME", value_parser = time::window)]
    pub(super) not_found_for: Option<Duration>,
    /// Counts only answers in which the path has this value: the deployment or version of your change. For a deletion, a
    /// path alone: another value belongs to a new resource of the same name. For a preset with a path, a value alone
    #[arg(long, value_name = "PATH=VALUE")]
    pub(super) same: Option<String>,
    /// Counts only what comes after the resource has left this value of `--until`'s path, or `PATH=VALUE`
    #[arg(long, value_name = "VALUE")]
    pub(super) left: Option<String>,
    /// The time in which `--left` must be left or `--same` be seen; 60 s by default
    #[arg(long, value_name = "TIME", value_parser = time::positive)]
    pub(super) left_within: Option<Duration>,
    /// `accept` counts a success although the value was not left in time; by default the wait fails
    #[arg(long, value_name = "WORD", value_parser = change::left_else, requires = "left")]
    pub(super) left_else: Option<LeftElse>,
    /// Succeeds only with this number or a greater one
    #[arg(long, value_name = "PATH=NUMBER")]
    pub(super) at_least: Vec<String>,
    /// The number of successes in a row; 1 by default
    #[arg(long, value_name = "COUNT")]
    pub(super) successes: Option<u64>,
    /// The time for which every answer must be a success
    #[arg(long, value_name = "TIME", value_parser = time::positive)]
    pub(super) stable_for: Option<Duration>,
    /// The seed of random pauses
    #[arg(long, value_name = "NUMBER")]
    pub(super) seed: Option<u64>,

    /// Prints this value of the last response to standard output after each success; `@` is the whole response
    #[arg(long, value_name = "PATH")]
    pub(super) query: Option<String>,
    /// Shows this value of each response
    #[arg(long, value_name = "PATH")]
    pub(super) show: Vec<String>,
    /// The name of the wait in messages
    #[arg(long, value_name = "TEXT")]
    pub(super) label: Option<String>,
    /// The form of the messages on standard error; `github` by default in GitHub Actions, else `text`
    #[arg(long, value_name = "FORM")]
    pub(super) format: Option<Format>,
    /// Writes only the final error
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// The largest output of one call, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16 * 1024 * 1024)]
    pub(super) max_output: usize,
    #[command(flatten)]
    pub(super) fleet: FleetArguments,
    #[command(flatten)]
    pub(super) http: HttpOptions,
}
