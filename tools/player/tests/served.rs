//! A client by hand, which asks for its cases, plays them and hands in their ends.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use serde_json::{Value as Json, json};
use smithy_waiters_player::{Kit, serve};

/// Returns a kit with a waiter, and with cases whose scripts and constraints are of a few tenths of a second.
fn kit(test: &str) -> Kit {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let answer = |status: &str| {
        let body = json!({"status": status});
        json!({"output": body, "http": {"status": 200, "headers": {}, "body": body.to_string()}})
    };
    let path = json!({"path": "status", "expected": "DONE", "comparator": "stringEquals"});
    let definition = json!({"acceptors": [{"state": "success", "matcher": {"output": path}}]});
    let grounds = |basis: &str| json!({"reason": "a test", "clause": "none", "basis": basis});
    let of = |mut case: Json, basis: &str| {
        let members = case.as_object_mut().unwrap();
        members.extend(grounds(basis).as_object().unwrap().clone());
        case
    };
    let waiter = json!({
        "operation": "GetJob", "definition": definition, "params": {},
        "answers": {"ready": answer("DONE"), "pending": answer("RUNNING")},
    });
    let verdicts = json!({
        "version": 1, "kind": "verdicts", "suite": "own", "about": "a test",
        "service": {"shape": "example#Jobs", "protocol": "restJson1", "model": "model.smithy"},
        "waiters": {"Done": waiter, "Other": waiter},
        "cases": [of(json!({
            "id": "own.done", "waiter": "Done", "answer": answer("DONE"),
            "expect": {"state": "success", "acceptor": 0},
        }), "specification")],
    });
    let scripted = |id: &str, script: Json, expect: Json, basis: &str| {
        let options = json!({"maxWait": 9, "minDelay": 1, "maxDelay": 4});
        of(
            json!({"id": id, "options": options, "script": script, "expect": expect}),
            basis,
        )
    };
    let behaviour = |id: &str, expect: Json, basis: &str| {
        let script = json!([{"role": "pending", "times": 2}, {"role": "ready"}]);
        scripted(id, script, expect, basis)
    };
    let once =
        |id: &str, script: Json| scripted(id, script, json!({"end": "success"}), "specification");
    let behaviours = json!({
        "version": 1, "kind": "behaviours", "suite": "behaviour", "about": "a test",
        "cases": [
            behaviour("behaviour.polls", json!({"end": "success", "requests": {"min": 2, "max": 3}}), "specification"),
            behaviour("behaviour.delays", json!({"end": "success", "delays": [{"min": 8}]}), "specification"),
            once("behaviour.hangs", json!([{"connection": "hang"}])),
            once("behaviour.resets", json!([{"connection": "reset"}])),
            once("behaviour.fails", json!([{"status": 503}, {"role": "ready", "takes": 0.1}])),
            once("behaviour.until", json!([{"role": "pending", "until": 0}, {"role": "ready"}])),
            behaviour("behaviour.carries", json!({"end": "failure", "carries": ["lastOutput"]}), "open"),
        ],
    });
    for (name, suite) in [("own", verdicts), ("behaviour", behaviours)] {
        fs::write(folder.join(format!("{name}.json")), suite.to_string()).unwrap();
    }
    Kit::read(&[folder]).unwrap()
}

/// Sends a request, and returns its answer, which is empty if the server closes the connection.
fn raw(address: SocketAddr, method: &str, path: &str, header: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\n{header}content-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut text = String::new();
    drop(stream.read_to_string(&mut text));
    text
}

