//! Runs the steps of `cargo xtask test` and `cargo xtask deep`, and prints a table of the results.
//!
//! Each step runs in a separate process of this program. After a failure, the steps that do not depend on the failed
//! one still run.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::process;
use crate::project::{self, Project};
use crate::report;

/// The steps of a language that have their own environments, so that they run beside the other ones.
const ALONE: [&str; 3] = ["airflow", "python-newest", "python-oldest"];

/// The number of lines of a failed step that are printed again below the table.
const LAST_LINES: usize = 20;

/// A check.
#[derive(Debug)]
pub(crate) struct Step {
    /// The name for `--only` and the table.
    pub(crate) name: &'static str,
    /// The language of the checked code. Steps of one language share folders, so they run one after another.
    language: Language,
    /// The description for `--list`.
    pub(crate) about: &'static str,
    /// The steps that must pass first. They are earlier in the list.
    needs: &'static [&'static str],
    /// Runs the check, and returns a summary for the table.
    run: fn(&Project) -> Result<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Language {
    All,
    JavaScript,
    Python,
    Rust,
}

pub(crate) const fn step(
    name: &'static str,
    language: Language,
    needs: &'static [&'static str],
    run: fn(&Project) -> Result<String>,
) -> Step {
    Step {
        name,
        language,
        about: "",
        needs,
        run,
    }
}

/// Creates a step that does not need another one.
pub(crate) const fn part(
    name: &'static str,
    language: Language,
    about: &'static str,
    run: fn(&Project) -> Result<String>,
) -> Step {
    Step {
        about,
        ..step(name, language, &[], run)
    }
}

/// Error of a step whose data is not available. The step neither passes nor fails, and the table shows the reason.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Skipped(pub(crate) String);

/// The end of a step, with a text for the table.
#[derive(Debug, Deserialize, Serialize)]
enum End {
    /// Contains the reason.
    Failed(String),
    /// Contains the name of the required step that did not pass.
    NotRun(String),
    /// Contains a summary of what ran.
    Passed(String),
    /// Contains the reason, such as missing data.
    Skipped(String),
}

#[derive(Debug)]
struct StepResult {
    step: &'static Step,
    end: End,
    time: Duration,
    /// The output, unless it was printed immediately.
    output: String,
}

/// Runs the steps in `only` and those that they need, in the order of the list, and prints a table. Without names, all
/// steps run.
///
/// One worker prints the output of a step immediately. Several print it when the step has ended, and that of failed
/// steps at the end, next to the table.
pub(crate) fn run(
    project: &Project,
    verb: &str,
    steps: &'static [Step],
    only: &[String],
    workers: usize,
) -> Result<()> {
    let runner = Runner {
        project,
        verb,
        is_immediate: workers == 1,
        state: Mutex::default(),
        changed: Condvar::new(),
    };
    runner.lock().waiting = select(steps, only);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| runner.work());
        }
    });
    let mut results = std::mem::take(&mut runner.lock().ended);
    // Parallel steps end in any order, and two summaries should be comparable.
    results.sort_by_key(|ran| steps.iter().position(|step| step.name == ran.step.name));
    // Steps that did not run, or whose output is already printed, have none.
    let printed = |ran: &&StepResult| ran.end.is_failure() && !ran.output.is_empty();
    for ran in results.iter().filter(printed) {
        report::heading(ran.step.name);
        report::note(&ran.output);
    }
    report::heading("results");
    report::note(&report::table(&results.iter().map(row).collect::<Vec<_>>()));
    if let Some(sum) = sum_of_cases(&results)? {
        report::note(&sum);
    }
    // Again, because a log that is cut keeps its end, and the table alone does not tell what failed.
    for ran in results.iter().filter(printed) {
        report::heading(&format!("end of {}", ran.step.name));
        report::note(last_lines(&ran.output, LAST_LINES));
    }
    verdict(&results)
}

fn last_lines(text: &str, count: usize) -> &str {
    let text = text.trim_end();
    let start = text.rmatch_indices('\n').nth(count.saturating_sub(1));
    start.map_or(text, |(at, _)| text.split_at(at.saturating_add(1)).1)
}

/// Runs a single step in a process that [`run`] starts.
pub(crate) fn run_alone(project: &Project, steps: &[Step], name: &str) -> Result<()> {
    let step = steps.iter().find(|step| step.name == name);
    let end = end((step.context("unknown step")?.run)(project));
    project::write(&result_file(project, name), serde_json::to_string(&end)?)
}

fn select(steps: &'static [Step], names: &[String]) -> Vec<&'static Step> {
    let is_selected = |step: &&Step| {
        names.is_empty()
            || names
                .iter()
                .any(|name| is_needed_by(steps, step.name, name))
    };
    steps.iter().filter(is_selected).collect()
}

fn is_needed_by(steps: &[Step], name: &str, other: &str) -> bool {
    let step = steps.iter().find(|step| step.name == other);
    let mut needs = step.map_or(&[][..], |step| step.needs).iter();
    name == other || needs.any(|need| is_needed_by(steps, name, need))
}

struct Runner<'p> {
    project: &'p Project,
    verb: &'p str,
    is_immediate: bool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<&'static Step>,
    running: Vec<&'static Step>,
    ended: Vec<StepResult>,
}

