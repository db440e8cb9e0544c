//! Events as GitHub workflow commands, which GitHub shows beside the lines of a change.

use std::fmt::Write as _;

use smithy_waiters_model::{Event, Severity};

use super::findings::Findings;

/// Writes one command per line.
pub(super) fn write(findings: &Findings<'_>, out: &mut String) {
    for event in &findings.events {
        let command = match event.severity {
            Severity::Note | Severity::Suppressed => "notice",
            Severity::Warning => "warning",
            _ => "error",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "::{command} {}title={}::{}",
            place(findings, event),
            property(&event.id),
            data(&event.message)
        );
    }
}

fn place(findings: &Findings<'_>, event: &Event) -> String {
    let place = findings.sources.place(event);
    place.map_or_else(String::new, |(start, end)| {
        let file = property(start.file);
        let (line, column) = (start.line, start.column);
        // GitHub reads both columns as those of the first line.
        let last = if end.line == line {
            end.column.saturating_sub(1)
        } else {
            column
        };
        format!(
            "file={file},line={line},col={column},endColumn={},",
            last.max(column)
        )
    })
}

/// Escapes a message for a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
