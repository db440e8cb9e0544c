//! Typed access to the members of a definition's objects. Errors have the JSON path of the culprit.

use serde_json::{Map, Value as Json};

use crate::error::DefinitionError;
use crate::value::{Kind, Value, describe};

/// A JSON path in the definition, such as `acceptors[0].matcher.output`.
#[derive(Clone, Debug)]
pub(crate) struct At(String);

impl At {
    pub(crate) fn new(name: &str) -> Self {
        Self(name.to_owned())
    }

    pub(crate) fn member(&self, name: &str) -> Self {
        Self(format!("{}.{name}", self.0))
    }

    pub(crate) fn item(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn error(&self, code: &'static str, message: impl Into<String>) -> DefinitionError {
        DefinitionError::new(code, self.as_str(), message)
    }

    pub(crate) fn object<'a>(
        &self,
        name: &str,
        value: &'a Json,
    ) -> Result<&'a Map<String, Json>, DefinitionError> {
        value
            .as_object()
            .ok_or_else(|| wrong_type(self.as_str(), name, "an object", value))
    }

    pub(crate) fn required<'a>(
        &self,
        members: &'a Map<String, Json>,
        name: &str,
    ) -> Result<&'a Json, DefinitionError> {
        members
            .get(name)
            .ok_or_else(|| missing(self.as_str(), name))
    }

    pub(crate) fn required_string<'a>(
        &self,
        members: &'a Map<String, Json>,
        name: &str,
    ) -> Result<&'a str, DefinitionError> {
        let value = self.required(members, name)?;
        let at = self.member(name);
        value
            .as_str()
            .ok_or_else(|| wrong_type(at.as_str(), &format!("`{name}`"), "a string", value))
    }
}

/// Returns an optional string member of the definition itself.
pub(crate) fn string<'a>(
    members: &'a Map<String, Json>,
    name: &str,
) -> Result<Option<&'a str>, DefinitionError> {
    match members.get(name) {
        None => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong_type(name, &format!("`{name}`"), "a string", other)),
    }
}

/// Returns an optional boolean member of the definition itself.
pub(crate) fn boolean(
    members: &Map<String, Json>,
    name: &str,
) -> Result<Option<bool>, DefinitionError> {
    match members.get(name) {
        None => Ok(None),
        Some(Json::Bool(value)) => Ok(Some(*value)),
        Some(other) => Err(wrong_type(name, &format!("`{name}`"), "a boolean", other)),
    }
}

/// Returns an optional array of strings of the definition itself. Messages describe an element as `item`.
pub(crate) fn strings(
    members: &Map<String, Json>,
    name: &str,
    item: &str,
) -> Result<Box<[String]>, DefinitionError> {
    let items = items(members, name, "an array of strings")?;
    let string = |(index, value): (usize, &Json)| match value {
        Json::String(text) => Ok(text.clone()),
        other => Err(wrong_type(
            &format!("{name}[{index}]"),
            item,
            "a string",
            other,
        )),
    };
    items.iter().enumerate().map(string).collect()
}

/// Returns an optional array. Messages describe the expected type as `rule`.
pub(crate) fn items<'a>(
    members: &'a Map<String, Json>,
    name: &str,
    rule: &str,
) -> Result<&'a [Json], DefinitionError> {
    match members.get(name) {
        None => Ok(&[]),
        Some(Json::Array(items)) => Ok(items),
        Some(other) => Err(wrong_type(name, &format!("`{name}`"), rule, other)),
    }
}

/// Returns the non-null members of a JSON object. Messages describe the object as `what`. Unknown members are errors.
pub(crate) fn members_of(
    what: &str,
    text: &str,
    known: &[&str],
) -> Result<Map<String, Json>, DefinitionError> {
    let mut members = match json_of(what, text)? {
        Json::Object(members) => members,
        other => return Err(wrong_type("", &format!("the {what}"), "an object", &other)),
    };
    let mut names = members.keys();
    if let Some(name) = names.find(|name| !known.contains(&&***name)) {
        let message = format!(
            "the {what} has no such member: its members are {}",
            known.join(", ")
        );
        return Err(DefinitionError::new("unknown_member", name, message));
    }
    // Null counts as absent: hosts pass their unset arguments as null.
    members.retain(|_, value| !value.is_null());
    Ok(members)
}

/// Returns the members sorted by name, because the order of a `serde_json` map depends on its features.
pub(crate) fn by_name(members: &Map<String, Json>) -> Vec<(&str, &Json)> {
    let members = members.iter().map(|(name, value)| (name.as_str(), value));
    let mut members: Vec<_> = members.collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    members
}

/// Parses JSON. Messages describe it as `what`.
pub(crate) fn json_of(what: &str, text: &str) -> Result<Json, DefinitionError> {
    serde_json::from_str(text).map_err(|error| {
        // Passing the path of a file is a likely mistake, and `expected value at line 1` would not explain it.
        let is_like_path = !text.contains(['{', '[', '"']);
        let problem = match what {
            _ if text.trim().is_empty() => "the text is empty".to_owned(),
            "definition" | "model" if is_like_path => {
                format!("{error}; pass the text of the {what}, not its path")
            }
            _ => error.to_string(),
        };
        let message = format!("the {what} is not JSON: {problem}");
        DefinitionError::new("invalid_json", "", message)
    })
}

pub(crate) fn missing(path: &str, name: &str) -> DefinitionError {
    let path = if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    };
    DefinitionError::new("missing_member", path, "the required member is missing")
}

pub(crate) fn wrong_type(path: &str, name: &str, expected: &str, value: &Json) -> DefinitionError {
    let kind = value.kind().unwrap_or(Kind::Null);
    DefinitionError::new(
        "wrong_type",
        path,
        format!("{name} must be {expected}, got {}", describe(kind)),
    )
}
