//! The errors of commands, by their standard error and exit codes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use regex_lite::Regex;
use serde::Deserialize;

use super::call::{CallError, Class, Ending, NOT_FOUND, UNREACHABLE};

const TABLE: &str = include_str!("errors.json");

/// Programs that run the command in their arguments.
const PREFIXES: [&str; 5] = ["env", "nice", "nohup", "sudo", "timeout"];

/// The rules for a command. The first that matches applies.
#[derive(Debug)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    /// The option with which the command prints JSON.
    json: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The options with which commands print JSON, by their names.
    json: BTreeMap<String, String>,
    rules: Vec<Row>,
}

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The names of the commands; empty for all.
    #[serde(default)]
    tools: Vec<String>,
    /// The exit codes; empty for all but 0.
    #[serde(default)]
    exits: Vec<i32>,
    /// A pattern of standard error. Its group is the code.
    pattern: Option<String>,
    class: Class,
    code: Option<String>,
}

#[derive(Debug)]
struct Rule {
    exits: Vec<i32>,
    pattern: Option<Regex>,
    class: Class,
    code: Option<String>,
}

fn table() -> Result<Table> {
    serde_json::from_str(TABLE).context("the table of errors is invalid")
}

/// Returns the name of the tool that a command runs: its program, or the tool that `sudo` or a similar program starts.
pub(super) fn tool(line: &[OsString]) -> Result<String> {
    let mut names = line.iter().map(|word| {
        let name = Path::new(word).file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    });
    let program = names.next().unwrap_or_default();
    if !PREFIXES.contains(&&*program) {
        return Ok(program);
    }
    let rows = table()?.rules;
    let tool = names.find(|name| rows.iter().any(|row| row.tools.contains(name)));
    Ok(tool.unwrap_or(program))
}

impl Rules {
    /// Returns the rules for a command. `further` are the values of `--error-pattern`, which come first.
    pub(super) fn of(tool: &str, further: &[String]) -> Result<Self> {
        let mut table = table()?;
        let json = table.json.remove(tool);
        let rows = table
            .rules
            .into_iter()
            .filter(|row| row.tools.is_empty() || row.tools.iter().any(|name| name == tool));
        let rows = rows.map(|row| {
            let pattern = row.pattern.as_deref().map(Regex::new).transpose();
            Ok(Rule {
                exits: row.exits,
                pattern: pattern?,
                class: row.class,
                code: row.code,
            })
        });
        let own = further.iter().map(|text| Rule::read(text));
        let rules = own.chain(rows).collect::<Result<_>>()?;
        Ok(Self { rules, json })
    }

    /// Returns how the command is made to print JSON, unless its words ask for it.
    pub(super) fn json_remedy(&self, line: &[OsString]) -> String {
        let asks = |word: &OsString| word.to_string_lossy().to_lowercase().contains("json");
        match &self.json {
            _ if line.iter().any(asks) => String::new(),
            Some(option) => format!(": add `{option}`"),
            None => {
                ": does the command have an option such as `-o json` or `--output json`?".to_owned()
            }
        }
    }

    /// Returns the error of a failed command, or `None` if no rule recognises it.
    pub(super) fn find(
        &self,
        exit: Option<i32>,
        stderr: &str,
        ending: &Ending,
    ) -> Option<CallError> {
        self.rules.iter().find_map(|rule| {
            let is_exit =
                rule.exits.is_empty() || exit.is_some_and(|exit| rule.exits.contains(&exit));
            if !is_exit {
                return None;
            }
            let group = match &rule.pattern {
                Some(pattern) => pattern.captures(stderr)?.get(1),
                None => None,
            };
            let code = group.map(|group| group.as_str()).or(rule.code.as_deref());
            let class = rule.class;
            let code = code.or(match class {
                Class::NotFound => Some(NOT_FOUND),
                Class::Busy => Some("Busy"),
                Class::Unanswered => Some(UNREACHABLE),
                Class::CannotRun | Class::Coded | Class::Permanent => None,
            });
            let mut error = match code {
                Some(code) => CallError::new(class, code, ending.to_string()),
                None => CallError::new(class, &*ending.code, &*ending.words),
            };
            let is_shell = exit.filter(|code| [126, 127].contains(code));
            error.exit = is_shell.and_then(|code| u8::try_from(code).ok());
            Some(error)
        })
    }
}

