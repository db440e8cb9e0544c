//! The list of benchmarks.

use std::ffi::OsStr;
use std::iter;

use anyhow::Result;
use duct::cmd;

use self::Program::{Cargo, Node, Other, Python};
use super::{fleets, model, shell};
use crate::data;
use crate::process;
use crate::project::{self, Project};
use crate::test::{component, javascript, python};

/// The values of `--only`.
pub(crate) const LANGUAGES: [&str; 8] = [
    "rust",
    "javascript",
    "python",
    "component",
    "model",
    "shell",
    "waits",
    "fleets",
];

/// A benchmark program.
pub(crate) struct Source {
    subject: &'static str,
    pub(crate) language: &'static str,
    pub(crate) program: Program,
}

impl Source {
    pub(crate) fn title(&self) -> String {
        format!("{} ({})", self.subject, self.language)
    }
}

/// The kind of a benchmark program, which determines how it is built and run.
pub(crate) enum Program {
    /// Packages and the names of their benchmarks.
    Cargo(&'static [&'static str], &'static [&'static str]),
    /// A file in `npm/bench`, run with the installed tarball.
    Node(&'static str),
    /// A file in `python/bench`, run with the installed wheel.
    Python(&'static str),
    /// A function that returns the output.
    Other(fn(&Project) -> Result<String>),
}

impl Program {
    /// Runs the benchmark and returns its output.
    pub(crate) fn measure(&self, project: &Project) -> Result<String> {
        match self {
            Self::Cargo(packages, benches) => cargo(project, packages, benches),
            Self::Node(file) => node(project, file),
            Self::Python(file) => in_python(project, file),
            Self::Other(measure) => measure(project),
        }
    }
}

const fn source(subject: &'static str, language: &'static str, program: Program) -> Source {
    Source {
        subject,
        language,
        program,
    }
}

const CORE: Program = Cargo(
    &["smithy-waiters", "--features", "derive"],
    &["verdict", "response", "behaviours"],
);

/// All benchmarks.
pub(crate) static SOURCES: &[Source] = &[
    source(
        "polls",
        "Rust",
        Cargo(&["smithy-waiters-bench"], &["polls"]),
    ),
    source("verdicts, retries and pages", "Rust", CORE),
    source("generated matchers", "Rust", Other(generation)),
    source("polls", "JavaScript", Node("polls.mjs")),
    source("polls of fleets", "JavaScript", Node("fleet-polls.mjs")),
    source("verdicts", "JavaScript", Node("verdict.mjs")),
    source("retries and pages", "JavaScript", Node("behaviours.mjs")),
    source("import", "JavaScript", Node("import.mjs")),
    source("polls", "Python", Python("polls.py")),
    source("polls of fleets", "Python", Python("fleet_polls.py")),
    source("verdicts", "Python", Python("verdict.py")),
    source("retries and pages", "Python", Python("behaviours.py")),
    source("import", "Python", Python("import_time.py")),
    source("the component", "Component", Other(component::measure)),
    source("the command", "Model", Other(model::measure)),
    source("the verb `wait`", "Shell", Other(shell::measure)),
    source("many resources", "Fleets", Other(fleets::measure)),
    source("paces", "Waits", Other(|project| paces(project, &[]))),
];

/// Builds and runs the benchmarks of packages.
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

fn generation(project: &Project) -> Result<String> {
    data::models(project)?;
    let packages = [
        "smithy-waiters-generate",
        "--package",
        "smithy-waiters-generate-proof",
    ];
    cargo(project, &packages, &["generation", "matcher"])
}

/// Simulates waits at each pace, and draws `docs/paces.svg` and `docs/delays.svg`. With `--check`, compares the files instead.
pub(crate) fn paces(project: &Project, options: &[&str]) -> Result<String> {
    let services = data::services(project)?;
    let program = process::example(project, "smithy-waiters-cli", "paces")?;
    let arguments = iter::once(services.as_os_str()).chain(options.iter().map(OsStr::new));
    process::read("paces", &cmd(program, arguments))
}

fn node(project: &Project, program: &str) -> Result<String> {
    let folder = javascript::with_package(project)?.join("bench");
    project::copy_folder(&project.path("npm/bench"), &folder)?;
    process::read(program, &cmd!("node", program).dir(folder))
}

fn in_python(project: &Project, program: &str) -> Result<String> {
    let file = project.path("python/bench").join(program);
    process::read(
        program,
        &python::with_package(project)?.python(&[&file.to_string_lossy()]),
    )
}
