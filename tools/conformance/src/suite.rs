//! The files of the kit: `conformance/schema.json` describes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// A verdict suite: the waiters of a service, and answers with the states that they must enter.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct Suite {
    /// The version of the format.
    pub version: u32,
    /// `verdicts`
    pub kind: String,
    /// The first part of all ids.
    pub suite: String,
    /// A description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The service.
    pub service: Service,
    /// The waiters by name.
    pub waiters: BTreeMap<String, Waiter>,
    /// The cases.
    pub cases: Vec<Case>,
    /// The acceptors without a response that just matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_covered: Vec<NotCovered>,
}

/// A service.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct Service {
    /// The absolute id of the shape, or the namespace of a model without a service.
    pub shape: String,
    /// The SDKs' name of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sdk_id: Option<String>,
    /// botocore's name of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub botocore: Option<String>,
    /// The version of the API.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_version: Option<String>,
    /// The protocol of [`Answer::http`]; `None` for a model without one.
    pub protocol: Option<String>,
    /// The file of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the suite is derived from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A waiter.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct Waiter {
    /// The name of the operation shape.
    pub operation: String,
    /// The Waiter structure of the specification.
    pub definition: Json,
    /// An input that a client accepts.
    pub params: Map<String, Json>,
    /// Answers by role: `ready`, `pending`, `failed`, `denied`, `throttled`.
    pub answers: BTreeMap<String, Answer>,
}

/// The service's answer: an output or an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct Answer {
    /// The output by the names of its members.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Json>,
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorAnswer>,
    /// The answer in the suite's protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<Http>,
    /// The answer in the other protocols of the service.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_protocols: BTreeMap<String, Http>,
}

/// An error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct ErrorAnswer {
    /// The name that the error has for the client.
    pub code: String,
    /// The name of the shape, if the operation or the service has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

/// An HTTP response.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct Http {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: BTreeMap<String, String>,
    /// The body as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The body as base64, if it is not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_base64: Option<String>,
}

/// A state, and the acceptor that causes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct Verdict {
    /// `success`, `failure` or `retry`.
    pub state: String,
    /// The index of the acceptor.
    pub acceptor: Option<usize>,
}

/// The weight of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "the schema defines the values")]
pub enum Basis {
    /// The text requires it.
    Specification,
    /// It follows from the definition and the shapes.
    Model,
    /// The text is silent, and the SDKs agree.
    Convention,
    /// The text is silent or contradicts itself.
    Open,
}

/// A case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct Case {
    /// The id, which never changes its meaning.
    pub id: String,
    /// The name of the waiter.
    pub waiter: String,
    /// A description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The input, if it differs from the waiter's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Map<String, Json>>,
    /// The answer.
    pub answer: Answer,
    /// The verdict.
    pub expect: Verdict,
    /// The other defensible verdicts of an open case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Verdict>,
    /// Why the verdict follows.
    pub reason: String,
    /// The clause of the specification.
    pub clause: String,
    /// The weight.
    pub basis: Basis,
    /// Labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// An acceptor without a response that just matches.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the schema defines the members")]
pub struct NotCovered {
    /// The name of the waiter.
    pub waiter: String,
    /// The index of the acceptor.
    pub acceptor: usize,
    /// The reason.
    pub reason: String,
}

impl Verdict {
    /// Creates a verdict.
    pub(crate) fn new(state: &str, acceptor: Option<usize>) -> Self {
        let state = state.to_owned();
        Self { state, acceptor }
    }
}

impl Suite {
    /// Returns the file: a line for each case, so that changes are readable.
    ///
    /// # Errors
    ///
    /// Returns an error if the suite cannot be serialised, which doesn't happen for suites of this crate.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let waiters = self.waiters.iter().map(|(name, waiter)| {
            let waiter = serde_json::to_string(waiter)?;
            Ok(format!("    {}: {waiter}", Json::from(&**name)))
        });
        let waiters = waiters.collect::<serde_json::Result<Vec<_>>>()?.join(",\n");
        let mut members = vec![
            format!("\"version\": {}", self.version),
            format!("\"kind\": {}", Json::from(&*self.kind)),
            format!("\"suite\": {}", Json::from(&*self.suite)),
            format!("\"service\": {}", serde_json::to_string(&self.service)?),
            format!("\"waiters\": {{\n{waiters}\n  }}"),
            format!("\"cases\": {}", rows(&self.cases)?),
        ];
        if let Some(about) = &self.about {
            members.insert(3, format!("\"about\": {}", Json::from(&**about)));
        }
        if !self.not_covered.is_empty() {
            members.push(format!("\"notCovered\": {}", rows(&self.not_covered)?));
        }
        Ok(format!("{{\n  {}\n}}\n", members.join(",\n  ")))
    }
}

fn rows<T: Serialize>(items: &[T]) -> serde_json::Result<String> {
    let rows = items
        .iter()
        .map(|item| Ok(format!("    {}", serde_json::to_string(item)?)));
    let rows = rows.collect::<serde_json::Result<Vec<_>>>()?;
    Ok(format!("[\n{}\n  ]", rows.join(",\n")))
}
