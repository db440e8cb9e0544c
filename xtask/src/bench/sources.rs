//! The benchmarks of each language.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use duct::cmd;

use super::model;
use crate::process;
use crate::project::{self, Project};
use crate::steps::Skipped;
use crate::test::{generated, javascript, python};

/// What `--only` accepts.
pub(crate) const LANGUAGES: [&str; 4] = ["rust", "javascript", "python", "model"];

const MODELS: &str = "../shared/data/aws-models";

/// One program that measures.
pub(crate) struct Source {
    pub(crate) title: &'static str,
    pub(crate) language: &'static str,
    /// Prepares and runs it; the answer is what it printed.
    pub(crate) measure: fn(&Project) -> Result<String>,
}

const fn source(
    title: &'static str,
    language: &'static str,
    measure: fn(&Project) -> Result<String>,
) -> Source {
    Source {
        title,
        language,
        measure,
    }
}

/// All of them.
pub(crate) static SOURCES: &[Source] = &[
    source("polls (Rust)", "Rust", |project| {
        cargo(project, &["smithy-waiters-bench"], &["polls"])
    }),
    source("verdicts, retries and pages (Rust)", "Rust", |project| {
        let benches = ["verdict", "response", "behaviours"];
        cargo(
            project,
            &["smithy-waiters", "--features", "derive"],
            &benches,
        )
    }),
    source("generated matchers, generation (Rust)", "Rust", |project| {
        models(project)?;
        let packages = [
            "smithy-waiters-generate",
            "--package",
            "smithy-waiters-generate-proof",
        ];
        cargo(project, &packages, &["generation", "matcher"])
    }),
    source("polls (JavaScript)", "JavaScript", |project| {
        node(project, "polls.mjs")
    }),
    source("verdicts (JavaScript)", "JavaScript", |project| {
        node(project, "verdict.mjs")
    }),
    source("retries and pages (JavaScript)", "JavaScript", |project| {
        node(project, "behaviours.mjs")
    }),
    source("import (JavaScript)", "JavaScript", |project| {
        node(project, "import.mjs")
    }),
    source(
        "generated matchers (TypeScript)",
        "JavaScript",
        typescript_generated,
    ),
    source("polls (Python)", "Python", |project| {
        in_python(project, "polls.py")
    }),
    source("verdicts (Python)", "Python", |project| {
        in_python(project, "verdict.py")
    }),
    source("retries and pages (Python)", "Python", |project| {
        in_python(project, "behaviours.py")
    }),
    source("import (Python)", "Python", |project| {
        in_python(project, "import_time.py")
    }),
    source("models (the command)", "Model", model::measure),
];

/// The folder of the service models, which are not in this repository.
pub(super) fn models(project: &Project) -> Result<PathBuf> {
    let folder = project.path(MODELS);
    ensure!(folder.is_dir(), Skipped(format!("`{MODELS}` is not there")));
    Ok(folder)
}

/// Builds and runs benchmarks of packages.
fn cargo(project: &Project, packages: &[&str], benches: &[&str]) -> Result<String> {
    let benches = benches.iter().flat_map(|bench| ["--bench", bench]);
    let start = ["bench", "--quiet", "--package"];
    let arguments: Vec<&str> = start
        .into_iter()
        .chain(packages.iter().copied())
        .chain(benches)
        .collect();
    process::read("cargo bench", &process::cargo(project, &arguments))
}

/// Beside what the AWS SDK has generated.
fn typescript_generated(project: &Project) -> Result<String> {
    models(project)?;
    javascript::with_package(project)?;
    let folder = generated::for_bench(project)?;
    process::read("bench.mjs", &cmd!("node", "bench.mjs").dir(folder))
}

/// With the installed tarball.
fn node(project: &Project, program: &str) -> Result<String> {
    let folder = javascript::with_package(project)?.join("bench");
    project::copy_folder(&project.path("npm/bench"), &folder)?;
    process::read(program, &cmd!("node", program).dir(folder))
}

/// With the installed wheel.
fn in_python(project: &Project, program: &str) -> Result<String> {
    let file = project.path("python/bench").join(program);
    process::read(
        program,
        &python::with_package(project)?.python(&[&file.to_string_lossy()]),
    )
}
