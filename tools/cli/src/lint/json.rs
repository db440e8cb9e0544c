//! Events as one JSON array.

use serde::Serialize;
use smithy_waiters_model::Change;

use super::findings::Findings;

/// The events so far.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Events {
    events: Vec<Object>,
}

/// An event, with its position if there is one.
#[derive(Debug, Serialize)]
struct Object {
    id: String,
    severity: &'static str,
    shape: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
    /// The text that causes the event. `line` and `column` are the position that Smithy reports, such as the trait's.
    culprit: Option<Range>,
    /// `true` for an event that `--fix` fixed. Its position is that before the fix.
    fixed: bool,
}

/// A part of a file; the end is exclusive.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl Events {
    pub(super) fn add(&mut self, findings: &Findings<'_>) {
        for event in &findings.events {
            let position = findings.sources.position(event.at);
            self.events.push(Object {
                id: event.id.clone(),
                severity: event.severity.name(),
                shape: event.shape.clone(),
                file: position.map(|position| position.file.to_owned()),
                line: position.map(|position| position.line),
                column: position.map(|position| position.column),
                message: event.message.clone(),
                culprit: findings.sources.place(event).map(|(start, end)| Range {
                    file: start.file.to_owned(),
                    line: start.line,
                    column: start.column,
                    end_line: end.line,
                    end_column: end.column,
                }),
                fixed: false,
            });
        }
    }

    pub(super) fn add_changes(&mut self, changes: Vec<Change>) {
        self.events.extend(changes.into_iter().map(|change| Object {
            id: change.event.id,
            severity: change.event.severity.name(),
            shape: change.event.shape,
            file: Some(change.file),
            line: Some(change.line),
            column: Some(change.column),
            message: change.event.message,
            culprit: None,
            fixed: true,
        }));
    }

    pub(super) fn finish(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
