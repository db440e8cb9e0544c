//! Tests of runs with runners that misbehave.
#![cfg(unix)]

use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, thread};

use smithy_waiters_player::{Expected, Kit, RunOptions, run};

/// Plays the synthetic suite with a shell script as runner, and returns the error.
fn error(script: &str) -> String {
    error_of(&options(script))
}

fn error_of(options: &RunOptions) -> String {
    let result = kit().and_then(|kit| run(&kit, options, |_, _| {}));
    result.map_or_else(|error| format!("{error:#}"), |_| "no error".to_owned())
}

fn kit() -> anyhow::Result<Kit> {
    let core = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance/core");
    Kit::read(&[core])
}

fn options(script: &str) -> RunOptions {
    let mut options = RunOptions::default();
    options.command = ["sh", "-c", script].map(str::to_owned).to_vec();
    options.patterns = vec!["core.string-equals.*".to_owned()];
    options.longest = Some(Duration::from_secs(3600));
    options
}

const FIRST: &str = r#"echo '{"sdk": "test", "version": "1"}'; "#;

#[test]
fn the_first_line_is_an_announcement() {
    let message = error("echo hello");
    assert!(
        message.contains("first line") && message.contains("got `hello`"),
        "{message}"
    );
}

#[test]
fn a_runner_without_a_line_is_an_error() {
    let message = error("exit 1");
    assert!(
        message.contains("ended before its first line: exit status: 1"),
        "{message}"
    );
}

#[test]
fn a_missing_runner_is_an_error() {
    let mut options = options("");
    options.command = vec!["no-such-runner".to_owned()];
    assert!(error_of(&options).contains("cannot start the runner `no-such-runner`"));
}

#[test]
fn garbage_after_the_first_line_is_an_error() {
    let message = error(&format!("{FIRST} read task; echo garbage; cat"));
    assert!(message.contains("got `garbage`"), "{message}");
}

#[test]
fn an_unknown_case_is_an_error() {
    let message = error(&format!(
        r#"{FIRST} read task; echo '{{"id": "x", "end": "success"}}'; cat"#
    ));
    assert!(
        message.contains("case `x`, which it does not have"),
        "{message}"
    );
}

#[test]
fn a_runner_that_dies_again_and_again_is_an_error() {
    let message = error(&format!("{FIRST} read task"));
    assert!(message.contains("died 3 times"), "{message}");
}

/// A runner whose suites have no case that is chosen.
#[test]
fn a_run_without_a_case_is_an_error() {
    let message = error(r#"echo '{"sdk": "test", "version": "1", "suites": ["acm"]}'; cat"#);
    assert!(
        message.contains("that the runner announces: `acm`"),
        "{message}"
    );
}

#[test]
fn a_port_in_use_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut options = options(FIRST);
    options.port = listener.local_addr().unwrap().port();
    assert!(error_of(&options).contains("is in use"));
}

/// A runner that supports nothing has no failures and no expected ones.
#[test]
fn unsupported_cases_are_not_failures() {
    let answer = r#"sed -u 's/.*"id":"\(core[^"]*\)".*/{"id":"\1","end":"unsupported"}/'"#;
    let results = run(
        &kit().unwrap(),
        // It needs time before its first request.
        &options(&format!("{FIRST} sleep 1; {answer}")),
        |_, _| {},
    )
    .unwrap();
    assert!(
        results
            .counts
            .get("unsupported")
            .is_some_and(|&count| count > 0)
    );
    assert!(results.surprises(&Expected::default()).is_empty());
    assert!(results.is_nothing_played());
    let announced = &results.announcement;
    assert_eq!((&*announced.contract, announced.parallel), ("smithy", 1));
}

/// A success without a request is a failure of the runner.
#[test]
fn a_success_without_a_request_fails() {
    let answer = r#"sed -u 's/.*"id":"\(core[^"]*\)".*/{"id":"\1","end":"success"}/'"#;
    let results = run(
        &kit().unwrap(),
        &options(&format!("{FIRST} {answer}")),
        |_, _| {},
    )
    .unwrap();
    let expected = Expected::default();
    let surprises = results.surprises(&expected);
    let (id, record) = surprises.failures.first().unwrap();
    assert!(
        record.reason.contains("no request was received"),
        "{surprises:?}"
    );
    let case = serde_json::to_value(&record.case).unwrap();
    assert!(id.starts_with("core.string-equals."));
    assert_eq!(case.get("basis").unwrap(), "specification");
    let file = case.get("file").unwrap().as_str().unwrap();
    assert!(file.ends_with("core/comparators.json"), "{file}");
    for member in ["waiter", "acceptors", "reason", "clause"] {
        assert!(case.get(member).is_some(), "{member}");
    }
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("expected-failures");
    for (patterns, is_expected) in [
        ("# All.\n\ncore.string-equals.* # known\nother.*\n", true),
        ("core.string-equals.\n", false),
    ] {
        fs::write(&file, patterns).unwrap();
        let expected = Expected::read(&file).unwrap();
        assert_eq!(
            results.surprises(&expected).is_empty(),
            is_expected,
            "{patterns}"
        );
    }
}

/// The child would write a file after the end of the run.
#[test]
fn the_children_of_a_runner_that_hangs_are_killed() {
    let marker = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("child-of-a-runner");
    drop(fs::remove_file(&marker));
    let child = format!("(sleep 2; echo > '{}') &", marker.display());
    let mut options = options(&format!("{child} {FIRST} sleep 60"));
    options.longest = Some(Duration::from_millis(500));
    assert!(error_of(&options).contains("takes longer than its limit"));
    thread::sleep(Duration::from_secs(3));
    assert!(!marker.exists());
}

#[test]
fn a_case_that_kills_a_runner_is_played_again() {
    let marker = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("runner-that-died");
    drop(fs::remove_file(&marker));
    let marker = marker.display();
    let answer = r#"sed -u 's/.*"id":"\(core[^"]*\)".*/{"id":"\1","end":"unsupported"}/'"#;
    let script = format!(
        "{FIRST} if [ ! -e '{marker}' ]; then read -r task; echo > '{marker}'; exit 1; fi; {answer}"
    );
    let results = run(&kit().unwrap(), &options(&script), |_, _| {}).unwrap();
    assert!(results.is_nothing_played(), "{:?}", results.counts);
}

#[test]
fn a_case_that_kills_two_runners_has_a_result() {
    let answer = r#"sed 's/.*"id":"\(core[^"]*\)".*/{"id":"\1","end":"unsupported"}/'"#;
    let script = format!(
        "{FIRST} while read -r task; do case $task in *core.string-equals.match*) exit 1;; esac; echo \"$task\" | {answer}; done"
    );
    let results = run(&kit().unwrap(), &options(&script), |_, _| {}).unwrap();
    assert_eq!(results.counts.get("died"), Some(&1), "{:?}", results.counts);
    assert!(results.counts.contains_key("unsupported") && !results.is_nothing_played());
    let (_, record) = results.cases.first_key_value().unwrap();
    assert_eq!((&*record.got, &*record.reason), ("died", "the runner died"));
}
