//! The real waits: for the creation of a table, and for its deletion.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use crate::demo::checks::Checks;
use crate::demo::clients::{ClientRun, ServiceChange, run_clients};
use crate::demo::language::Language;
use crate::demo::service::Service;
use crate::demo::stage::Stage;
use crate::demo::terminal::screen;
use crate::demo::terminal::tables;
use crate::demo::terminal::view::View;
use crate::demo::waiters::{Job, TableWaiter};
use crate::project;

const MAX_WAIT: Duration = Duration::from_secs(20);

/// The read timeout, which is longer than any response takes.
const READ_TIMEOUT: f64 = 20.0;

/// The responses of one client with their durations, by waiter.
pub(crate) type Recordings = BTreeMap<&'static str, Value>;

const NOT_FOUND: &str = "ResourceNotFoundException";

/// Runs both waits, and returns the recordings.
pub(crate) fn show(
    stage: &Stage<'_>,
    service: &mut Service<'_>,
    checks: &mut Checks,
) -> Result<Recordings> {
    let port = service.port;
    screen::heading(
        "A table is created",
        "Three AWS SDKs wait for the table `orders` in a local DynamoDB (dynalite) that has no tables yet. The table is \
         CREATING for 2.5 s, and then ACTIVE. AWS's definition polls every 20 to 120 s. Two options reduce this to 0.3 to \
         1 s. Each language chooses random delays.",
    );
    let exists = scene(
        stage,
        TableWaiter::Exists,
        port,
        ServiceChange {
            at: Duration::from_millis(1_500),
            note: "the table is created",
            apply: &mut || service.create(),
        },
    )?;
    evaluate(checks, TableWaiter::Exists, &exists, (NOT_FOUND, "ACTIVE"));

    screen::heading(
        "The table is deleted",
        "The SDKs wait until the table no longer exists. Here an error means success: ResourceNotFoundException.",
    );
    let gone = scene(
        stage,
        TableWaiter::NotExists,
        port,
        ServiceChange {
            at: Duration::from_millis(500),
            note: "the table is deleted",
            apply: &mut || service.delete(),
        },
    )?;
    evaluate(checks, TableWaiter::NotExists, &gone, ("ACTIVE", NOT_FOUND));
    record(
        stage,
        &[
            (TableWaiter::Exists, exists),
            (TableWaiter::NotExists, gone),
        ],
    )
}

fn scene(
    stage: &Stage<'_>,
    waiter: TableWaiter,
    port: u16,
    change: ServiceChange<'_>,
) -> Result<Vec<ClientRun>> {
    let options = json!({"maxWait": MAX_WAIT.as_secs(), "minDelay": 0.3, "maxDelay": 1});
    let job = Job::new(waiter, options)?.with_endpoint(port, READ_TIMEOUT);
    let mut view = View::open(stage, MAX_WAIT);
    let runs = run_clients(stage, "wait", &job, &mut view, Some(change))?;
    stage.leave_lines();
    Ok(runs)
}

/// Checks that each language returns the same verdict and observes both states.
fn evaluate(
    checks: &mut Checks,
    waiter: TableWaiter,
    runs: &[ClientRun],
    (before, after): (&str, &str),
) {
    tables::print(&tables::ends_table(runs));
    decisive(runs);
    let mut agreed = true;
    for ClientRun {
        language,
        attempts,
        end,
    } in runs
    {
        let what = format!("{} in {language}", waiter.name());
        agreed &= checks.same(&what, &*end.verdict(), "success by acceptor 0");
        let states = [attempts.first(), attempts.last()]
            .map(|attempt| attempt.and_then(|attempt| attempt.seen.as_deref()))
            .map(|seen| seen.unwrap_or("nothing"))
            .join(", then ");
        agreed &= checks.same(
            &format!("{what}: states"),
            &*states,
            &*format!("{before}, then {after}"),
        );
    }
    if agreed {
        screen::agreement("same verdict, same acceptor (the attempts differ: delays are random)");
    }
}

/// Prints the acceptor that decided.
fn decisive(runs: &[ClientRun]) {
    let end = runs.first().map(|run| &run.end);
    if let Some((acceptor, text)) =
        end.and_then(|end| Some((end.acceptor?, end.acceptor_text.as_ref()?)))
    {
        // Spaces allow the compact JSON to wrap.
        let text = text.replace(',', ", ");
        screen::quote(&format!("acceptor {acceptor}: {text}"));
        screen::blank();
    }
}

fn record(stage: &Stage<'_>, acts: &[(TableWaiter, Vec<ClientRun>)]) -> Result<Recordings> {
    let python_answers = |runs: &[ClientRun]| -> Vec<Value> {
        let python = runs.iter().filter(|run| run.language == Language::Python);
        python
            .flat_map(|run| &run.attempts)
            .filter_map(|attempt| with_time(attempt.answer.as_ref()?, attempt.took))
            .collect()
    };
    let recordings: Recordings = acts
        .iter()
        .map(|(waiter, runs)| (waiter.name(), python_answers(runs).into()))
        .collect();
    let text = serde_json::to_string_pretty(&recordings)?;
    project::write(&stage.project.target("demo/recording.json"), text)?;
    Ok(recordings)
}

fn with_time(answer: &Value, took: u64) -> Option<Value> {
    let mut answer = answer.as_object()?.clone();
    answer.insert("took".to_owned(), took.into());
    Some(answer.into())
}
