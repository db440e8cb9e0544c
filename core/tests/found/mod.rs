//! Results of expressions as JSON, for tests that compare them with those of others.

use serde_json::Value as Json;
use smithy_waiters::SearchResult;

/// The result of a search as JSON.
pub(crate) fn json(found: SearchResult<&Json>) -> Json {
    match found {
        SearchResult::Array(items) => items.into_iter().map(json).collect(),
        SearchResult::Boolean(value) => value.into(),
        SearchResult::Host(value) => value.clone(),
        SearchResult::Number(number) => number.into(),
        SearchResult::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name.to_string(), json(value)))
            .collect(),
        SearchResult::String(text) => (*text).into(),
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
