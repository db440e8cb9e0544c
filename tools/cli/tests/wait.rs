//! The verb `wait`: arguments, exit codes and messages.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{folder, run, stderr, stdout};

/// Writes a script that prints the lines of `answers` one after the other, the last one for ever, and counts its calls.
fn script(folder: &Path, answers: &[&str]) {
    let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
    fs::write(folder.join("answers"), lines).unwrap();
    let text = "n=$(($(cat calls 2>/dev/null || echo 0) + 1)); echo $n > calls\n\
        last=$(wc -l < answers); [ $n -gt $last ] && n=$last\n\
        eval \"$(sed -n ${n}p answers)\"\n";
    fs::write(folder.join("call.sh"), text).unwrap();
}

fn calls(folder: &Path) -> u32 {
    let text = fs::read_to_string(folder.join("calls")).unwrap_or_default();
    text.trim().parse().unwrap_or_default()
}

const FAST: [&str; 3] = ["wait", "--interval", "10ms"];

/// A case: the answers of the command, the options, the number of calls, the exit code, and the last line or a part of
/// standard error.
type Case<'a> = (&'a [&'a str], &'a [&'a str], u32, i32, &'a str);

const UP: &str = r#"echo '{"status": "UP", "n": 3, "items": [{"s": "a"}, {"s": "b"}]}'"#;
const DOWN: &str = r#"echo '{"status": "DOWN", "items": []}'"#;
const NO: &str = "echo not yet >&2; exit 1";

/// The number of calls depends on the time that they take.
const SOME: u32 = u32::MAX;

fn check(test: &str, cases: &[Case<'_>]) {
    let folder = folder(test);
    for (answers, options, number, exit, message) in cases {
        let _ = fs::remove_file(folder.join("calls"));
        script(&folder, answers);
        let arguments = [&FAST, *options, &["--", "sh", "call.sh"]].concat();
        let output = run(&folder, &arguments);
        let text = stderr(&output);
        let case = format!("{arguments:?} {answers:?}\n{text}");
        assert_eq!(output.status.code(), Some(*exit), "{case}");
        let number = if *number == SOME {
            calls(&folder)
        } else {
            *number
        };
        assert_eq!(calls(&folder), number, "{case}");
        assert!(text.contains(message), "{message}\n{case}");
        if *exit > 2 || *exit == 1 {
            let last = text.lines().last().unwrap_or_default();
            assert!(last.ends_with(&format!("(exit {exit})")), "{case}");
        }
    }
}

#[test]
fn a_command_is_called_until_it_exits_with_0() {
    check(
        "wait-exit",
        &[
            (&["true"], &[], 1, 0, "sh call.sh: was already done"),
            (&[NO, NO, "true"], &[], 3, 0, ", 3 calls"),
            (
                &[NO],
                &["--timeout", "200ms"],
                SOME,
                124,
                "timed_out (exit 124)",
            ),
            (&[NO], &["--once"], 1, 124, "sh call.sh: not_yet (exit 124)"),
            (
                &[NO],
                &["--max-attempts", "2"],
                2,
                124,
                "too_many_attempts (exit 124)",
            ),
            (
                &["nosuchcommand"],
                &[],
                1,
                127,
                "unmatched_error (exit 127)",
            ),
            (
                &[NO],
                &["--fail-error", "Unrecognised"],
                1,
                1,
                "failure_state (exit 1)",
            ),
            (
                &[NO],
                &["--until-error", "Unrecognised"],
                1,
                0,
                "was already",
            ),
            (
                &["yes"],
                &["--max-output", "100000"],
                1,
                3,
                "has more than 100000 bytes (`--max-output`)",
            ),
        ],
    );
}

#[test]
fn a_response_is_read_until_it_has_the_goal() {
    check(
        "wait-goal",
        &[
            (
                &[DOWN, UP],
                &["--until", "status=UP"],
                2,
                0,
                "sh call.sh: UP after ",
            ),
            (
                &[UP],
                &["--for", "status = READY, UP", "--until", "n=3"],
                1,
                0,
                "was already UP, 3",
            ),
            (&[DOWN, UP], &["--until", "items[].s=a,b"], 2, 0, "2 calls"),
            (
                &[UP],
                &["--until", "items[].s=b", "--any"],
                1,
                0,
                "was already",
            ),
            (&[DOWN, UP], &["--until", "n"], 2, 0, "2 calls"),
            (
                &[DOWN, UP],
                &["--until", "length(items) >= `2`"],
                2,
                0,
                "2 calls",
            ),
            (
                &[DOWN],
                &["--until", "status=UP", "--fail", "DOWN"],
                1,
                1,
                r#"status gave "DOWN""#,
            ),
            (
                &[UP],
                &["--until", "n=4", "--fail", "items[].s=b"],
                1,
                1,
                "failure_state (exit 1)",
            ),
            (
                &[UP],
                &["--until", "n=4", "--fail", "status == 'UP' && n != `4`"],
                1,
                1,
                "failure_state",
            ),
            (
                &[DOWN],
                &["--until", "status=UP", "--pending", "NEW,STARTING"],
                1,
                1,
                "unexpected_state (exit 1)",
            ),
            (
                &["echo no JSON; echo why >&2"],
                &["--until", "n", "--transient-window", "50ms"],
                SOME,
                3,
                "standard output is not JSON",
            ),
            (&[NO, UP], &["--until", "n=3"], 2, 0, "2 calls"),
            (
                &[DOWN, UP],
                &["--until", "statsu=UP", "--once"],
                1,
                124,
                "hint: ",
            ),
        ],
    );
}

#[test]
fn wrong_usage_is_refused_before_the_first_call() {
    check(
        "wait-refused",
        &[
            (
                &["true"],
                &["--until", "status==UP"],
                0,
                2,
                "write status=UP or status == 'UP'",
            ),
            (
                &["true"],
                &["--timeout", "0"],
                0,
                2,
                "use `--once` for one call, or `--timeout none`",
            ),
            (
                &["true"],
                &["--fail", "x"],
                0,
                2,
                "`--fail` requires `--until`",
            ),
            (
                &["true"],
                &["--until", "a=1", "--until", "b=1", "--fail", "x"],
                0,
                2,
                "write `--fail PATH=x`",
            ),
            (
                &["true"],
                &["--until", "a=1", "--fail", "1"],
                0,
                2,
                "`1` is also the expected value",
            ),
            (
                &["true"],
                &["--query", "a..b"],
                0,
                2,
                "`--query` is invalid",
            ),
            (
                &["true"],
                &["--once", "--max-attempts", "3"],
                0,
                2,
                "cannot be used with",
            ),
        ],
    );
    let folder = folder("wait-usage");
    for (arguments, message) in [
        (&["wait"][..], "there is nothing to call: add `-- COMMAND`"),
        (
            &["wait", "kubectl", "get"],
            "as in `smithy-waiters wait -- kubectl …`",
        ),
        (
            &["wait", "kubectl", "get", "-o", "json"],
            "note: a command comes after `--`",
        ),
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    let output = run(&folder, &["wait", "--", "no-such-command"]);
    assert_eq!(output.status.code(), Some(127));
}

#[test]
fn standard_output_has_only_the_query() {
    let folder = folder("wait-query");
    for (query, expected) in [
        ("status", "UP\n"),
        ("n", "3\n"),
        ("items[].s", "[\"a\",\"b\"]\n"),
        ("length(items)", "2\n"),
        ("missing", "null\n"),
    ] {
        script(&folder, &[UP]);
        let arguments = [
            "wait", "-q", "--until", "n=3", "--query", query, "--", "sh", "call.sh",
        ];
        let output = run(&folder, &arguments);
        assert_eq!(
            (stdout(&output).as_str(), stderr(&output).as_str()),
            (expected, "")
        );
    }
    script(&folder, &[DOWN]);
    let output = run(
        &folder,
        &[
            "wait", "--once", "--until", "n=3", "--query", "@", "--", "sh", "call.sh",
        ],
    );
    assert_eq!(stdout(&output), "");
}

#[test]
fn a_wait_ends_soon_after_its_deadline_whatever_the_child_does() {
    let folder = folder("wait-bad");
    for text in [
        "trap '' TERM INT; sleep 30 & sleep 30",
        "exec >&- 2>&-; sleep 30",
        "yes > /dev/null",
        "setsid sleep 5 & sleep 30",
    ] {
        let started = Instant::now();
        let output = run(
            &folder,
            &["wait", "--timeout", "300ms", "--", "sh", "-c", text],
        );
        assert_eq!(output.status.code(), Some(124), "{text}");
        assert!(started.elapsed() < Duration::from_millis(1_300), "{text}");
    }
    // A process that keeps the pipe open does not delay a command that ended.
    let output = run(
        &folder,
        &[
            "wait",
            "-q",
            "--query",
            "stdout",
            "--",
            "sh",
            "-c",
            "echo ok; setsid sleep 2 &",
        ],
    );
    assert_eq!(stdout(&output), "ok\n");
}

#[test]
fn a_signal_ends_the_child_and_the_wait() {
    let folder = folder("wait-signal");
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let script = format!(
            "\"$0\" wait -- sh -c 'echo $$ > child; exec sleep 30' & w=$!; while [ ! -s child ]; do sleep 0.02; done\n\
             kill -{signal} $w; wait $w; code=$?; if kill -0 $(cat child) 2>/dev/null; then echo alive; fi; rm child; exit $code"
        );
        let mut command = std::process::Command::new("bash");
        // Job control, because a shell without it starts background processes that ignore SIGINT.
        let command = command.args(["-m", "-c", &script, env!("CARGO_BIN_EXE_smithy-waiters")]);
        let output = command.current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(exit), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
        assert!(
            stderr(&output).contains(&format!("cancelled (exit {exit})")),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_child_has_no_terminal_and_empty_input() {
    let folder = folder("wait-input");
    let text = "[ -z \"$(cat)\" ] && ! : 2>/dev/null < /dev/tty && ps -o pid=,sid= -p $$ | awk '{exit $1 != $2}'";
    let output = run(&folder, &["wait", "--once", "--", "bash", "-c", text]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
