//! Tests of waits that outlive the process, on the engines that store them.

pub(crate) mod airflow;
pub(crate) mod dbos;
pub(crate) mod temporal;

const TESTS: &str = "tests/durable";

/// The number of killed waits, for a test that runs for every change.
const WAITS: &str = "50";

fn tests(names: &[&str]) -> Vec<String> {
    let path = |name| format!("{TESTS}/test_{name}.py");
    names.iter().map(path).collect()
}
