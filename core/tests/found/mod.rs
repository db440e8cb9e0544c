//! Comparisons of results of expressions with those of other implementations.

use serde_json::Value as Json;

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
