//! Literals.

use serde_json::Value as Json;

use super::{INDENT, braces, list};
use crate::document::{Doc, text};
use crate::escape::escape_json;
use crate::ir::ordered_members;

/// The maximum length of a key whose string value stays on the same line at any length.
const MAX_SHORT_KEY: usize = 4;

/// Formats a JSON value. The members of definitions are in the conventional order.
pub(crate) fn json(value: &Json) -> Doc {
    match value {
        Json::Array(items) => list("[", items.iter().map(json).collect(), "]"),
        Json::Object(members) => {
            let members = ordered_members(members).into_iter();
            object(members.map(|(name, value)| property(name, value)))
        }
        Json::String(value) => text(string_literal(value)),
        Json::Null | Json::Bool(_) | Json::Number(_) => text(value.to_string()),
    }
}

/// Formats an object with the given properties.
pub(crate) fn object(properties: impl Iterator<Item = Doc>) -> Doc {
    braces(properties.collect())
}

/// Formats a property. A long string moves to the next line.
pub(crate) fn property(name: &str, value: &Json) -> Doc {
    // A member of a definition or a trait is an identifier, which needs no quotes.
    let key = text(format!("{name}:"));
    if value.is_string() && name.len() > MAX_SHORT_KEY {
        return key.append(Doc::line().append(json(value)).nest(INDENT).group());
    }
    key.append(" ").append(json(value))
}

/// Returns a string literal. It has single quotes if these need fewer escapes.
pub(crate) fn string_literal(value: &str) -> String {
    let json = Json::from(value).to_string();
    let json = escape_json(&json).into_owned();
    if value.matches('"').count() <= value.matches('\'').count() {
        return json;
    }
    let inner = json
        .strip_prefix('"')
        .and_then(|json| json.strip_suffix('"'));
    let inner = inner.unwrap_or_default().replace("\\\"", "\"");
    format!("'{}'", inner.replace('\'', "\\'"))
}
