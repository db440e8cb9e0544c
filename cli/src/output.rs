//! Writes to standard output and standard error.

use std::io::{ErrorKind, Write};

use anyhow::Result;
use smithy_waiters_model::{Event, Model, Severity};

/// Writes a text to standard output, with its colours where these are seen. Whoever stops reading is not told again.
pub(crate) fn print(text: &str) -> Result<()> {
    let written = anstream::stdout().lock().write_all(text.as_bytes());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes a line to standard error.
pub(crate) fn note(text: &str) {
    anstream::eprintln!("{text}");
}

/// Says that a model is not all there, where that is so.
pub(crate) fn note_what_is_missing(model: &Model<'_>) {
    let is_error = |event: &&Event| event.severity == Severity::Error;
    let errors = model.events().iter().filter(is_error).count();
    if errors > 0 {
        let errors = count(errors, "error");
        note(&format!(
            "the model has {errors} and may be shown in part: `smithy-waiters lint` says where"
        ));
    }
}

/// Writes an error with its causes, outermost first.
pub(crate) fn failure(error: &anyhow::Error) {
    anstream::eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        anstream::eprintln!("  because: {cause}");
    }
}

/// A number with its noun, `1 error`, `2 errors`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
