//! The verb `wait`: arguments, exit codes and messages.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a panic fails the test"
)]

#[path = "../common/mod.rs"]
mod common;
mod fleet;
mod formats;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{folder, run, run_with, stderr, stdout};

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

/// A wait that goes on by mistake fails its test soon.
const FAST: [&str; 5] = ["wait", "--interval", "10ms", "--timeout", "20s"];

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
                "last seen: got exit code 1: not yet\n",
            ),
            (&[NO], &["--once"], 1, 124, "sh call.sh: not yet (exit 124)"),
            (
                &[NO],
                &["--max-attempts", "2"],
                2,
                124,
                "too many attempts (exit 124)",
            ),
            (
                &["sleep 9"],
                &["--once", "--attempt-timeout", "2s"],
                1,
                124,
                "no answer in time: the call was ended (`--attempt-timeout` is its longest time)",
            ),
            (
                &["nosuchcommand"],
                &[],
                1,
                127,
                "the call failed: exit code 127: call.sh: ",
            ),
            (
                &[NO],
                &["--fail-error", "exit code 1"],
                1,
                1,
                "failed (exit 1)",
            ),
            (
                &[NO],
                &["--until-error", "exit code 1"],
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
                "failed (exit 1)",
            ),
            (
                &[UP],
                &["--until", "n=4", "--fail", "status == 'UP' && n != `4`"],
                1,
                1,
                ": failed (exit 1)",
            ),
            (
                &[DOWN],
                &["--until", "status=UP", "--pending", "NEW,STARTING"],
                1,
                1,
                "unexpected state (exit 1)",
            ),
            (
                &["echo no JSON; echo why >&2"],
                &["--until", "n", "--transient-window", "50ms"],
                SOME,
                3,
                "the output is not JSON: \"no JSON\": does the command have an option such as `-o json` or `--output json`?; standard error: why",
            ),
            (
                &["true"],
                &["--until", "n", "--transient-window", "50ms"],
                SOME,
                3,
                "the output is empty: a path needs JSON",
            ),
            (
                &["echo '{\"n\": '"],
                &["--until", "n", "--transient-window", "50ms"],
                SOME,
                3,
                "the output is not JSON: EOF while parsing a value",
            ),
            (
                &["printf '[%.0s' $(seq 150)"],
                &["--until", "n", "--transient-window", "50ms"],
                SOME,
                3,
                "the output is not JSON: recursion limit exceeded",
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
fn a_change_has_one_line() {
    let folder = folder("wait-changes");
    let [new, starting] =
        ["NEW", "STARTING"].map(|status| format!("echo '{{\"status\": \"{status}\"}}'"));
    script(&folder, &[&new, &new, &starting, UP]);
    let goal = ["--until", "status=UP", "--", "sh", "call.sh"];
    let text = stderr(&run(&folder, &[&FAST[..], &goal].concat()));
    let lines = ["attempt 1 ", "attempt 3 ", ": retry: "].map(|part| text.matches(part).count());
    assert_eq!(lines, [1, 1, 2], "{text}");
}

#[test]
fn wrong_usage_is_refused_before_the_first_call() {
    check(
        "wait-refused",
        &[
            (&["true"], &["--insecure"], 0, 2, "require a URL"),
            (&["true"], &["--cacert", "ca.pem"], 0, 2, "require a URL"),
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
                &["--max-attempts", "0"],
                0,
                2,
                "`--max-attempts` must be an integer from 1",
            ),
            (
                &["true"],
                &["--for-each", "a", "--jobs", "0"],
                0,
                2,
                "`--jobs` must be at least 1",
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
        (
            &["wait"][..],
            "there is nothing to wait for: add `-- COMMAND` or a URL",
        ),
        (
            &["wait", "--until-status", "200,abc", "http://localhost"],
            "must be HTTP statuses from 100 to 599, got `abc`",
        ),
        (
            &["wait", "localhost"],
            "`localhost` must begin with `tcp://`, `http://` or `https://`",
        ),
        (
            &["wait", "http://db:99999"],
            "`http://db:99999` must have a port from 0 to 65535",
        ),
        (
            &["wait", "http://u:p@db:"],
            "must have a port from 0 to 65535",
        ),
        (
            &["wait", "--timeout", "5M", "tcp://db:1"],
            "must be a time such as",
        ),
        (
            &["wait", "--botocore", "dynamodb", "--", "true"],
            "2 values required for '--botocore <SERVICE> <NAME>'",
        ),
        (
            &["wait", "kubectl", "get"],
            "as in `smithy-waiters wait -- kubectl …`",
        ),
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    let output = run(
        &folder,
        &["wait", "--", "no-such-command", "it's", "a{}", ""],
    );
    assert_eq!(output.status.code(), Some(127));
    let line = r"no-such-command 'it'\''s' 'a{}' '': failed after ";
    let text = stderr(&output);
    let parts = text.split_once(line);
    let reason = parts
        .and_then(|(_, rest)| rest.lines().next())
        .unwrap_or_default();
    let expected =
        "the call failed: cannot run `no-such-command`: No such file or directory (os error 2)";
    assert!(reason.ends_with(expected), "{text}");
}

#[test]
fn a_command_without_its_separator_is_refused() {
    let folder = folder("wait-separator");
    for line in [
        "pg_isready -h db",
        "pg_isready --help",
        "psql -V",
        "--timeout 5s kubectl get pod x -o json",
        "-t5m --botocore things ready kubectl get pod x -o json",
        "curl --fail http://localhost:1/",
        "psql --timeout soon",
        "psql -t",
        "aws dynamodb wait table-exists --table-name x",
        "aws dynamodb describe-table --query Table",
        "--until status=UP tcp://db:1 pg_isready -h db",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let is_command =
            |word: &&&str| ["pg_isready", "psql", "kubectl", "curl", "aws"].contains(word);
        let name = words.iter().find(is_command).unwrap();
        let output = run(&folder, &[&["wait"], &*words].concat());
        let remedy = format!(
            "error: `{name}` is not a URL: write `--` before a command, as in `smithy-waiters wait -- {name} …`\n"
        );
        assert_eq!(
            (output.status.code(), stdout(&output), stderr(&output)),
            (Some(2), String::new(), remedy),
            "{line}"
        );
    }
    // Help exits with 0, after which a script would go on.
    for (line, exit) in [
        ("http://db -h", 2),
        ("{} --help", 2),
        ("-h http://db", 0),
        ("--until -h", 2),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let output = run(&folder, &[&["wait"], &*words].concat());
        assert_eq!(
            output.status.code(),
            Some(exit),
            "{line}\n{}",
            stderr(&output)
        );
    }
}

#[test]
fn an_unknown_option_has_a_similar_one() {
    let folder = folder("wait-option");
    for (option, remedy) in [
        ("--untill", "did you mean `--until`?"),
        ("--timout=5m", "did you mean `--timeout`?"),
        ("--status", "did you mean `--until-status`?"),
        (
            "--verbose",
            "`smithy-waiters wait --help` lists all options",
        ),
        ("-v", "`smithy-waiters wait --help` lists all options"),
    ] {
        let output = run(&folder, &["wait", option, "x", "--", "true"]);
        let name = option.split('=').next().unwrap();
        let message = format!("error: `smithy-waiters wait` has no option `{name}`: {remedy}\n");
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), message));
    }
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
            stderr(&output).contains(&format!("interrupted (exit {exit})")),
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

/// Starts a server that gives the answers one after the other, and the last one for ever. Returns its address.
fn server(answers: &'static [(u16, &'static str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for number in 0.. {
            let (mut connection, _) = listener.accept().unwrap();
            let (status, body) = answers[number.min(answers.len() - 1)];
            let mut request = [0; 4096];
            let count = connection.read(&mut request).unwrap_or_default();
            let request = String::from_utf8_lossy(&request[..count]).into_owned();
            let body = body.replace("REQUEST", &request.replace("\r\n", "|"));
            let answer = format!(
                "HTTP/1.1 {status} x\r\nX-Test: yes\r\nLocation: /there\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = connection.write_all(answer.as_bytes());
        }
    });
    address
}

