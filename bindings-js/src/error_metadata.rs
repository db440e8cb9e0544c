//! The names and messages of errors.

use smithy_waiters::ErrorMetadata;

use crate::constants::{BY_CLASS, BY_CLASS_FOR_DISPLAY, BY_CODE, BY_CODES, NAME_SEPARATOR};

/// Returns the metadata of an error. `by` is the constant for the source of its name.
pub(crate) fn metadata<'a>(by: u32, name: &'a str, message: &'a str) -> ErrorMetadata<'a> {
    let metadata = match by {
        BY_CODE => ErrorMetadata::of_code(name),
        BY_CLASS => ErrorMetadata::of_class(name),
        BY_CLASS_FOR_DISPLAY => ErrorMetadata::of_class(name).service_errors_only(),
        BY_CODES => ErrorMetadata::of_codes(name.split(char::from(NAME_SEPARATOR))),
        _ => ErrorMetadata::unnamed(),
    };
    metadata.message(message)
}
