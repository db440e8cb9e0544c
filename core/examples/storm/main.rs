//! A retry storm: the load on a service that fails for two minutes, with ten thousand clients and different retry
//! strategies.
//!
//! `cargo run --release -p smithy-waiters --example storm` draws `docs/storm.svg`, which is the same for every run.
//! With `-- --check`, it fails if the picture differs.

mod picture;
mod simulation;

use std::env;
use std::error::Error;
use std::fs;

use simulation::{Run, Storm};

const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/storm.svg");

fn main() -> Result<(), Box<dyn Error>> {
    let storm = Storm::default();
    let runs = storm.runs()?;
    let picture = picture::draw(&storm, &runs);
    if env::args().any(|argument| argument == "--check") {
        if fs::read_to_string(PICTURE)? == picture {
            return Ok(());
        }
        return Err("`docs/storm.svg` differs: run this without `--check` to update it".into());
    }
    fs::write(PICTURE, picture)?;
    for run in &runs {
        show(&storm, run);
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example prints its result")]
fn show(storm: &Storm, run: &Run) {
    let load = |second| run.load(storm, second);
    let (begun, over) = (storm.fails_from, storm.fails_until);
    println!(
        "{}: {:.1} times the load at first, {:.1} times at the end of the outage, {:.2} times a minute later",
        run.name,
        load(begun.saturating_add(10)),
        load(over.saturating_sub(1)),
        load(over.saturating_add(60)),
    );
}
