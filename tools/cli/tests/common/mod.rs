//! Helpers for the tests of the command.

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "not every test uses every helper"
)]

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const MODEL: &str = r#"$version: "2.0"

namespace example

use smithy.waiters#waitable

@waitable(
    ThingReady: {
        acceptors: [
            {state: "success", matcher: {output: {path: "thing.State", comparator: "stringEquals", expected: "ready"}}}
            {
                state: "retry"
                matcher: {success: true}
            }
        ]
    }
)
@readonly
@paginated(inputToken: "token", outputToken: "token")
operation GetThing {
    input := { token: String }
    output := { thing: Thing, token: String }
    errors: [Gone]
}

structure Thing { state: ThingState }

enum ThingState { CREATING, READY }

@error("client")
structure Gone {}
"#;

/// Creates an empty folder for a test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn with_model(test: &str) -> PathBuf {
    let folder = folder(test);
    fs::write(folder.join("model.smithy"), MODEL).unwrap();
    folder
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Returns the command, which does not see where the tests run.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    command.current_dir(folder).args(arguments);
    command.env_remove("CI").env_remove("GITHUB_ACTIONS");
    command
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the last line of standard output, which contains the number of events.
pub(crate) fn counts(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs the command with a text as standard input, which the command may not read.
pub(crate) fn run_with(folder: &Path, arguments: &[&str], text: &[u8]) -> Output {
    let mut command = command(folder, arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let result = child.stdin.take().unwrap().write_all(text);
    if let Err(error) = result {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }
    child.wait_with_output().unwrap()
}
