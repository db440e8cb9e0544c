//! `smithy-waiters presets`: lists and shows the ready definitions of `wait --preset`.

use anyhow::Result;
use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use smithy_waiters::Waiter;
use smithy_waiters::internal::PRESETS;

use crate::outcome::Outcome;
use crate::output;

/// Lists the presets of `wait --preset`, or shows one with its definition.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// The name of a preset, such as `kubernetes/deployment`; if omitted, all are listed
    name: Option<String>,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The definition, for `--waiter FILE`; of all presets, an object with each one's
    Json,
    /// Readable text, with the limits and the sources
    Text,
}

/// The width of the text, in characters.
const WIDTH: usize = 100;

/// The parts of a preset for people.
#[derive(Deserialize)]
struct Preset {
    documentation: String,
    call: String,
    same: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
    sources: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let text = match (&options.name, options.format) {
        (Some(name), Format::Json) => pretty(&definition(name)?)?,
        (Some(name), Format::Text) => page(name)?,
        (None, Format::Json) => {
            let one = |(name, _): &(&str, &str)| Ok(((*name).to_owned(), definition(name)?));
            let all: Result<Map<String, Json>> = PRESETS.iter().map(one).collect();
            pretty(&all?.into())?
        }
        (None, Format::Text) => list()?,
    };
    output::print(&text)?;
    Ok(Outcome::Clean)
}

fn definition(name: &str) -> Result<Json> {
    Ok(Waiter::preset(name)?.definition())
}

fn pretty(json: &Json) -> Result<String> {
    Ok(serde_json::to_string_pretty(json)? + "\n")
}

fn list() -> Result<String> {
    let width = PRESETS.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or_default();
    let line = |(name, text): &(&str, &str)| {
        let preset: Preset = serde_json::from_str(text)?;
        Ok(format!("{name:width$}  {}\n", preset.documentation))
    };
    PRESETS.iter().map(line).collect()
}

fn page(name: &str) -> Result<String> {
    let definition = pretty(&definition(name)?)?;
    let text = PRESETS.iter().find(|(known, _)| *known == name);
    let preset: Preset = serde_json::from_str(text.map_or("{}", |(_, text)| text))?;
    let same = preset.same.as_ref().map_or("", |_| "--same VALUE ");
    let mut parts = vec![
        format!("{name}: {}", preset.documentation),
        format!(
            "  smithy-waiters wait --preset {name} {same}-- {}",
            preset.call
        ),
    ];
    let item = textwrap::Options::new(WIDTH)
        .initial_indent("- ")
        .subsequent_indent("  ");
    let notes = preset.notes.iter().map(|note| textwrap::fill(note, &item));
    parts.extend((!preset.notes.is_empty()).then(|| notes.collect::<Vec<_>>().join("\n")));
    parts.push(format!("Sources:\n{}", preset.sources.join("\n")));
    let also = preset.same.as_ref().map_or_else(String::new, |same| {
        format!(" with `--same \"{same}=VALUE\"`")
    });
    parts.push(format!(
        "Definition, for `--waiter FILE`{also}:\n{definition}"
    ));
    Ok(parts.join("\n\n"))
}
