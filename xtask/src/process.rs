//! Runs other programs. The command is printed before it starts, and errors name it.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use duct::{Expression, cmd};
use serde::Deserialize;

use crate::project::Project;
use crate::report;

/// Returns a command for the `cargo` that started this program, in the root folder.
pub(crate) fn cargo(project: &Project, arguments: &[&str]) -> Expression {
    cargo_in(project.root(), arguments)
}

/// Returns a command for the `cargo` that started this program, in another workspace.
pub(crate) fn cargo_in(folder: &Path, arguments: &[&str]) -> Expression {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Incremental builds take gigabytes, and the checks are built only once.
    without_cargo_variables(&cmd(cargo, arguments).dir(folder)).env("CARGO_INCREMENTAL", "0")
}

/// Returns the packages of a workspace and their dependencies, as `cargo metadata` describes them.
pub(crate) fn packages(workspace: &Path) -> Result<Vec<Package>> {
    let metadata = ["metadata", "--format-version", "1", "--all-features"];
    let text = read("cargo metadata", &cargo_in(workspace, &metadata))?;
    let metadata: Metadata = serde_json::from_str(&text).context("`cargo metadata`")?;
    Ok(metadata.packages)
}

/// Returns the packages of the project, without those of registries.
pub(crate) fn own_packages(project: &Project) -> Result<Vec<Package>> {
    let mut packages = packages(project.root())?;
    packages.retain(|package| package.manifest_path.starts_with(project.root()));
    Ok(packages)
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// A package in the output of `cargo metadata`.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) features: BTreeMap<String, Vec<String>>,
    pub(crate) dependencies: Vec<Dependency>,
    /// The registries to which it may be published, or nothing for all.
    publish: Option<Vec<String>>,
}

impl Package {
    /// Returns `true` if a release publishes the crate.
    pub(crate) const fn is_published(&self) -> bool {
        self.publish.is_none()
    }
}

/// A dependency of a package. Its kind is `dev` or `build`, or nothing for what the package is made with.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Option<String>,
}

/// Runs `cargo` in the root folder.
pub(crate) fn run_cargo(project: &Project, arguments: &[&str]) -> Result<()> {
    let title = format!("cargo {}", arguments.join(" "));
    run(&title, &cargo(project, arguments))
}

/// Builds programs into the project's `target/`, even if the user has configured another folder.
pub(crate) fn build(project: &Project, arguments: &[&str]) -> Result<()> {
    let arguments = [&["build"], arguments].concat();
    let title = format!("cargo {}", arguments.join(" "));
    let build = cargo(project, &arguments).env("CARGO_TARGET_DIR", project.target(""));
    run(&title, &build)
}

/// The packages that are built together, with all features. A build with other features would compile their
/// dependencies again.
pub(crate) const TOGETHER: [&str; 12] = [
    "--workspace",
    "--exclude",
    "smithy-waiters-generate-proof",
    "--exclude",
    "smithy-waiters-examples",
    "--exclude",
    "smithy-waiters-real-use",
    "--exclude",
    "smithy-waiters-bench",
    "--exclude",
    "xtask",
    "--all-features",
];

/// The command, without optimisation.
pub(crate) const COMMAND: &str = "smithy-waiters";

/// The examples that other tasks run.
const EXAMPLES: [&str; 3] = ["botocore", "encode", "random"];

/// Builds the command and the examples that other tasks run, and returns the path of one of them.
pub(crate) fn program(project: &Project, name: &str) -> Result<PathBuf> {
    let examples = EXAMPLES.map(|name| ["--example", name]);
    let programs = [&["--bin", COMMAND], examples.as_flattened()].concat();
    build(project, &[&TOGETHER[..], &programs].concat())?;
    let folder = if name == COMMAND {
        "debug"
    } else {
        "debug/examples"
    };
    Ok(project.target(folder).join(name))
}

/// Builds only the command, which is sooner than [`program`] on an empty `target/`.
pub(crate) fn command_alone(project: &Project) -> Result<()> {
    build(
        project,
        &["--package", "smithy-waiters-cli", "--bin", COMMAND],
    )
}

/// Builds an example of a package and returns its path.
pub(crate) fn example(project: &Project, package: &str, name: &str) -> Result<PathBuf> {
    build(project, &["--package", package, "--example", name])?;
    Ok(project.target("debug/examples").join(name))
}

/// Returns a command for this program with other arguments.
pub(crate) fn this_program(arguments: &[&str]) -> Result<Expression> {
    let program = env::current_exe().context("this program has no path")?;
    Ok(cmd(program, arguments))
}

