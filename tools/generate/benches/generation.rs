//! Measures the generation of code for all services of the test data in three languages. Each model is read and linted
//! once and generated in each language.
//!
//! `cargo bench -p smithy-waiters-generate`: prints one JSON object.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark on data of its own"
)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use smithy_waiters_generate::python::Python;
use smithy_waiters_generate::rust::Rust;
use smithy_waiters_generate::typescript::TypeScript;
use smithy_waiters_generate::{Backend, ir};
use smithy_waiters_model::Sources;

fn main() {
    let texts = models();
    let backends: [&dyn Backend; 3] =
        [&Rust::default(), &TypeScript::default(), &Python::default()];
    let mut figure = json!({"case": "generation of all services", "size": texts.len()});
    let mut bytes = 0_usize;
    let (mut reading, mut writing) = (Duration::ZERO, [Duration::ZERO; 3]);
    for text in &texts {
        let began = Instant::now();
        let mut sources = Sources::default();
        sources.add("model.json", text.as_str());
        let model = ir::read(&sources, &ir::Selection::default()).unwrap();
        let services = ir::services(&sources, &model, &[]).unwrap();
        reading = reading.saturating_add(began.elapsed());
        for service in &services {
            for (backend, time) in backends.iter().zip(&mut writing) {
                let began = Instant::now();
                let files = backend.service(service).unwrap();
                *time = time.saturating_add(began.elapsed());
                bytes = bytes.saturating_add(files.iter().map(|file| file.text.len()).sum());
            }
        }
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let total = writing
        .iter()
        .fold(reading, |sum, time| sum.saturating_add(*time));
    let members = figure.as_object_mut().unwrap();
    members.insert("ms".to_owned(), ms(total).into());
    members.insert("readMs".to_owned(), ms(reading).into());
    for (backend, time) in backends.iter().zip(writing) {
        members.insert(format!("{}Ms", backend.language()), ms(time).into());
    }
    members.insert("bytesWritten".to_owned(), bytes.into());
    println!("{figure}");
}

/// Returns the texts of all models, or an empty list without the test data.
fn models() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data/aws-models");
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    files
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect()
}
