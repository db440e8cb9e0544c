//! The services, which run in Node: a DynamoDB-compatible server (dynalite), and two services that fail.

use std::io::{BufReader, Lines};

use anyhow::{Context, Result, bail};

use super::children::{Child, Output};
use super::event::Event;
use super::language;
use super::stage::Stage;
use super::waiters::TABLE;

/// The times that a table stays `CREATING` and `DELETING`, in milliseconds.
const CREATING: &str = "2500";
const DELETING: &str = "1000";

/// A program that runs services. It ends when this value is dropped.
pub(crate) struct Service<'a> {
    stage: &'a Stage<'a>,
    name: &'static str,
    program: Child,
    lines: Lines<BufReader<Output>>,
    pub(crate) port: u16,
}

impl<'a> Service<'a> {
    /// Starts a DynamoDB-compatible server without tables.
    ///
    /// # Errors
    ///
    /// Fails with the program's error log if it does not start.
    pub(crate) fn start(stage: &'a Stage<'a>) -> Result<Self> {
        Self::launch(stage, "dynalite", "server.mjs", &[CREATING, DELETING])
    }

    /// Starts a service that never responds, and a second one that denies every request.
    ///
    /// # Errors
    ///
    /// Fails with the program's error log if it does not start.
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
    /// Fails with the program's error log if it ends early.
    pub(crate) fn next_port(&mut self) -> Result<u16> {
        match self.receive()? {
            Event::Listening { port } => Ok(port),
            event => bail!("{} sent {event:?} instead of a port", self.name),
        }
    }

    /// Creates the table.
    pub(crate) fn create(&mut self) -> Result<()> {
        self.send_line("create")
    }

    /// Deletes the table.
    pub(crate) fn delete(&mut self) -> Result<()> {
        self.send_line("delete")
    }

    fn send_line(&mut self, verb: &str) -> Result<()> {
        self.program.send_line(&format!("{verb} {TABLE}"))?;
        self.receive()?;
        Ok(())
    }

    fn receive(&mut self) -> Result<Event> {
        let error_log = || {
            format!(
                "{} ended early:\n{}",
                self.name,
                self.stage.error_log(self.name)
            )
        };
        let line = self.lines.next().with_context(error_log)??;
        serde_json::from_str(&line)
            .with_context(|| format!("invalid event from {}: `{line}`", self.name))
    }
}
