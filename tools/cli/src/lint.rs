//! `smithy-waiters lint`: checks models.

mod findings;
mod fix;
mod github;
mod json;
mod sarif;
mod text;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use smithy_waiters_model::{Change, Event, Severity, Sources, lint_with_vocabulary, read};

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;
use crate::vocabulary::VocabularyFile;
use findings::Findings;

/// Checks the waiters and behaviour traits of models.
///
/// Exit code: 0 without findings at or above the `--deny` level, 1 with such findings, 2 on any other failure.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    vocabulary: VocabularyFile,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The lowest severity that fails the command; by default the one that fails Smithy's own build
    #[arg(long, value_enum, default_value_t = Level::Danger, value_name = "SEVERITY")]
    deny: Level,
    /// Fixes unambiguous problems in the files: the case of names and values, missing `use` statements, redundant
    /// acceptors
    #[arg(long)]
    fix: bool,
    /// The lowest severity to show
    #[arg(long, value_enum, default_value_t = Level::Warning, value_name = "SEVERITY")]
    show: Level,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// GitHub workflow commands, shown beside the lines
    Github,
    /// An array of `{id, severity, shape, file, line, column, message, culprit, fixed}`
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Readable text, with the culprit underlined
    Text,
}

/// A severity on the command line, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Level {
    Suppressed,
    Note,
    Warning,
    Danger,
    Error,
}

impl Level {
    const fn from_severity(severity: Severity) -> Self {
        match severity {
            Severity::Suppressed => Self::Suppressed,
            Severity::Note => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Danger => Self::Danger,
            // An unknown severity fails the command, so that it is not missed.
            _ => Self::Error,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut writer = Writer::new(options.format);
    let mut tally = Tally::default();
    let vocabulary = options.vocabulary.read()?;
    if options.fix {
        ensure!(
            !options.files.has_stdin(),
            "cannot use `--fix` with standard input"
        );
        ensure!(
            !options.files.is_botocore(),
            "cannot use `--fix` with `--botocore`"
        );
        writer.add_changes(fix::run(&options.files)?);
    }
    for sources in options.files.partitions()? {
        let sources = sources?;
        let model = read(&sources);
        let mut events = lint_with_vocabulary(&model, &vocabulary);
        sort_by_position(&sources, &mut events);
        tally.files = tally.files.saturating_add(sources.texts().count());
        events.iter().for_each(|event| tally.count(event, options));
        events.retain(|event| Level::from_severity(event.severity) >= options.show);
        let sources = &sources;
        writer.add(&Findings { sources, events });
    }
    let mut text = writer.finish()?;
    if options.format == Format::Text {
        // The same stream as the events: logs do not preserve the order of two streams.
        text += &(tally.sentence(options) + "\n");
    }
    output::print(&text)?;
    Ok(if tally.denied {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

/// Returns events as readable text.
pub(crate) fn render(sources: &Sources, mut events: Vec<Event>) -> String {
    let mut out = String::new();
    sort_by_position(sources, &mut events);
    text::write(&Findings { sources, events }, &mut out);
    out
}

/// Sorts events by the position of their culprits. Smithy's order is that of the shapes and traits.
fn sort_by_position(sources: &Sources, events: &mut [Event]) {
    events.sort_by_cached_key(|event| {
        let (start, _) = sources.place(event)?;
        Some((start.file.to_owned(), start.line, start.column))
    });
}

/// Writes the findings of one model after another.
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

    /// Adds the changes of `--fix` to the format for programs. The other formats are of findings only.
    fn add_changes(&mut self, changes: Vec<Change>) {
        if let Self::Json(events) = self {
            events.add_changes(changes);
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

/// The number of events by severity, and the number of files.
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
        let level = Level::from_severity(event.severity);
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
            return format!("no findings in {}", output::count(self.files, "file"));
        }
        let hidden = match (self.hidden, options.show) {
            (0, _) => String::new(),
            (hidden, _) => format!(" ({hidden} not shown: `--show note`)"),
        };
        format!("{}{hidden}", counts.join(", "))
    }
}
