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

const UP: &str = r#"echo '{"status": "UP", "n": 3, "items": [{"s": "a"}, {"s": "b"}]}'"#;
const DOWN: &str = r#"echo '{"status": "DOWN", "items": []}'"#;
const NO: &str = "echo not yet >&2; exit 1";

/// Returns the words of options in a line. A value may contain spaces.
fn words(options: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = options;
    while !rest.is_empty() {
        let end = rest.find(" -").map_or(rest.len(), |space| space + 1);
        let (option, after) = rest.split_at(end);
        words.extend(option.trim().splitn(2, ' '));
        rest = after;
    }
    words
}

/// Returns the columns of a case.
fn columns<const COUNT: usize>(case: &str) -> [&str; COUNT] {
    let columns: Vec<&str> = case.split('|').map(str::trim).collect();
    columns.try_into().unwrap()
}

/// Runs the cases of a command. A line has the answers, which may be `UP`, `DOWN`, `NO` or another name, the options,
/// the number of calls, the exit code, and the last line or a part of standard error. `$` is the end of a line.
fn check(folder: &Path, named: &[(&str, &str)], cases: &str) {
    let named = [&[("UP", UP), ("DOWN", DOWN), ("NO", NO)], named].concat();
    let answer = |text| {
        let found = named.iter().find(|(name, _)| *name == text);
        found.map_or(text, |(_, answer)| *answer)
    };
    for case in cases.trim().lines() {
        let [answers, options, number, exit, message] = columns(case);
        let _ = fs::remove_file(folder.join("calls"));
        let answers: Vec<&str> = answers.split(" ;; ").map(answer).collect();
        script(folder, &answers);
        let arguments = [&FAST[..], &words(options), &["--", "sh", "call.sh"]].concat();
        let output = run(folder, &arguments);
        let text = stderr(&output);
        let case = format!("{case}\n{text}");
        let exit: i32 = exit.parse().unwrap();
        assert_eq!(output.status.code(), Some(exit), "{case}");
        // Some calls: their number depends on the time that they take.
        if number != "some" {
            assert_eq!(calls(folder).to_string(), number, "{case}");
        }
        let part = message.strip_suffix('$').map(|line| format!("{line}\n"));
        assert!(text.contains(part.as_deref().unwrap_or(message)), "{case}");
        if exit > 2 || exit == 1 {
            let last = text.lines().last().unwrap_or_default();
            assert!(last.ends_with(&format!("(exit {exit})")), "{case}");
        }
    }
}

#[test]
fn a_command_is_called_until_it_exits_with_0() {
    const CASES: &str = r#"
true | | 1 | 0 | sh call.sh: was already done
NO ;; NO ;; true | | 3 | 0 | , 3 calls
NO | --timeout 2s | some | 124 | last seen: got exit code 1: not yet$
NO | --once | 1 | 124 | sh call.sh: not yet (exit 124)
NO | --max-attempts 2 | 2 | 124 | too many attempts (exit 124)
sleep 9 | --once --attempt-timeout 2s | 1 | 124 | no answer in time: the call was ended (`--attempt-timeout` is its longest time)
nosuchcommand | | 1 | 127 | the call failed: exit code 127: call.sh:
NO | --fail-error exit code 1 | 1 | 1 | failed (exit 1)
NO | --until-error exit code 1 | 1 | 0 | was already
yes | --max-output 100000 | 1 | 3 | has more than 100000 bytes (`--max-output`)
"#;
    check(&folder("wait-exit"), &[], CASES);
}

