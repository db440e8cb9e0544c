//! The engine's verdicts on the cases of a suite.

use serde_json::Value as Json;
use smithy_waiters::{DefinitionError, ErrorMetadata, Observation, Waiter};
use smithy_waiters_conformance::{Case, Suite};

/// Returns a line for each case whose expectation the engine does not meet.
///
/// # Errors
///
/// Returns the error of a definition that the engine refuses.
pub(crate) fn differences(suite: &Suite) -> Result<Vec<String>, DefinitionError> {
    let mut lines = Vec::new();
    for case in &suite.cases {
        let found = verdict(suite, case)?;
        let mut accepted = [&case.expect].into_iter().chain(&case.also);
        if !accepted.any(|one| (&one.state, &one.acceptor) == (&found.0, &found.1)) {
            lines.push(format!(
                "{}: {found:?}, expected {:?}",
                case.id, case.expect
            ));
        }
    }
    Ok(lines)
}

/// Returns the verdict on the values of a case.
fn verdict(suite: &Suite, case: &Case) -> Result<(String, Option<usize>), DefinitionError> {
    let waiter = &suite.waiters[&case.waiter];
    let engine = Waiter::from_value(&waiter.definition, Some(&case.waiter))?;
    let input = Json::Object(case.params.clone().unwrap_or_else(|| waiter.params.clone()));
    let verdict = match (&case.answer.error, &case.answer.output) {
        (Some(error), _) => {
            let names = [Some(error.code.clone()), error.shape.clone()];
            let metadata = ErrorMetadata::of_codes(names.into_iter().flatten());
            engine.evaluate(&input, Observation::Error(&metadata))
        }
        (None, output) => {
            let output = output.as_ref().unwrap_or(&Json::Null);
            engine.evaluate(&input, Observation::Response(output))
        }
    };
    Ok((verdict.state().as_str().to_owned(), verdict.acceptor()))
}
