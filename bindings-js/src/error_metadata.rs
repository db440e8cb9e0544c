//! The names and the message of an error.

use smithy_waiters::ErrorFacts;

use crate::constants::{BY_CLASS, BY_CLASS_FOR_DISPLAY, BY_CODE, BY_CODES, NAME_SEPARATOR};

/// Returns the facts of an error, whose name is of one of the kinds in `constants`.
pub(crate) fn facts<'a>(by: u32, name: &'a str, message: &'a str) -> ErrorFacts<'a> {
    let facts = match by {
        BY_CODE => ErrorFacts::of_code(name),
        BY_CLASS => ErrorFacts::of_class(name),
        BY_CLASS_FOR_DISPLAY => ErrorFacts::of_class(name).service_errors_only(),
        BY_CODES => ErrorFacts::of_codes(name.split(char::from(NAME_SEPARATOR))),
        _ => ErrorFacts::unnamed(),
    };
    facts.message(message)
}
