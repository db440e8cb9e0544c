//! The waits in a table of SQLite. Their process is killed at random moments: no wait is lost, none has a wrong end, and
//! all delays are those of undisturbed waits.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::print_stdout,
    reason = "a panic fails the test, which prints its figures"
)]

#[path = "../durable/sqlite_wait.rs"]
#[expect(dead_code, reason = "the program has a `main`")]
mod sqlite_wait;

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::types::FromSql;
use serde_json::{Value, json};
use smithy_waiters::{Event, Snapshot, Step, StoredOptions, WaitOptions, WaitReport, Waiter};

use sqlite_wait::Waits;

type Error = Box<dyn std::error::Error>;

const WAITS: u64 = 20;
const KILLS: u64 = 40;

/// The variable with the folder of the process that is killed.
const FOLDER: &str = "SMITHY_WAITERS_SQLITE_FOLDER";

fn waiter() -> Result<Waiter, Error> {
    Ok(Waiter::until("Status", "DONE").build()?)
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(3600))
        .min_delay(Duration::from_millis(20))
        .max_delay(Duration::from_millis(80))
}

/// Returns the name of each wait and the number of its attempts.
fn waits() -> impl Iterator<Item = (String, u64)> {
    (0..WAITS).map(|number| (format!("job-{number}"), 4 + number % 5))
}

fn response(attempt: u64, attempts: u64) -> Value {
    json!({"Status": if attempt < attempts { "RUNNING" } else { "DONE" }})
}

#[test]
#[ignore = "the process of the next test"]
fn process() -> Result<(), Error> {
    let folder = PathBuf::from(std::env::var(FOLDER)?);
    let file = folder.join("waits.sqlite");
    let table = Waits::open(&file, waiter()?)?;
    for (name, _) in waits() {
        table.start(&name, &options())?;
    }
    let attempts: HashMap<_, _> = waits().collect();
    let db = Connection::open(&file)?;
    let mut calls = OpenOptions::new();
    calls.append(true).create(true);
    table.run(|name| {
        let state: String = column(&db, "state", name).unwrap();
        let attempt = Snapshot::from_json(&state).unwrap().attempts() + 1;
        let mut calls = calls.open(folder.join("calls")).unwrap();
        calls
            .write_all(format!("{name} {attempt}\n").as_bytes())
            .unwrap();
        sleep(Duration::from_millis(5));
        response(attempt, attempts[name])
    })
}

#[test]
fn killed_waits_end_as_undisturbed_ones() -> Result<(), Error> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sqlite-wait");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let mut kills = 0;
    // The moments are spread, and fall into starts, calls, stores and sleeps.
    while !run(
        &folder,
        (kills < KILLS).then(|| Duration::from_millis(kills * 7919 % 97)),
    )? {
        kills += 1;
    }

    let db = Connection::open(folder.join("waits.sqlite"))?;
    for (name, attempts) in waits() {
        assert_eq!(
            column::<Option<u64>>(&db, "due_at_ms", &name)?,
            None,
            "{name} is lost"
        );
        let (report, values) = WaitReport::from_json(&column::<String>(&db, "state", &name)?)?;
        assert_eq!((report.kind, report.attempts), (None, attempts), "{name}");
        assert_eq!(values.response, response(attempts, attempts), "{name}");
        let delays = report.history.iter().map(|attempt| attempt.delay_ms);
        assert_eq!(
            delays.collect::<Vec<_>>(),
            undisturbed(&name, attempts)?,
            "{name}"
        );
    }
    let calls = fs::read_to_string(folder.join("calls"))?;
    let distinct: HashSet<_> = calls.lines().collect();
    let repeated = calls.lines().count() - distinct.len();
    assert_eq!(
        distinct.len() as u64,
        waits().map(|(_, attempts)| attempts).sum::<u64>()
    );
    assert!(
        repeated as u64 <= kills,
        "a kill repeats at most the call that was running"
    );
    println!("{WAITS} waits, {kills} kills, {repeated} repeated calls");
    Ok(())
}

/// Runs the process, and kills it after a time. Returns `true` if it has ended by itself.
fn run(folder: &Path, kill_after: Option<Duration>) -> Result<bool, Error> {
    let mut process = Command::new(std::env::current_exe()?)
        .args(["--ignored", "--exact", "process"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()?;
    if let Some(time) = kill_after {
        sleep(time);
        process.kill()?;
    }
    let has_ended = process.wait()?.success();
    assert!(has_ended || kill_after.is_some(), "the process failed");
    Ok(has_ended)
}

/// Returns the delays of a wait that stays in one process.
fn undisturbed(name: &str, attempts: u64) -> Result<Vec<Option<u64>>, Error> {
    let options = options().seed(StoredOptions::new(name, 0).seed());
    let mut wait = waiter()?.start(&options, 0)?;
    let mut now = 0;
    loop {
        now = match wait.poll(now) {
            Step::Sleep { until_ms, .. } => until_ms,
            Step::Call { attempt, .. } => {
                wait.handle(Event::response(&response(attempt, attempts)), now)?;
                now
            }
            Step::Done(report) => return Ok(report.history.iter().map(|it| it.delay_ms).collect()),
        };
    }
}

fn column<T: FromSql>(db: &Connection, column: &str, name: &str) -> Result<T, Error> {
    let query = format!("SELECT {column} FROM waits WHERE name = ?");
    Ok(db.query_row(&query, [name], |row| row.get(0))?)
}
