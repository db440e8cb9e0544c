//! Waits that were lost behind a proxy that fails most requests, beside those that each client's own waiter loses.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use serde::Deserialize;

use crate::project::{self, Project};
use crate::report;
use crate::test::real::{self, Waits};

/// The number of waits of each client, half of them with the client's own retries.
const WAITS: &str = "1000";

/// What a run of a client reports: the waits of one half, by our waiter or by the client's own.
#[derive(Deserialize)]
struct Report {
    client: String,
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

impl Counts {
    fn add(&mut self, other: Self) {
        self.waits = self.waits.saturating_add(other.waits);
        self.lost = self.lost.saturating_add(other.lost);
        self.calls = self.calls.saturating_add(other.calls);
    }
}

/// The counts of our waiter, and of the client's own.
type Rows = BTreeMap<String, [Counts; 2]>;

pub(super) fn run(project: &Project) -> Result<String> {
    let reports = project.target("lost-waits");
    project::fresh_folder(&reports)?;
    let waits = Waits {
        number: WAITS,
        reports: Some(&reports),
    };
    let ran = real::lost_waits(project, &waits);
    let rows = rows(&reports)?;
    report::note(&table(&rows).to_string());
    ran?;
    ensure!(rows.len() == 4, "a client has no report");
    let lost = rows.values().map(|[ours, _]| ours.lost);
    ensure!(lost.sum::<usize>() == 0, "waits were lost");
    Ok(format!(
        "0 of {WAITS} waits lost by each of {} clients",
        rows.len()
    ))
}

fn rows(reports: &Path) -> Result<Rows> {
    let mut rows = Rows::new();
    for file in project::list(reports)? {
        let report: Report = serde_json::from_str(&project::read(&file)?)
            .with_context(|| format!("`{}` is not a report", file.display()))?;
        let [ours, own] = rows.entry(report.client).or_default();
        (if report.own { own } else { ours }).add(report.counts);
    }
    Ok(rows)
}

fn table(rows: &Rows) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "client",
        "waits",
        "lost with smithy-waiters",
        "lost with the SDK's own waiter",
        "calls",
        "calls of the SDK's own waiter",
    ]);
    for (client, [ours, own]) in rows {
        let counts = [ours.waits, ours.lost, own.lost, ours.calls, own.calls];
        let counts = counts.map(report::thousands);
        table.add_row([client].into_iter().chain(&counts));
    }
    table
}
