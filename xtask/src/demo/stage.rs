//! The state that all scenes share: the project, the running programs and the live lines. Handles Ctrl-C.

use std::process;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use anyhow::{Context, Result};
use duct::Expression;
use indicatif::{MultiProgress, ProgressDrawTarget};

use super::children::{Child, Children};
use crate::process::without_aws_settings;
use crate::project::{self, Project};
use crate::tools::python::Environment;

/// The exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// The name of the Python client's environment.
pub(crate) const PYTHON: &str = "demo";

/// The current live lines, which Ctrl-C stops.
type Lines = Arc<Mutex<MultiProgress>>;

/// The state that all scenes share.
#[derive(Debug)]
pub(crate) struct Stage<'p> {
    pub(crate) project: &'p Project,
    /// `true` if lines are redrawn, otherwise each line is printed once.
    pub(crate) is_live: bool,
    lines: Lines,
    children: Arc<Children>,
    python: OnceLock<Environment>,
}

impl<'p> Stage<'p> {
    /// Creates the state, and installs the handler of Ctrl-C, which stops all programs.
    ///
    /// # Errors
    ///
    /// Fails if the handler cannot be installed.
    pub(crate) fn open(project: &'p Project, no_live: bool) -> Result<Self> {
        let target = if no_live {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stdout()
        };
        let lines = MultiProgress::with_draw_target(target);
        let stage = Self {
            project,
            is_live: !lines.is_hidden(),
            lines: Arc::new(Mutex::new(lines)),
            children: Arc::default(),
            python: OnceLock::new(),
        };
        let (children, lines) = (Arc::clone(&stage.children), Arc::clone(&stage.lines));
        ctrlc::set_handler(move || interrupt(&children, &lines)).context("cannot handle Ctrl-C")?;
        Ok(stage)
    }

    /// Starts a program of the demo. Its standard error is written to the log `name`.
    pub(crate) fn start(&self, name: &str, command: &Expression) -> Result<Child> {
        let log = self.log(name);
        project::write(&log, "")?;
        let command = without_aws_settings(self.project, command).stderr_path(log);
        self.children
            .start(&command)
            .with_context(|| format!("cannot start `{name}`"))
    }

    /// Starts a program whose standard error is part of its output.
    pub(crate) fn start_tool(&self, command: &Expression) -> Result<Child> {
        self.children.start(&command.stderr_to_stdout())
    }

    /// Returns the environment of the Python client, which its preparation has created.
    pub(crate) fn python(&self) -> Result<&Environment> {
        if let Some(environment) = self.python.get() {
            return Ok(environment);
        }
        let environment = Environment::open(self.project, PYTHON)?;
        Ok(self.python.get_or_init(|| environment))
    }

    /// Returns the live lines, which are below all other output.
    pub(crate) fn lines(&self) -> MultiProgress {
        lock(&self.lines).clone()
    }

    /// Ends the current live lines. Later output and new live lines are written below them.
    pub(crate) fn leave_lines(&self) {
        if self.is_live {
            *lock(&self.lines) = MultiProgress::with_draw_target(ProgressDrawTarget::stdout());
            anstream::println!();
        }
    }

    /// Returns the error log of a program.
    pub(crate) fn error_log(&self, name: &str) -> String {
        project::read(&self.log(name)).unwrap_or_default()
    }

    /// Returns the result. After Ctrl-C, an error is only a consequence, so this waits for the handler to exit the
    /// program.
    pub(crate) fn or_wait_for_exit<T>(&self, result: Result<T>) -> Result<T> {
        while result.is_err() && self.children.is_stopped() {
            thread::park();
        }
        if result.is_err() {
            self.clear_lines();
        }
        result
    }

    fn clear_lines(&self) {
        let lines = self.lines();
        // Clearing fails only if the terminal is closed.
        let _result = lines.clear();
        lines.set_draw_target(ProgressDrawTarget::hidden());
    }

    fn log(&self, name: &str) -> std::path::PathBuf {
        self.project.target(&format!("demo/log/{name}.txt"))
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        self.children.stop();
    }
}

fn interrupt(children: &Children, lines: &Lines) {
    // The lines are not cleared, because the terminal's own `^C` has moved the cursor.
    let lines = lock(lines);
    let below = if lines.is_hidden() { "" } else { "\n" };
    lines.set_draw_target(ProgressDrawTarget::hidden());
    children.stop();
    anstream::eprintln!("{below}stopped");
    process::exit(INTERRUPTED)
}

fn lock(lines: &Lines) -> MutexGuard<'_, MultiProgress> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}
