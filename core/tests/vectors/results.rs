//! What the engine gives, in the form that every language's runner writes.

use serde_json::{Value as Json, json};
use smithy_waiters::{DefinitionError, Ending, ExpressionError, OptionsError, StateError, Step};

pub(crate) fn definition_error(error: &DefinitionError) -> Json {
    json!({"error": {
        "class": "DefinitionError", "code": error.code, "path": error.path, "column": error.column,
        "message": error.to_string(),
    }})
}

pub(crate) fn options_error(error: &OptionsError) -> Json {
    json!({"error": {
        "class": "OptionsError", "code": error.code, "option": error.option, "message": error.to_string(),
    }})
}

pub(crate) fn step(step: &Result<Step, StateError>) -> Json {
    match step {
        Ok(Step::Call {
            attempt,
            remaining_ms,
        }) => {
            json!({"type": "call", "attempt": attempt, "remainingMs": remaining_ms})
        }
        Ok(Step::Sleep { delay_ms, last }) => {
            json!({"type": "sleep", "delayMs": delay_ms, "last": last})
        }
        Ok(Step::Done(ended)) => json!({"type": "done", "ending": ending(ended)}),
        Err(error) => state_error(error),
    }
}

pub(crate) fn state_error(error: &StateError) -> Json {
    json!({"error": {
        "class": "StateError", "code": error.code(), "message": error.to_string(),
    }})
}

pub(crate) fn expression_error(error: &ExpressionError) -> Json {
    json!({"error": {
        "class": "ExpressionError", "code": error.code, "column": error.column, "message": error.message,
    }})
}

pub(crate) fn ending(ending: &Ending) -> Json {
    json!({
        "code": ending.kind.map(|kind| kind.code()), "message": ending.message,
        "acceptor": ending.acceptor, "acceptorText": ending.acceptor_text, "attempts": ending.attempts,
        "elapsedMs": ending.elapsed_ms, "history": ending.history,
    })
}
