//! Events as SARIF 2.1.0, for code scanning.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use smithy_waiters_model::{Event, Severity};

use super::findings::Findings;
use crate::explain;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log so far.
#[derive(Debug, Default)]
pub(super) struct Log {
    results: Vec<Value>,
    /// The rules that the results refer to, by id.
    rules: BTreeMap<String, Value>,
}

impl Log {
    pub(super) fn add(&mut self, findings: &Findings<'_>) {
        for event in &findings.events {
            let rule = explain::rule(explain::own_id(&event.id));
            self.rules
                .entry(rule.to_owned())
                .or_insert_with(|| rule_object(rule));
            self.results.push(result(findings, event, rule));
        }
    }

    pub(super) fn finish(self) -> String {
        let rules: Vec<Value> = self.rules.into_values().collect();
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "smithy-waiters",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                }},
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        });
        format!("{log:#}\n")
    }
}

fn rule_object(rule: &str) -> Value {
    let mut object = json!({"id": rule});
    if let (Some(text), Some(object)) = (explain::text(rule), object.as_object_mut()) {
        object.insert("fullDescription".to_owned(), json!({"text": text}));
    }
    object
}

fn result(findings: &Findings<'_>, event: &Event, rule: &str) -> Value {
    let level = match event.severity {
        Severity::Note | Severity::Suppressed => "note",
        Severity::Warning => "warning",
        _ => "error",
    };
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": event.message},
        "properties": {"id": event.id, "severity": event.severity.name(), "shape": event.shape},
    });
    if let Some(object) = result.as_object_mut() {
        if let Some(location) = location(findings, event) {
            object.insert("locations".to_owned(), json!([location]));
        }
        if event.severity == Severity::Suppressed {
            object.insert("suppressions".to_owned(), json!([{"kind": "inSource"}]));
        }
    }
    result
}

/// Returns the location of the culprit.
fn location(findings: &Findings<'_>, event: &Event) -> Option<Value> {
    let (start, end) = findings.sources.place(event)?;
    Some(json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(start.file)},
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    }}))
}

/// Converts a path to a URI: a `file:` URI if it is absolute, otherwise relative to the current directory.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    };
    let encoded = path.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    });
    let encoded: String = encoded.collect();
    if !Path::new(&path).is_absolute() {
        return encoded;
    }
    format!("file:///{}", encoded.trim_start_matches('/'))
}
