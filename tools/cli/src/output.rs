//! Writes to standard output and standard error.

use std::io::{ErrorKind, Write};

use anyhow::Result;
use smithy_waiters_model::{Event, Model, Severity};

/// Writes a text to standard output, in colour if it is a terminal. Ignores a closed pipe.
pub(crate) fn print(text: &str) -> Result<()> {
    let result = anstream::stdout().lock().write_all(text.as_bytes());
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Writes a line to standard error.
pub(crate) fn note(text: &str) {
    anstream::eprintln!("{text}");
}

/// Writes a note to standard error if a model has errors, because the output may lack parts of it.
pub(crate) fn note_incomplete_model(model: &Model<'_>) {
    let is_error = |event: &&Event| event.severity == Severity::Error;
    let errors = model.events().iter().filter(is_error).count();
    if errors > 0 {
        let errors = count(errors, "error");
        note(&format!(
            "the model has {errors}, so the output may be incomplete: run `smithy-waiters lint`"
        ));
    }
}

/// Writes an error with its causes, outermost first.
pub(crate) fn failure(error: &anyhow::Error) {
    anstream::eprintln!("error: {}", shorten(&error.to_string()));
    for cause in error.chain().skip(1) {
        anstream::eprintln!("  because: {}", shorten(&cause.to_string()));
    }
}

/// The maximum number of characters of a line in an error. A longer one quotes a long value.
const MAX_LINE: usize = 4_000;

/// Cuts the middle of long lines.
pub(crate) fn shorten(text: &str) -> String {
    let shorten = |line: &str| {
        let length = line.chars().count();
        if length <= MAX_LINE {
            return line.to_owned();
        }
        let part = MAX_LINE / 10;
        let start: String = line.chars().take(part).collect();
        let end: String = line.chars().skip(length.saturating_sub(part)).collect();
        format!("{start}… ({length} characters) …{end}")
    };
    text.split('\n').map(shorten).collect::<Vec<_>>().join("\n")
}

/// Returns the beginning of a text, and `…` if there is more.
pub(crate) fn excerpt(text: &str, characters: usize) -> String {
    let mut excerpt: String = text.chars().take(characters).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

/// Formats a number with its noun: `1 error`, `2 errors`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
