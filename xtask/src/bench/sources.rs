//! The benchmarks of each language.

use anyhow::Result;
use duct::cmd;

use super::model;
use crate::process;
use crate::project::Project;
use crate::test::{generated, javascript, python};

/// One program that measures.
pub(crate) struct Source {
    pub(crate) title: &'static str,
    pub(crate) language: &'static str,
    /// Prepares and runs it; the answer is what it printed.
    pub(crate) measure: fn(&Project) -> Result<String>,
}

/// All of them.
pub(crate) static SOURCES: &[Source] = &[
    Source {
        title: "verdicts and behaviours (Rust)",
        language: "Rust",
        measure: rust_verdicts,
    },
    Source {
        title: "models (the command)",
        language: "Model",
        measure: model::measure,
    },
    Source {
        title: "generated matchers, generation (Rust)",
        language: "Rust",
        measure: rust_generated,
    },
    Source {
        title: "verdicts (JavaScript)",
        language: "JavaScript",
        measure: javascript_verdicts,
    },
    Source {
        title: "retry decisions and pages (JavaScript)",
        language: "JavaScript",
        measure: javascript_behaviours,
    },
    Source {
        title: "import (JavaScript)",
        language: "JavaScript",
        measure: javascript_import,
    },
    Source {
        title: "generated matchers (TypeScript)",
        language: "JavaScript",
        measure: typescript_generated,
    },
    Source {
        title: "verdicts (Python)",
        language: "Python",
        measure: python_verdicts,
    },
    Source {
        title: "retry decisions and pages (Python)",
        language: "Python",
        measure: python_behaviours,
    },
    Source {
        title: "import (Python)",
        language: "Python",
        measure: python_import,
    },
];

/// All benchmarks in one build.
fn rust_verdicts(project: &Project) -> Result<String> {
    let arguments = [
        "bench",
        "--quiet",
        "--package",
        "smithy-waiters",
        "--features",
        "derive",
        "--bench",
        "verdict",
        "--bench",
        "response",
        "--bench",
        "behaviours",
    ];
    process::read("cargo bench", &process::cargo(project, &arguments))
}

/// What is generated, over a published SDK, which takes minutes to build; and how long generating takes.
fn rust_generated(project: &Project) -> Result<String> {
    let arguments = [
        "bench",
        "--quiet",
        "--package",
        "smithy-waiters-generate",
        "--package",
        "smithy-waiters-generate-proof",
        "--bench",
        "generation",
        "--bench",
        "matcher",
    ];
    process::read("cargo bench", &process::cargo(project, &arguments))
}

fn javascript_verdicts(project: &Project) -> Result<String> {
    node(project, "verdict.mjs")
}

fn javascript_behaviours(project: &Project) -> Result<String> {
    node(project, "behaviours.mjs")
}

fn javascript_import(project: &Project) -> Result<String> {
    node(project, "import.mjs")
}

/// Beside what the AWS SDK has generated.
fn typescript_generated(project: &Project) -> Result<String> {
    javascript::with_package(project)?;
    let folder = generated::for_bench(project)?;
    process::read("bench.mjs", &cmd!("node", "bench.mjs").dir(folder))
}

fn python_verdicts(project: &Project) -> Result<String> {
    in_python(project, "verdict.py")
}

fn python_behaviours(project: &Project) -> Result<String> {
    in_python(project, "behaviours.py")
}

fn python_import(project: &Project) -> Result<String> {
    in_python(project, "import_time.py")
}

/// Beside the installed tarball.
fn node(project: &Project, program: &str) -> Result<String> {
    let copy = javascript::with_package(project)?.join(program);
    std::fs::copy(project.path("npm/bench").join(program), &copy)?;
    process::read(program, &cmd!("node", copy))
}

/// With the installed wheel.
fn in_python(project: &Project, program: &str) -> Result<String> {
    let file = project.path("python/bench").join(program);
    process::read(
        program,
        &python::with_package(project)?.python(&[&file.to_string_lossy()]),
    )
}
