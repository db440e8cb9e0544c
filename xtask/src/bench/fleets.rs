//! Waits for 1,000 instances by real clients, with a fake of EC2.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::json;

use super::figures::Figure;
use super::table::limit;
use crate::project::Project;
use crate::test::real;

/// The case of waits that share nothing, and lose none.
const SEPARATE: &str = "our waiter";

const CALLS: &str = "of the calls of separate waits";
const THROTTLED: &str = "% of the calls throttled";
const WRONG: &str = "wrong ends";

/// The figures whose budgets do not depend on the speed of the machine.
const GOALS: [&str; 3] = [CALLS, THROTTLED, WRONG];

/// The waits of a client.
#[derive(Deserialize)]
struct Waits {
    case: String,
    client: String,
    /// The time of an instance's change and of the end of its wait, in seconds.
    ends: Vec<(f64, f64)>,
    failed: usize,
    report: Report,
    processor: f64,
    duration: f64,
}

/// The requests that the fake received.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    requests: f64,
    refused: f64,
    median_ms: f64,
}

/// Returns the figures.
pub(super) fn measure(project: &Project) -> Result<String> {
    let all = run(project)?;
    let lines = all.iter().map(|waits| figure(waits, &all));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Checks the budgets of fleets that do not depend on the speed of the machine.
pub(super) fn check(figures: &[Figure]) -> Result<()> {
    for figure in figures {
        let mut goals = figure.others().filter(|(name, _)| GOALS.contains(name));
        let missed =
            goals.find(|(name, value)| limit(figure, name).is_some_and(|limit| *value > limit));
        if let Some((name, value)) = missed {
            bail!("{}, {}: {value} {name}", figure.case, figure.size);
        }
    }
    Ok(())
}

fn run(project: &Project) -> Result<Vec<Waits>> {
    let output = real::fleets(project)?;
    let lines = output.lines().filter(|line| line.starts_with('{'));
    lines
        .map(|line| serde_json::from_str(line).context("a line is not about waits"))
        .collect()
}

/// Returns the figures of some waits as a line of JSON.
fn figure(waits: &Waits, all: &[Waits]) -> String {
    let ends = waits.ends.iter();
    let lags = sorted(ends.clone().map(|(change, end)| end - change));
    let parts = sorted(ends.map(|(change, end)| (end - change) / change * 100.0));
    let early = lags.iter().filter(|lag| **lag < 0.0).count();
    let report = &waits.report;
    // Those of the SDK end early, because many of them fail.
    let is_separate = |other: &&Waits| other.client == waits.client && other.case == SEPARATE;
    let separate = all.iter().find(is_separate);
    let separate = separate.map_or(f64::NAN, |separate| separate.report.requests);
    json!({
        "case": waits.case,
        "size": waits.client,
        "calls": report.requests,
        CALLS: report.requests / separate,
        THROTTLED: report.refused / report.requests * 100.0,
        "s late, median": quantile(&lags, 0.5),
        "s late, p95": quantile(&lags, 0.95),
        "% of the time waited late, p95": quantile(&parts, 0.95),
        WRONG: waits.failed.saturating_add(early),
        "s of processor time": waits.processor,
        "s in all": waits.duration,
        "ms for an answer, median": report.median_ms,
    })
    .to_string()
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the value that a part of the sorted values does not exceed.
fn quantile(values: &[f64], part: f64) -> f64 {
    let index = (values.len() as f64 * part) as usize;
    values
        .get(index)
        .or(values.last())
        .copied()
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{Waits, check, figure};
    use crate::bench::figures;

    #[test]
    fn a_fleet_with_too_many_calls_misses_its_budget() {
        let waits = |case: &str, requests: u32| -> Waits {
            let report = format!(r#"{{"requests":{requests},"refused":0,"medianMs":1.0}}"#);
            serde_json::from_str(&format!(
                r#"{{"case":"{case}","client":"boto3","ends":[[10,11],[20,23]],"failed":0,"report":{report},"processor":1.0,"duration":60.0}}"#
            ))
            .unwrap()
        };
        let verdict = |calls| {
            let all = [
                waits("our waiter", 500),
                waits("a fleet, in proportion", calls),
            ];
            let lines = all.each_ref().map(|waits| figure(waits, &all)).join("\n");
            check(&figures::read("Fleets", &lines).unwrap())
        };
        assert!(verdict(10).is_ok());
        let missed = verdict(11).unwrap_err().to_string();
        assert_eq!(
            missed,
            "a fleet, in proportion, boto3: 0.022 of the calls of separate waits"
        );
    }
}