impl Runner<'_> {
    fn work(&self) {
        while let Some(step) = self.next() {
            let begun = Instant::now();
            let (end, output) = self
                .run(step)
                .unwrap_or_else(|error| (End::Failed(format!("{error:#}")), String::new()));
            let mut state = self.lock();
            state.running.retain(|running| running.name != step.name);
            state.ended.push(StepResult {
                step,
                end,
                time: begun.elapsed(),
                output,
            });
            self.changed.notify_all();
        }
    }

    /// Waits until a step can start, and takes it. Returns `None` if no step is left.
    fn next(&self) -> Option<&'static Step> {
        let is_blocked =
            |state: &mut State| !state.waiting.is_empty() && state.startable().is_none();
        let state = self.changed.wait_while(self.lock(), is_blocked);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let at = state.startable()?;
        let step = state.waiting.remove(at);
        state.running.push(step);
        Some(step)
    }

    /// Runs a step in a process, and returns its output unless it was printed immediately.
    fn run(&self, step: &Step) -> Result<(End, String)> {
        if let Some(need) = unmet_need(step, &self.lock().ended) {
            return Ok((End::NotRun(need.to_owned()), String::new()));
        }
        let file = result_file(self.project, step.name);
        // Empty, so that the result of an earlier run is not read if the process dies.
        project::write(&file, "")?;
        let program = process::this_program(&[self.verb, "--step", step.name])?;
        let program = program.stdin_null().unchecked();
        let output = if self.is_immediate {
            report::heading(step.name);
            program.run()?
        } else {
            report::note(&format!("{} …", step.name));
            program.stderr_to_stdout().stdout_capture().run()?
        };
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let end = serde_json::from_str(&project::read(&file)?);
        let end =
            end.unwrap_or_else(|_| End::Failed("the process did not report a result".to_owned()));
        if !self.is_immediate && end.is_failure() {
            report::note(&format!("{} failed: its output is printed last", step.name));
        } else if !self.is_immediate {
            // A single call, so that the outputs of steps do not mix.
            report::note(&format!("\n== {}\n{output}", step.name));
        }
        Ok((end, output))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the position of the first step that can start: the steps that it needs have ended, and its lane is free.
    fn startable(&self) -> Option<usize> {
        let ended = |need: &&str| self.ended.iter().any(|ran| ran.step.name == *need);
        let is_free = |step: &Step| self.running.iter().all(|other| lane(other) != lane(step));
        let mut waiting = self.waiting.iter();
        waiting.position(|step| is_free(step) && step.needs.iter().all(ended))
    }
}

/// Returns what a step shares with others of its lane: the language's folders. Steps of all languages and those in
/// [`ALONE`] have their own.
fn lane(step: &Step) -> (Language, Option<&str>) {
    let is_alone = step.language == Language::All || ALONE.contains(&step.name);
    (step.language, is_alone.then_some(step.name))
}

/// Returns the first step that this one needs and that has not passed.
fn unmet_need(step: &Step, earlier: &[StepResult]) -> Option<&'static str> {
    let passed = |ran: &&StepResult| matches!(ran.end, End::Passed(_));
    let passed = |need: &str| {
        earlier
            .iter()
            .filter(passed)
            .any(|ran| ran.step.name == need)
    };
    step.needs.iter().copied().find(|need| !passed(need))
}

fn result_file(project: &Project, step: &str) -> std::path::PathBuf {
    project.target(&format!("steps/{step}.json"))
}

fn end(result: Result<String>) -> End {
    let error = match result {
        Ok(what) => return End::Passed(what),
        Err(error) => error,
    };
    match error.downcast::<Skipped>() {
        Ok(skipped) => {
            report::note(&format!("skipped: {skipped}"));
            End::Skipped(skipped.0)
        }
        Err(error) => {
            report::error(&error);
            End::Failed(error.to_string())
        }
    }
}

impl End {
    fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::NotRun(_))
    }
}

fn row(ran: &StepResult) -> [String; 4] {
    let (result, what) = match &ran.end {
        End::Passed(what) => ("passed", what.clone()),
        End::Failed(reason) => ("FAILED", reason.clone()),
        End::Skipped(reason) => ("skipped", reason.clone()),
        End::NotRun(need) => ("not run", format!("needs {need}")),
    };
    let time = format!("{:.1} s", ran.time.as_secs_f64());
    [ran.step.name.to_owned(), result.to_owned(), time, what]
}

