//! Hand-written waiter definitions without a model.

use std::path::Path;

use serde_json::{Map, Value as Json};
use smithy_waiters::DefinitionError;

use crate::error::GenerateError;

/// A hand-written waiter definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition {
    /// The name: `JobDone`.
    pub name: String,
    /// The Waiter structure as compact JSON for the engine, without documentation and tags.
    pub json: String,
    /// The documentation.
    pub documentation: Option<String>,
    /// `true` if the definition is deprecated.
    pub deprecated: bool,
}

/// Removes the documentation and the tags, which the engine doesn't read.
pub(super) fn remove_documentation(definition: &mut Json) {
    if let Some(members) = definition.as_object_mut() {
        members.remove("documentation");
        members.remove("tags");
    }
}

/// Returns the members of a definition in the conventional order.
pub(crate) fn ordered_members(members: &Map<String, Json>) -> Vec<(&String, &Json)> {
    const ORDER: [&str; 15] = [
        "documentation",
        "deprecated",
        "tags",
        "acceptors",
        "state",
        "matcher",
        "message",
        "output",
        "inputOutput",
        "path",
        "comparator",
        "expected",
        "minDelay",
        "maxDelay",
        "redact",
    ];
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(name, _)| ORDER.iter().position(|member| member == name));
    members
}

impl Definition {
    /// Returns the first paragraph of the documentation as plain text on one line.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.documentation.as_deref().and_then(crate::docs::summary)
    }

    /// Returns `true` if a matcher reads the input of the operation.
    #[must_use]
    pub fn looks_at_input(&self) -> bool {
        let definition: Json = serde_json::from_str(&self.json).unwrap_or_default();
        let acceptors = definition.get("acceptors").and_then(Json::as_array);
        let mut acceptors = acceptors.into_iter().flatten();
        acceptors.any(|acceptor| acceptor.pointer("/matcher/inputOutput").is_some())
    }

    /// Parses and validates a definition.
    ///
    /// # Errors
    ///
    /// Returns the engine's error if the definition is invalid.
    pub fn new(name: &str, json: &str) -> Result<Self, DefinitionError> {
        let waiter = smithy_waiters::Waiter::named(name, json)?;
        let mut value = serde_json::from_str(json).unwrap_or_default();
        remove_documentation(&mut value);
        Ok(Self {
            name: name.to_owned(),
            json: value.to_string(),
            documentation: waiter.documentation().map(str::to_owned),
            deprecated: waiter.deprecated(),
        })
    }

    /// Reads a definition from a file. `name` defaults to the file name without its extension: `JobDone` for
    /// `JobDone.json`.
    ///
    /// # Errors
    ///
    /// - [`GenerateError::Io`] if the file cannot be read.
    /// - [`GenerateError::Definition`] if the definition is invalid.
    pub fn read(path: &Path, name: Option<&str>) -> Result<Self, GenerateError> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.unwrap_or(&stem);
        let text = crate::error::read_text(path)?;
        // The engine's JSON parser rejects a byte order mark; editors on Windows add one.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Self::new(name, text).map_err(|error| GenerateError::Definition {
            path: path.to_owned(),
            error,
        })
    }
}
