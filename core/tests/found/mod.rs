//! Converts results of expressions to JSON, for comparisons with other implementations.

use serde_json::Value as Json;
use smithy_waiters::SearchResult;

/// Converts the result of a search to JSON.
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

/// Converts numbers to doubles, so that `1` equals `1.0`.
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
