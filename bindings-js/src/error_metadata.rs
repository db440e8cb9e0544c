//! The names and the message of an error.

use smithy_waiters::ErrorFacts;

/// Between the names of an error that has several.
const BETWEEN_NAMES: char = '\0';

/// What `npm/src/error-facts.ts` found out about an error.
pub(crate) fn facts<'a>(by: u32, name: &'a str, message: &'a str) -> ErrorFacts<'a> {
    let facts = match by {
        0 => ErrorFacts::of_code(name),
        1 => ErrorFacts::of_class(name),
        2 => ErrorFacts::of_class(name).service_errors_only(),
        3 => ErrorFacts::of_codes(name.split(BETWEEN_NAMES)),
        _ => ErrorFacts::unnamed(),
    };
    facts.message(message)
}
