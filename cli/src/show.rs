//! `smithy-waiters show`: a waiter as a diagram of its states.

mod diagram;

use anyhow::{Result, bail};
use clap::ValueEnum;
use smithy_waiters_model::{Entry, Kind, Model, read};

use crate::files::Files;
use crate::{Answer, output};
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
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A Mermaid state diagram
    Mermaid,
    /// A picture
    Svg,
    /// Lines
    Text,
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Answer> {
    let mut out = String::new();
    for sources in options.files.models()? {
        let sources = sources?;
        let model = read(&sources);
        for (operation, waiter) in named(&model, &options.waiter) {
            let diagram = Diagram::of(operation, waiter);
            out.push_str(&match options.format {
                Format::Mermaid => diagram.mermaid(),
                Format::Svg => diagram.svg(),
                Format::Text => diagram.text(),
            });
        }
    }
    if out.is_empty() {
        bail!(
            "no operation has a waiter `{}`: `smithy-waiters list` lists all",
            options.waiter
        );
    }
    output::print(&out)?;
    Ok(Answer::Good)
}

/// The waiters of a name, with their operations.
fn named<'a>(model: &Model<'a>, name: &str) -> Vec<(&'a str, &'a Entry<'a>)> {
    let mut found = Vec::new();
    for operation in model.of_kind(Kind::Operation) {
        let applied = operation.find_trait("smithy.waiters#waitable");
        let entries = applied.map_or(&[][..], |applied| applied.value.entries());
        let waiters = entries
            .iter()
            .filter(|entry| entry.key.eq_ignore_ascii_case(name));
        found.extend(waiters.map(|waiter| (operation.id, waiter)));
    }
    found
}
