//! Errors about invalid input. They are thrown as plain objects; `npm/src/input/engine-call.ts` converts them to errors.

use serde::Serialize;
#[cfg(feature = "behaviours")]
use smithy_waiters::FleetError;
use smithy_waiters::internal::{self, FromHost as _};
#[cfg(feature = "behaviours")]
use smithy_waiters::paginator::PaginationError;
#[cfg(feature = "behaviours")]
use smithy_waiters::retry::{RefreshError, TokenError};
use smithy_waiters::{DefinitionError, ExpressionError, OptionsError, StateError, WaitOptions};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::object::object;

/// An error about invalid input, as a plain object.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    #[serde(rename = "type")]
    kind: &'static str,
    code: String,
    message: String,
    path: Option<String>,
    option: Option<String>,
    column: Option<usize>,
}

impl Refusal {
    fn new(kind: &'static str, code: &str, message: String) -> Self {
        Self {
            kind,
            code: code.to_owned(),
            message,
            path: None,
            option: None,
            column: None,
        }
    }
}

impl From<DefinitionError> for Refusal {
    fn from(error: DefinitionError) -> Self {
        let message = error.to_string();
        Self {
            path: Some(error.path),
            column: error.column,
            ..Self::new("definition", error.code, message)
        }
    }
}

impl From<ExpressionError> for Refusal {
    fn from(error: ExpressionError) -> Self {
        Self {
            column: error.column,
            ..Self::new("expression", error.code, error.message)
        }
    }
}

impl From<OptionsError> for Refusal {
    fn from(error: OptionsError) -> Self {
        let message = error.message(|option| js_name(option).to_owned());
        Self {
            option: Some(js_name(&error.option).to_owned()),
            ..Self::new("options", error.code, message)
        }
    }
}

/// Returns the message for an unknown option.
#[wasm_bindgen(js_name = unknownOption)]
#[must_use]
pub fn unknown_option(name: &str, known: Vec<String>) -> String {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    internal::unknown_option(name, &known, "").message(str::to_owned)
}

/// Returns the names of the options of a wait.
#[wasm_bindgen(js_name = waitOptionNames)]
#[must_use]
pub fn wait_option_names() -> Vec<String> {
    let names = WaitOptions::NAMES.iter();
    names.map(|name| js_name(name).to_owned()).collect()
}

/// Returns the message for an option whose value violates a rule of the engine or a rule with this text.
#[wasm_bindgen(js_name = mustBe)]
#[must_use]
pub fn must_be(option: &str, rule: &str, got: &str) -> String {
    OptionsError::must_be(option, rule, got).message(str::to_owned)
}

/// Returns the name of an option in JavaScript.
pub(crate) fn js_name(option: &str) -> &str {
    match option {
        "maxWait" => "maxWaitTime",
        other => other,
    }
}

impl From<StateError> for Refusal {
    fn from(error: StateError) -> Self {
        Self::new("state", error.code(), error.to_string())
    }
}

#[cfg(feature = "behaviours")]
impl From<FleetError> for Refusal {
    fn from(error: FleetError) -> Self {
        Self::new("state", error.code(), error.to_string())
    }
}

#[cfg(feature = "behaviours")]
impl From<PaginationError> for Refusal {
    fn from(error: PaginationError) -> Self {
        Self::new("pagination", error.code(), error.to_string())
    }
}

#[cfg(feature = "behaviours")]
impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        Self::new("token", error.code(), error.to_string())
    }
}

#[cfg(feature = "behaviours")]
impl From<RefreshError> for Refusal {
    fn from(error: RefreshError) -> Self {
        match error {
            RefreshError::Refused(refusal) => {
                Self::new("retry", refusal.code(), refusal.to_string())
            }
            RefreshError::Token(error) => error.into(),
        }
    }
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        object(&refusal)
    }
}
