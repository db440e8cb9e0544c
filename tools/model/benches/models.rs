//! Measures reading and validating the models of AWS's services: `cargo bench -p smithy-waiters-model`.

#![expect(clippy::unwrap_used, reason = "a bench fails by a panic")]
#![expect(clippy::print_stdout, reason = "figures are its output")]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use smithy_waiters_model::{Sources, lint, read, validate};

/// The number of runs per figure. The minimum is printed, because it is least affected by other processes.
const ROUNDS: usize = 20;

fn main() {
    let texts: Vec<(String, String)> = models().iter().map(|path| text(path)).collect();
    if texts.is_empty() {
        println!("no AWS models found: fetch them with `cargo xtask data`");
        return;
    }
    let size: usize = texts.iter().map(|(_, text)| text.len()).sum();
    println!("{} models, {} KB, one core:", texts.len(), size / 1000);
    let each = || texts.iter().map(|text| sources([text])).collect();
    print(
        "read",
        minimum(each, |sources| drop(black_box(read(sources)))),
    );
    let validated = minimum(each, |sources| drop(black_box(validate(&read(sources)))));
    print("read, validate", validated);
    let linted = |sources: &Sources| drop(black_box(lint(&read(sources))));
    print("read, validate, lint", minimum(each, linted));
    print(
        "read, validate, lint as one model",
        minimum(|| vec![sources(&texts)], linted),
    );
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data/aws-models");
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    files.map(|file| file.unwrap().path()).collect()
}

fn text(path: &Path) -> (String, String) {
    let name = path.to_string_lossy().into_owned();
    (name, fs::read_to_string(path).unwrap())
}

fn sources<'t>(texts: impl IntoIterator<Item = &'t (String, String)>) -> Sources {
    let mut sources = Sources::default();
    for (name, text) in texts {
        assert!(sources.add(name.clone(), text.clone()));
    }
    sources
}

/// Returns the minimum time for the work on new sources. Sources keep what is read from them, so each run needs new
/// ones.
fn minimum(fresh: impl Fn() -> Vec<Sources>, work: impl Fn(&Sources)) -> Duration {
    let once = |_| {
        let fresh = fresh();
        let start = Instant::now();
        fresh.iter().for_each(&work);
        start.elapsed()
    };
    (0..ROUNDS).map(once).min().unwrap_or_default()
}

fn print(what: &str, time: Duration) {
    println!("{:>8.1} ms  {what}", time.as_secs_f64() * 1000.0);
}
