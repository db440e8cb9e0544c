//! The scripts of the GitHub Action, with its inputs and outputs.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{folder, stderr};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Runs a script of the action with inputs, in a folder.
fn script(folder: &Path, name: &str, inputs: &[(&str, &str)]) -> Command {
    let script = format!("{REPOSITORY}/tools/cli/action/{name}");
    let mut command = Command::new("bash");
    command.arg(script).current_dir(folder);
    // As on a runner, an input that is missing is empty.
    let names = ["", "lint"].map(|folder| input_names(&action(folder)));
    for name in names.concat() {
        command.env(format!("INPUT_{}", name.to_uppercase()), "");
    }
    for (name, value) in inputs {
        command.env(format!("INPUT_{}", name.to_uppercase()), value);
    }
    command
        .env("GITHUB_OUTPUT", folder.join("outputs"))
        .env("RUNNER_TEMP", folder);
    command
}

/// Returns the names below `inputs:` in an action.
fn input_names(action: &str) -> Vec<String> {
    let inputs = action.split_once("\ninputs:\n").unwrap().1;
    let inputs = inputs
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with(' '));
    let names = inputs.filter_map(|line| {
        let name = line.strip_prefix("  ")?.strip_suffix(':')?;
        (!name.starts_with(' ')).then(|| name.to_owned())
    });
    names.collect()
}

/// Returns the action in a folder of the repository.
fn action(folder: &str) -> String {
    fs::read_to_string(format!("{REPOSITORY}/{folder}/action.yml")).unwrap()
}

/// Returns a search path that starts with the built command.
fn path() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    let others = std::env::var("PATH").unwrap();
    format!("{}:{others}", program.parent().unwrap().display())
}

/// Runs the action with the built command in `PATH`, and returns its outputs.
fn wait(folder: &Path, inputs: &[(&str, &str)]) -> (Output, BTreeMap<String, String>) {
    let _ = fs::remove_file(folder.join("outputs"));
    let output = script(folder, "wait.sh", inputs)
        .env("PATH", path())
        .output()
        .unwrap();
    let text = fs::read_to_string(folder.join("outputs")).unwrap_or_default();
    (output, outputs(&text))
}

/// Reads `name=value` and `name<<END`, as GitHub does.
fn outputs(text: &str) -> BTreeMap<String, String> {
    let mut outputs = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some((name, end)) = line.split_once("<<") {
            let value: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
            outputs.insert(name.to_owned(), value.join("\n"));
        } else {
            let (name, value) = line.split_once('=').unwrap();
            outputs.insert(name.to_owned(), value.to_owned());
        }
    }
    outputs
}

#[test]
fn each_input_is_a_variable_of_the_script() {
    for (folder, script, count) in [("", "wait.sh", 9), ("lint", "lint.sh", 4)] {
        let action = action(folder);
        let names = input_names(&action);
        assert_eq!(names.len(), count, "{names:?}");
        let scripts = [script, "install.sh"].map(|name| {
            fs::read_to_string(format!("{REPOSITORY}/tools/cli/action/{name}")).unwrap()
        });
        for name in names {
            let variable = format!("INPUT_{}", name.to_uppercase());
            let line = format!("        {variable}: ${{{{ inputs.{name} }}}}\n");
            assert!(action.contains(&line), "{line}");
            assert!(scripts.concat().contains(&variable), "{variable}");
        }
    }
}

#[test]
fn the_outputs_are_the_value_the_state_and_the_time() {
    let folder = folder("action");
    fs::write(
        folder.join("job.json"),
        r#"{"status": "done", "note": "two\nlines", "kind": "a b"}"#,
    )
    .unwrap();
    let fast = ("interval", "10ms");
    for (inputs, exit, state, value) in [
        (
            &[
                ("run", "cat job.json"),
                ("until", "status=done"),
                ("query", "status"),
            ][..],
            0,
            "success",
            "done",
        ),
        (
            &[
                ("run", "cat job.json"),
                ("until", "status=done"),
                ("query", "note"),
            ],
            0,
            "success",
            "two\nlines",
        ),
        // Each line is a goal, and a script is one of bash.
        (
            &[
                ("run", "set -u\ncat \"job.json\" | cat"),
                ("until", "status=done\r\nkind=a b\r\n"),
                ("query", "kind"),
            ],
            0,
            "success",
            "a b",
        ),
        (
            &[
                ("run", "cat job.json"),
                ("until", "status=ready"),
                ("fail", "failed,done"),
            ],
            1,
            "failure",
            "",
        ),
        (
            &[
                ("run", "cat job.json"),
                ("until", "status=ready"),
                ("pending", "created"),
            ],
            1,
            "failure",
            "",
        ),
        (
            &[("run", "exit 1"), ("timeout", "50ms")],
            124,
            "timeout",
            "",
        ),
        (&[("run", "no-such-program $HOME")], 127, "error", ""),
        (&[], 2, "error", ""),
        (
            &[("run", "true"), ("url", "tcp://localhost:1")],
            2,
            "error",
            "",
        ),
        (&[("url", "--help")], 2, "error", ""),
    ] {
        let inputs = [inputs, &[fast]].concat();
        let (output, outputs) = wait(&folder, &inputs);
        let case = format!("{inputs:?} {outputs:?}\n{}", stderr(&output));
        assert_eq!(output.status.code(), Some(exit), "{case}");
        assert_eq!(outputs["state"], state, "{case}");
        assert_eq!(outputs["value"], value, "{case}");
        assert!(outputs["elapsed"].parse::<f64>().is_ok(), "{case}");
    }
}

