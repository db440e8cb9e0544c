//! What clients have types of their own for, bytes and times: texts that tests make such of.

use serde_json::{Value as Json, json};

const BYTES: &str = "bytes:";
const TIME: &str = "time:";

/// Bytes, by the text in base64 that paths see.
pub(crate) fn bytes(base64: &str) -> Json {
    json!(format!("{BYTES}{base64}"))
}

/// A time, by the seconds that paths see.
pub(crate) fn time(seconds: u8) -> Json {
    json!(format!("{TIME}{seconds}"))
}

/// What paths see.
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
