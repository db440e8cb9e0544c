//! `cargo xtask test`: every check of this repository, and a table of what ran.
//!
//! The steps are data (`steps`); this file runs them. A step that fails does not stop the ones that do not need it.

pub(crate) mod artefacts;
mod counts;
mod data;
mod demo;
mod environments;
pub(crate) mod generated;
pub(crate) mod javascript;
mod launchers;
pub(crate) mod python;
mod readme;
mod real;
mod rust;
mod steps;
mod table;

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;

use crate::project::Project;
use crate::report;

use steps::{STEPS, Step};

/// Runs every check of this repository: Rust, JavaScript, Python, and that the three agree.
///
/// Builds what the checks need, fetches the tools in pinned versions, and closes with a table of what ran. Ends with status 1 when
/// a step failed.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Run these steps, and the ones they need; with commas between them, or given more than once.
    #[arg(long, value_name = "STEP", value_delimiter = ',', value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let mut results: Vec<Ran> = Vec::new();
    for step in chosen(&options.only) {
        let ran = run_step(project, step, &results);
        results.push(ran);
    }
    report::heading("what ran");
    report::note(&table::of(&results));
    verdict(&results)
}

/// A step and how it ended.
#[derive(Debug)]
struct Ran {
    step: &'static Step,
    end: End,
    time: Duration,
}

#[derive(Debug)]
enum End {
    /// With the reason.
    Failed(String),
    /// With the name of the step that it needs and that did not pass.
    NotRun(&'static str),
    /// With what ran.
    Passed(String),
    /// With what is not there.
    Skipped(String),
}

/// The end of a step whose data is not there: neither passed nor failed, and said as loudly.
#[derive(Debug)]
struct Skipped(String);

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}

fn run_step(project: &Project, step: &'static Step, earlier: &[Ran]) -> Ran {
    report::heading(&format!("{} ({})", step.name, step.language));
    let begun = Instant::now();
    let end = match missing(step, earlier) {
        Some(need) => not_run(need),
        None => end((step.run)(project)),
    };
    Ran {
        step,
        end,
        time: begun.elapsed(),
    }
}

/// The first step that this one needs and that has not passed.
fn missing(step: &Step, earlier: &[Ran]) -> Option<&'static str> {
    let passed = |need: &str| {
        earlier
            .iter()
            .any(|ran| ran.step.name == need && matches!(ran.end, End::Passed(_)))
    };
    step.needs.iter().copied().find(|need| !passed(need))
}

fn not_run(need: &'static str) -> End {
    report::note(&format!("not run: needs {need}"));
    End::NotRun(need)
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

/// The steps asked for and all that they need, in the order of the list; without names, every step.
fn chosen(names: &[String]) -> Vec<&'static Step> {
    let asked =
        |step: &&Step| names.is_empty() || names.iter().any(|name| is_needed_by(step.name, name));
    STEPS.iter().filter(asked).collect()
}

fn is_needed_by(name: &str, other: &str) -> bool {
    let needs = STEPS
        .iter()
        .find(|step| step.name == other)
        .map_or(&[][..], |step| step.needs);
    name == other || needs.iter().any(|need| is_needed_by(name, need))
}

fn verdict(results: &[Ran]) -> Result<()> {
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

    use super::{End, Ran, STEPS, Skipped, Step, chosen, end, missing, verdict};
    use crate::test::steps::Language;

    static FIRST: Step = Step {
        name: "first",
        language: Language::Rust,
        needs: &[],
        run: |_| Ok(String::new()),
    };
    static SECOND: Step = Step {
        name: "second",
        language: Language::Rust,
        needs: &["first"],
        run: |_| Ok(String::new()),
    };

    fn ran(step: &'static Step, end: End) -> Ran {
        Ran {
            step,
            end,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn a_step_waits_for_what_it_needs() {
        assert_eq!(missing(&SECOND, &[]), Some("first"));
        assert_eq!(
            missing(&SECOND, &[ran(&FIRST, End::Failed("no".to_owned()))]),
            Some("first")
        );
        assert_eq!(
            missing(&SECOND, &[ran(&FIRST, End::Passed("all".to_owned()))]),
            None
        );
    }

    #[test]
    fn whatever_did_not_pass_fails_the_verb() {
        assert!(verdict(&[ran(&FIRST, End::Passed(String::new()))]).is_ok());
        let results = [
            ran(&FIRST, End::Failed(String::new())),
            ran(&SECOND, End::NotRun("first")),
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
        assert_eq!(missing(&SECOND, &results), Some("first"));
        assert!(verdict(&results).is_ok());
    }

    #[test]
    fn one_step_brings_what_it_needs_and_nothing_else() {
        let names: Vec<&str> = chosen(&["pytest".to_owned()])
            .iter()
            .map(|step| step.name)
            .collect();
        assert_eq!(names, ["python-tools", "wheel", "wheel-install", "pytest"]);
    }

    #[test]
    fn steps_need_only_earlier_steps() {
        for (position, step) in STEPS.iter().enumerate() {
            for need in step.needs {
                assert!(
                    STEPS[..position]
                        .iter()
                        .any(|earlier| earlier.name == *need),
                    "`{}` needs `{need}`",
                    step.name
                );
            }
        }
    }
}
