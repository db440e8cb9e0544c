//! Runs steps in parallel. Each one runs in a separate process, whose output is printed after it ends. The output of
//! steps that fail is printed last, so that it is next to the table of the results.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::Result;

use super::step::{End, Step, StepResult};
use super::{end, finish, not_run, unmet_need};
use crate::process;
use crate::project::{self, Project};
use crate::report;

/// Runs all steps, with one worker per processor. Steps of a language share folders, so they run one after another.
pub(crate) fn run(project: &Project, steps: &'static [Step]) -> Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let queue = Queue::default();
    queue.lock().waiting = steps.iter().collect();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| queue.work(project));
        }
    });
    let State {
        mut ended, failed, ..
    } = std::mem::take(&mut *queue.lock());
    for (step, output) in failed {
        step.announce();
        report::note(&output);
    }
    ended.sort_by_key(|ran| steps.iter().position(|step| step.name == ran.step.name));
    finish(&ended)
}

/// Runs a single step in a process that [`run`] starts.
pub(crate) fn run_alone(project: &Project, step: &Step) -> Result<()> {
    let end = end((step.run)(project));
    project::write(&result(project, step), serde_json::to_string(&end)?)
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<&'static Step>,
    running: Vec<&'static Step>,
    ended: Vec<StepResult>,
    /// The steps that failed, with their output.
    failed: Vec<(&'static Step, String)>,
}

impl Queue {
    fn work(&self, project: &Project) {
        let mut state = self.lock();
        while !state.waiting.is_empty() {
            let Some(step) = state.next() else {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let begun = Instant::now();
            let (end, output) = match unmet_need(step, &state.ended) {
                Some(need) => (not_run(need), String::new()),
                None => {
                    report::note(&format!("{} …", step.name));
                    drop(state);
                    let result = run_process(project, step)
                        .unwrap_or_else(|error| (End::Failed(format!("{error:#}")), String::new()));
                    state = self.lock();
                    result
                }
            };
            if matches!(end, End::Failed(_)) {
                report::note(&format!("{} failed: its output is printed last", step.name));
                state.failed.push((step, output));
            } else {
                step.announce();
                report::note(&output);
            }
            let time = begun.elapsed();
            state.running.retain(|running| running.name != step.name);
            state.ended.push(StepResult { step, end, time });
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Removes and returns the first step that can start: the steps that it needs have ended, and its lane is free.
    fn next(&mut self) -> Option<&'static Step> {
        let ended = |need: &&str| self.ended.iter().any(|ran| ran.step.name == *need);
        let is_free = |step: &Step| self.running.iter().all(|other| lane(other) != lane(step));
        let mut waiting = self.waiting.iter();
        let at = waiting.position(|step| is_free(step) && step.needs.iter().all(ended))?;
        let step = self.waiting.remove(at);
        self.running.push(step);
        Some(step)
    }
}

/// Returns the lane of a step. Steps of a lane run one after another.
///
/// Each version of Python uses a separate folder, and therefore has a separate lane.
fn lane(step: &Step) -> String {
    if step.name.starts_with("python-3.") {
        return step.name.to_owned();
    }
    step.language.to_string()
}

fn run_process(project: &Project, step: &Step) -> Result<(End, String)> {
    let result = result(project, step);
    project::write(&result, "")?;
    let program = process::this_program(&["test", "--alone", step.name])?;
    let command = process::with_colours(&program);
    let output = command
        .stdin_null()
        .stderr_to_stdout()
        .stdout_capture()
        .unchecked()
        .run()?;
    let end = serde_json::from_str(&project::read(&result)?);
    let end = end.unwrap_or_else(|_| {
        End::Failed("the process of the step did not report a result".to_owned())
    });
    Ok((end, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Returns the path of the file with the result of a step.
fn result(project: &Project, step: &Step) -> std::path::PathBuf {
    project.target(&format!("steps/{}.json", step.name))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{End, Language, Step, StepResult, step};
    use super::State;

    static FIRST: Step = step("first", Language::Rust, &[], |_| Ok(String::new()));
    static SECOND: Step = step("second", Language::Rust, &[], |_| Ok(String::new()));
    static THIRD: Step = step("third", Language::Python, &["first"], |_| Ok(String::new()));

    #[test]
    fn a_step_waits_for_its_lane_and_its_needs() {
        let mut state = State {
            waiting: vec![&FIRST, &SECOND, &THIRD],
            ..State::default()
        };
        let name = |step: Option<&Step>| step.map(|step| step.name);
        assert_eq!(name(state.next()), Some("first"));
        assert_eq!(name(state.next()), None);
        state.running.clear();
        let (end, time) = (End::Failed(String::new()), Duration::ZERO);
        state.ended.push(StepResult {
            step: &FIRST,
            end,
            time,
        });
        assert_eq!(name(state.next()), Some("second"));
        assert_eq!(name(state.next()), Some("third"));
    }
}
