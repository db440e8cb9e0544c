//! `--fix`: fixes unambiguous problems in files.

use std::fs::OpenOptions;
use std::io::Write as _;

use anyhow::{Context, Result, ensure};
use smithy_waiters_model::{Autofix, Change, autofix};

use crate::files::Files;
use crate::output;

/// Fixes files until nothing more can be fixed, and returns the changes. Writes a note for each change, and for each
/// event that is left with its reason.
pub(super) fn run(files: &Files) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for sources in files.models()? {
        let sources = sources?;
        let before: Vec<String> = sources.texts().map(|(_, text)| text.to_owned()).collect();
        let fixed = autofix(sources);
        let after = fixed.sources.texts().zip(&before);
        for ((name, text), _) in after.filter(|((_, text), before)| text != before) {
            write(name, text)?;
        }
        for change in &fixed.changes {
            let (file, line, column) = (&change.file, change.line, change.column);
            output::note(&format!(
                "{file}:{line}:{column}: {} is fixed",
                change.event.id
            ));
        }
        print_rejections(&fixed);
        changes.extend(fixed.changes);
    }
    output::note(&format!("{} made", output::count(changes.len(), "change")));
    Ok(changes)
}

/// Replaces the text of an existing file. Unlike a replacement of the file, this preserves links and permissions.
fn write(name: &str, text: &str) -> Result<()> {
    ensure!(
        !name.contains(char::REPLACEMENT_CHARACTER),
        "cannot fix `{name}`: `--fix` requires a file name in UTF-8"
    );
    let file = OpenOptions::new().write(true).truncate(true).open(name);
    let result = file.and_then(|mut file| file.write_all(text.as_bytes()));
    result.with_context(|| format!("cannot write `{name}`"))
}

fn print_rejections(fixed: &Autofix) {
    for (event, reason) in &fixed.rejections {
        let position = fixed.sources.position(event.at);
        let place = position.map_or_else(String::new, |at| {
            format!("{}:{}:{}: ", at.file, at.line, at.column)
        });
        output::note(&format!("{place}{} is not fixed: {reason}", event.id));
    }
}
