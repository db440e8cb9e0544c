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
    let verdicts = json!({
        "version": 1, "kind": "verdicts", "suite": "own", "about": "a test",
        "service": {"shape": "example#Jobs", "protocol": "restJson1", "model": "model.smithy"},
        "waiters": {"Done": {
            "operation": "GetJob", "definition": definition, "params": {},
            "answers": {"ready": answer("DONE"), "pending": answer("RUNNING")},
        }},
        "cases": [of(json!({
            "id": "own.done", "waiter": "Done", "answer": answer("DONE"),
            "expect": {"state": "success", "acceptor": 0},
        }), "specification")],
    });
    let behaviour = |id: &str, expect: Json, basis: &str| {
        let options = json!({"maxWait": 9, "minDelay": 1, "maxDelay": 4});
        let script = json!([{"role": "pending", "times": 2}, {"role": "ready"}]);
        of(
            json!({"id": id, "options": options, "script": script, "expect": expect}),
            basis,
        )
    };
    let behaviours = json!({
        "version": 1, "kind": "behaviours", "suite": "behaviour", "about": "a test",
        "cases": [
            behaviour("behaviour.polls", json!({"end": "success", "requests": {"min": 2, "max": 3}}), "specification"),
            behaviour("behaviour.delays", json!({"end": "success", "delays": [{"min": 8}]}), "specification"),
            behaviour("behaviour.carries", json!({"end": "failure", "carries": ["lastOutput"]}), "open"),
        ],
    });
    for (name, suite) in [("own", verdicts), ("behaviour", behaviours)] {
        fs::write(folder.join(format!("{name}.json")), suite.to_string()).unwrap();
    }
    Kit::read(&[folder]).unwrap()
}

/// Sends a request, and returns the body of its answer as JSON.
fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> Json {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// Plays a case on a new server: sends a number of requests and hands in the end. Returns the statuses that were
/// answered, and the judgement.
fn played(kit: &Kit, id: &str, requests: usize, end: &Json) -> (Vec<String>, Json) {
    let tasks = kit.tasks(None, None, &[id.to_owned()]);
    assert_eq!(tasks.len(), 1, "{id}");
    let (sender, started) = mpsc::channel();
    thread::spawn(move || serve(0, tasks, |address| sender.send(address).unwrap()));
    let address = started.recv().unwrap();
    let listed = ask(address, "GET", "/tasks", "");
    assert_eq!(listed[0]["id"], id);
    let endpoint = listed[0]["endpoint"].as_str().unwrap();
    let path = endpoint.split_once(&address.to_string()).unwrap().1;
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