/// Sums up the random cases of the steps that passed: a summary that begins with `1,200 cases` counts.
fn sum_of_cases(results: &[StepResult]) -> Result<Option<String>> {
    let beginning = Regex::new(r"^([\d,]+) cases")?;
    let (mut cases, mut time) = (0_usize, Duration::ZERO);
    for ran in results {
        let End::Passed(summary) = &ran.end else {
            continue;
        };
        if let Some(number) = beginning.captures(summary).and_then(|found| found.get(1)) {
            cases = cases.saturating_add(number.as_str().replace(',', "").parse()?);
            time = time.saturating_add(ran.time);
        }
    }
    let (cases, time) = (
        (cases > 0).then(|| report::thousands(cases)),
        time.as_secs(),
    );
    Ok(cases.map(|cases| format!("{cases} random cases against references in {time} s")))
}

fn verdict(results: &[StepResult]) -> Result<()> {
    let failed = results.iter().filter(|ran| ran.end.is_failure());
    let failed: Vec<&str> = failed.map(|ran| ran.step.name).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let (count, all) = (failed.len(), results.len());
    bail!("{count} of {all} steps did not pass: {}", failed.join(", "))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{End, Language, Skipped, State, Step, StepResult};
    use super::{end, last_lines, select, step, sum_of_cases, unmet_need, verdict};
    use crate::{deep, test};

    static FIRST: Step = step("first", Language::Rust, &[], |_| Ok(String::new()));
    static SECOND: Step = step("second", Language::Rust, &["first"], |_| Ok(String::new()));
    static OTHER: Step = step("other", Language::Python, &["first"], |_| Ok(String::new()));

    fn ran(step: &'static Step, end: End) -> StepResult {
        StepResult {
            step,
            end,
            time: Duration::ZERO,
            output: String::new(),
        }
    }

    #[test]
    fn a_step_needs_that_others_have_passed() {
        assert_eq!(unmet_need(&SECOND, &[]), Some("first"));
        let failed = ran(&FIRST, End::Failed("no".to_owned()));
        assert_eq!(unmet_need(&SECOND, &[failed]), Some("first"));
        let passed = ran(&FIRST, End::Passed("all".to_owned()));
        assert_eq!(unmet_need(&SECOND, &[passed]), None);
    }

    #[test]
    fn the_last_lines_of_an_output() {
        assert_eq!(last_lines("one\ntwo\nthree\n", 2), "two\nthree");
        assert_eq!(last_lines("one\n", 2), "one");
    }

    #[test]
    fn a_step_waits_for_its_lane_and_its_needs() {
        let mut state = State {
            waiting: vec![&SECOND, &OTHER, &FIRST],
            ..State::default()
        };
        assert_eq!(state.startable(), Some(2), "the others need `first`");
        state.running.push(&FIRST);
        assert_eq!(state.startable(), None);
        state.ended.push(ran(&FIRST, End::Failed(String::new())));
        assert_eq!(
            state.startable(),
            Some(1),
            "the lane of `second` is not free"
        );
        state.running.clear();
        assert_eq!(state.startable(), Some(0));
    }

    #[test]
    fn whatever_did_not_pass_fails_the_verb() {
        assert!(verdict(&[ran(&FIRST, End::Passed(String::new()))]).is_ok());
        let results = [
            ran(&FIRST, End::Failed(String::new())),
            ran(&SECOND, End::NotRun("first".to_owned())),
        ];
        assert_eq!(
            verdict(&results).unwrap_err().to_string(),
            "2 of 2 steps did not pass: first, second"
        );
    }

    #[test]
    fn a_step_without_its_data_is_skipped_and_what_needs_it_is_not_run() {
        let skipped = end(Err(Skipped("no data".to_owned()).into()));
        assert!(
            matches!(&skipped, End::Skipped(what) if what == "no data"),
            "{skipped:?}"
        );
        let results = [ran(&FIRST, skipped)];
        assert_eq!(unmet_need(&SECOND, &results), Some("first"));
        assert!(verdict(&results).is_ok());
    }

    #[test]
    fn cases_of_passed_steps_are_summed_up() {
        let results = [
            ran(&FIRST, End::Passed("1,200 cases, as expected".to_owned())),
            ran(&SECOND, End::Passed("30 cases".to_owned())),
            ran(&OTHER, End::Passed("7 passed".to_owned())),
        ];
        let sum = sum_of_cases(&results).unwrap();
        assert_eq!(sum.unwrap(), "1,230 random cases against references in 0 s");
        assert_eq!(sum_of_cases(&results[2..]).unwrap(), None);
    }

    #[test]
    fn one_step_brings_what_it_needs_and_nothing_else() {
        let selected = select(test::STEPS, &["pytest".to_owned()]);
        let names: Vec<&str> = selected.iter().map(|step| step.name).collect();
        assert_eq!(names, ["python-tools", "wheel", "wheel-install", "pytest"]);
    }

    #[test]
    fn steps_need_only_earlier_steps() {
        for steps in [test::STEPS, deep::STEPS] {
            for (position, step) in steps.iter().enumerate() {
                let earlier = &steps[..position];
                let missing = |need: &&str| earlier.iter().all(|earlier| earlier.name != *need);
                let missing: Vec<&str> = step.needs.iter().copied().filter(missing).collect();
                assert_eq!(missing, [""; 0], "`{}`", step.name);
            }
        }
    }
}
