//! Where the demo takes place: the project, the programs that run, the live lines; and what Ctrl-C does to them.

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

/// The status of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// The Python client's environment.
pub(crate) const PYTHON: &str = "demo";

/// The lines that are drawn now; Ctrl-C stops them.
type Lines = Arc<Mutex<MultiProgress>>;

/// Everything that the scenes have in common.
#[derive(Debug)]
pub(crate) struct Stage<'p> {
    pub(crate) project: &'p Project,
    /// Whether lines are redrawn; otherwise each is printed once.
    pub(crate) is_live: bool,
    lines: Lines,
    children: Arc<Children>,
    python: OnceLock<Environment>,
}

impl<'p> Stage<'p> {
    /// Sets everything up; from here on Ctrl-C ends it all.
    ///
    /// # Errors
    ///
    /// When the system does not let this program handle Ctrl-C.
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
        ctrlc::set_handler(move || interrupt(&children, &lines))
            .context("Ctrl-C cannot be handled")?;
        Ok(stage)
    }

    /// Starts one of the demo's programs; its errors go to a log of this name.
    pub(crate) fn start(&self, name: &str, command: &Expression) -> Result<Child> {
        let log = self.log(name);
        project::write(&log, "")?;
        let command = without_aws_settings(self.project, command).stderr_path(log);
        self.children
            .start(&command)
            .with_context(|| format!("the program `{name}` does not start"))
    }

    /// Starts a program that writes its errors where it writes everything.
    pub(crate) fn start_tool(&self, command: &Expression) -> Result<Child> {
        self.children.start(&command.stderr_to_stdout())
    }

    /// The environment of the Python client; made before by its preparation.
    pub(crate) fn python(&self) -> Result<&Environment> {
        if let Some(environment) = self.python.get() {
            return Ok(environment);
        }
        let environment = Environment::open(self.project, PYTHON)?;
        Ok(self.python.get_or_init(|| environment))
    }

    /// The live lines, below all that has been printed.
    pub(crate) fn lines(&self) -> MultiProgress {
        lock(&self.lines).clone()
    }

    /// The live lines stay as they are; new ones, and what is printed next, begin below them.
    pub(crate) fn leave_lines(&self) {
        if self.is_live {
            *lock(&self.lines) = MultiProgress::with_draw_target(ProgressDrawTarget::stdout());
            anstream::println!();
        }
    }

    /// What the program of this name had to complain about.
    pub(crate) fn complaints(&self, name: &str) -> String {
        project::read(&self.log(name)).unwrap_or_default()
    }

    /// The result, except after Ctrl-C: then the end is the handler's, and what failed for it is no news.
    pub(crate) fn unless_stopped<T>(&self, result: Result<T>) -> Result<T> {
        while result.is_err() && self.children.is_stopped() {
            thread::park();
        }
        if result.is_err() {
            self.take_lines_away();
        }
        result
    }

    fn take_lines_away(&self) {
        let lines = self.lines();
        // A terminal that is gone shows nothing either.
        let _gone = lines.clear();
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
    // The lines stay unchanged: where the cursor is after the terminal's own `^C` nobody knows.
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
