//! Runs the steps of `cargo xtask test` and `cargo xtask deep`, and prints a table of the results.
//!
//! After a failure, the steps that do not depend on the failed one still run.

pub(crate) mod parallel;
mod step;
mod table;

use std::time::Instant;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::report;

use step::{End, StepResult};
pub(crate) use step::{Language, Skipped, Step, part, step};

/// Runs the steps in `only` and those that they need, in the order of the list, and prints a table. Without names, all
/// steps run.
pub(crate) fn run(project: &Project, steps: &'static [Step], only: &[String]) -> Result<()> {
    let mut results: Vec<StepResult> = Vec::new();
    for step in select(steps, only) {
        let result = run_step(project, step, &results);
        results.push(result);
    }
    finish(&results)
}

fn finish(results: &[StepResult]) -> Result<()> {
    report::heading("results");
    report::note(&table::render(results));
    verdict(results)
}

fn run_step(project: &Project, step: &'static Step, earlier: &[StepResult]) -> StepResult {
    step.announce();
    let begun = Instant::now();
    let end = match unmet_need(step, earlier) {
        Some(need) => not_run(need),
        None => end((step.run)(project)),
    };
    StepResult {
        step,
        end,
        time: begun.elapsed(),
    }
}

/// Returns the first step that this one needs and that has not passed.
fn unmet_need(step: &Step, earlier: &[StepResult]) -> Option<&'static str> {
    let passed = |need: &str| {
        earlier
            .iter()
            .any(|ran| ran.step.name == need && matches!(ran.end, End::Passed(_)))
    };
    step.needs.iter().copied().find(|need| !passed(need))
}

fn not_run(need: &'static str) -> End {
    report::note(&format!("not run: needs {need}"));
    End::NotRun(need.to_owned())
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

fn select(steps: &'static [Step], names: &[String]) -> Vec<&'static Step> {
    let is_selected = |step: &&Step| {
        let mut names_of_steps = names.iter();
        names.is_empty() || names_of_steps.any(|name| is_needed_by(steps, step.name, name))
    };
    steps.iter().filter(is_selected).collect()
}

fn is_needed_by(steps: &[Step], name: &str, other: &str) -> bool {
    let step = steps.iter().find(|step| step.name == other);
    let mut needs = step.map_or(&[][..], |step| step.needs).iter();
    name == other || needs.any(|need| is_needed_by(steps, name, need))
}

fn verdict(results: &[StepResult]) -> Result<()> {
    let failed: Vec<&str> = results
        .iter()
        .filter(|ran| matches!(ran.end, End::Failed(_) | End::NotRun(_)))
        .map(|ran| ran.step.name)
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    bail!(
        "{} of {} steps did not pass: {}",
        failed.len(),
        results.len(),
        failed.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{End, Language, Skipped, Step, StepResult, end, select, step, unmet_need, verdict};
    use crate::{deep, test};

    static FIRST: Step = step("first", Language::Rust, &[], |_| Ok(String::new()));
    static SECOND: Step = step("second", Language::Rust, &["first"], |_| Ok(String::new()));

    fn ran(step: &'static Step, end: End) -> StepResult {
        StepResult {
            step,
            end,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn a_step_waits_for_what_it_needs() {
        assert_eq!(unmet_need(&SECOND, &[]), Some("first"));
        assert_eq!(
            unmet_need(&SECOND, &[ran(&FIRST, End::Failed("no".to_owned()))]),
            Some("first")
        );
        assert_eq!(
            unmet_need(&SECOND, &[ran(&FIRST, End::Passed("all".to_owned()))]),
            None
        );
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