#[test]
fn a_response_is_read_until_it_has_the_goal() {
    const CASES: &str = r#"
DOWN ;; UP | --until status=UP | 2 | 0 | sh call.sh: UP after
UP | --for status = READY, UP --until n=3 | 1 | 0 | was already UP, 3
DOWN ;; UP | --until items[].s=a,b | 2 | 0 | 2 calls
UP | --until items[].s=b --any | 1 | 0 | was already
DOWN ;; UP | --until n | 2 | 0 | 2 calls
DOWN ;; UP | --until length(items) >= `2` | 2 | 0 | 2 calls
DOWN | --until status=UP --fail DOWN | 1 | 1 | status gave "DOWN"
UP | --until n=4 --fail items[].s=b | 1 | 1 | failed (exit 1)
UP | --until n=4 --fail status == 'UP' && n != `4` | 1 | 1 | : failed (exit 1)
DOWN | --until status=UP --pending NEW,STARTING | 1 | 1 | unexpected state (exit 1)
echo no JSON; echo why >&2 | --until n --transient-window 50ms | some | 3 | the output is not JSON: "no JSON": does the command have an option such as `-o json` or `--output json`?; standard error: why
true | --until n --transient-window 50ms | some | 3 | the output is empty: a path needs JSON
echo '{"n": ' | --until n --transient-window 50ms | some | 3 | the output is not JSON: EOF while parsing a value
printf '[%.0s' $(seq 150) | --until n --transient-window 50ms | some | 3 | the output is not JSON: recursion limit exceeded
NO ;; UP | --until n=3 | 2 | 0 | 2 calls
DOWN ;; UP | --until statsu=UP --once | 1 | 124 | hint:
echo '{"status": "UP", "text": "ready"}' | --until status=UP --until-text ready | 1 | 0 | was already
DOWN ;; UP | --until status=UP --fail-text BROKEN | 2 | 0 | UP
echo '{"s": "FAILED"}' | --until-deleted --fail s=FAILED | 1 | 1 | : failed (exit 1)
printf '\357\273\277{"status": "UP"}' | --until status=UP | 1 | 0 | UP
"#;
    check(&folder("wait-goal"), &[], CASES);
}

/// Options, and the first line.
const FIRST_LINES: &str = r#"
--timeout 10m | at most 10 min
--timeout none | without a timeout
--timeout 90 | at most 1 min 30 s
--max-attempts 1 | at most 10 min (the default)
--once | for one call
--once --until a=1 --until b=2,3 | for one call until a is 1 and b is 2 or 3
--once --until a --until b == 'c' | for one call until a has a value and b == 'c'
--once --until-text ^x$ | for one call until a line matches ^x$
--once --until-exists | for one call until it exists
--once --until-deleted | for one call until it is deleted
--once --until a=1 --until-error Gone | for one call until a is 1 or the error Gone
--once --until-error Gone --until-error Lost | for one call until the error Gone or the error Lost
--once --for-each x --until s={} | for one call until s is {}
--once --preset kubernetes/job | for one call for JobComplete
"#;

