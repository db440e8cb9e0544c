//! What crosses as a JavaScript object: reports, records, reasons and errors, each read at most once.

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Returns a record as a plain object, a tuple as an array, and what is absent as `undefined`.
pub(crate) fn object(record: &impl Serialize) -> JsValue {
    // Records are made of strings, numbers and booleans, which always serialise.
    let object = record.serialize(&Serializer::new());
    object.unwrap_or(JsValue::UNDEFINED)
}
