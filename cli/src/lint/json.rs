//! Events as one JSON array.

use serde::Serialize;

use super::findings::Findings;

/// The events so far.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Events {
    events: Vec<Object>,
}

/// An event, with its place where it has one.
#[derive(Debug, Serialize)]
struct Object {
    id: String,
    severity: &'static str,
    shape: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
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
            });
        }
    }

    pub(super) fn finish(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
