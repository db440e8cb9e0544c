//! Tests of waits that outlive the process, on the engines that store them.

pub(crate) mod airflow;
pub(crate) mod dbos;
pub(crate) mod lambda;
pub(crate) mod temporal;

use anyhow::Result;

use super::counts;

const TESTS: &str = "tests/durable";

/// The number of killed waits, for a test that runs for every change.
const WAITS: &str = "50";

fn tests(names: &[&str]) -> Vec<String> {
    let path = |name| format!("{TESTS}/test_{name}.py");
    names.iter().map(path).collect()
}

/// Returns the number of tests that pytest ran, and the figures that they reported.
fn summary(output: &str) -> Result<String> {
    let figures = output
        .lines()
        .filter_map(|line| line.strip_prefix("figures: "));
    let counts = counts::pytest(output)?;
    Ok([&*counts]
        .into_iter()
        .chain(figures)
        .collect::<Vec<_>>()
        .join("; "))
}
