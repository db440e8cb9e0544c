//! How a program of the demo talks with its parent: JSON lines out, plain lines in. It ends when its parent does.

use std::io::{self, BufRead, Read, Write};
use std::process;
use std::thread;

use anyhow::Result;
use serde_json::{Value, json};

/// Writes one event; ends this process where nobody reads it.
pub(crate) fn say(event: &Value) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{event}").and_then(|()| out.flush()).is_err() {
        process::exit(0);
    }
}

/// Says that everything is set up, and waits for the word to begin.
pub(crate) fn go() -> Result<()> {
    say(&json!({"event": "ready"}));
    if io::stdin().lock().read_line(&mut String::new())? == 0 {
        process::exit(0);
    }
    end_with_parent();
    Ok(())
}

/// Ends this process once the parent is gone, whatever it is doing.
fn end_with_parent() {
    thread::spawn(|| {
        // An error means that there is nobody to listen to either.
        let _ended = io::stdin().lock().read_to_end(&mut Vec::new());
        process::exit(0);
    });
}
