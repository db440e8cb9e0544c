//! The same waits once more, with nothing left to chance: every number of the three languages must be the same.

use anyhow::{Context, Result};
use serde_json::json;

use crate::demo::act::{Story, play};
use crate::demo::checks::Checks;
use crate::demo::event::Attempt;
use crate::demo::live::Recordings;
use crate::demo::stage::Stage;
use crate::demo::terminal::screen;
use crate::demo::terminal::tables;
use crate::demo::terminal::view::View;
use crate::demo::waiters::{Job, TableWaiter};

/// Any number will do.
const SEED: u64 = 2026;

/// Long enough for AWS's own delays.
const MAX_WAIT: u64 = 3_600;

/// Replays every recording in the three languages.
pub(crate) fn show(stage: &Stage<'_>, recordings: &Recordings, checks: &mut Checks) -> Result<()> {
    screen::heading(
        "The same again, to the millisecond",
        &format!(
            "What the Python client was answered just now, and how long each answer took, is given to all three packages: now with \
             AWS's own delays of 20 to 120 s, one seed ({SEED}) and a clock that jumps. Each language's column has the moment \
             at which an attempt started, and the delay that followed, in milliseconds. No number may differ."
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
        .context("nothing was recorded")?;
    let options = json!({"maxWait": MAX_WAIT, "seed": SEED});
    let job = Job::new(waiter, options)?.with_script(script.clone());
    let spinner = stage.spinner("replaying ");
    let stories = play(stage, "replay", &job, &mut View::Silent, None)?;
    spinner.finish_and_clear();
    screen::line(waiter.name());
    tables::print(&tables::of_attempts(&stories));
    let answers = script.as_array().map_or(0, Vec::len);
    compare(checks, waiter, &stories, answers);
    Ok(())
}

fn compare(checks: &mut Checks, waiter: TableWaiter, stories: &[Story], answers: usize) {
    let mut identical = true;
    let first = stories.first().map(lines).unwrap_or_default();
    for story in stories {
        let what = format!("the replay of {} in {}", waiter.name(), story.language);
        identical &= checks.same(
            &format!("{what}: attempts"),
            &story.attempts.len(),
            &answers,
        );
        let (found, expected) = first_difference(&lines(story), &first);
        identical &= checks.same(&what, &found, &expected);
    }
    if let (true, Some(story)) = (identical, stories.first()) {
        let elapsed = screen::seconds(story.end.elapsed);
        screen::agreement(&format!(
            "identical, to the millisecond: {elapsed} of waiting, replayed at once"
        ));
    }
}

/// The first line in which two lists differ, of both; two empty lines where they do not.
fn first_difference(found: &[String], expected: &[String]) -> (String, String) {
    let length = found.len().max(expected.len());
    let line = |lines: &[String], index| lines.get(index).cloned().unwrap_or("nothing".to_owned());
    (0..length)
        .map(|index| (line(found, index), line(expected, index)))
        .find(|(found, expected)| found != expected)
        .unwrap_or_default()
}

/// Everything that must be the same.
fn lines(story: &Story) -> Vec<String> {
    let end = &story.end;
    let end = format!(
        "{} after {} attempts and {} ms",
        end.verdict(),
        end.attempts,
        end.elapsed
    );
    story.attempts.iter().map(line).chain([end]).collect()
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
        "attempt {attempt} from {started} ms for {took} ms (saw {seen}, verdict {state}, acceptor {acceptor}, next {next}, {rank}, {remaining} ms left)"
    )
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    fn lines(text: &[&str]) -> Vec<String> {
        text.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn the_first_line_that_differs_is_shown_of_both() {
        let difference = first_difference(&lines(&["a", "b", "c"]), &lines(&["a", "x", "y"]));
        assert_eq!(difference, ("b".to_owned(), "x".to_owned()));
        let shorter = first_difference(&lines(&["a"]), &lines(&["a", "x"]));
        assert_eq!(shorter, ("nothing".to_owned(), "x".to_owned()));
    }

    #[test]
    fn equal_lists_differ_nowhere() {
        let (found, expected) = first_difference(&lines(&["a"]), &lines(&["a"]));
        assert_eq!(found, expected);
    }
}
