//! The names and messages of errors.

use smithy_waiters::ErrorMetadata;

use crate::constants::{BY_CLASS, BY_CLASS_FOR_DISPLAY, BY_CODE, BY_CODES, NAME_SEPARATOR};

/// Returns the metadata of an error with its HTTP status, which is 0 without one.
pub(crate) fn metadata_with_status<'a>(
    by: u32,
    name: &'a str,
    message: &'a str,
    status: u32,
) -> ErrorMetadata<'a> {
    let metadata = metadata(by, name, message);
    match u16::try_from(status) {
        Ok(status) if status > 0 => metadata.status(status),
        _ => metadata,
    }
}

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
