//! What the verb writes to standard error, in each format.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::Value as Json;

use crate::common::{command, folder, run, stderr};
use crate::{DOWN, FAST, NO, UP, script};

const SCHEMA: &str = include_str!("../../src/wait/events.schema.json");

/// Returns the events of a wait, each of which is valid.
fn events(folder: &Path, options: &[&str]) -> Vec<Json> {
    checked_events(folder, &[&FAST, options, &["--", "sh", "call.sh"]].concat())
}

/// Returns the events of the command with these arguments, each of which is valid.
pub(crate) fn checked_events(folder: &Path, arguments: &[&str]) -> Vec<Json> {
    let schema: Json = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let _ = fs::remove_file(folder.join("calls"));
    let output = run(folder, arguments);
    let events: Vec<Json> = stderr(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for event in &events {
        validator.validate(event).unwrap();
    }
    if let Some(last) = events.last() {
        assert_eq!(last["exit"], output.status.code().unwrap());
    }
    events
}

fn names(events: &[Json]) -> Vec<&str> {
    let names = events.iter().map(|event| event["event"].as_str().unwrap());
    names.collect()
}

#[test]
fn json_has_an_event_for_each_call_and_end() {
    let folder = folder("wait-json");
    script(&folder, &[NO, DOWN, UP]);
    let json = |options: &[&str]| events(&folder, &[&["--format", "json"], options].concat());

    let success = json(&["--until", "status=UP"]);
    let calls = ["start", "attempt", "attempt", "attempt", "end", "finish"];
    assert_eq!(names(&success), calls);
    assert_eq!(success[0]["limitMs"], 20_000);
    assert_eq!(success[2]["record"]["values"][0]["text"], "\"DOWN\"");
    assert_eq!(success[4]["code"], "success");
    assert_eq!(success[4]["report"]["attempts"], 3);

    let failure = json(&["--until", "Status=UP", "--fail", "status=DOWN"]);
    assert_eq!(names(&failure).last(), Some(&"finish"));
    let end = &failure[failure.len() - 2];
    assert_eq!(
        (&end["code"], &end["exit"]),
        (&"failure_state".into(), &1.into())
    );
    let text = end["message"].as_str().unwrap();
    assert!(text.ends_with("sh call.sh: failed (exit 1)"), "{text}");

    script(&folder, &[DOWN]);
    let hint = json(&["--until", "Status=UP", "--once"]);
    assert_eq!(names(&hint), ["start", "hint", "attempt", "end", "finish"]);
    assert_eq!(hint[1]["code"], "near_name");

    let usage = json(&["--until", "status == UP"]);
    assert_eq!(names(&usage), ["error"]);
    assert_eq!(json(&["-q", "--until", "status=DOWN"]), [Json::Null; 0]);
    let failure = json(&["-q", "--until", "status=UP", "--once"]);
    assert_eq!(names(&failure), ["end", "finish"]);
}

#[test]
fn github_gets_a_folded_group_and_annotations() {
    let folder = folder("wait-github");
    script(&folder, &[NO, UP]);
    let wait = |options: &[&str]| {
        let _ = fs::remove_file(folder.join("calls"));
        let arguments = [&FAST, options, &["--", "sh", "call.sh"]].concat();
        let mut command = command(&folder, &arguments);
        let output = command.env("GITHUB_ACTIONS", "true").output().unwrap();
        stderr(&output)
    };
    let success = wait(&["--until", "status=UP"]);
    let lines: Vec<&str> = success.lines().collect();
    assert!(
        lines[0].starts_with("::group::waiting at most 20 s"),
        "{success}"
    );
    assert_eq!(lines[lines.len() - 2], "::endgroup::", "{success}");
    assert!(
        lines[lines.len() - 1].starts_with("sh call.sh: UP after "),
        "{success}"
    );

    let failure = wait(&["--until", "n=4", "--fail", "n=3", "--label", "::a,b"]);
    let lines: Vec<&str> = failure.lines().collect();
    let title = "::error title=%3A%3Aa%2Cb%3A failed (exit 1)::";
    assert!(lines[lines.len() - 1].starts_with(title), "{failure}");
    // A service's text is no command of the runner.
    let commands = lines.iter().filter(|line| line.starts_with("::"));
    assert_eq!(commands.count(), 3, "{failure}");

    assert!(
        wait(&["--until", "Status=UP", "--max-attempts", "2"])
            .contains("::warning title=sh call.sh::")
    );
    assert!(wait(&["--until", "a == b"]).starts_with("::error title=smithy-waiters wait::"));
    assert!(wait(&["--format", "text", "--until", "status=UP"]).starts_with("waiting at most"));
}

/// Returns a text with `TIME` for each time.
fn timeless(text: &str) -> String {
    let time = regex_lite::Regex::new(r"([0-9.]+ to )?[0-9.]+ m?s\b").unwrap();
    time.replace_all(text, "TIME").into_owned()
}

#[test]
fn a_line_is_for_what_is_new() {
    const BUSY: &str = r#"echo '{"status": "BUSY"}'"#;
    const GIVEN_UP: &str = r#"sh call.sh: gave up after TIME and 3 attempts: no more attempts are allowed; last seen: State gave null, expected "UP" (the response has no value for State, only for items, status)
  attempt 1 (TIME): error → retry, next in TIME
    exit code 1: not yet (transient)
  attempts 2 to 3 (TIME): response → retry
    acceptor 0: no match: State gave null, expected "UP" (the response has no value for State, only for items, status)
    State: null
sh call.sh: too many attempts (exit 124)
"#;
    let folder = folder("wait-lines");
    script(&folder, &[NO, DOWN, DOWN, BUSY, UP]);
    for (options, expected) in [
        (
            &["--until", "status=UP"][..],
            r#"waiting at most TIME until status is UP
sh call.sh: attempt 1 after TIME: retry: exit code 1: not yet (transient); next in TIME
sh call.sh: attempt 2 after TIME: retry: status gave "DOWN", expected "UP"; status: "DOWN"; next in TIME
sh call.sh: attempt 4 after TIME: retry: status gave "BUSY", expected "UP"; status: "BUSY"; next in TIME
sh call.sh: UP after TIME, 5 calls
"#,
        ),
        (
            &["--until", "status=DOWN", "--for-each", "a,b", "--jobs", "1"],
            r"waiting at most TIME until status is DOWN
a: attempt 1 after TIME: retry: exit code 1: not yet (transient); next in TIME
a: DOWN after TIME, 2 calls
b: was already DOWN
2 of 2 succeeded
",
        ),
        (
            &["-q", "--until", "State=UP", "--max-attempts", "3"],
            GIVEN_UP,
        ),
    ] {
        let _ = fs::remove_file(folder.join("calls"));
        let arguments = [&FAST, options, &["--", "sh", "call.sh"]].concat();
        assert_eq!(timeless(&stderr(&run(&folder, &arguments))), expected);
    }
}

/// A wait whose standard error is a terminal.
pub(crate) struct Terminal {
    pub(crate) child: Child,
    terminal: File,
    screen: vt100::Parser,
}

impl Terminal {
    fn start(folder: &Path, options: &[&str]) -> Self {
        Self::start_command(folder, options, &["sh", "call.sh"])
    }

    pub(crate) fn start_command(folder: &Path, options: &[&str], line: &[&str]) -> Self {
        let (rows, columns) = (10, 100);
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal, size).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let name = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let error = File::options().read(true).write(true).open(name).unwrap();
        let arguments = [&["wait"], options, &["--"], line].concat();
        let child = command(folder, &arguments)
            .env("TERM", "xterm")
            .stderr(error)
            .spawn()
            .unwrap();
        Self {
            child,
            terminal: terminal.into(),
            screen: vt100::Parser::new(rows, columns, 0),
        }
    }

    /// Reads until the screen has the text, or to the end.
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        let mut buffer = [0; 4096];
        loop {
            let screen = self.screen.screen();
            let rows: Vec<String> = screen.rows(0, screen.size().1).collect();
            let screen = rows.join("\n").trim_end().to_owned();
            // A terminal that nobody writes to any more is an error.
            let count = match self.terminal.read(&mut buffer) {
                _ if screen.contains(text) => return screen,
                Ok(count) if count > 0 => count,
                _ => return screen,
            };
            self.screen.process(&buffer[..count]);
        }
    }

    pub(crate) fn exit_code(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

#[test]
fn a_terminal_has_one_line_that_changes() {
    let folder = folder("wait-live");
    script(&folder, &[DOWN, UP]);
    let options = ["--until", "status=UP", "--label", "web", "--timeout", "2h"];
    let mut wait = Terminal::start(&folder, &[&options[..], &["--interval", "1h"]].concat());
    let screen = wait.wait_for("web: DOWN; call 1, next in ");
    assert_eq!(screen.lines().count(), 2, "{screen}");
    assert!(
        screen.ends_with(" min 59 s left") || screen.ends_with(" min left"),
        "{screen}"
    );
    let id = Pid::from_child(&wait.child);
    kill_process(id, Signal::TERM).unwrap();
    let screen = wait.wait_for("web: interrupted (exit 143)");
    // The end takes the place of the line that changed.
    assert!(!screen.contains("web: DOWN"), "{screen}");
    assert_eq!(wait.exit_code(), Some(143));

    let _ = fs::remove_file(folder.join("calls"));
    let mut wait = Terminal::start(&folder, &[&options[..], &["--interval", "10ms"]].concat());
    let screen = wait.wait_for("web: UP after ");
    assert!(
        screen.starts_with("waiting at most 2 h until status is UP"),
        "{screen}"
    );
    assert_eq!(wait.exit_code(), Some(0));
}

#[test]
fn a_terminal_shows_a_call_and_keeps_a_hint() {
    let folder = folder("wait-live-call");
    let waits = "while [ ! -e go ]; do sleep 0.05; done; ";
    script(&folder, &[&format!("{waits}{DOWN}")]);
    let options = ["--until", "Status=UP", "--label", "web"];
    let endless = ["--timeout", "none", "--interval", "1h"];
    let mut wait = Terminal::start(&folder, &[options, endless].concat());
    let screen = wait.wait_for("web: no answer yet; call 1, calling");
    assert!(!screen.contains(" left"), "{screen}");
    fs::write(folder.join("go"), "").unwrap();
    let hint = "hint: web: Status: the response has no member `Status`";
    let screen = wait.wait_for(hint);
    assert!(screen.contains(hint), "{screen}");
    kill_process(Pid::from_child(&wait.child), Signal::TERM).unwrap();
    let screen = wait.wait_for("web: interrupted (exit 143)");
    assert!(screen.contains(hint), "{screen}");
    assert!(!screen.contains("0 of 1"), "{screen}");
    assert_eq!(wait.exit_code(), Some(143));
    // What cannot begin is said as elsewhere.
    let mut wait = Terminal::start(&folder, &["--until", "a == b"]);
    let screen = wait.wait_for("error: ");
    assert!(!screen.contains("waiting"), "{screen}");
    assert_eq!(wait.exit_code(), Some(2));
}