#[test]
fn urls_are_one_a_line() {
    let servers = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let urls = servers
        .each_ref()
        .map(|server| format!("tcp://{}\n", server.local_addr().unwrap()));
    let (output, outputs) = wait(&folder("action-urls"), &[("url", &urls.concat())]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 of 2 succeeded"));
    assert_eq!(outputs["state"], "success");
}

#[test]
fn the_findings_are_between_the_commands_for_the_matcher() {
    let folder = common::with_model("action-lint");
    fs::create_dir(folder.join("empty")).unwrap();
    let mended = common::MODEL
        .replace("thing.State", "thing.state")
        .replace("\"ready\"", "\"READY\"");
    for name in ["right.smithy", "-dash.smithy"] {
        fs::write(folder.join(name), &mended).unwrap();
    }
    let matcher = format!("{REPOSITORY}/lint/problem-matcher.json");
    let mut tokens = BTreeSet::new();
    for (inputs, exit, findings) in [
        (&[("model", "model.smithy")][..], 1, "danger["),
        (&[("model", "right.smithy\n\n")], 0, "not shown"),
        (
            &[
                ("model", "right.smithy"),
                ("deny", "note"),
                ("show", "note"),
            ],
            1,
            "note[",
        ),
        // Several definitions of each shape.
        (&[], 1, "error["),
        (&[("model", "  right.smithy \r\n\r\n")], 0, "not shown"),
        // A name is neither an option nor standard input.
        (&[("model", "-dash.smithy")], 0, "not shown"),
        (&[("model", "--help")], 2, "`./--help`"),
        (&[("model", "-")], 2, "`./-`"),
        (&[("model", "model.smithy\nmissing.smithy")], 2, ""),
        (&[("model", "right.smithy"), ("deny", "nonsense")], 2, ""),
    ] {
        let output = script(&folder, "lint.sh", inputs)
            .env("PATH", path())
            .env("GITHUB_ACTION_PATH", format!("{REPOSITORY}/lint"))
            .env("GITHUB_ACTIONS", "true")
            .output()
            .unwrap();
        let text = common::stdout(&output);
        let case = format!("{inputs:?}\n{text}{}", stderr(&output));
        assert_eq!(output.status.code(), Some(exit), "{case}");
        let start = format!("::add-matcher::{matcher}\n::stop-commands::");
        let (token, rest) = text.strip_prefix(&start).unwrap().split_once('\n').unwrap();
        assert!(
            token.len() == 32 && tokens.insert(token.to_owned()),
            "{case}"
        );
        let (shown, removed) = rest
            .split_once(&format!("::{token}::\n::remove-matcher"))
            .unwrap();
        assert!(shown.contains(findings), "{case}");
        assert_eq!(stderr(&output), "", "{case}");
        let owners =
            ["error", "warning", "note"].map(|owner| format!(" owner=smithy-waiters-{owner}::\n"));
        assert_eq!(removed, owners.join("::remove-matcher"), "{case}");
    }
}

/// Writes an archive and its checksum as a release has them, with a script as the program.
fn release(folder: &Path, version: &str) -> PathBuf {
    let releases = folder.join("releases");
    let files = releases.join(format!("v{version}"));
    fs::create_dir_all(&files).unwrap();
    let script = "for target in {x86_64,aarch64}-{unknown-linux-musl,apple-darwin}; do
        name=smithy-waiters-$0-$target
        mkdir $name
        printf '#!/bin/sh\\necho program of %s\\n' $0 > $name/smithy-waiters
        chmod +x $name/smithy-waiters
        tar -czf $name.tar.gz $name
        if type -P sha256sum >/dev/null; then sha256sum $name.tar.gz; else shasum -a 256 $name.tar.gz; fi > $name.tar.gz.sha256
    done";
    let made = Command::new("bash")
        .args(["-ec", script, version])
        .current_dir(&files)
        .status();
    assert!(made.unwrap().success());
    releases
}

#[test]
fn a_version_is_fetched_and_its_checksum_is_verified() {
    let folder = folder("action-install");
    let releases = release(&folder, "1.2.3");
    let install = |version: &str| {
        script(&folder, "install.sh", &[("version", version)])
            .env(
                "SMITHY_WAITERS_RELEASES",
                format!("file://{}", releases.display()),
            )
            .output()
            .unwrap()
    };
    for version in ["1.2.3", "v1.2.3"] {
        let output = install(version);
        assert!(output.status.success(), "{}", stderr(&output));
        let program = common::stdout(&output);
        let ran = Command::new(program.trim()).output().unwrap();
        assert_eq!(common::stdout(&ran), "program of 1.2.3\n");
    }
    for version in ["9.9.9", "no version"] {
        let output = install(version);
        assert_eq!(output.status.code(), Some(2));
        let reason = format!("cannot fetch version `{version}` of the command from file://");
        assert!(stderr(&output).contains(&reason), "{}", stderr(&output));
    }
    for file in fs::read_dir(releases.join("v1.2.3")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
            file.write_all(b"another").unwrap();
        }
    }
    let output = install("1.2.3");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not have its checksum"));
    assert!(common::stdout(&output).is_empty());
}
