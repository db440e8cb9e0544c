//! The real waits: for a table that is created, and for the same table to be gone.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use crate::demo::act::{Cue, Story, play};
use crate::demo::checks::Checks;
use crate::demo::language::Language;
use crate::demo::service::Service;
use crate::demo::stage::Stage;
use crate::demo::terminal::screen;
use crate::demo::terminal::tables;
use crate::demo::terminal::view::View;
use crate::demo::waiters::{Job, TableWaiter};
use crate::project;

const MAX_WAIT: Duration = Duration::from_secs(20);

/// Longer than any answer takes: no client stops reading early here.
const READ_TIMEOUT: f64 = 20.0;

/// The answers that one client got, and how long each took.
pub(crate) type Recordings = BTreeMap<&'static str, Value>;

const NOT_FOUND: &str = "ResourceNotFoundException";

/// Shows both waits and gives what was recorded.
pub(crate) fn show(
    stage: &Stage<'_>,
    service: &mut Service<'_>,
    checks: &mut Checks,
) -> Result<Recordings> {
    let port = service.port;
    screen::heading(
        "A table is created",
        "Three AWS SDKs wait for the table `orders` at a local DynamoDB (dynalite) that has no table yet. It will be CREATING for \
         2.5 s, then ACTIVE. AWS's own definition polls every 20 to 120 s; here every 0.3 to 1 s, by two options, so that it is \
         soon over. Each language draws its own delays.",
    );
    let exists = scene(
        stage,
        TableWaiter::Exists,
        port,
        Cue {
            at: Duration::from_millis(1_500),
            note: "the table is created",
            act: &mut || service.create(),
        },
    )?;
    judge(checks, TableWaiter::Exists, &exists, (NOT_FOUND, "ACTIVE"));

    screen::heading(
        "The table is deleted",
        "The same three wait until it is gone. Here the success is an error: ResourceNotFoundException.",
    );
    let gone = scene(
        stage,
        TableWaiter::NotExists,
        port,
        Cue {
            at: Duration::from_millis(500),
            note: "the table is deleted",
            act: &mut || service.delete(),
        },
    )?;
    judge(checks, TableWaiter::NotExists, &gone, ("ACTIVE", NOT_FOUND));
    record(
        stage,
        &[
            (TableWaiter::Exists, exists),
            (TableWaiter::NotExists, gone),
        ],
    )
}

fn scene(stage: &Stage<'_>, waiter: TableWaiter, port: u16, cue: Cue<'_>) -> Result<Vec<Story>> {
    let options = json!({"maxWait": MAX_WAIT.as_secs(), "minDelay": 0.3, "maxDelay": 1});
    let job = Job::new(waiter, options)?.at(port, READ_TIMEOUT);
    let mut view = View::open(stage, MAX_WAIT);
    let stories = play(stage, "wait", &job, &mut view, Some(cue))?;
    stage.leave_lines();
    Ok(stories)
}

/// Every language must come to the same verdict, from the one state to the other.
fn judge(
    checks: &mut Checks,
    waiter: TableWaiter,
    stories: &[Story],
    (before, after): (&str, &str),
) {
    tables::print(&tables::of_ends(stories));
    decisive(stories);
    let mut agreed = true;
    for Story {
        language,
        attempts,
        end,
    } in stories
    {
        let what = format!("{} in {language}", waiter.name());
        agreed &= checks.same(&what, &*end.verdict(), "success by acceptor 0");
        let saw = [attempts.first(), attempts.last()]
            .map(|attempt| attempt.and_then(|attempt| attempt.seen.as_deref()))
            .map(|seen| seen.unwrap_or("nothing"))
            .join(", then ");
        agreed &= checks.same(
            &format!("{what}: saw"),
            &*saw,
            &*format!("{before}, then {after}"),
        );
    }
    if agreed {
        screen::agreement(
            "the same verdict by the same acceptor; the attempts are each language's own",
        );
    }
}

/// The acceptor that decided, as the definition has it.
fn decisive(stories: &[Story]) {
    let end = stories.first().map(|story| &story.end);
    if let Some((acceptor, text)) =
        end.and_then(|end| Some((end.acceptor?, end.acceptor_text.as_ref()?)))
    {
        screen::quote(&format!("acceptor {acceptor} is {text}"));
        screen::blank();
    }
}

fn record(stage: &Stage<'_>, acts: &[(TableWaiter, Vec<Story>)]) -> Result<Recordings> {
    let of_python = |stories: &[Story]| -> Vec<Value> {
        let python = stories
            .iter()
            .filter(|story| story.language == Language::Python);
        python
            .flat_map(|story| &story.attempts)
            .filter_map(|attempt| with_time(attempt.answer.as_ref()?, attempt.took))
            .collect()
    };
    let recordings: Recordings = acts
        .iter()
        .map(|(waiter, stories)| (waiter.name(), of_python(stories).into()))
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
