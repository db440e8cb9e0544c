//! The paces of waits beside boto3's fixed delays: how late they notice a change, and after how many calls, for the delays of
//! every waiter that botocore has.
//!
//! `cargo run -p smithy-waiters-cli --example paces -- target/data/botocore`: prints the figures and draws `docs/paces.svg` and
//! `docs/delays.svg`, the same on every run; with `--check` it fails if a picture is another one. `cargo xtask data` fetches the delays.

mod delays;
mod paces;
mod picture;
#[expect(dead_code, reason = "the command reads more of it")]
#[path = "../../src/schedule/simulation.rs"]
mod simulation;
mod statistics;

use std::path::Path;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use serde_json::json;

use paces::{Case, Run};
use statistics::{mean, percentile};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// The spans of time after which resources become ready, in seconds.
const SPANS: [(&str, [f64; 2]); 4] = [
    ("", paces::READY),
    ("30 s to 5 min", [30.0, 300.0]),
    ("5 min to 20 min", [300.0, 1_200.0]),
    ("20 min to 2 h", [1_200.0, 7_200.0]),
];

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next();
    let folder = folder.context("name the folder of botocore's services")?;
    let cases = Case::all(Path::new(&folder))?;
    let runs = Run::all(&cases)?;
    for run in &runs {
        for span in SPANS {
            show(&cases, &runs, run, span);
        }
    }
    let is_check = arguments.any(|argument| argument == "--check");
    for (name, picture) in [
        ("paces.svg", picture::draw(&cases, &runs)),
        ("delays.svg", delays::draw()?),
    ] {
        let file = Path::new(DOCS).join(name);
        if !is_check {
            fs::write(file, picture)?;
        } else if fs::read_to_string(file)? != picture {
            bail!("`docs/{name}` is another picture: run this without `--check`");
        }
    }
    Ok(())
}

/// Prints the figures of a pace, for resources that become ready within a span of time.
#[expect(clippy::print_stdout, reason = "the benchmarks read it")]
fn show(cases: &[Case], runs: &[Run], run: &Run, (name, [from, until]): (&str, [f64; 2])) {
    let observations = run.observations(cases, from, until);
    let parts = || {
        observations
            .iter()
            .map(|one| (one.lag / one.ready, one.weight))
    };
    let mut line = json!({
        "case": run.name,
        "size": name,
        "% of the time waited, p95": 100.0 * percentile(parts(), 0.95),
    });
    if let (true, Some(figures)) = (name.is_empty(), line.as_object_mut()) {
        let late = observations
            .iter()
            .filter(|one| one.ready >= 10.0 * one.min_delay);
        let late = late.map(|one| (one.lag / one.ready, one.weight));
        let lags = || observations.iter().map(|one| (one.lag, one.weight));
        let calls = observations.iter().map(|one| (one.calls, one.weight));
        let noticed = observations.iter().map(|one| one.weight).sum::<f64>();
        let all = cases.iter().map(|case| case.weight).sum::<f64>();
        let (ours, its) = run.calls_beside(runs.last().unwrap_or(run), cases);
        for (unit, value) in [
            (
                "% of the time waited, p95, after ten min delays",
                100.0 * percentile(late, 0.95),
            ),
            ("% of the waits notice it", 100.0 * noticed / all),
            ("calls for each of boto3's", ours / its),
            ("calls, mean", mean(calls)),
            ("s lag, mean", mean(lags())),
            ("s lag, p95", percentile(lags(), 0.95)),
        ] {
            figures.insert(unit.to_owned(), value.into());
        }
    }
    println!("{line}");
}
