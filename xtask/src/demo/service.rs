//! The DynamoDB-compatible server: dynalite, in a program of its own.

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

const LOG: &str = "dynalite";

/// A server without any table; gone when this value is.
pub(crate) struct Service<'a> {
    stage: &'a Stage<'a>,
    program: Child,
    lines: Lines<BufReader<Output>>,
    pub(crate) port: u16,
}

impl<'a> Service<'a> {
    /// Starts it on a port that is free.
    ///
    /// # Errors
    ///
    /// When it does not start; with what it had to complain about.
    pub(crate) fn start(stage: &'a Stage<'a>) -> Result<Self> {
        let command = language::node(stage.project, "server.mjs", &[CREATING, DELETING]);
        let program = stage.start(LOG, &command)?;
        let mut service = Self {
            stage,
            lines: program.lines(),
            program,
            port: 0,
        };
        match service.hear()? {
            Event::Listening { port } => service.port = port,
            event => bail!("dynalite says {event:?} before it listens"),
        }
        Ok(service)
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
        let complaints = || format!("dynalite broke off:\n{}", self.stage.complaints(LOG));
        let line = self.lines.next().with_context(complaints)??;
        serde_json::from_str(&line).with_context(|| format!("dynalite says `{line}`"))
    }
}
