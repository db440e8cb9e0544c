//! Prepares the clients: builds and installs the packages, and fetches the SDKs.
//!
//! The languages are prepared in parallel, each by a separate process of this program. Its output is shown only if it
//! fails.

use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use duct::cmd;
use indicatif::ProgressBar;

use super::children::{self, Child};
use super::event::Event;
use super::language::Language;
use super::stage::{PYTHON, Stage};
use super::terminal::screen::{self, FAINT, GOOD, INDENT, paint};
use crate::packages::{wasm, wheel};
use crate::process;
use crate::project::{self, Project};
use crate::test::rust as rust_tests;
use crate::tools::node;
use crate::tools::python::Environment;
use crate::tools::rust as toolchain;

/// Prepares all clients.
///
/// # Errors
///
/// Fails if a client cannot be prepared. The error contains the output.
pub(crate) fn all(stage: &Stage<'_>, tested: bool) -> Result<()> {
    screen::heading(
        "Preparing",
        "Building the crate, the npm package and the Python wheel, and fetching the AWS SDKs. The first time, \
         this takes some minutes.",
    );
    let (sender, done) = mpsc::channel();
    for language in Language::ALL {
        Preparation::start(stage, language, tested)?.report_to(sender.clone());
    }
    drop(sender);
    for prepared in done {
        prepared?.announce(stage)?;
    }
    stage.leave_lines();
    Ok(())
}

/// Prepares one language in a separate process.
pub(crate) fn alone(project: &Project, language: Language, tested: bool) -> Result<()> {
    children::end_with_parent();
    match language {
        Language::JavaScript => javascript(project),
        Language::Python => python(project),
        Language::Rust if tested => rust_tests::demo_client(project),
        Language::Rust => rust(project),
    }
}

fn rust(project: &Project) -> Result<()> {
    process::build(project, &["--package", "smithy-waiters-demo"])
}

fn javascript(project: &Project) -> Result<()> {
    wasm::run(project, &wasm::Options::default())?;
    let folder = project.target("demo/javascript");
    project::copy_files(&project.path("xtask/demo/javascript"), &folder)?;
    node::install(&folder)?;
    node::install_own_package(project, &folder)
}

fn python(project: &Project) -> Result<()> {
    wheel::run(project, &wheel::Options::default())?;
    let environment = Environment::open(project, PYTHON)?;
    environment.install_requirements(&project.path("xtask/demo/python/requirements.txt"))?;
    environment.install_wheel(&wheel::latest(project)?)
}

/// A running preparation.
struct Preparation {
    language: Language,
    program: Child,
    spinner: ProgressBar,
    begun: Instant,
}

impl Preparation {
    fn start(stage: &Stage<'_>, language: Language, tested: bool) -> Result<Self> {
        let mut arguments = vec!["demo", "--prepare", language.key()];
        if tested {
            arguments.push("--tested");
        }
        let command = process::this_program(&arguments)?;
        Ok(Self {
            language,
            program: stage.start_tool(&command)?,
            spinner: stage.spinner(&format!("{language:<12}")),
            begun: Instant::now(),
        })
    }

    fn report_to(self, sender: Sender<Result<ReadyClient>>) {
        self.spinner.set_style(super::terminal::view::timer_style());
        self.spinner.set_message(paint(FAINT, "building"));
        thread::spawn(move || {
            let prepared = self.finish();
            // Sending fails after an error, when the receiver is dropped.
            let _result = sender.send(prepared);
        });
    }

    fn finish(self) -> Result<ReadyClient> {
        let (succeeded, output) = self.program.finish()?;
        if !succeeded {
            self.spinner.finish_and_clear();
            bail!(
                "cannot prepare the {} client:\n{}",
                self.language,
                output.trim_end()
            );
        }
        Ok(ReadyClient {
            language: self.language,
            spinner: self.spinner,
            time: self.begun.elapsed(),
        })
    }
}

/// A finished preparation.
struct ReadyClient {
    language: Language,
    spinner: ProgressBar,
    time: Duration,
}

impl ReadyClient {
    fn announce(self, stage: &Stage<'_>) -> Result<()> {
        let about = about(stage, self.language)?;
        let time = paint(FAINT, &format!("{:>5.1} s", self.time.as_secs_f64()));
        let text = format!("{} {about:<52} {time}", paint(GOOD, "✔"));
        if stage.is_live {
            self.spinner.set_style(super::terminal::view::final_style());
            self.spinner.finish_with_message(text);
        } else {
            anstream::println!("{INDENT}{:<12}{text}", self.language);
        }
        Ok(())
    }
}

/// Returns the versions of the client's runtime and SDK.
fn about(stage: &Stage<'_>, language: Language) -> Result<String> {
    let client = language.client(stage, &["about"])?;
    let program = stage.start(language.key(), &client)?;
    let ended_early = || {
        format!(
            "the {language} client ended early:\n{}",
            stage.error_log(language.key())
        )
    };
    let line = program.lines().next().with_context(ended_early)??;
    let Event::About { runtime, sdk } = serde_json::from_str(&line)? else {
        bail!("unexpected event from the {language} client: `{line}`");
    };
    let runtime = runtime.map_or_else(rust_version, Ok)?;
    Ok(format!("{runtime}, {sdk}"))
}

fn rust_version() -> Result<String> {
    let compiler = toolchain::compiler();
    let output = process::read("rustc --version", &cmd!(compiler, "--version"))?;
    let version = output.split_whitespace().nth(1);
    Ok(format!(
        "Rust {}",
        version.context("cannot parse the version of rustc")?
    ))
}
