//! `smithy-waiters lint`: what is wrong with models.

mod findings;
mod fix;
mod github;
mod json;
mod sarif;
mod text;

use std::collections::HashSet;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use smithy_waiters_model::{At, Event, Severity, Sources, lint, read};

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;
use findings::Findings;

/// Says what is wrong with the waiters and behaviour traits of models.
///
/// Exit code: 0 if nothing is as bad as `--deny`, 1 if something is, 2 if the command could not do its work.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
    /// How events are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The least severity at which the command fails; by default that at which Smithy's own build does
    #[arg(long, value_enum, default_value_t = Level::Danger, value_name = "SEVERITY")]
    deny: Level,
    /// Mends what takes no judgement, in the files: the case of names and values, a `use` that is missing, acceptors that are not needed
    #[arg(long)]
    fix: bool,
    /// The least severity that is shown
    #[arg(long, value_enum, default_value_t = Level::Warning, value_name = "SEVERITY")]
    show: Level,
}

/// How events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Commands of GitHub's workflows, which show events beside the lines
    Github,
    /// One array of `{id, severity, shape, file, line, column, message, culprit}`
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// For people, with the culprit underlined
    Text,
}

/// A severity, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Level {
    Suppressed,
    Note,
    Warning,
    Danger,
    Error,
}

impl Level {
    const fn of(severity: Severity) -> Self {
        match severity {
            Severity::Suppressed => Self::Suppressed,
            Severity::Note => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Danger => Self::Danger,
            // A severity of a later release is worse than none.
            _ => Self::Error,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut writer = Writer::new(options.format);
    let mut tally = Tally::default();
    if options.fix {
        ensure!(
            !options.files.has_stdin(),
            "`--fix` changes files, and standard input is none"
        );
        fix::run(&options.files)?;
    }
    for sources in options.files.partitions()? {
        let sources = sources?;
        let model = read(&sources);
        let mut events = lint(&model);
        // Smithy says some things twice, and so does what is compared with it; people read them once.
        if options.format != Format::Json {
            events.dedup();
            remove_consequences(&mut events);
            in_order_of_text(&sources, &mut events);
        }
        tally.files = tally.files.saturating_add(sources.texts().count());
        events.iter().for_each(|event| tally.count(event, options));
        events.retain(|event| Level::of(event.severity) >= options.show);
        let sources = &sources;
        writer.add(&Findings { sources, events });
    }
    let mut text = writer.finish()?;
    if options.format == Format::Text {
        // To the same stream as the events: logs do not keep the order of two.
        text += &(tally.sentence(options) + "\n");
    }
    output::print(&text)?;
    Ok(if tally.denied {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

/// Removes the events whose cause is among the others, unless that is suppressed.
fn remove_consequences(events: &mut Vec<Event>) {
    let place = |event: &Event| event.culprit.map(|culprit| culprit.value);
    let causes = events
        .iter()
        .filter(|event| !event.is_consequence && event.severity != Severity::Suppressed);
    let causes: HashSet<Option<At>> = causes.map(place).collect();
    events.retain(|event| !(event.is_consequence && causes.contains(&place(event))));
}

/// Smithy's order is that of the places that it names, of traits for example; people read the culprits' lines.
fn in_order_of_text(sources: &Sources, events: &mut [Event]) {
    events.sort_by_cached_key(|event| {
        let (start, _) = sources.place(event)?;
        Some((start.file.to_owned(), start.line, start.column))
    });
}

/// Writes findings, model by model.
#[derive(Debug)]
enum Writer {
    Github(String),
    Json(json::Events),
    Sarif(sarif::Log),
    Text(String),
}

impl Writer {
    fn new(format: Format) -> Self {
        match format {
            Format::Github => Self::Github(String::new()),
            Format::Json => Self::Json(json::Events::default()),
            Format::Sarif => Self::Sarif(sarif::Log::default()),
            Format::Text => Self::Text(String::new()),
        }
    }

    fn add(&mut self, findings: &Findings<'_>) {
        match self {
            Self::Github(text) => github::write(findings, text),
            Self::Json(events) => events.add(findings),
            Self::Sarif(log) => log.add(findings),
            Self::Text(text) => text::write(findings, text),
        }
    }

    fn finish(self) -> Result<String> {
        match self {
            Self::Github(text) | Self::Text(text) => Ok(text),
            Self::Json(events) => events.finish(),
            Self::Sarif(log) => Ok(log.finish()),
        }
    }
}

/// How many events there are, in how many files.
#[derive(Debug, Default)]
struct Tally {
    errors: usize,
    dangers: usize,
    warnings: usize,
    notes: usize,
    hidden: usize,
    files: usize,
    denied: bool,
}

impl Tally {
    fn count(&mut self, event: &Event, options: &Options) {
        let level = Level::of(event.severity);
        let count = match level {
            Level::Error => &mut self.errors,
            Level::Danger => &mut self.dangers,
            Level::Warning => &mut self.warnings,
            Level::Note => &mut self.notes,
            Level::Suppressed => return,
        };
        *count = count.saturating_add(1);
        self.hidden = self
            .hidden
            .saturating_add(usize::from(level < options.show));
        self.denied |= level >= options.deny;
    }

    fn sentence(&self, options: &Options) -> String {
        let counts = [
            (self.errors, "error"),
            (self.dangers, "danger"),
            (self.warnings, "warning"),
            (self.notes, "note"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(count, noun)| output::count(*count, noun))
            .collect();
        if counts.is_empty() {
            return format!("nothing found in {}", output::count(self.files, "file"));
        }
        let hidden = match (self.hidden, options.show) {
            (0, _) => String::new(),
            (hidden, _) => format!(" ({hidden} not shown: `--show note`)"),
        };
        format!("{}{hidden}", counts.join(", "))
    }
}