/// Removes the variables that cargo sets for this program from a command's environment.
///
/// Build scripts depend on some of them, and would run again after each change between `cargo xtask` and a terminal.
pub(crate) fn without_cargo_variables(command: &Expression) -> Expression {
    let names = env::vars_os()
        .map(|(name, _)| name)
        .filter(is_cargo_variable);
    names.fold(command.clone(), |command, name| command.env_remove(name))
}

/// Runs a program with its output on the terminal.
///
/// # Errors
///
/// Fails if the program does not start or does not succeed. The error contains `title`.
pub(crate) fn run(title: &str, command: &Expression) -> Result<()> {
    report::command(title);
    command
        // A program that asks for input would otherwise wait without end.
        .stdin_null()
        .run()
        .with_context(|| format!("`{title}` failed"))?;
    Ok(())
}

/// Runs a program and returns its standard output without surrounding whitespace.
pub(crate) fn read(title: &str, command: &Expression) -> Result<String> {
    let text = command
        .stdin_null()
        .read()
        .with_context(|| format!("`{title}` failed"))?;
    Ok(text.trim().to_owned())
}

/// Runs a program with its output on the terminal, and returns a copy of the output.
///
/// # Errors
///
/// Fails if the program does not start. Its own failure is part of the returned value.
pub(crate) fn tee(title: &str, command: &Expression) -> Result<TeeOutput> {
    report::command(title);
    // The output is read for its summary, which colours would hide.
    let plain = command
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("FORCE_COLOR");
    let running = plain.stdin_null().stderr_to_stdout().unchecked().reader();
    let mut output = running.with_context(|| format!("`{title}` did not start"))?;
    let mut tee = Tee {
        terminal: io::stdout(),
        copy: Vec::new(),
    };
    io::copy(&mut output, &mut tee)
        .with_context(|| format!("cannot read the output of `{title}`"))?;
    let code = output.try_wait()?.and_then(|end| end.status.code());
    Ok(TeeOutput {
        title: title.to_owned(),
        text: String::from_utf8_lossy(&tee.copy).into_owned(),
        succeeded: code == Some(0),
        code,
    })
}

/// The output of a program and its success.
#[derive(Debug)]
pub(crate) struct TeeOutput {
    title: String,
    text: String,
    succeeded: bool,
    code: Option<i32>,
}

impl TeeOutput {
    /// Treats an exit code as a success.
    pub(crate) fn accept(mut self, code: i32) -> Self {
        self.succeeded |= self.code == Some(code);
        self
    }

    /// Returns a sentence about what ran, which `summary` extracts from the output.
    ///
    /// # Errors
    ///
    /// Fails if the program failed (the error is the sentence, if `summary` returns one), or if `summary` finds
    /// nothing.
    pub(crate) fn summarize(&self, summary: impl Fn(&str) -> Result<String>) -> Result<String> {
        let sentence = summary(&self.text);
        if self.succeeded {
            return sentence
                .with_context(|| format!("`{}` did not report what it ran", self.title));
        }
        bail!("{}", sentence.unwrap_or_else(|_| self.failure()))
    }

    /// Returns `what` if the program succeeded, for a program whose output has no summary.
    pub(crate) fn describe(&self, what: &str) -> Result<String> {
        ensure!(self.succeeded, "{}", self.failure());
        Ok(what.to_owned())
    }

    fn failure(&self) -> String {
        format!("`{}` failed", self.title)
    }
}

/// Removes the user's AWS settings and proxies from a command's environment: the services run on this machine.
pub(crate) fn without_aws_settings(project: &Project, command: &Expression) -> Expression {
    let names = env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| name.to_string_lossy().starts_with("AWS_"));
    let none = project.target("demo/no-such-file");
    names
        .fold(command.clone(), |command, name| command.env_remove(name))
        .env("AWS_CONFIG_FILE", &none)
        .env("AWS_SHARED_CREDENTIALS_FILE", &none)
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1")
}

struct Tee {
    terminal: io::Stdout,
    copy: Vec<u8>,
}

impl Write for Tee {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.copy.extend_from_slice(bytes);
        self.terminal.write_all(bytes)?;
        self.terminal.flush()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.terminal.flush()
    }
}

fn is_cargo_variable(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_")
        || matches!(
            &*name,
            "CARGO_MANIFEST_DIR" | "CARGO_MANIFEST_PATH" | "CARGO_PRIMARY_PACKAGE"
        )
}
