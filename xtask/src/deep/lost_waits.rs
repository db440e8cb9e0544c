//! Counts the waits that fail behind a proxy which fails most requests, for our waiters and for each client's own.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::project::{self, Project};
use crate::report;
use crate::test::real::{self, Waits};

/// The number of waits of each client, half of them with the client's own retries.
const WAITS: &str = "1000";

/// The waits of a client with our waiter or with the client's own.
#[derive(Deserialize)]
struct Report {
    client: String,
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

/// The counts of our waiter and of the client's own, by the client and the state of its retries.
type Rows = BTreeMap<(String, &'static str), [Counts; 2]>;

/// The number of rows of a complete report: four clients, with and without their retries.
const ROWS: usize = 8;

pub(super) fn run(project: &Project) -> Result<String> {
    let reports = project.target("lost-waits");
    project::fresh_folder(&reports)?;
    let waits = Waits {
        number: WAITS,
        reports: Some(&reports),
    };
    let result = real::lost_waits(project, &waits);
    let rows = rows(&reports)?;
    report::note(&table(&rows));
    result?;
    ensure!(
        rows.len() == ROWS,
        "expected {ROWS} reports, got {}",
        rows.len()
    );
    let lost = rows.values().map(|[ours, _]| ours.lost);
    ensure!(lost.sum::<usize>() == 0, "waits were lost");
    Ok(format!("0 of {WAITS} waits of each client lost"))
}

fn rows(reports: &Path) -> Result<Rows> {
    let mut rows = Rows::new();
    for file in project::list(reports)? {
        let report: Report = serde_json::from_str(&project::read(&file)?)
            .with_context(|| format!("`{}` is not a report", file.display()))?;
        let retries = if report.retries { "on" } else { "off" };
        let [ours, own] = rows.entry((report.client, retries)).or_default();
        *(if report.own { own } else { ours }) = report.counts;
    }
    Ok(rows)
}

/// Returns a table in Markdown.
fn table(rows: &Rows) -> String {
    let header = "\
| client | its retries | waits | lost with smithy-waiters | lost with the SDK's own waiter | calls | calls of the SDK's own waiter |
|---|---|---|---|---|---|---|";
    let row = |((client, retries), [ours, own]): (&(String, &str), &[Counts; 2])| {
        let counts = [ours.waits, ours.lost, own.lost, ours.calls, own.calls];
        let counts = counts.map(report::thousands).join(" | ");
        format!("| {client} | {retries} | {counts} |")
    };
    let lines = [header.to_owned()].into_iter().chain(rows.iter().map(row));
    lines.collect::<Vec<_>>().join("\n")
}
