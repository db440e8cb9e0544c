//! `smithy-waiters show`: shows a waiter as a state diagram.

mod diagram;
mod mermaid;
mod picture;
mod text;

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use clap::ValueEnum;
use smithy_waiters_model::{lint, read};

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;
use crate::waiters;
use diagram::Diagram;

/// Shows a waiter as a state diagram.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// The name of the waiter, case-insensitive
    waiter: String,
    #[command(flatten)]
    files: Files,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The operation, with or without its namespace, if several have a waiter of this name
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A Mermaid state diagram
    Mermaid,
    /// An SVG image
    Svg,
    /// Plain text
    Text,
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut diagrams = Vec::new();
    let mut operations = Vec::new();
    let mut names = BTreeSet::new();
    for sources in options.files.models()? {
        let sources = sources?;
        let model = read(&sources);
        output::note_incomplete_model(&model);
        waiters::names(&model, &mut names);
        let named = waiters::find(&model, &options.waiter, options.operation.as_deref());
        let events = if named.is_empty() {
            Vec::new()
        } else {
            lint(&model)
        };
        for (operation, waiter) in named {
            diagrams.push(options.render(&Diagram::new(operation, &waiter, &events)));
            operations.push(operation.to_owned());
        }
    }
    if diagrams.is_empty() {
        bail!(waiters::missing(
            &options.waiter,
            options.operation.as_deref(),
            &names
        ));
    }
    if diagrams.len() > 1 && options.format != Format::Text {
        bail!(waiters::ambiguous(&options.waiter, &operations));
    }
    output::print(&diagrams.concat())?;
    Ok(Outcome::Clean)
}

impl Options {
    fn render(&self, diagram: &Diagram<'_>) -> String {
        match self.format {
            Format::Mermaid => mermaid::render(diagram),
            Format::Svg => picture::render(diagram),
            Format::Text => text::render(diagram),
        }
    }
}
