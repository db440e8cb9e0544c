//! The connection with the parent process: events as JSON lines on standard output, commands on standard input.
//!
//! The program exits when its standard input ends.

use std::io::{self, BufRead, Read, Write};
use std::process;
use std::thread;

use anyhow::Result;
use serde_json::{Value, json};

/// Writes an event. Exits the process if the parent no longer reads.
pub(crate) fn send(event: &Value) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{event}").and_then(|()| out.flush()).is_err() {
        process::exit(0);
    }
}

/// Reports that the client is ready, and waits for the parent's line that starts it.
pub(crate) fn wait_for_start() -> Result<()> {
    send(&json!({"event": "ready"}));
    if io::stdin().lock().read_line(&mut String::new())? == 0 {
        process::exit(0);
    }
    end_with_parent();
    Ok(())
}

/// Exits the process when the parent exits.
fn end_with_parent() {
    thread::spawn(|| {
        // An error has the same meaning as the end: the parent has exited.
        let _result = io::stdin().lock().read_to_end(&mut Vec::new());
        process::exit(0);
    });
}
