//! Replays the waits without randomness: all numbers must be equal in the three languages.

use anyhow::{Context, Result};
use serde_json::json;

use crate::demo::checks::Checks;
use crate::demo::clients::{ClientRun, run_clients};
use crate::demo::event::Attempt;
use crate::demo::live::Recordings;
use crate::demo::stage::Stage;
use crate::demo::terminal::screen;
use crate::demo::terminal::tables;
use crate::demo::terminal::view::View;
use crate::demo::waiters::{Job, TableWaiter};

/// The seed of the delays.
const SEED: u64 = 2026;

/// The max wait in seconds, long enough for AWS's delays.
const MAX_WAIT: u64 = 3_600;

/// Replays every recording in the three languages.
pub(crate) fn show(stage: &Stage<'_>, recordings: &Recordings, checks: &mut Checks) -> Result<()> {
    screen::heading(
        "Replay, to the millisecond",
        &format!(
            "All three packages receive the responses that the Python client recorded, with the same durations. They use \
             AWS's delays of 20 to 120 s, the same seed ({SEED}) and a virtual clock. The columns show the start of each \
             attempt and the delay after it, in milliseconds. All numbers must be equal."
        ),
    );
    scene(stage, TableWaiter::Exists, recordings, checks)?;
    screen::blank();
    scene(stage, TableWaiter::NotExists, recordings, checks)
}

fn scene(
    stage: &Stage<'_>,
    waiter: TableWaiter,
    recordings: &Recordings,
    checks: &mut Checks,
) -> Result<()> {
    let script = recordings
        .get(waiter.name())
        .context("the recording is empty")?;
    let options = json!({"maxWait": MAX_WAIT, "seed": SEED});
    let job = Job::new(waiter, options)?.with_script(script.clone());
    let spinner = stage.spinner("replaying ");
    let runs = run_clients(stage, "replay", &job, &mut View::Silent, None)?;
    spinner.finish_and_clear();
    screen::line(waiter.name());
    tables::print(&tables::attempts_table(&runs));
    let answers = script.as_array().map_or(0, Vec::len);
    compare(checks, waiter, &runs, answers);
    Ok(())
}

fn compare(checks: &mut Checks, waiter: TableWaiter, runs: &[ClientRun], answers: usize) {
    let mut identical = true;
    let first = runs.first().map(lines).unwrap_or_default();
    for run in runs {
        let what = format!("the replay of {} in {}", waiter.name(), run.language);
        identical &= checks.same(&format!("{what}: attempts"), &run.attempts.len(), &answers);
        let (found, expected) = first_difference(&lines(run), &first);
        identical &= checks.same(&what, &found, &expected);
    }
    if let (true, Some(run)) = (identical, runs.first()) {
        let elapsed = screen::seconds(run.end.elapsed);
        screen::agreement(&format!(
            "identical to the millisecond: {elapsed} of waiting in virtual time"
        ));
    }
}

/// Returns the first lines that differ between two lists, or two empty texts if the lists are equal.
fn first_difference(found: &[String], expected: &[String]) -> (String, String) {
    let length = found.len().max(expected.len());
    let line = |lines: &[String], index| lines.get(index).cloned().unwrap_or("nothing".to_owned());
    (0..length)
        .map(|index| (line(found, index), line(expected, index)))
        .find(|(found, expected)| found != expected)
        .unwrap_or_default()
}

/// Describes everything that must be equal, line by line.
fn lines(run: &ClientRun) -> Vec<String> {
    let end = &run.end;
    let end = format!(
        "{} after {} attempts and {} ms",
        end.verdict(),
        end.attempts,
        end.elapsed
    );
    run.attempts.iter().map(line).chain([end]).collect()
}

fn line(attempt: &Attempt) -> String {
    let Attempt {
        attempt,
        started,
        took,
        seen,
        state,
        acceptor,
        delay,
        next_is_last,
        remaining,
        answer: _,
    } = attempt;
    let [seen, state] = [seen, state].map(|text| text.as_deref().unwrap_or("nothing"));
    let acceptor = acceptor.map_or("none".to_owned(), |index| index.to_string());
    let next = delay.map_or("none".to_owned(), |delay| format!("in {delay} ms"));
    let rank = if *next_is_last {
        "the last"
    } else {
        "not the last"
    };
    format!(
        "attempt {attempt} from {started} ms for {took} ms (response {seen}, verdict {state}, acceptor {acceptor}, next {next}, {rank}, {remaining} ms left)"
    )
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    fn lines(text: &[&str]) -> Vec<String> {
        text.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn the_first_difference_contains_both_lines() {
        let difference = first_difference(&lines(&["a", "b", "c"]), &lines(&["a", "x", "y"]));
        assert_eq!(difference, ("b".to_owned(), "x".to_owned()));
        let shorter = first_difference(&lines(&["a"]), &lines(&["a", "x"]));
        assert_eq!(shorter, ("nothing".to_owned(), "x".to_owned()));
    }

    #[test]
    fn equal_lists_have_no_difference() {
        let (found, expected) = first_difference(&lines(&["a"]), &lines(&["a"]));
        assert_eq!(found, expected);
    }
}