impl Rule {
    /// Reads `CLASS:REGEX`.
    fn read(text: &str) -> Result<Self> {
        let problem = || {
            anyhow!(
                "`--error-pattern {text}` must be `permanent:REGEX`, `not-found:REGEX` or `transient:REGEX`"
            )
        };
        let (class, pattern) = text.split_once(':').ok_or_else(problem)?;
        let class = match class {
            "permanent" => Class::Permanent,
            "not-found" => Class::NotFound,
            "transient" => Class::Busy,
            _ => bail!(problem()),
        };
        let pattern = Regex::new(pattern).with_context(problem)?;
        Ok(Self {
            exits: Vec::new(),
            pattern: Some(pattern),
            class,
            code: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use smithy_waiters::driver::OperationError as _;

    use super::{Rules, tool};
    use crate::wait::call::{Class, Ending};

    #[test]
    fn words_of_real_tools_have_a_class() {
        use Class::{Busy, CannotRun, Coded, NotFound, Permanent, Unanswered};
        for (tool, exit, stderr, expected) in [
            (
                "aws",
                254,
                "\nAn error occurred (ResourceNotFoundException) when calling the DescribeTable operation: Requested resource not found",
                Some((NotFound, "ResourceNotFoundException")),
            ),
            (
                "aws",
                254,
                "An error occurred (InvalidInstanceID.NotFound) when calling the DescribeInstances operation: no",
                Some((NotFound, "InvalidInstanceID.NotFound")),
            ),
            (
                "aws",
                255,
                "An error occurred (404) when calling the HeadBucket operation: Not Found",
                Some((NotFound, "404")),
            ),
            (
                "aws",
                254,
                "An error occurred (ValidationError) when calling the DescribeStacks operation: Stack with id app does not exist",
                Some((NotFound, "ValidationError")),
            ),
            (
                "sh",
                1,
                "An error occurred (ThrottlingException) when calling the X operation (reached max retries: 4): Rate exceeded",
                Some((Busy, "ThrottlingException")),
            ),
            (
                "aws",
                254,
                "An error occurred (AccessDeniedException) when calling the DescribeTable operation: no",
                Some((Coded, "AccessDeniedException")),
            ),
            (
                "aws",
                255,
                "An error occurred (ServiceUnavailable) when calling the X operation (reached max retries: 4): no",
                Some((Busy, "ServiceUnavailable")),
            ),
            (
                "aws",
                255,
                "An error occurred (503) when calling the HeadObject operation: Service Unavailable",
                Some((Busy, "503")),
            ),
            (
                "aws",
                255,
                "usage: aws [options]\n\nUnknown options: --nope",
                Some((Permanent, "Usage")),
            ),
            ("aws", 253, "", Some((Permanent, "Credentials"))),
            (
                "aws",
                255,
                "Unable to locate credentials. You can configure credentials by running \"aws configure\".",
                Some((Permanent, "Credentials")),
            ),
            (
                "aws",
                255,
                "Could not connect to the endpoint URL: \"http://127.0.0.1:9/\"",
                Some((Unanswered, "Unreachable")),
            ),
            (
                "kubectl",
                1,
                "Error from server (NotFound): pods \"web\" not found",
                Some((NotFound, "NotFound")),
            ),
            (
                "kubectl",
                1,
                "Error from server (Forbidden): pods \"web\" is forbidden: User cannot get",
                Some((Permanent, "Forbidden")),
            ),
            (
                "kubectl",
                1,
                "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
                Some((Unanswered, "Unreachable")),
            ),
            (
                "kubectl",
                1,
                "error: unknown flag: --outputs",
                Some((Permanent, "Usage")),
            ),
            (
                "gh",
                1,
                "HTTP 404: Not Found (https://api.github.com/repos/a/b/actions/runs/1)",
                Some((NotFound, "404")),
            ),
            (
                "gh",
                1,
                "HTTP 403: API rate limit exceeded for user",
                Some((Busy, "Busy")),
            ),
            (
                "gh",
                4,
                "To get started with GitHub CLI, please run:  gh auth login",
                Some((Permanent, "Unauthorized")),
            ),
            (
                "az",
                3,
                "ERROR: (ResourceNotFound) The Resource 'x' was not found.",
                Some((NotFound, "ResourceNotFound")),
            ),
            ("az", 2, "az aks show: error", Some((Permanent, "Usage"))),
            (
                "gcloud",
                1,
                "ERROR: (gcloud.sql.instances.describe) NOT_FOUND: the instance",
                Some((NotFound, "NotFound")),
            ),
            (
                "gcloud",
                1,
                "ERROR: (gcloud.compute.operations.describe) Could not fetch resource:\n - Required 'compute.zoneOperations.get' permission for 'projects/p'",
                Some((Permanent, "PERMISSION_DENIED")),
            ),
            (
                "docker",
                1,
                "Error: No such object: db",
                Some((NotFound, "NotFound")),
            ),
            (
                "curl",
                7,
                "curl: (7) Failed to connect to localhost port 9",
                Some((Unanswered, "Unreachable")),
            ),
            (
                "curl",
                22,
                "curl: (22) The requested URL returned error: 503",
                Some((Busy, "503")),
            ),
            (
                "psql",
                2,
                "psql: error: connection to server failed: FATAL:  the database system is starting up",
                Some((Busy, "Busy")),
            ),
            (
                "psql",
                2,
                "psql: error: FATAL:  password authentication failed for user \"x\"",
                Some((Permanent, "AccessDenied")),
            ),
            (
                "psql",
                1,
                "ERROR:  relation \"jobs\" does not exist",
                Some((NotFound, "NotFound")),
            ),
            ("pg_isready", 3, "", Some((Permanent, "Usage"))),
            ("pg_isready", 2, "", None),
            (
                "sh",
                127,
                "sh: 1: nosuch: not found",
                Some((CannotRun, "exit code 127")),
            ),
            ("sh", 3, "boom", None),
        ] {
            let rules = Rules::of(tool, &[]).unwrap();
            let ending = Ending {
                code: format!("exit code {exit}"),
                ..Ending::default()
            };
            let found = rules.find(Some(exit), stderr, &ending);
            let found =
                found.map(|error| (error.class, error.metadata().is(&error.code), error.code));
            let expected = expected.map(|(class, code)| (class, true, code.to_owned()));
            assert_eq!(found, expected, "{tool} {exit} {stderr}");
        }
    }

    #[test]
    fn a_prefix_is_not_the_tool() {
        for (line, expected) in [
            ("docker inspect db", "docker"),
            ("/usr/bin/sudo -u postgres /usr/bin/psql -c x", "psql"),
            ("env -u AWS_PROFILE timeout 60 aws s3 ls", "aws"),
            ("./check.sh curl", "check.sh"),
            ("sudo ./check.sh", "sudo"),
            ("", ""),
        ] {
            let words: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
            assert_eq!(tool(&words).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn a_rule_of_the_caller_comes_first() {
        let further = [
            "transient:(?i)boom".to_owned(),
            "not-found:none here".to_owned(),
        ];
        let rules = Rules::of("aws", &further).unwrap();
        let class = |text| {
            rules
                .find(Some(252), text, &Ending::default())
                .map(|error| error.class)
        };
        assert_eq!(class("BOOM"), Some(Class::Busy));
        assert_eq!(class("none here"), Some(Class::NotFound));
        assert_eq!(class(""), Some(Class::Permanent));
        assert!(Rules::of("aws", &["boom".to_owned()]).is_err());
    }
}
