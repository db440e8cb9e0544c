//! The failures of a run, for a reader.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::json;
use smithy_waiters_player::{Record, Results, Surprises};

use crate::output::{count, excerpt};

/// The most classes, and listed failures that pass, that are shown.
const CLASSES: usize = 10;

/// The most cases of a class that are shown.
const CASES: usize = 3;

/// The most characters of a part of a line.
const LONGEST: usize = 300;

/// Renders the results that are not expected. A class is the failures with the same result against the same clause.
pub(super) fn render(surprises: &Surprises<'_>) -> Vec<String> {
    let mut classes = BTreeMap::<_, Vec<_>>::new();
    for &(id, record) in &surprises.failures {
        let class = (&*record.case.grounds.clause, &*record.got);
        classes.entry(class).or_default().push((id, record));
    }
    let mut classes: Vec<_> = classes.into_iter().collect();
    classes.sort_by_key(|(_, cases)| Reverse(cases.len()));
    let classes = classes.into_iter().map(|((clause, got), cases)| {
        let head = format!("{}, got `{got}`: {clause}", count(cases.len(), "failure"));
        let cases = cases.iter().map(|&(id, record)| of_case(id, record));
        format!("{head}\n{}", first(cases.collect(), CASES, "  ").join("\n"))
    });
    let mut lines = first(classes.collect(), CLASSES, "");
    if let Some((id, _)) = surprises.failures.first() {
        lines.push(format!(
            "`smithy-waiters conformance show {id}`, with the same `--kit`, shows a whole case"
        ));
    }
    let passes = surprises.passes.iter();
    let passes = passes.map(|pattern| format!("{pattern}: passes, but is listed as a failure"));
    lines.extend(first(passes.collect(), CLASSES, ""));
    lines
}

fn of_case(id: &str, record: &Record) -> String {
    let case = &record.case;
    let grounds = &case.grounds;
    let (difference, acceptors) = (short(&record.reason), short(&case.acceptors.to_string()));
    let basis = json!(grounds.basis);
    let (basis, reason) = (basis.as_str().unwrap_or_default(), &grounds.reason);
    let (waiter, file) = (&case.waiter, grounds.file.display());
    format!(
        "  {id}: {difference}\n    basis {basis}: {reason}\n    waiter `{waiter}` in {file}: {acceptors}"
    )
}

/// Returns why a runner could not play cases.
pub(super) fn unsupported(results: &Results) -> String {
    let mut reasons = results.unsupported.clone();
    for record in results.cases.values() {
        let number = reasons.entry(record.reason.clone()).or_default();
        *number = number.saturating_add(1);
    }
    let reasons = reasons.iter();
    let reasons = reasons.map(|(reason, number)| format!("{} ({number})", short(reason)));
    first(reasons.collect(), CASES, "").join(", ")
}

/// Returns the first texts, and the number of the others.
fn first(mut texts: Vec<String>, most: usize, indent: &str) -> Vec<String> {
    let more = texts.len().saturating_sub(most);
    texts.truncate(most);
    if more > 0 {
        texts.push(format!("{indent}… {more} more"));
    }
    texts
}

fn short(text: &str) -> String {
    excerpt(text, LONGEST)
}
