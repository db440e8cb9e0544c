//! A waiter that somebody wrote by hand, without a model.

use std::path::Path;

use serde_json::{Map, Value as Json};
use smithy_waiters::DefinitionError;

use crate::error::GenerateError;

/// A hand-written definition: its name, and what the engine reads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition {
    /// Its name: `JobDone`.
    pub name: String,
    /// The Waiter structure as compact JSON, for the engine: without its documentation.
    pub json: String,
    /// Its documentation.
    pub documentation: Option<String>,
    /// Whether it is deprecated.
    pub deprecated: bool,
}

/// Takes from a definition what only people read: the engine does not, and documentation belongs to the generated code.
pub(super) fn leave_docs_out(definition: &mut Json) {
    if let Some(members) = definition.as_object_mut() {
        members.remove("documentation");
        members.remove("tags");
    }
}

/// The members of a definition in the order in which people write them.
pub(crate) fn in_order(members: &Map<String, Json>) -> Vec<(&String, &Json)> {
    const WRITTEN: [&str; 15] = [
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
    members.sort_by_key(|(name, _)| WRITTEN.iter().position(|written| written == name));
    members
}

impl Definition {
    /// What its documentation says first, as plain text on one line.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.documentation.as_deref().and_then(crate::docs::summary)
    }

    /// Whether a matcher looks at the input of the operation.
    #[must_use]
    pub fn looks_at_input(&self) -> bool {
        let definition: Json = serde_json::from_str(&self.json).unwrap_or_default();
        let acceptors = definition.get("acceptors").and_then(Json::as_array);
        let mut acceptors = acceptors.into_iter().flatten();
        acceptors.any(|acceptor| acceptor.pointer("/matcher/inputOutput").is_some())
    }

    /// A definition that holds.
    ///
    /// # Errors
    ///
    /// The engine's.
    pub fn new(name: &str, json: &str) -> Result<Self, DefinitionError> {
        let waiter = smithy_waiters::Waiter::named(name, json)?;
        let mut value = serde_json::from_str(json).unwrap_or_default();
        leave_docs_out(&mut value);
        Ok(Self {
            name: name.to_owned(),
            json: value.to_string(),
            documentation: waiter.documentation().map(str::to_owned),
            deprecated: waiter.deprecated(),
        })
    }

    /// Returns the definition in a file, whose name is the waiter's, `JobDone.json`, if no other is given.
    ///
    /// # Errors
    ///
    /// [`GenerateError::Io`], [`GenerateError::Definition`]
    pub fn read(path: &Path, name: Option<&str>) -> Result<Self, GenerateError> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.unwrap_or(&stem);
        let text = crate::error::text(path)?;
        // A byte order mark says no more than that it is Unicode; models may have one, too.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Self::new(name, text).map_err(|error| GenerateError::Definition {
            path: path.to_owned(),
            error,
        })
    }
}
