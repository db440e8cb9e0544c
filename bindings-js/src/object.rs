//! The conversion of reports, records, reasons and errors to JavaScript objects.

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use smithy_waiters::internal::plain;
use wasm_bindgen::JsValue;

use crate::constants::{DEEPEST, MOST_VALUES};

// The macro of the constants accepts only literals.
const _: () = assert!(DEEPEST == plain::DEEPEST && MOST_VALUES == plain::MOST_VALUES);

/// Converts a record to a plain object and a tuple to an array. Absent values become `undefined`.
pub(crate) fn object(record: &impl Serialize) -> JsValue {
    // Serialization cannot fail, because records consist of strings, numbers and booleans.
    let object = record.serialize(&Serializer::new());
    object.unwrap_or(JsValue::UNDEFINED)
}
