//! Serialization of errors, with the member names of the other languages.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::{DefinitionError, ExpressionError, OptionsError, StateError};

/// Serializes `name`, `message`, `code`, `path` and `column`.
impl Serialize for DefinitionError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("DefinitionError", 5)?;
        error.serialize_field("name", "DefinitionError")?;
        error.serialize_field("message", &self.to_string())?;
        error.serialize_field("code", self.code)?;
        error.serialize_field("path", &self.path)?;
        error.serialize_field("column", &self.column)?;
        error.end()
    }
}

/// Serializes `name`, `message`, `code` and `column`.
impl Serialize for ExpressionError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("ExpressionError", 4)?;
        error.serialize_field("name", "ExpressionError")?;
        error.serialize_field("message", &self.message)?;
        error.serialize_field("code", self.code)?;
        error.serialize_field("column", &self.column)?;
        error.end()
    }
}

/// Serializes `name`, `message`, `code` and `option`.
impl Serialize for OptionsError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("OptionsError", 4)?;
        error.serialize_field("name", "OptionsError")?;
        error.serialize_field("message", &self.to_string())?;
        error.serialize_field("code", self.code)?;
        error.serialize_field("option", &self.option)?;
        error.end()
    }
}

/// Serializes `name`, `message` and `code`.
impl Serialize for StateError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("StateError", 3)?;
        error.serialize_field("name", "StateError")?;
        error.serialize_field("message", &self.to_string())?;
        error.serialize_field("code", self.code())?;
        error.end()
    }
}