/// A case: the answers of the server, the options, the exit code, and a part of standard error and standard output.
type UrlCase = (
    &'static [(u16, &'static str)],
    &'static [&'static str],
    i32,
    &'static str,
);

#[test]
fn a_url_is_requested_until_it_answers() {
    let folder = folder("wait-url");
    let cases: &[UrlCase] = &[
        (
            &[(503, ""), (404, ""), (302, ""), (204, "")],
            &[],
            0,
            ", 4 calls",
        ),
        (&[(401, "who are you")], &[], 3, "401: who are you"),
        (
            &[(503, r#"{"status": "DOWN"}"#), (200, r#"{"status": "UP"}"#)],
            &["--until", "status=UP"],
            0,
            ": UP after",
        ),
        (
            &[(200, r#"["DOWN"]"#), (200, r#"["UP"]"#)],
            &["--until", "[0]=UP"],
            0,
            ": UP after",
        ),
        (
            &[(301, "")],
            &["--until", "status=UP"],
            3,
            "301: it redirects to /there, which is not followed",
        ),
        (&[(404, "")], &["--until-deleted"], 0, "was already"),
        (
            &[(200, "{}"), (418, "")],
            &["--until-status", "204,418"],
            0,
            ": 418 after",
        ),
        (
            &[(200, "warming up"), (200, "a\nready\nb")],
            &["--until-text", "^ready$"],
            0,
            "2 calls",
        ),
        (
            &[(200, "broken")],
            &["--until-text", "^ready$", "--fail-text", "broken"],
            1,
            ": failed (exit 1)",
        ),
        (
            &[(200, r#"{"a": 1}"#)],
            &[
                "--until",
                r#""http:headers"."x-test"=yes"#,
                "--until",
                r#""http:status"=200"#,
            ],
            0,
            "was already yes, 200",
        ),
        (
            &[(200, r#"{"r": "REQUEST"}"#)],
            &[
                "-H",
                "X-Key: 7",
                "-d",
                "a=b",
                "--until",
                "contains(r, 'POST / HTTP') && contains(r, 'x-key: 7')",
            ],
            0,
            "was already",
        ),
        (
            &[(200, "0123456789")],
            &["--max-output", "5"],
            3,
            "more than 5 bytes",
        ),
    ];
    for (answers, options, exit, message) in cases {
        let url = format!("http://{}/", server(answers));
        let output = run(&folder, &[&FAST, *options, &[&url]].concat());
        let text = stderr(&output);
        assert_eq!(
            output.status.code(),
            Some(*exit),
            "{options:?} {answers:?}\n{text}"
        );
        assert!(text.contains(message), "{message}\n{text}");
    }
}

#[test]
fn nothing_that_listens_is_not_yet() {
    let folder = folder("wait-port");
    let address = server(&[(200, "")]);
    let output = run(&folder, &["wait", &format!("tcp://{address}")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // A port that no other test is given, and a name too long for a query: an answer of a busy server may take longer than
    // the window.
    let no_name = format!("tcp://{}.invalid:1", "x".repeat(64));
    for url in ["tcp://127.0.0.1:1", "http://127.0.0.1:1/", &no_name] {
        let output = run(
            &folder,
            &[
                &FAST[..],
                &["--timeout", "300ms", "--transient-window", "100ms", url],
            ]
            .concat(),
        );
        assert_eq!(output.status.code(), Some(124), "{url} {}", stderr(&output));
    }
    for (arguments, message) in [
        (&["tcp://db"][..], "`tcp://db` must be `tcp://HOST:PORT`"),
        (
            &["ftp://db"],
            "must begin with `tcp://`, `http://` or `https://`",
        ),
        (
            &["tcp://db:1", "--", "true"],
            "write `smithy-waiters wait tcp://db:1 && COMMAND`",
        ),
        (&["-H", "a: b", "--", "true"], "require a URL"),
        (&["http://db", "-H", "a"], "must be `NAME: VALUE`"),
    ] {
        let output = run(&folder, &[&["wait"], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn a_wrong_scheme_has_a_remedy() {
    let folder = folder("wait-scheme");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let closing = closed.local_addr().unwrap().to_string();
    std::thread::spawn(move || closed.incoming().for_each(drop));
    const NGINX: &str = "<center>The plain HTTP request was sent to HTTPS port</center>\n<hr>\n";
    for (scheme, address, message) in [
        (
            "https",
            server(&[(200, "")]),
            "got Unreachable: the server does not speak TLS on this port: write `http://` instead of `https://`\n",
        ),
        (
            "http",
            server(&[(400, NGINX)]),
            "400: the server speaks TLS on this port: write `https://` instead of `http://`",
        ),
        (
            "http",
            closing,
            "got Unreachable: the server closed the connection without an answer (a port for `https://` may do so)\n",
        ),
    ] {
        let output = run(
            &folder,
            &["wait", "--once", &format!("{scheme}://{address}/")],
        );
        assert_eq!(output.status.code(), Some(124));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn a_server_that_never_ends_its_answer_does_not_delay_the_end() {
    let folder = folder("wait-slow");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        while connection.write_all(b"H").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let started = Instant::now();
    let output = run(&folder, &["wait", "--timeout", "500ms", &url]);
    assert_eq!(output.status.code(), Some(124), "{}", stderr(&output));
    // The answer never ends.
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_preset_reads_the_response() {
    let ecs = |id: &str, state: &str| {
        format!(
            r#"echo '{{"services": [{{"deployments": [{{"id": "{id}", "status": "PRIMARY", "rolloutState": "{state}"}}], "events": [{{"message": "an event"}}]}}]}}'"#
        )
    };
    let [old, busy, done, other] = [
        ecs("ecs-svc/1", "COMPLETED"),
        ecs("ecs-svc/2", "IN_PROGRESS"),
        ecs("ecs-svc/2", "COMPLETED"),
        ecs("ecs-svc/3", "COMPLETED"),
    ];
    let rolled = r#"echo '{"kind": "Deployment", "metadata": {"generation": 3}, "spec": {"replicas": 0}, "status": {"observedGeneration": 3}}'"#;
    let stale = rolled.replace(r#""observedGeneration": 3"#, r#""observedGeneration": 2"#);
    let deployment = &["--preset", "kubernetes/deployment"][..];
    let same = &["--preset", "ecs/deployment", "--same", "ecs-svc/2"][..];
    let path = "--same=services[0].deployments[0].id=ecs-svc/2";
    check(
        "wait-preset",
        &[
            (&[&stale, rolled], deployment, 2, 0, ", 2 calls"),
            (
                &[r#"echo '{"kind": "List", "items": []}'"#],
                deployment,
                1,
                1,
                "kubernetes/deployment decides a Deployment, not a List",
            ),
            // An unknown error is not "not yet" for ever, as without a goal.
            (
                &[NO],
                &[deployment, &["--transient-window", "200ms"]].concat(),
                SOME,
                3,
                "not yet",
            ),
            (&[&old, &busy, &done], same, 3, 0, ", 3 calls"),
            (&[&busy, &other], same, 2, 1, "an event"),
            (
                &[&old, &done],
                &["--preset", "ecs/deployment", path],
                2,
                0,
                ", 2 calls",
            ),
        ],
    );
    let folder = folder("wait-preset-url");
    let url = server(&[(200, r#"{"status": "completed", "conclusion": "neutral"}"#)]);
    let url = format!("http://{url}");
    let output = run(
        &folder,
        &[&FAST[..], &["--preset", "github/run", &url]].concat(),
    );
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("conclusion: \"neutral\""),
        "{}",
        stderr(&output)
    );
}

#[test]
fn text_and_errors_of_commands() {
    check(
        "wait-text",
        &[
            (
                &["echo 3", "echo 0"],
                &["--until-text", "^0$"],
                2,
                0,
                "sh call.sh: 0 after",
            ),
            // Only the line that matches.
            (
                &["seq 3; echo ' ready to go'; echo more"],
                &["--until-text", "ready"],
                1,
                0,
                "sh call.sh: was already ready to go\n",
            ),
            (
                &[r#"echo 'ReplicaSet "web-1" is "ready"'"#],
                &["--until-text", "ready"],
                1,
                0,
                "sh call.sh: was already ReplicaSet \"web-1\" is \"ready\"\n",
            ),
            (
                &["echo 1; echo starting; echo ---"],
                &["--until-text", "^ready$", "--once"],
                1,
                124,
                "last seen: \"a line matches ^ready$\" gave \"no\", expected \"yes\"; \"output line\": \"starting\"",
            ),
            (
                &["echo ok; echo panic 7; echo ok"],
                &["--until-text", "ok", "--fail-text", "panic"],
                1,
                1,
                "\"a line matches panic\" gave \"yes\"; \"output line\": \"panic 7\"",
            ),
            (
                &["echo"],
                &["--until-text", "^$"],
                1,
                0,
                "was already an empty text",
            ),
            (
                &["echo ok"],
                &["--until-text", "ok", "--fail", "BROKEN"],
                0,
                2,
                "write `--fail PATH=BROKEN`, or `--fail-text BROKEN` for a line",
            ),
            (
                &["echo inactive; exit 3"],
                &["--until-text", "^inactive$", "--until", "exitCode=3"],
                1,
                0,
                "was already",
            ),
            (
                &["echo panic"],
                &["--until-text", "ok", "--fail-text", "panic"],
                1,
                1,
                ": failed (exit 1)",
            ),
            (
                &["echo 'Error from server (NotFound): gone' >&2; exit 1"],
                &["--until-deleted"],
                1,
                0,
                "was already",
            ),
            (
                &[
                    UP,
                    "echo 'An error occurred (NoSuchEntity) when calling the X operation: gone' >&2; exit 254",
                ],
                &["--until-deleted"],
                2,
                0,
                "2 calls",
            ),
            (
                &[
                    "echo 'An error occurred (AccessDenied) when calling the X operation: no' >&2; exit 254",
                ],
                &["--until", "n"],
                1,
                3,
                "access denied: AccessDenied",
            ),
            (
                &[
                    "echo 'An error occurred (ThrottlingException) when calling the X operation: no' >&2; exit 254",
                    UP,
                ],
                &["--until", "n"],
                2,
                0,
                "2 calls",
            ),
            (
                &["echo boom >&2; exit 1"],
                &["--error-pattern", "permanent:boom"],
                1,
                3,
                "the call failed for good (exit 3)",
            ),
            (
                &["true"],
                &["--error-pattern", "boom"],
                0,
                2,
                "must be `permanent:REGEX`",
            ),
            (
                &["true"],
                &["--until-text", "("],
                0,
                2,
                "`--until-text (` is invalid",
            ),
        ],
    );
}

#[test]
fn each_name_is_waited_for() {
    let folder = folder("wait-names");
    fs::write(folder.join("call.sh"), "case $1 in bad*) echo '{\"s\": \"FAILED\"}';; slow*) echo '{}';; *) echo \"{\\\"s\\\": \\\"$1\\\"}\";; esac").unwrap();
    let wait = |names: &str, options: &[&str]| {
        let fixed = [
            "--timeout",
            "400ms",
            "--for-each",
            names,
            "--until",
            "s={}",
            "--fail",
            "FAILED",
            "--query",
            "s",
        ];
        let output = run(
            &folder,
            &[&FAST, options, &fixed, &["--", "sh", "call.sh"]].concat(),
        );
        (output.status.code(), stdout(&output), stderr(&output))
    };
    for (names, options, exit, answers, last) in [
        (
            "a,b b,$(x)",
            &[][..],
            0,
            "a\nb b\n$(x)\n",
            "3 of 3 succeeded",
        ),
        (
            "a,bad1,slow1",
            &[],
            1,
            "a\n",
            "1 of 3 succeeded; failed: bad1, slow1 (exit 1)",
        ),
        (
            "bad1,slow1",
            &["--fail-fast"],
            1,
            "",
            "0 of 2 succeeded; failed: bad1 (exit 1)",
        ),
        (
            "bad1,bad2,slow1",
            &["--quorum", "2"],
            1,
            "",
            "0 of 3 succeeded; failed: bad1, bad2 (exit 1)",
        ),
        (
            "a,slow1",
            &["--jobs", "1"],
            124,
            "a\n",
            "1 of 2 succeeded; failed: slow1 (exit 124)",
        ),
        (
            "slow1,a,slow2",
            &["--quorum", "1"],
            0,
            "a\n",
            "1 of 3 succeeded",
        ),
        ("", &["--allow-empty"], 0, "", "0 of 0 succeeded"),
    ] {
        let (code, out, err) = wait(names, options);
        assert_eq!(
            (code, out.as_str(), err.lines().last()),
            (Some(exit), answers, Some(last)),
            "{err}"
        );
        assert!(
            err.starts_with("waiting at most 0.4 s until s is {}\n"),
            "{err}"
        );
    }
    for (names, options, message) in [
        ("", &[][..], "`--for-each` has no names"),
        (
            "a",
            &["--quorum", "2"],
            "from 1 to the number of waits, got 2 of 1",
        ),
        (
            "a",
            &["--quorum", "0"],
            "from 1 to the number of waits, got 0 of 1",
        ),
    ] {
        let (code, _, err) = wait(names, options);
        assert_eq!(code, Some(2));
        assert!(err.contains(message), "{err}");
    }
    let output = run_with(
        &folder,
        &[
            "wait",
            "--for-each",
            "-",
            "--query",
            "s",
            "--",
            "sh",
            "call.sh",
        ],
        b"x\n\n y \n",
    );
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(0), "x\ny\n")
    );
}

#[test]
fn a_success_counts_only_after_the_change() {
    const OLD: &str = r#"echo '{"status": "UP", "id": 6}'"#;
    const BUSY: &str = r#"echo '{"status": "BUSY", "id": 7}'"#;
    const NEW: &str = r#"echo '{"status": "UP", "id": 7}'"#;
    let until = ["--until", "status=UP"];
    let with = |options: &[&'static str]| [&until[..], options].concat();
    check(
        "wait-change",
        &[
            (
                &[OLD, BUSY, NEW],
                &with(&["--same", "id=7"]),
                3,
                0,
                "UP after ",
            ),
            (
                &[OLD],
                &with(&["--same", "id=7", "--left-within", "50ms"]),
                SOME,
                1,
                "id was never \"7\" in 0.05 s: it gave 6",
            ),
            (
                &[BUSY, OLD],
                &with(&["--same", "id=7"]),
                2,
                1,
                "replaced (exit 1)",
            ),
            (
                &[OLD],
                &with(&["--same", "idd=7", "--once"]),
                1,
                124,
                "hint: sh call.sh: idd: the response has no member `idd`, did you mean `id`?",
            ),
            (
                &[OLD, BUSY, NEW],
                &with(&["--left", "UP"]),
                3,
                0,
                "UP after ",
            ),
            (&[OLD, NEW], &with(&["--left", "id=6"]), 2, 0, "UP after "),
            (
                &[OLD],
                &with(&["--left", "UP", "--left-within", "50ms"]),
                SOME,
                1,
                "never left (exit 1)",
            ),
            (
                &[OLD],
                &with(&[
                    "--left",
                    "UP",
                    "--left-within",
                    "50ms",
                    "--left-else",
                    "accept",
                ]),
                SOME,
                0,
                // The first call may take longer than the time.
                "sh call.sh: ",
            ),
            (
                &[OLD],
                &with(&[
                    "--left",
                    "UP",
                    "--left-within",
                    "50ms",
                    "--left-else",
                    "fail",
                ]),
                SOME,
                1,
                "never left (exit 1)",
            ),
            (
                &[OLD, NEW],
                &with(&["--at-least", "id=7"]),
                2,
                0,
                "UP after ",
            ),
            (&[OLD], &with(&["--successes", "3"]), 3, 0, ", 3 calls"),
            (
                &[OLD],
                &with(&["--stable-for", "50ms"]),
                SOME,
                0,
                "UP after ",
            ),
            (
                &[OLD],
                &with(&["--same", "id"]),
                0,
                2,
                "write `--same 'id=VALUE'`, with the value that the change returned",
            ),
            (
                &[OLD],
                &with(&["--at-least", "id=x"]),
                0,
                2,
                "`PATH=NUMBER`",
            ),
        ],
    );
}

#[test]
fn conditions_that_would_not_be_looked_at_are_refused() {
    let folder = folder("wait-combined");
    let waiter = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    fs::write(folder.join("any.json"), waiter).unwrap();
    script(&folder, &[UP]);
    for (options, message) in [
        (
            &["--waiter", "any.json", "--fail", "a=b"][..],
            "`--fail` cannot be combined with a waiter",
        ),
        (
            &["--waiter", "any.json", "--pending", "A"],
            "`--pending` cannot be combined with a waiter",
        ),
        (
            &["--preset", "kubernetes/job", "--fail", "a=b"],
            "`--fail` cannot be combined with a waiter",
        ),
        (
            &["--preset", "kubernetes/job", "--until", "a=b"],
            "cannot be used with",
        ),
        (
            &["--preset", "k8s/deployment"],
            "no preset `k8s/deployment`: did you mean `ecs/deployment`, `kubernetes/deployment`?",
        ),
        (
            &["--preset", "ecs/deployment"],
            "`--same` is missing: this waiter needs the value of `not_null(services[0]",
        ),
        (
            &["--preset", "ecs/deployment", "--same", ""],
            "it has no value: is a variable empty?",
        ),
        (
            &["--preset", "kubernetes/job", "--same", "7"],
            "`--same` must have a `path`",
        ),
        (
            &["--until-text", "a", "--until-deleted"],
            "cannot be used with",
        ),
        (
            &["--until", "condition=Ready"],
            "status.conditions[?type=='Ready'].status=True",
        ),
        (
            &["--for", "delete"],
            "write `--until-exists` or `--until-deleted`",
        ),
        (&["--until", "a=b && c=d"], "give each its own option"),
        (
            &["--until", "n == `1` && s == done"],
            "write s == 'done', or s == (done)",
        ),
        (&["--max-output", "0"], "`--max-output` must be at least 1"),
    ] {
        let output = run(
            &folder,
            &[&FAST[..], options, &["--", "sh", "call.sh"]].concat(),
        );
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(
            stderr(&output).contains(message),
            "{options:?} {}",
            stderr(&output)
        );
    }
    let output = run(&folder, &["wait", "localhost:5432"]);
    assert!(
        stderr(&output).contains("write `tcp://localhost:5432` or"),
        "{}",
        stderr(&output)
    );
    assert_eq!(calls(&folder), 0);
}

#[test]
fn what_is_asked_for_together_must_hold_together() {
    const MIXED: &str = r#"echo '{"status": "UP", "text": "ready"}'"#;
    check(
        "wait-together",
        &[
            (
                &[MIXED],
                &["--until", "status=UP", "--until-text", "ready"],
                1,
                0,
                "was already",
            ),
            (
                &[DOWN, UP],
                &["--until", "status=UP", "--fail-text", "BROKEN"],
                2,
                0,
                "UP",
            ),
            (
                &[r#"echo '{"s": "FAILED"}'"#],
                &["--until-deleted", "--fail", "s=FAILED"],
                1,
                1,
                ": failed (exit 1)",
            ),
            (
                &["printf '\\357\\273\\277{\"status\": \"UP\"}'"],
                &["--until", "status=UP"],
                1,
                0,
                "UP",
            ),
        ],
    );
}

#[test]
fn what_a_call_leaves_behind_is_ended() {
    let folder = folder("wait-rest");
    script(
        &folder,
        &["sleep 30 >/dev/null 2>&1 & echo $! > left; true"],
    );
    let output = run(&folder, &[&FAST[..], &["--", "sh", "call.sh"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let id = fs::read_to_string(folder.join("left")).unwrap();
    let started = Instant::now();
    while Path::new("/proc").join(id.trim()).exists() && started.elapsed() < Duration::from_secs(10)
    {
        let state = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
        if state.contains(") Z ") {
            return;
        }
    }
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_password_is_not_in_messages() {
    let folder = folder("wait-password");
    let url = "http://user:secret@127.0.0.1:1/";
    let output = run(&folder, &["wait", "--once", url]);
    assert!(!stderr(&output).contains("secret"), "{}", stderr(&output));
}

#[test]
fn a_definition_decides() {
    let folder = folder("wait-definition");
    let definition = r#"{"acceptors": [{"state": "success", "matcher": {"output": {"path": "status", "comparator": "stringEquals", "expected": "UP"}}}], "minDelay": 1, "maxDelay": 1}"#;
    fs::write(folder.join("up.json"), definition).unwrap();
    fs::write(folder.join("broken.json"), "{}").unwrap();
    script(&folder, &[DOWN, UP]);
    let wait = |file| {
        run(
            &folder,
            &[&FAST[..], &["--waiter", file, "--", "sh", "call.sh"]].concat(),
        )
    };
    assert_eq!(wait("up.json").status.code(), Some(0));
    assert_eq!(calls(&folder), 2);
    for file in ["broken.json", "none.json"] {
        let output = wait(file);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
}

#[test]
fn aws_wait_becomes_the_operation_of_its_waiter() {
    let folder = folder("wait-aws");
    let data = folder.join("data/things/2020-01-01");
    fs::create_dir_all(&data).unwrap();
    fs::write(data.join("service-2.json"), "{}").unwrap();
    let waiters = r#"{"version": 2, "waiters": {"ThingReady": {"operation": "DescribeDBThing", "delay": 30, "maxAttempts": 60, "acceptors": [
        {"state": "success", "matcher": "path", "argument": "Status", "expected": "READY"},
        {"state": "retry", "matcher": "error", "expected": "ThingNotFound"},
        {"state": "failure", "matcher": "path", "argument": "Status", "expected": "FAILED"}]},
        "ThingsReady": {"operation": "DescribeThings", "delay": 30, "maxAttempts": 60, "acceptors": [
        {"state": "success", "matcher": "pathAll", "argument": "Things[].Status", "expected": "READY"}]}}}"#;
    fs::write(data.join("waiters-2.json"), waiters).unwrap();
    let aws = "#!/bin/sh\necho \"$@\" >> calls\nif [ ! -e there ]; then touch there; echo 'An error occurred (ThingNotFound) when calling the X operation: no' >&2; exit 254; fi\necho '{\"Status\": \"READY\", \"Things\": [{\"Name\": \"a\", \"Status\": \"READY\"}, {\"Name\": \"b\", \"Status\": \"READY\"}]}'\n";
    fs::write(folder.join("aws"), aws).unwrap();
    let script = "chmod +x aws; AWS_DATA_PATH=$PWD/data PATH=$PWD:$PATH exec \"$0\" wait --interval 10ms \"$@\"";
    let wait = |arguments: &[&str]| {
        let mut command = std::process::Command::new("sh");
        let command = command
            .args(["-c", script, env!("CARGO_BIN_EXE_smithy-waiters")])
            .args(arguments);
        command.current_dir(&folder).output().unwrap()
    };
    let output = wait(&[
        "--",
        "aws",
        "--region",
        "eu",
        "things",
        "wait",
        "thing-ready",
        "--name",
        "x",
        "--query",
        "y",
        "--max-attempts",
        "5",
        "--delay=3",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output)
            .starts_with("waiting at most 30 min (as the waiter has it) for ThingReady\n"),
        "{}",
        stderr(&output)
    );
    let call = "--region eu things describe-db-thing --name x --output json\n";
    assert_eq!(
        fs::read_to_string(folder.join("calls")).unwrap(),
        call.repeat(2)
    );
    let output = wait(&[
        "--botocore",
        "things",
        "thing_ready",
        "--",
        "aws",
        "things",
        "describe-db-thing",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let _ = fs::remove_file(folder.join("calls"));
    let names = ["--for-each", "a,b", "--items", "Things[]", "--key", "Name"];
    let line = [
        "--",
        "aws",
        "things",
        "wait",
        "things-ready",
        "--names",
        "{}",
    ];
    let output = wait(&[&names[..], &line].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let call = "things describe-things --names a b --output json\n";
    assert_eq!(fs::read_to_string(folder.join("calls")).unwrap(), call);
    let output = wait(&["--", "aws", "things", "wait", "thing-redy"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("ThingReady"),
        "{}",
        stderr(&output)
    );
}
