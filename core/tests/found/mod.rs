//! Results of expressions as JSON, for tests that compare them with those of others.

use serde_json::Value as Json;
use smithy_waiters::Found;

/// The result of a search as JSON.
pub(crate) fn json(found: Found<&Json>) -> Json {
    match found {
        Found::Array(items) => items.into_iter().map(json).collect(),
        Found::Boolean(value) => value.into(),
        Found::Host(value) => value.clone(),
        Found::Number(number) => number.into(),
        Found::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name.to_string(), json(value)))
            .collect(),
        Found::String(text) => (*text).into(),
        _ => Json::Null,
    }
}

/// Numbers as doubles, so that `1` is `1.0`.
pub(crate) fn doubles(value: &Json) -> Json {
    match value {
        Json::Number(number) => number.as_f64().into(),
        Json::Array(items) => items.iter().map(doubles).collect(),
        Json::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), doubles(value)))
            .collect(),
        other => other.clone(),
    }
}
