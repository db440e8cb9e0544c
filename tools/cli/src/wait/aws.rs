//! Waiters of botocore, and `aws … wait` as a prefix.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use smithy_waiters::internal::botocore::waiter;
use smithy_waiters_generate::python::operation_name;

use super::named::Named;
use crate::botocore::texts;

/// Returns a waiter of botocore and its operation.
pub(super) fn named(service: &str, name: &str, folder: Option<&Path>) -> Result<(Named, String)> {
    let files = texts(service, folder)?;
    let file = files
        .into_iter()
        .find(|(file, _)| file.ends_with("waiters-2.json"));
    let (_, text) = file.with_context(|| format!("the service `{service}` has no waiters"))?;
    let found = waiter(&text, name).with_context(|| format!("`{service}` has no such waiter"))?;
    let defaults = found.waiter.defaults();
    let limits = defaults.max_delay().zip(defaults.max_attempts());
    let timeout =
        limits.and_then(|(delay, attempts)| delay.checked_mul(u32::try_from(attempts).ok()?));
    let named = Named {
        waiter: found.waiter,
        is_botocore: true,
        delay: None,
        timeout,
        max_attempts: None,
    };
    Ok((named, found.operation))
}

/// Replaces `aws SERVICE wait NAME` by the operation of the waiter. Returns `None` for any other command.
pub(super) fn of_line(line: &mut Vec<OsString>) -> Result<Option<Named>> {
    let words: Vec<&str> = line.iter().filter_map(|word| word.to_str()).collect();
    let is_aws = words
        .first()
        .and_then(|name| Path::new(name).file_name())
        .is_some_and(|name| name == "aws");
    let place = words
        .iter()
        .position(|word| *word == "wait")
        .filter(|place| *place >= 2 && is_aws);
    let Some(place) = place.filter(|_| words.len() == line.len()) else {
        return Ok(None);
    };
    let (before, after) = words.split_at(place);
    let (Some((service, globals)), [_, name, arguments @ ..]) = (before.split_last(), after) else {
        return Err(anyhow!("`aws … wait` has no name of a waiter"));
    };
    let folder = words.first().and_then(|name| own_botocore(name));
    let (mut named, operation) = named(botocore_name(service), name, folder.as_deref())?;
    let mut call: Vec<OsString> = globals.iter().map(OsString::from).collect();
    call.extend([(*service).into(), operation_name(&operation, '-').into()]);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let (option, value) = argument
            .split_once('=')
            .map_or((*argument, None), |(option, value)| (option, Some(value)));
        let mut number = || {
            value
                .or_else(|| arguments.next().copied())
                .and_then(|value| value.parse::<u64>().ok())
        };
        let missing = || anyhow!("`{option}` must be a whole number, at least 1");
        match option {
            "--delay" => {
                named.delay = Some(Duration::from_secs(
                    number().filter(|delay| *delay > 0).with_context(missing)?,
                ))
            }
            "--max-attempts" => {
                named.max_attempts =
                    Some(number().filter(|count| *count > 0).with_context(missing)?)
            }
            // The response must be whole, and JSON.
            "--query" | "--output" => _ = number(),
            _ => call.push(argument.into()),
        }
    }
    call.extend(["--output".into(), "json".into()]);
    *line = call;
    Ok(Some(named))
}

/// Returns botocore's name of a service that the AWS CLI calls otherwise.
fn botocore_name(service: &str) -> &str {
    match service {
        "configservice" => "config",
        "deploy" => "codedeploy",
        "s3api" => "s3",
        other => other,
    }
}

/// Returns the folder of the botocore inside version 2 of the AWS CLI. Version 1 uses the installed one.
fn own_botocore(command: &str) -> Option<PathBuf> {
    let places = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>());
    let candidates = places
        .unwrap_or_default()
        .into_iter()
        .map(|place| place.join(command));
    let program = candidates
        .into_iter()
        .find_map(|path| path.canonicalize().ok())?;
    let folder = program.parent()?.join("awscli/botocore/data");
    folder.is_dir().then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::operation_name;

    #[test]
    fn operations_have_the_names_of_the_command_line() {
        for (operation, name) in [
            ("DescribeServices", "describe-services"),
            ("DescribeDBInstances", "describe-db-instances"),
            ("HeadBucket", "head-bucket"),
            ("ListWebACLs", "list-web-acls"),
            ("GetDistribution2020_05_31", "get-distribution2020_05_31"),
        ] {
            assert_eq!(operation_name(operation, '-'), name);
        }
    }
}
