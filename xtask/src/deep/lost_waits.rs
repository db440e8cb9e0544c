//! Counts the waits that fail behind a proxy with the faults of each scenario, for our waiters and for each client's own.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::project::{self, Project};
use crate::report;
use crate::test::real;

/// A scenario of `tests/real/scenarios.json`.
#[derive(Deserialize)]
struct Scenario {
    name: String,
}

/// The waits of a client with our waiter or with the client's own.
#[derive(Deserialize)]
struct Report {
    client: String,
    scenario: String,
    retries: bool,
    own: bool,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Counts {
    waits: usize,
    lost: usize,
    calls: usize,
}

/// The counts of our waiter and of the client's own, by the client, the state of its retries and the scenario.
type Rows = BTreeMap<(String, &'static str, usize), [Counts; 2]>;

/// The number of rows of a scenario: four clients, with and without their retries.
const ROWS: usize = 8;

pub(super) fn run(project: &Project) -> Result<String> {
    let reports = project.target("lost-waits");
    project::fresh_folder(&reports)?;
    let result = real::lost_waits(project, &reports);
    let scenarios: Vec<Scenario> = parse(&project.path("tests/real/scenarios.json"))?;
    let rows = rows(&reports, &scenarios)?;
    report::note(&table(&rows, &scenarios));
    result?;
    let expected = ROWS.saturating_mul(scenarios.len());
    let found = rows.len();
    ensure!(
        found == expected,
        "expected {expected} reports, got {found}"
    );
    let lost = rows.values().map(|[ours, _]| ours.lost);
    ensure!(lost.sum::<usize>() == 0, "waits were lost");
    let waits: usize = rows.values().map(|[ours, _]| ours.waits).sum();
    Ok(format!("0 of {} waits lost", report::thousands(waits)))
}

fn parse<T: DeserializeOwned>(file: &Path) -> Result<T> {
    serde_json::from_str(&project::read(file)?)
        .with_context(|| format!("cannot read `{}`", file.display()))
}

fn rows(reports: &Path, scenarios: &[Scenario]) -> Result<Rows> {
    let mut rows = Rows::new();
    for file in project::list(reports)? {
        let report: Report = parse(&file)?;
        let retries = if report.retries { "on" } else { "off" };
        let number = scenarios
            .iter()
            .position(|scenario| scenario.name == report.scenario)
            .with_context(|| format!("there is no scenario `{}`", report.scenario))?;
        let [ours, own] = rows.entry((report.client, retries, number)).or_default();
        *(if report.own { own } else { ours }) = report.counts;
    }
    Ok(rows)
}

/// Returns a table in Markdown. The first scenario is the one of the tests, which the clients' own waiters do not run.
fn table(rows: &Rows, scenarios: &[Scenario]) -> String {
    let header = "\
| client | its retries | scenario | waits | lost with smithy-waiters | lost with the SDK's own waiter | calls | calls of the SDK's own waiter |
|---|---|---|---|---|---|---|---|";
    let row = |(key, [ours, own]): (&(String, &str, usize), &[Counts; 2])| {
        let (client, retries, number) = key;
        let scenario = scenarios.get(*number).filter(|_| *number > 0)?;
        let counts = [ours.waits, ours.lost, own.lost, ours.calls, own.calls];
        let counts = counts.map(report::thousands).join(" | ");
        Some(format!(
            "| {client} | {retries} | {} | {counts} |",
            scenario.name
        ))
    };
    let rows = rows.iter().filter_map(row);
    let lines: Vec<_> = [header.to_owned()].into_iter().chain(rows).collect();
    lines.join("\n")
}
