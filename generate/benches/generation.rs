//! How long it takes to generate the code of all services of the test data: to read, lint and write it in each language.
//!
//! `cargo bench -p smithy-waiters-generate`: prints one JSON object.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark on data of its own"
)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use smithy_waiters_generate::rust::Rust;
use smithy_waiters_generate::{Backend, ir};
use smithy_waiters_model::{Sources, read};

fn main() {
    let texts = models();
    let backends: [Box<dyn Backend>; 1] = [Box::new(Rust::default())];
    let began = Instant::now();
    let mut bytes = 0_usize;
    for text in &texts {
        let mut sources = Sources::default();
        sources.add("model.json", text.as_str());
        let model = read(&sources);
        for service in ir::services(&sources, &model, &[]).unwrap() {
            for backend in &backends {
                let files = backend.service(&service).unwrap();
                bytes = bytes.saturating_add(files.iter().map(|file| file.text.len()).sum());
            }
        }
    }
    let ms = began.elapsed().as_secs_f64() * 1e3;
    let figure = serde_json::json!({"case": "generation of all services", "size": texts.len(), "ms": ms, "bytesWritten": bytes});
    println!("{figure}");
}

/// The texts of all models; none, where the data is not there.
fn models() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/aws-models");
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = files.map(|file| file.unwrap().path());
    let is_model = |path: &std::path::PathBuf| {
        let name = path.to_str().unwrap_or_default();
        name.ends_with(".json") && !name.ends_with(".events.json")
    };
    paths
        .filter(is_model)
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}
