//! What `schedule` says of waits.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::process::{Command, Output};

fn schedule(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    command.arg("schedule").args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    String::from_utf8(schedule(arguments).stdout).unwrap()
}

fn stderr(arguments: &[&str]) -> String {
    String::from_utf8(schedule(arguments).stderr).unwrap()
}

const STEADY: [&str; 4] = ["--min-delay", "1", "--max-delay", "1"];

#[test]
fn a_schedule_is_the_same_on_every_run() {
    let steady = [&STEADY[..], &["--max-wait", "3", "--draws", "10"]].concat();
    let output = stdout(&steady);
    // One call at once, then one each second: the last begins a least delay before the end.
    for line in [
        "a sample of 10 waits:",
        "      1   100 %    0.0 s    0.0 s    0.0 s",
        "      3   100 %    2.0 s    2.0 s    2.0 s",
    ] {
        assert!(output.contains(line), "{output}");
    }
    assert!(output.ends_with("\ncalls: 3.0 expected (the sample's mean), 3 at least (with the longest delays), 3 at most (with the shortest)\n"), "{output}");
    assert_eq!(stdout(&[]), stdout(&[]));
}

#[test]
fn bounds_are_not_those_of_the_sample() {
    // No draw is likely to give 150 calls of two seconds.
    let output = stdout(&["--draws", "1"]);
    assert!(
        output.contains("9 at least (with the longest delays), 150 at most (with the shortest)"),
        "{output}"
    );
}

#[test]
fn what_is_cut_is_said() {
    let long = [&STEADY[..], &["--max-wait", "1000000", "--draws", "100"]].concat();
    let output = stdout(&long);
    assert!(
        output.contains("later attempts are not listed\n"),
        "{output}"
    );
    assert!(output.contains("calls: 1000000.0 expected (the sample's mean), 1000000 at least (with the longest delays), 1000000 at most"), "{output}");
    assert!(
        output.ends_with(
            "waits are drawn up to their 20000th call, the rest is estimated from the mean delay\n"
        ),
        "{output}"
    );
    assert!(!stdout(&[]).contains("estimated"));
}

#[test]
fn times_that_no_waiter_has_are_refused() {
    for (arguments, message) in [
        (
            ["--min-delay", "200"],
            "error: `--min-delay` is above `--max-delay`: 200 s and 120 s\n",
        ),
        (
            ["--min-delay", "0.0001"],
            "error: `--min-delay` must be from 0.001 to 315360000 (ten years), found 0.0001\n",
        ),
        (
            ["--max-wait", "NaN"],
            "error: `--max-wait` must be from 0.001 to 315360000 (ten years), found NaN\n",
        ),
    ] {
        assert_eq!(stderr(&arguments), message);
        assert_eq!(schedule(&arguments).status.code(), Some(2));
    }
}
