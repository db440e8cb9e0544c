//! Calls the component's functions for the vectors, and converts its records to the format of the vectors.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value as Json, json};

use crate::host::Host;

/// The component, running in a host.
pub(crate) struct Engine<'h> {
    host: &'h mut dyn Host,
    /// The resources to drop after the vector.
    resources: Vec<Json>,
}

/// The result of a function, or the error of its WIT `result` in the format of the vectors.
pub(crate) type Answer = Result<Result<Json, Json>>;

impl<'h> Engine<'h> {
    pub(crate) fn new(host: &'h mut dyn Host) -> Self {
        let resources = Vec::new();
        Self { host, resources }
    }

    pub(crate) fn call(&mut self, interface: &str, function: &str, arguments: &[Json]) -> Answer {
        let answer = self.host.call(interface, function, arguments)?;
        if let Ok(made) = &answer
            && made.get("resource").is_some()
        {
            self.resources.push(made.clone());
        }
        Ok(match answer {
            Ok(value) => Ok(value),
            Err(error) => Err(error_of(&error)?),
        })
    }

    /// Calls a function that does not return errors.
    pub(crate) fn get(&mut self, interface: &str, function: &str, arguments: &[Json]) -> Result<Json> {
        match self.call(interface, function, arguments)? {
            Ok(value) => Ok(value),
            Err(error) => bail!("{interface}/{function}: {error}"),
        }
    }

    /// Drops all resources, in the reverse order of their creation.
    pub(crate) fn finish(mut self) -> Result<()> {
        while let Some(resource) = self.resources.pop() {
            self.host.drop_resource(&resource)?;
        }
        Ok(())
    }
}

/// Converts a variant `error` to `{"error": {"class": …}}`.
fn error_of(error: &Json) -> Result<Json> {
    let kind = error["variant"][0].as_str().context("the error is not a variant")?;
    let class = match kind {
        "definition" => "DefinitionError",
        "expression" => "ExpressionError",
        "options" => "OptionsError",
        "state" => "StateError",
        _ => bail!("the runner passed a text that is not JSON: {error}"),
    };
    let mut members = members(&error["variant"][1]);
    members.insert("class".to_owned(), class.into());
    if kind == "options" {
        // The names of options are in camel case in vectors.
        for member in ["option", "message"] {
            let text = members[member].as_str().unwrap_or_default();
            members.insert(member.to_owned(), camel(text).into());
        }
    }
    Ok(json!({"error": members}))
}

/// Converts the `kebab-case` words in backticks, or the whole text, to camel case.
fn camel(text: &str) -> String {
    let (mut camel, mut quoted, mut raised) = (String::new(), !text.contains('`'), false);
    for letter in text.chars() {
        match letter {
            '-' if quoted => raised = true,
            _ => {
                quoted ^= letter == '`';
                camel.push(if raised { letter.to_ascii_uppercase() } else { letter });
                raised = false;
            }
        }
    }
    camel
}

/// Returns the members of a record, with names in camel case.
pub(crate) fn members(record: &Json) -> Map<String, Json> {
    let members = record["record"].as_object().into_iter().flatten();
    members.map(|(name, value)| (camel(name), value.clone())).collect()
}

/// Converts a step of a wait.
pub(crate) fn step(step: &Json) -> Json {
    let payload = &step["variant"][1];
    let members = members(payload);
    match step["variant"][0].as_str() {
        Some("call") => json!({"type": "call", "attempt": members["attempt"], "deadlineMs": members["deadline"]}),
        Some("sleep") => json!({"type": "sleep", "untilMs": members["until"], "last": members["last"]}),
        _ => json!({"type": "done", "report": report(payload)}),
    }
}

fn report(report: &Json) -> Json {
    let mut report = members(report);
    for name in ["explanation", "label", "waiter"] {
        report.remove(name);
    }
    rename(&mut report, "elapsed", "elapsedMs");
    rename(&mut report, "noticedWithin", "noticedWithinMs");
    let history = report["history"].as_array().into_iter().flatten();
    let history: Json = history.map(attempt).collect();
    report.insert("history".to_owned(), history);
    report.into()
}

fn attempt(attempt: &Json) -> Json {
    let mut attempt = members(attempt);
    for (name, other) in [("started", "startedMs"), ("ended", "endedMs"), ("delay", "delayMs")] {
        rename(&mut attempt, name, other);
    }
    let reasons = reasons(&attempt["reasons"]);
    attempt.insert("reasons".to_owned(), reasons);
    let values = attempt["values"].as_array().into_iter().flatten();
    let values: Vec<Json> = values.map(|value| members(value).into()).collect();
    if values.is_empty() {
        attempt.remove("values");
    } else {
        attempt.insert("values".to_owned(), values.into());
    }
    attempt.into()
}

pub(crate) fn reasons(reasons: &Json) -> Json {
    let reason = |reason: &Json| {
        let mut members = members(reason);
        let code = members["code"].as_str().unwrap_or_default();
        let matched = matches!(code, "matched" | "matched_by_class");
        members.insert("matched".to_owned(), matched.into());
        Json::from(members)
    };
    reasons.as_array().into_iter().flatten().map(reason).collect()
}

fn rename(members: &mut Map<String, Json>, name: &str, other: &str) {
    if let Some(value) = members.remove(name) {
        members.insert(other.to_owned(), value);
    }
}

/// Converts a step of a request.
pub(crate) fn request_step(step: &Json) -> Json {
    let payload = &step["variant"][1];
    let members = members(payload);
    match step["variant"][0].as_str() {
        Some("call") => json!({"type": "call", "attempt": members["attempt"], "deadlineMs": members["deadline"]}),
        Some("sleep") => json!({"type": "sleep", "untilMs": payload}),
        Some(name @ ("acquire" | "refresh" | "record" | "release")) => json!({"type": name}),
        _ => {
            let end = self::members(&members["end"]);
            let member = |name: &str| end.get(name).cloned().unwrap_or_default();
            json!({"type": "done", "attempts": members["attempts"], "end": member("code"), "message": member("message")})
        }
    }
}
