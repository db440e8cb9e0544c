//! What a caller did wrong, on its way to JavaScript: thrown as JSON text, of which `npm/src/errors.ts` makes the error.

use serde::Serialize;
use smithy_waiters::{DefinitionError, ExpressionError, OptionsError, StateError};
use wasm_bindgen::JsValue;

/// Bad input of one kind.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Refusal {
    Definition {
        code: &'static str,
        message: String,
        path: String,
        column: Option<usize>,
    },
    Expression {
        code: &'static str,
        message: String,
        column: Option<usize>,
    },
    Options {
        code: &'static str,
        message: String,
        option: String,
    },
    State {
        code: &'static str,
        message: String,
    },
}

impl From<DefinitionError> for Refusal {
    fn from(error: DefinitionError) -> Self {
        Self::Definition {
            message: error.to_string(),
            code: error.code,
            path: error.path,
            column: error.column,
        }
    }
}

impl From<ExpressionError> for Refusal {
    fn from(error: ExpressionError) -> Self {
        Self::Expression {
            message: error.to_string(),
            code: error.code,
            column: error.column,
        }
    }
}

impl From<OptionsError> for Refusal {
    fn from(error: OptionsError) -> Self {
        Self::Options {
            message: error.to_string(),
            code: error.code,
            option: error.option,
        }
    }
}

impl From<StateError> for Refusal {
    fn from(error: StateError) -> Self {
        Self::State {
            message: error.to_string(),
            code: error.code(),
        }
    }
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        Self::from_str(&json(&refusal))
    }
}

/// Data as JSON text.
pub(crate) fn json<T: Serialize>(data: &T) -> String {
    // Only maps with keys that are no strings and failing writers fail: neither is here.
    serde_json::to_string(data).unwrap_or_default()
}