#[test]
fn the_first_line_says_what_is_waited_for() {
    let folder = folder("wait-first");
    for case in FIRST_LINES.trim().lines() {
        let [options, line] = columns(case);
        let arguments = [&["wait"], &words(options)[..], &["--", "echo", "{}"]].concat();
        let text = stderr(&run(&folder, &arguments));
        assert_eq!(text.lines().next(), Some(&*format!("waiting {line}")));
    }
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
    const CASES: &str = r#"
true | --insecure | 0 | 2 | require a URL
true | --cacert ca.pem | 0 | 2 | require a URL
true | -H a: b | 0 | 2 | require a URL
true | --until status==UP | 0 | 2 | write status=UP or status == 'UP'
true | --until a=b && c=d | 0 | 2 | give each its own option
true | --until condition=Ready | 0 | 2 | status.conditions[?type=='Ready'].status=True
true | --for delete | 0 | 2 | write `--until-exists` or `--until-deleted`
true | --until-text a --until-deleted | 0 | 2 | cannot be used with
true | --until-text ( | 0 | 2 | `--until-text (` is invalid
true | --until-text ok --fail BROKEN | 0 | 2 | write `--fail PATH=BROKEN`, or `--fail-text BROKEN` for a line
true | --timeout 0 | 0 | 2 | use `--once` for one call, or `--timeout none`
true | --fail x | 0 | 2 | `--fail` requires `--until`
true | --max-attempts 0 | 0 | 2 | `--max-attempts` must be an integer from 1
true | --max-output 0 | 0 | 2 | `--max-output` must be at least 1
true | --for-each a --jobs 0 | 0 | 2 | `--jobs` must be at least 1
true | --until a=1 --until b=1 --fail x | 0 | 2 | write `--fail PATH=x`
true | --until a=1 --fail 1 | 0 | 2 | `1` is also the expected value
true | --query a..b | 0 | 2 | `--query` is invalid
true | --once --max-attempts 3 | 0 | 2 | cannot be used with
true | --error-pattern boom | 0 | 2 | must be `permanent:REGEX`
true | --until status=UP --same id | 0 | 2 | write `--same 'id=VALUE'`, with the value that the change returned
true | --until status=UP --at-least id=x | 0 | 2 | `PATH=NUMBER`
true | --waiter any.json --fail a=b | 0 | 2 | `--fail` cannot be combined with a waiter
true | --waiter any.json --pending A | 0 | 2 | `--pending` cannot be combined with a waiter
true | --preset kubernetes/job --fail a=b | 0 | 2 | `--fail` cannot be combined with a waiter
true | --preset kubernetes/job --until a=b | 0 | 2 | cannot be used with
true | --preset kubernetes/job --same 7 | 0 | 2 | `--same` must have a `path`
true | --preset k8s/deployment | 0 | 2 | no preset `k8s/deployment`: did you mean `ecs/deployment`, `kubernetes/deployment`?
true | --preset ecs/deployment | 0 | 2 | `--same` is missing: this waiter needs the value of `not_null(services[0]
true | --preset ecs/deployment --same= | 0 | 2 | it has no value: is a variable empty?
"#;
    let folder = folder("wait-refused");
    let waiter = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    fs::write(folder.join("any.json"), waiter).unwrap();
    check(&folder, &[], CASES);
}

#[test]
fn a_wrong_command_line_has_a_remedy() {
    const CASES: &str = "\
 | there is nothing to wait for: add `-- COMMAND` or a URL
--until-status 200,abc http://localhost | must be HTTP statuses from 100 to 599, got `abc`
localhost | `localhost` must begin with `tcp://`, `http://` or `https://`
localhost:5432 | write `tcp://localhost:5432` or
ftp://db | must begin with `tcp://`, `http://` or `https://`
tcp://db | `tcp://db` must be `tcp://HOST:PORT`
tcp://db:1 -- true | write `smithy-waiters wait tcp://db:1 && COMMAND`
http://db -H a | must be `NAME: VALUE`
http://db:99999 | `http://db:99999` must have a port from 0 to 65535
http://u:p@db: | must have a port from 0 to 65535
--timeout 5M tcp://db:1 | must be a time such as
--botocore dynamodb -- true | 2 values required for '--botocore <SERVICE> <NAME>'
--format xml -- true | [possible values: text, json, github]
--items a[] --key b -- true | --for-each
--for-each x --items a[] -- true | --key
--for-each x --rate 2 -- true | --items
--for-each x --items a[] --key b tcp://{}:1 | `tcp://{}:1` must begin with `http://` or `https://`, because `--items` is a path
--for-each x --items a[] --key b http://a/{} http://b/{} | `--items` requires a single URL
--untill x -- true | error: `smithy-waiters wait` has no option `--untill`: did you mean `--until`?
--timout=5m x -- true | error: `smithy-waiters wait` has no option `--timout`: did you mean `--timeout`?
--status x -- true | error: `smithy-waiters wait` has no option `--status`: did you mean `--until-status`?
--verbose x -- true | error: `smithy-waiters wait` has no option `--verbose`: `smithy-waiters wait --help` lists all options
-v x -- true | error: `smithy-waiters wait` has no option `-v`: `smithy-waiters wait --help` lists all options";
    let folder = folder("wait-usage");
    for case in CASES.lines() {
        let [line, message] = columns(case);
        let arguments: Vec<&str> = ["wait"]
            .into_iter()
            .chain(line.split_whitespace())
            .collect();
        let output = run(&folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{case}");
        assert!(
            stderr(&output).contains(message),
            "{case}\n{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_command_that_cannot_be_run_is_quoted() {
    let folder = folder("wait-quoted");
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
        "-t 5s kubectl get pod x",
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
        assert!(started.elapsed() < Duration::from_secs(4), "{text}");
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
fn server(answers: Vec<(u16, &'static str)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for number in 0.. {
            let (mut connection, _) = listener.accept().unwrap();
            let (status, body) = answers[number.min(answers.len() - 1)];
            let mut request = [0; 4096];
            let count = connection.read(&mut request).unwrap_or_default();
            let request = String::from_utf8_lossy(&request[..count]).into_owned();
            let body = body.replace(" / ", "\n");
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

/// Cases of a URL: the answers of the server, the options, the exit code, and a part of standard error. In an answer,
/// ` / ` is the end of a line.
const URLS: &str = r#"
503 ;; 404 ;; 302 ;; 204 | | 0 | , 4 calls
401 who are you | | 3 | 401: who are you
503 {"status": "DOWN"} ;; 200 {"status": "UP"} | --until status=UP | 0 | : UP after
200 ["DOWN"] ;; 200 ["UP"] | --until [0]=UP | 0 | : UP after
301 | --until status=UP | 3 | 301: it redirects to /there, which is not followed
404 | --until-deleted | 0 | was already
200 {} ;; 418 | --until-status 204,418 | 0 | : 418 after
200 warming up ;; 200 a / ready / b | --until-text ^ready$ | 0 | 2 calls
200 broken | --until-text ^ready$ --fail-text broken | 1 | : failed (exit 1)
200 {"a": 1} | --until "http:headers"."x-test"=yes --until "http:status"=200 | 0 | was already yes, 200
200 {"r": "REQUEST"} | -H X-Key: 7 -d a=b --until contains(r, 'POST / HTTP') && contains(r, 'x-key: 7') | 0 | was already
200 {"r": "REQUEST"} | -H Content-Type: text/x -d a --until contains(r, 'content-type: text/x') && !contains(r, 'urlencoded') | 0 | was already
200 {"r": "REQUEST"} | --until contains(r, 'GET / HTTP') && !contains(r, 'content-type') | 0 | was already
400 bad input | --until a=b | 3 | 400: bad input
200 [1] | --until-status 200 | 0 | was already 200
200 0123456789 | --max-output 5 | 3 | more than 5 bytes
"#;

#[test]
fn a_url_is_requested_until_it_answers() {
    let folder = folder("wait-url");
    for case in URLS.trim().lines() {
        let [answers, options, exit, message] = columns(case);
        let answers = answers.split(" ;; ").map(|answer| {
            let (status, body) = answer.split_once(' ').unwrap_or((answer, ""));
            (status.parse().unwrap(), body)
        });
        let url = format!("http://{}/", server(answers.collect()));
        let output = run(&folder, &[&FAST, &words(options)[..], &[&url]].concat());
        let text = stderr(&output);
        let exit = exit.parse().unwrap();
        assert_eq!(output.status.code(), Some(exit), "{case}\n{text}");
        assert!(text.contains(message), "{case}\n{text}");
    }
}

#[test]
fn nothing_that_listens_is_not_yet() {
    let folder = folder("wait-port");
    let address = server(vec![(200, "")]);
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
            server(vec![(200, "")]),
            "got Unreachable: the server does not speak TLS on this port: write `http://` instead of `https://`\n",
        ),
        (
            "http",
            server(vec![(400, NGINX)]),
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
    let named = [
        ("stale", &*stale),
        ("rolled", rolled),
        ("old", &old),
        ("busy", &busy),
        ("done", &done),
        ("other", &other),
    ];
    // An unknown error is not "not yet" for ever, as without a goal.
    const CASES: &str = r#"
stale ;; rolled | --preset kubernetes/deployment | 2 | 0 | , 2 calls
echo '{"kind": "List", "items": []}' | --preset kubernetes/deployment | 1 | 1 | kubernetes/deployment decides a Deployment, not a List
NO | --preset kubernetes/deployment --transient-window 1s | some | 3 | not yet
old ;; busy ;; done | --preset ecs/deployment --same ecs-svc/2 | 3 | 0 | , 3 calls
busy ;; other | --preset ecs/deployment --same ecs-svc/2 | 2 | 1 | an event
old ;; done | --preset ecs/deployment --same services[0].deployments[0].id=ecs-svc/2 | 2 | 0 | , 2 calls
"#;
    check(&folder("wait-preset"), &named, CASES);
    let folder = folder("wait-preset-url");
    let url = server(vec![(
        200,
        r#"{"status": "completed", "conclusion": "neutral"}"#,
    )]);
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
    const CASES: &str = r#"
echo 3 ;; echo 0 | --until-text ^0$ | 2 | 0 | sh call.sh: 0 after
seq 3; echo ' ready to go'; echo more | --until-text ready | 1 | 0 | sh call.sh: was already ready to go$
echo 'ReplicaSet "web-1" is "ready"' | --until-text ready | 1 | 0 | sh call.sh: was already ReplicaSet "web-1" is "ready"$
echo 1; echo starting; echo --- | --until-text ^ready$ --once | 1 | 124 | last seen: "a line matches ^ready$" gave "no", expected "yes"; "output line": "starting"
echo ok; echo panic 7; echo ok | --until-text ok --fail-text panic | 1 | 1 | "a line matches panic" gave "yes"; "output line": "panic 7"
echo | --until-text ^$ | 1 | 0 | was already an empty text
echo inactive; exit 3 | --until-text ^inactive$ --until exitCode=3 | 1 | 0 | was already
echo 'Error from server (NotFound): gone' >&2; exit 1 | --until-deleted | 1 | 0 | was already
UP ;; echo 'An error occurred (NoSuchEntity) when calling the X operation: gone' >&2; exit 254 | --until-deleted | 2 | 0 | 2 calls
echo 'An error occurred (AccessDenied) when calling the X operation: no' >&2; exit 254 | --until n | 1 | 3 | access denied: AccessDenied
echo 'An error occurred (ThrottlingException) when calling the X operation: no' >&2; exit 254 ;; UP | --until n | 2 | 0 | 2 calls
echo boom >&2; exit 1 | --error-pattern permanent:boom | 1 | 3 | the call failed for good (exit 3)
"#;
    check(&folder("wait-text"), &[], CASES);
}

#[test]
fn each_name_is_waited_for() {
    let folder = folder("wait-names");
    fs::write(folder.join("call.sh"), "case $1 in bad*) echo '{\"s\": \"FAILED\"}';; slow*) echo '{}';; *) echo \"{\\\"s\\\": \\\"$1\\\"}\";; esac").unwrap();
    let wait = |names: &str, options: &[&str]| {
        let fixed = [
            "--timeout",
            "2s",
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
    const CASES: &str = "\
a,b b,$(x) | | 0 | a,b b,$(x) | 3 of 3 succeeded
a,bad1,slow1 | | 1 | a | 1 of 3 succeeded; failed: bad1, slow1 (exit 1)
bad1,slow1 | --fail-fast | 1 | | 0 of 2 succeeded; failed: bad1 (exit 1)
bad1,bad2,slow1 | --quorum 2 | 1 | | 0 of 3 succeeded; failed: bad1, bad2 (exit 1)
a,slow1 | --jobs 1 | 124 | a | 1 of 2 succeeded; failed: slow1 (exit 124)
slow1,a,slow2 | --quorum 1 | 0 | a | 1 of 3 succeeded
 | --allow-empty | 0 | | 0 of 0 succeeded
 | | 2 | | error: `--for-each` has no names (`--allow-empty` succeeds then)
a | --quorum 2 | 2 | | error: `--quorum` must be an integer from 1 to the number of waits, got 2 of 1
a | --quorum 0 | 2 | | error: `--quorum` must be an integer from 1 to the number of waits, got 0 of 1";
    for case in CASES.lines() {
        let [names, options, exit, answers, last] = columns(case);
        let (code, out, err) = wait(names, &words(options));
        let answers = answers
            .split_terminator(',')
            .map(|answer| format!("{answer}\n"));
        let exit = exit.parse().unwrap();
        assert_eq!(
            (code, out),
            (Some(exit), answers.collect()),
            "{case}\n{err}"
        );
        assert_eq!(err.lines().last(), Some(last), "{err}");
        let start = "waiting at most 2 s until s is {}\n";
        assert_eq!(err.starts_with(start), exit != 2, "{case}\n{err}");
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
    const NAMED: [(&str, &str); 3] = [
        ("OLD", r#"echo '{"status": "UP", "id": 6}'"#),
        ("BUSY", r#"echo '{"status": "BUSY", "id": 7}'"#),
        ("NEW", r#"echo '{"status": "UP", "id": 7}'"#),
    ];
    // The first call may take longer than 50 ms.
    const CASES: &str = r#"
OLD ;; BUSY ;; NEW | --until status=UP --same id=7 | 3 | 0 | UP after
OLD | --until status=UP --same id=7 --left-within 50ms | some | 1 | id was never "7" in 0.05 s: it gave 6
BUSY ;; OLD | --until status=UP --same id=7 | 2 | 1 | replaced (exit 1)
OLD | --until status=UP --same idd=7 --once | 1 | 124 | hint: sh call.sh: idd: the response has no member `idd`, did you mean `id`?
OLD ;; BUSY ;; NEW | --until status=UP --left UP | 3 | 0 | UP after
OLD ;; NEW | --until status=UP --left id=6 | 2 | 0 | UP after
OLD | --until status=UP --left UP --left-within 50ms | some | 1 | never left (exit 1)
OLD | --until status=UP --left UP --left-within 50ms --left-else accept | some | 0 | sh call.sh:
OLD | --until status=UP --left UP --left-within 50ms --left-else fail | some | 1 | never left (exit 1)
OLD ;; NEW | --until status=UP --at-least id=7 | 2 | 0 | UP after
OLD | --until status=UP --successes 3 | 3 | 0 | , 3 calls
OLD | --until status=UP --stable-for 50ms | some | 0 | UP after
"#;
    check(&folder("wait-change"), &NAMED, CASES);
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
