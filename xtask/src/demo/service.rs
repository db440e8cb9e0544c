//! The services, in Node: a DynamoDB-compatible server (dynalite), and two that fail.

use std::io::{BufReader, Lines};

use anyhow::{Context, Result, bail};

use super::children::{Child, Output};
use super::event::Event;
use super::language;
use super::stage::Stage;
use super::waiters::TABLE;

/// How long a table stays `CREATING` and `DELETING`, in milliseconds.
const CREATING: &str = "2500";
const DELETING: &str = "1000";

/// A program with services; it ends when this value is dropped.
pub(crate) struct Service<'a> {
    stage: &'a Stage<'a>,
    name: &'static str,
    program: Child,
    lines: Lines<BufReader<Output>>,
    pub(crate) port: u16,
}

impl<'a> Service<'a> {
    /// Starts a DynamoDB without tables.
    ///
    /// # Errors
    ///
    /// Returns what it wrote to its log if it does not start.
    pub(crate) fn start(stage: &'a Stage<'a>) -> Result<Self> {
        Self::launch(stage, "dynalite", "server.mjs", &[CREATING, DELETING])
    }

    /// Starts a service that never answers, and one on the next port that denies every request.
    ///
    /// # Errors
    ///
    /// Returns what they wrote to their log if they do not start.
    pub(crate) fn start_failing(stage: &'a Stage<'a>) -> Result<Self> {
        Self::launch(stage, "failing", "failing.mjs", &[])
    }

    fn launch(
        stage: &'a Stage<'a>,
        name: &'static str,
        script: &str,
        arguments: &[&str],
    ) -> Result<Self> {
        let program = stage.start(name, &language::node(stage.project, script, arguments))?;
        let mut service = Self {
            stage,
            name,
            lines: program.lines(),
            program,
            port: 0,
        };
        service.port = service.next_port()?;
        Ok(service)
    }

    /// Waits for the program's next service, and returns its port.
    ///
    /// # Errors
    ///
    /// Returns what the program wrote to its log if it ends before that.
    pub(crate) fn next_port(&mut self) -> Result<u16> {
        match self.hear()? {
            Event::Listening { port } => Ok(port),
            event => bail!("{} sent {event:?} in place of a port", self.name),
        }
    }

    /// Creates the table.
    pub(crate) fn create(&mut self) -> Result<()> {
        self.tell("create")
    }

    /// Deletes the table.
    pub(crate) fn delete(&mut self) -> Result<()> {
        self.tell("delete")
    }

    fn tell(&mut self, verb: &str) -> Result<()> {
        self.program.tell(&format!("{verb} {TABLE}"))?;
        self.hear()?;
        Ok(())
    }

    fn hear(&mut self) -> Result<Event> {
        let complaints = || {
            format!(
                "{} broke off:\n{}",
                self.name,
                self.stage.complaints(self.name)
            )
        };
        let line = self.lines.next().with_context(complaints)??;
        serde_json::from_str(&line).with_context(|| format!("{} sent `{line}`", self.name))
    }
}