/// Sends a request, and returns the body of its answer as JSON.
fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> Json {
    let text = raw(address, method, path, "", body);
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// Serves a case, and returns the address and the path of its endpoint.
fn serving(kit: &Kit, id: &str) -> (SocketAddr, String) {
    let tasks = kit.tasks(None, None, &[id.to_owned()]);
    assert_eq!(tasks.len(), 1, "{id}");
    let (sender, started) = mpsc::channel();
    thread::spawn(move || serve(0, tasks, |address| sender.send(address).unwrap()));
    let address = started.recv().unwrap();
    let listed = ask(address, "GET", "/tasks", "");
    assert_eq!(listed[0]["id"], id);
    let endpoint = listed[0]["endpoint"].as_str().unwrap();
    let path = endpoint.split_once(&address.to_string()).unwrap().1;
    (address, path.to_owned())
}

/// Plays a case on a new server: sends a number of requests and hands in the end. Returns the statuses that were
/// answered, and the judgement.
fn played(kit: &Kit, id: &str, requests: usize, end: &Json) -> (Vec<String>, Json) {
    let (address, path) = serving(kit, id);
    let statuses = (0..requests).map(|_| {
        ask(address, "GET", &format!("{path}/jobs"), "")["status"]
            .as_str()
            .unwrap()
            .to_owned()
    });
    let statuses = statuses.collect();
    (statuses, ask(address, "POST", "/ends", &end.to_string()))
}

#[test]
fn an_end_is_judged_by_what_was_requested() {
    let kit = kit("judged");
    for (id, requests, end, carries, outcome) in [
        ("own.done", 1, "success", "", "pass"),
        // A second request means that the first answer did not end the wait.
        ("own.done", 2, "success", "", "expected success, got retry"),
        ("own.done", 1, "timeout", "", "expected success, got retry"),
        (
            "own.done",
            1,
            "dreams",
            "",
            "`dreams`, which does not exist",
        ),
        ("behaviour.polls", 3, "success", "", "pass"),
        (
            "behaviour.polls",
            1,
            "success",
            "",
            "requests: 2 to 3, got 1",
        ),
        (
            "behaviour.polls",
            4,
            "success",
            "",
            "requests: 2 to 3, got 4",
        ),
        (
            "behaviour.polls",
            3,
            "failure",
            "",
            "ends as success, got failure",
        ),
        (
            "behaviour.delays",
            2,
            "success",
            "",
            "delay 1: at least 8, got 0",
        ),
        (
            "behaviour.delays",
            2,
            "timeout",
            "",
            "ends as success, got timeout: no message\"",
        ),
        ("behaviour.carries", 1, "error", "lastOutput", "pass"),
        ("behaviour.carries", 1, "error", "lastError", "open"),
    ] {
        let carries: Vec<&str> = carries.split_terminator(' ').collect();
        let end = json!({"id": id, "end": end, "carries": carries});
        let (statuses, judgement) = played(&kit, id, requests, &end);
        let script = if id == "own.done" {
            ["DONE"; 4]
        } else {
            ["RUNNING", "RUNNING", "DONE", "DONE"]
        };
        assert_eq!(statuses, script[..requests], "{id}");
        assert_eq!(judgement["pass"], outcome == "pass", "{judgement}");
        assert_eq!(judgement["requests"], requests, "{judgement}");
        assert!(
            judgement["outcome"].to_string().contains(outcome),
            "{outcome}: {judgement}"
        );
    }
}

#[test]
fn a_pattern_that_matches_no_case_is_found() {
    let patterns = ["own.*", "behaviour.polls", "other.*"].map(str::to_owned);
    let kit = kit("patterns");
    assert_eq!(kit.unmatched(&patterns), Some("other.*"));
    assert_eq!(kit.unmatched(patterns.split_last().unwrap().1), None);
}

#[test]
fn a_behaviour_is_played_with_the_waiter_that_a_runner_prefers() {
    let kit = kit("favourite");
    for (favourite, waiter) in [
        (None, "Done"),
        (Some("own.Other"), "Other"),
        (Some("own.Missing"), "Done"),
    ] {
        let tasks = kit.tasks(None, favourite, &["behaviour.polls".to_owned()]);
        let waiters: Vec<_> = tasks.iter().map(|task| &*task.waiter).collect();
        assert_eq!(waiters, [waiter]);
    }
}

#[test]
fn a_script_has_what_a_network_does() {
    let kit = kit("network");
    let end = |id: &str| json!({"id": id, "end": "success"}).to_string();
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();

    let (address, path) = serving(&kit, "behaviour.fails");
    let get = || raw(address, "GET", &path, "", "");
    assert_eq!(first(&get()), "HTTP/1.1 503 Conformance");
    assert!(
        get().ends_with("\r\n\r\n{\"status\":\"DONE\"}"),
        "{}",
        get()
    );
    let head = raw(address, "HEAD", &path, "", "");
    assert!(
        head.contains("content-length: 17\r\n") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    // A client that drops the path has the case in its key.
    let key = "Authorization: AWS4-HMAC-SHA256 Credential=0/20200101/eu/jobs\r\n";
    assert_eq!(
        first(&raw(address, "GET", "/jobs", key, "")),
        "HTTP/1.1 200 Conformance"
    );
    let judged = ask(address, "POST", "/ends", &end("behaviour.fails"));
    assert_eq!(
        (&judged["pass"], &judged["requests"]),
        (&json!(true), &json!(4)),
        "{judged}"
    );
    assert_eq!(get(), "", "the case has ended");

    let (address, path) = serving(&kit, "behaviour.until");
    assert_eq!(ask(address, "GET", &path, "")["status"], "DONE");
    let (address, path) = serving(&kit, "behaviour.resets");
    assert_eq!(raw(address, "GET", &path, "", ""), "");

    let (address, path) = serving(&kit, "behaviour.hangs");
    let mut hangs = TcpStream::connect(address).unwrap();
    write!(hangs, "GET {path} HTTP/1.1\r\n\r\n").unwrap();
    let some = Some(Duration::from_millis(300));
    hangs.set_read_timeout(some).unwrap();
    let mut text = String::new();
    assert!(
        hangs.read_to_string(&mut text).is_err(),
        "it is open: {text}"
    );
    hangs.set_read_timeout(None).unwrap();
    let judged = ask(address, "POST", "/ends", &end("behaviour.hangs"));
    assert_eq!(judged["requests"], 1, "{judged}");
    drop(hangs.read_to_string(&mut text));
    assert_eq!(text, "", "closed without an answer");
}

#[test]
fn a_wrong_request_of_a_test_framework_is_told_what_to_do() {
    let (address, _) = serving(&kit("control"), "own.done");
    for (method, path, body, expected) in [
        (
            "GET",
            "/other",
            "",
            "use `GET /tasks` and `POST /ends`, got `GET /other`",
        ),
        (
            "POST",
            "/tasks",
            "",
            "use `GET /tasks` and `POST /ends`, got `POST /tasks`",
        ),
        ("POST", "/ends", "{}", "the body must be an end, such as"),
        (
            "POST",
            "/ends",
            r#"{"id": "a", "end": "success"}"#,
            "there is no case `a`",
        ),
    ] {
        let answer = raw(address, method, path, "", body);
        assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
        assert!(answer.contains(expected), "{answer}");
    }
}

#[test]
fn a_folder_of_a_kit_has_suites_and_perhaps_their_model() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kinds");
    fs::create_dir_all(&folder).unwrap();
    let read = |text: &str| {
        fs::write(folder.join("a.json"), text).unwrap();
        let kit = Kit::read(std::slice::from_ref(&folder));
        kit.err()
            .map(|error| format!("{error:#}"))
            .unwrap_or_default()
    };
    assert_eq!(read(r#"{"smithy": "2.0"}"#), "");
    for (text, kind) in [("{}", "nothing"), (r#"{"kind": "tests"}"#, "tests")] {
        let error = read(text);
        let part = format!("`kind` must be \"verdicts\" or \"behaviours\", got {kind}");
        assert!(
            error.contains("a.json` is not a suite") && error.ends_with(&part),
            "{error}"
        );
    }
}
