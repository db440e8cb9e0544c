//! Texts that stand for bytes and times. Each language's tests convert them to the client's types.

use serde_json::{Value as Json, json};

const BYTES: &str = "bytes:";
const TIME: &str = "time:";

/// Returns the text for bytes, from the base64 that paths read.
pub(crate) fn bytes(base64: &str) -> Json {
    json!(format!("{BYTES}{base64}"))
}

/// Returns the text for a time, from the seconds that paths read.
pub(crate) fn time(seconds: u8) -> Json {
    json!(format!("{TIME}{seconds}"))
}

/// Replaces the texts for bytes and times with the values that paths read.
pub(crate) fn visible(value: &Json) -> Json {
    match value {
        Json::Array(items) => items.iter().map(visible).collect(),
        Json::Object(members) => {
            let members = members.iter();
            Json::Object(
                members
                    .map(|(name, value)| (name.clone(), visible(value)))
                    .collect(),
            )
        }
        Json::String(text) => {
            let base64 = text.strip_prefix(BYTES).map(|base64| json!(base64));
            let seconds = text
                .strip_prefix(TIME)
                .map(|seconds| seconds.parse::<u8>().unwrap().into());
            base64.or(seconds).unwrap_or_else(|| value.clone())
        }
        value => value.clone(),
    }
}
