//! Converts results of the engine to the common format of all runners.

use serde_json::{Value as Json, json};
use smithy_waiters::{
    AttemptRecord, DefinitionError, ExpressionError, OptionsError, StateError, Step, WaitReport,
};

pub(crate) fn definition_error(error: &DefinitionError) -> Json {
    json!({"error": {
        "class": "DefinitionError", "code": error.code, "path": error.path, "column": error.column,
        "message": error.to_string(),
    }})
}

pub(crate) fn options_error(error: &OptionsError) -> Json {
    json!({"error": {
        "class": "OptionsError", "code": error.code, "option": error.option, "message": error.message(str::to_owned),
    }})
}

pub(crate) fn step(step: &Result<Step, StateError>) -> Json {
    match step {
        Ok(Step::Call {
            attempt,
            deadline_ms,
        }) => json!({"type": "call", "attempt": attempt, "deadlineMs": deadline_ms}),
        Ok(Step::Sleep { until_ms, last }) => {
            json!({"type": "sleep", "untilMs": until_ms, "last": last})
        }
        Ok(Step::Done(done)) => json!({"type": "done", "report": report(done)}),
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

/// Converts options in messages, which have Rust's spelling, to that of the vectors.
pub(crate) fn with_spelling_of_vectors(result: Json) -> Json {
    match result {
        Json::String(text) => {
            // In the text of a report, quotes are escaped.
            let quote = if text.starts_with('{') { r#"\""# } else { "\"" };
            let mut spelled = text.replace("`retry_errors`", "`retryErrors`");
            spelled = spelled.replace("`not_found_for`", "`notFoundFor`");
            spelled = spelled.replace("success_errors", "successErrors");
            for (rust, name, word) in [
                ("`.final_poll(FinalPoll::Late)`", "finalPoll", "late"),
                (
                    "`.transient_errors(TransientErrors::Fail)`",
                    "transientErrors",
                    "fail",
                ),
            ] {
                spelled = spelled.replace(rust, &format!("`{name}: {quote}{word}{quote}`"));
            }
            spelled.into()
        }
        Json::Array(items) => items.into_iter().map(with_spelling_of_vectors).collect(),
        Json::Object(members) => {
            let convert = |(name, member)| (name, with_spelling_of_vectors(member));
            Json::Object(members.into_iter().map(convert).collect())
        }
        other => other,
    }
}

/// Converts a report without the waiter's name and the label, which are not part of steps.
pub(crate) fn report(report: &WaitReport) -> Json {
    json!({
        "code": report.kind,
        "message": report.message,
        "acceptor": report.acceptor,
        "acceptorText": report.acceptor_text,
        "attempts": report.attempts,
        "elapsedMs": report.elapsed_ms,
        "noticedWithinMs": report.noticed_within_ms,
        "lastResult": report.last_result,
        "history": report.history.iter().map(attempt).collect::<Json>(),
    })
}

/// Converts an attempt. Most attempts have no values to show.
fn attempt(attempt: &AttemptRecord) -> Json {
    let mut json = json!(attempt);
    if attempt.values.is_empty() {
        json.as_object_mut().unwrap().remove("values");
    }
    json
}
