//! Waits for files, in a table of SQLite. Stop it and run it again: the waits continue.
//!
//! `cargo run --package smithy-waiters-examples --example sqlite_wait report.csv summary.csv`

#![expect(clippy::print_stdout, reason = "the output of the program")]

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use rusqlite::{Connection, OptionalExtension as _};
use serde_json::{Value, json};
use smithy_waiters::{
    EndValues, Event, Snapshot, StateError, Step, StoredOptions, WaitOptions, Waiter,
};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let waiter = Waiter::until("Status", "DONE").name("FileExists").build()?;
    let waits = Waits::open(Path::new("file-waits.sqlite"), waiter)?;
    for file in std::env::args_os().skip(1) {
        let file = file
            .into_string()
            .map_err(|file| format!("{} is not UTF-8", file.display()))?;
        let options = WaitOptions::new(Duration::from_secs(3600))
            .min_delay(Duration::from_secs(1))
            .max_delay(Duration::from_secs(5))
            .label(&*file);
        waits.start(&file, &options)?;
    }
    waits.run(|file| {
        // Replace this with a call of your client.
        let status = if Path::new(file).exists() {
            "DONE"
        } else {
            "RUNNING"
        };
        json!({ "Status": status })
    })
}

/// A table of waits. It assumes one process; for several, claim a row before its attempt.
pub(crate) struct Waits {
    db: Connection,
    waiter: Waiter,
}

impl Waits {
    /// Opens the table in a file.
    pub(crate) fn open(file: &Path, waiter: Waiter) -> Result<Self, Error> {
        let db = Connection::open(file)?;
        let columns = "name TEXT PRIMARY KEY, state TEXT NOT NULL, due_at_ms INTEGER";
        db.execute(&format!("CREATE TABLE IF NOT EXISTS waits ({columns})"), ())?;
        Ok(Self { db, waiter })
    }

    /// Starts a wait, unless it was started before.
    pub(crate) fn start(&self, name: &str, options: &WaitOptions) -> Result<(), Error> {
        let stored = StoredOptions::new(name, now_ms()?);
        let begun = self.waiter.start_stored(options, stored)?.snapshot()?;
        let row = (name, begun.to_json(), begun.due_at_ms());
        self.db
            .execute("INSERT OR IGNORE INTO waits VALUES (?, ?, ?)", row)?;
        Ok(())
    }

    /// Makes the attempts when they are due, until all waits have ended.
    pub(crate) fn run(&self, call: impl Fn(&str) -> Value) -> Result<(), Error> {
        while let Some((name, state, due_at_ms)) = self.earliest()? {
            sleep(Duration::from_millis(due_at_ms.saturating_sub(now_ms()?)));
            if let Err(error) = self.attempt(&name, &state, &call) {
                // The definition has changed.
                let error = error.downcast::<StateError>()?;
                println!("{name}: {error}");
                self.store(&name, &state, None)?;
            }
        }
        Ok(())
    }

    fn earliest(&self) -> Result<Option<(String, String, u64)>, Error> {
        let query = "SELECT name, state, due_at_ms FROM waits WHERE due_at_ms IS NOT NULL ORDER BY due_at_ms";
        let row = self.db.query_row(query, (), |row| row.try_into());
        Ok(row.optional()?)
    }

    fn attempt(&self, name: &str, state: &str, call: impl Fn(&str) -> Value) -> Result<(), Error> {
        let snapshot = Snapshot::from_json(state)?;
        let now = snapshot.due_elapsed_ms(Some(now_ms()?)); // the time away counts
        let mut wait = self.waiter.resume(snapshot, now)?;
        let mut step = wait.poll(now);
        let mut response = Value::Null;
        if matches!(step, Step::Call { .. }) {
            let began = Instant::now();
            response = call(name);
            let taken = u64::try_from(began.elapsed().as_millis())?;
            step = wait.handle(Event::response(&response), now.saturating_add(taken))?;
        }
        println!("{}", wait.summary().unwrap_or_default());
        let Step::Done(report) = step else {
            let next = wait.snapshot()?;
            return self.store(name, &next.to_json(), next.due_at_ms());
        };
        println!("{}", report.message);
        let values = EndValues {
            response,
            ..EndValues::default()
        };
        self.store(name, &report.to_json(&values), None)
    }

    /// Stores a state with the time of the next attempt, or the report of a wait that has ended.
    fn store(&self, name: &str, state: &str, due_at_ms: Option<u64>) -> Result<(), Error> {
        let update = "UPDATE waits SET state = ?, due_at_ms = ? WHERE name = ?";
        self.db.execute(update, (state, due_at_ms, name))?;
        Ok(())
    }
}

fn now_ms() -> Result<u64, Error> {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    Ok(u64::try_from(since_1970.as_millis())?)
}
