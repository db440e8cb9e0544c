//! Compares the evaluator with Smithy's (`software.amazon.smithy:smithy-jmespath`) on random expressions and values.
//!
//! `cargo xtask deep --only smithy-jmespath` fetches the jars and sets `SMITHY_JMESPATH` to their class path.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod expressions;
#[path = "../found/mod.rs"]
mod found;

use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use found::doubles;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::Value;
use smithy_waiters::CompiledExpression;

#[test]
#[ignore = "needs Java and Smithy's jars"]
fn results_are_those_of_smithy() {
    let classes = env::var("SMITHY_JMESPATH").unwrap();
    let cases = env::var("PROPTEST_CASES").map_or(4_000, |cases| cases.parse().unwrap());
    let pairs = pairs(cases);
    let results = results_of_smithy(&classes, &pairs);
    assert_eq!(results.len(), pairs.len());
    let mut differences = String::new();
    let (mut errors, mut nulls) = (0, 0);
    for ((expression, value), theirs) in pairs.iter().zip(&results) {
        let ours = result(expression, value);
        errors += usize::from(ours.is_none());
        nulls += usize::from(ours == Some(Value::Null));
        let theirs = serde_json::from_str(theirs).ok();
        let theirs = theirs.as_ref().map(doubles);
        if ours != theirs {
            writeln!(
                differences,
                "{expression} of {value}: {ours:?}, theirs {theirs:?}"
            )
            .unwrap();
        }
    }
    assert!(differences.is_empty(), "{differences}");
    // Past the capture of a test's output, so that it shows in a run.
    let summary = format!("smithy-jmespath: {cases} pairs, {errors} errors and {nulls} nulls\n");
    std::io::stdout().write_all(summary.as_bytes()).unwrap();
}

/// Returns random pairs with valid expressions, from a fixed seed.
fn pairs(cases: usize) -> Vec<(String, Value)> {
    let pairs = (expressions::expression(), expressions::value());
    let mut runner = TestRunner::deterministic();
    let drawn = std::iter::repeat_with(|| pairs.new_tree(&mut runner).unwrap().current());
    let compiled = drawn.filter(|(expression, _)| CompiledExpression::new(expression).is_ok());
    compiled.take(cases).collect()
}

/// Returns the result with its numbers as doubles, or `None` for an error.
fn result(expression: &str, value: &Value) -> Option<Value> {
    let expression = CompiledExpression::new(expression).unwrap();
    let found = expression.search(value).ok()?;
    Some(doubles(&Value::from(found)))
}

/// Runs `Evaluate.java`; returns a line for each pair.
fn results_of_smithy(classes: &str, pairs: &[(String, Value)]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let input = folder.join("smithy-jmespath.txt");
    let lines = pairs
        .iter()
        .map(|pair| serde_json::to_string(pair).unwrap() + "\n");
    fs::write(&input, lines.collect::<String>()).unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smithy_jmespath/Evaluate.java");
    let java = Command::new("java")
        .args(["-cp", classes])
        .arg(program)
        .stdin(File::open(input).unwrap())
        .output()
        .unwrap();
    assert!(
        java.status.success(),
        "{}",
        String::from_utf8_lossy(&java.stderr)
    );
    let results = String::from_utf8(java.stdout).unwrap();
    results.lines().map(str::to_owned).collect()
}
