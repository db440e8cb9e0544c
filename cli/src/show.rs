//! `smithy-waiters show`: a waiter as a diagram of its states.

mod diagram;
mod mermaid;
mod picture;
mod text;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use smithy_waiters_model::{Entry, Kind, Model, id, lint, read};

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;
use diagram::Diagram;

/// Shows what a waiter does: its acceptors, in their order, and the states they lead to.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// The waiter's name, in any case
    waiter: String,
    #[command(flatten)]
    files: Files,
    /// What is drawn
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The operation, with or without its namespace, where several have a waiter of the name
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A Mermaid state diagram
    Mermaid,
    /// A picture
    Svg,
    /// Lines
    Text,
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut diagrams = Vec::new();
    let mut operations = Vec::new();
    for sources in options.files.models()? {
        let sources = sources?;
        let model = read(&sources);
        output::note_what_is_missing(&model);
        let waiters = options.waiters(&model);
        let events = if waiters.is_empty() {
            Vec::new()
        } else {
            lint(&model)
        };
        for (operation, waiter) in waiters {
            diagrams.push(options.render(&Diagram::of(operation, &waiter, &events)));
            operations.push(format!("`{operation}`"));
        }
    }
    if diagrams.is_empty() {
        bail!(
            "no operation has a waiter `{}`: `smithy-waiters list` lists all",
            options.waiter
        );
    }
    ensure!(
        diagrams.len() == 1 || options.format == Format::Text,
        "several operations have a waiter `{}`: choose one of {} with `--operation`",
        options.waiter,
        operations.join(", ")
    );
    output::print(&diagrams.concat())?;
    Ok(Outcome::Clean)
}

impl Options {
    /// The waiters of the name, with their operations.
    fn waiters<'a>(&self, model: &Model<'a>) -> Vec<(&'a str, Entry<'a>)> {
        let mut waiters = Vec::new();
        for operation in model.of_kind(Kind::Operation) {
            let applied = operation.find_trait("smithy.waiters#waitable");
            let entries = applied.map_or(&[][..], |applied| applied.value.entries());
            let named = entries
                .iter()
                .filter(|entry| self.matches(operation.id, entry.key));
            waiters.extend(named.map(|waiter| (operation.id, *waiter)));
        }
        waiters
    }

    fn matches(&self, operation: &str, waiter: &str) -> bool {
        let is_named = |wanted: &String| *wanted == operation || wanted == id::name(operation);
        waiter.eq_ignore_ascii_case(&self.waiter) && self.operation.as_ref().is_none_or(is_named)
    }

    fn render(&self, diagram: &Diagram<'_>) -> String {
        match self.format {
            Format::Mermaid => mermaid::of(diagram),
            Format::Svg => picture::of(diagram),
            Format::Text => text::of(diagram),
        }
    }
}
