//! Other programs: started in a named folder, shown before they run, and named again when they fail.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result, bail, ensure};
use duct::{Expression, cmd};

use crate::project::Project;
use crate::report;

/// The `cargo` that started this program, in the root folder.
pub(crate) fn cargo(project: &Project, arguments: &[&str]) -> Expression {
    cargo_in(project.root(), arguments)
}

/// The `cargo` that started this program, in another workspace.
pub(crate) fn cargo_in(folder: &Path, arguments: &[&str]) -> Expression {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // What lets the next build begin halfway takes gigabytes, and checks are built once.
    from_a_terminal(&cmd(cargo, arguments).dir(folder)).env("CARGO_INCREMENTAL", "0")
}

/// Runs `cargo` so.
pub(crate) fn run_cargo(project: &Project, arguments: &[&str]) -> Result<()> {
    let title = format!("cargo {}", arguments.join(" "));
    run(&title, &cargo(project, arguments))
}

/// Builds programs into the project's own `target/`, wherever builds go otherwise.
pub(crate) fn build(project: &Project, what: &[&str]) -> Result<()> {
    let arguments = [&["build"], what].concat();
    let title = format!("cargo {}", arguments.join(" "));
    let build = cargo(project, &arguments).env("CARGO_TARGET_DIR", project.target(""));
    run(&title, &build)
}

/// Builds an example of a package and returns its path.
pub(crate) fn example(project: &Project, package: &str, name: &str) -> Result<PathBuf> {
    build(project, &["--package", package, "--example", name])?;
    Ok(project.target("debug/examples").join(name))
}

/// This program with other arguments.
pub(crate) fn this_program(arguments: &[&str]) -> Result<Expression> {
    let program = env::current_exe().context("this program has no path")?;
    Ok(cmd(program, arguments))
}

/// A command without what cargo told this program about itself: build scripts that look at these variables would run again
/// for every change between here and a terminal.
pub(crate) fn from_a_terminal(command: &Expression) -> Expression {
    let names = env::vars_os()
        .map(|(name, _)| name)
        .filter(is_about_this_program);
    names.fold(command.clone(), |command, name| command.env_remove(name))
}

/// Runs a program with its output on the terminal.
///
/// # Errors
///
/// When it does not start or does not succeed; the error has `title`.
pub(crate) fn run(title: &str, command: &Expression) -> Result<()> {
    report::command(title);
    command
        .stdin_null()
        .run()
        .with_context(|| format!("`{title}` failed"))?;
    Ok(())
}

/// Runs a program and gives what it wrote to its standard output, trimmed.
pub(crate) fn read(title: &str, command: &Expression) -> Result<String> {
    let text = command
        .stdin_null()
        .read()
        .with_context(|| format!("`{title}` failed"))?;
    Ok(text.trim().to_owned())
}

/// Runs a program with its output on the terminal, and keeps a copy of the output.
///
/// # Errors
///
/// When it does not start. Its own failure is in the answer.
pub(crate) fn tee(title: &str, command: &Expression) -> Result<TeeOutput> {
    report::command(title);
    let running = with_colours(command)
        .stdin_null()
        .stderr_to_stdout()
        .unchecked()
        .reader();
    let mut output = running.with_context(|| format!("`{title}` did not start"))?;
    let mut tee = Tee {
        terminal: io::stdout(),
        copy: Vec::new(),
    };
    io::copy(&mut output, &mut tee)
        .with_context(|| format!("the output of `{title}` broke off"))?;
    let succeeded = output.try_wait()?.is_some_and(|end| end.status.success());
    let text = String::from_utf8_lossy(&tee.copy);
    Ok(TeeOutput {
        title: title.to_owned(),
        text: anstream::adapter::strip_str(&text).to_string(),
        succeeded,
    })
}

/// What a program wrote, and how it ended.
#[derive(Debug)]
pub(crate) struct TeeOutput {
    title: String,
    text: String,
    succeeded: bool,
}

impl TeeOutput {
    /// The sentence about what ran, which `summary` reads off the output.
    ///
    /// # Errors
    ///
    /// When the program failed (with the sentence, where there is one), or when `summary` finds that nothing ran.
    pub(crate) fn summarize(&self, summary: impl Fn(&str) -> Result<String>) -> Result<String> {
        let sentence = summary(&self.text);
        if self.succeeded {
            return sentence.with_context(|| format!("`{}` does not say what it ran", self.title));
        }
        bail!("{}", sentence.unwrap_or_else(|_| self.failure()))
    }

    /// For a program that says nothing of what it looked at: `what`, in our words.
    pub(crate) fn describe(&self, what: &str) -> Result<String> {
        ensure!(self.succeeded, "{}", self.failure());
        Ok(what.to_owned())
    }

    fn failure(&self) -> String {
        format!("`{}` failed", self.title)
    }
}

/// The program without the user's own AWS settings, and without a proxy: the services are on this machine.
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

/// A program that writes into a pipe leaves its colours out; where our own terminal has colours it is told not to.
pub(crate) fn with_colours(command: &Expression) -> Expression {
    if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        return command.clone();
    }
    command
        .env("CARGO_TERM_COLOR", "always")
        .env("FORCE_COLOR", "1")
        .env("CLICOLOR_FORCE", "1")
}

fn is_about_this_program(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_")
        || matches!(
            &*name,
            "CARGO_MANIFEST_DIR" | "CARGO_MANIFEST_PATH" | "CARGO_PRIMARY_PACKAGE"
        )
}
