//! The functions of the host that read its values: those of `npm/src/kernel.ts`, which documents each.

use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A value in a slot is described by `slot << KIND_BITS | kind`; a negative number is the complement of the slot with the message
/// of an error.
pub(crate) const KIND_BITS: u32 = 4;
/// Null, which no slot holds.
pub(crate) const NULL: i32 = 0;
pub(crate) const FALSE: i32 = 1;
pub(crate) const TRUE: i32 = 2;
pub(crate) const NUMBER: i32 = 3;
pub(crate) const STRING: i32 = 4;
pub(crate) const ARRAY: i32 = 5;
pub(crate) const OBJECT: i32 = 6;
/// A text that the table of names contains; its number stands for the slot.
pub(crate) const CONSTANT: i32 = 7;
/// A text that is not a plain string, or that has a lone surrogate.
pub(crate) const ODD_STRING: i32 = 8;

/// An item that is an array itself, if these are kept; its path was not walked.
pub(crate) const ARRAY_ITEM: i32 = 9;

/// The memory of the wasm has grown while the host read items: it has not filled the slice that it was given.
pub(crate) const MOVED: i32 = i32::MIN;

/// No name: the path ends here.
pub(crate) const END: i32 = -1;

#[wasm_bindgen(raw_module = "./kernel.js")]
extern "C" {
    #[wasm_bindgen(js_name = openTable)]
    pub(crate) fn open_table() -> u32;
    #[wasm_bindgen(js_name = addName)]
    pub(crate) fn add_name(table: u32, name: &str);
    #[wasm_bindgen(js_name = compareWithNames)]
    pub(crate) fn compare_with_names(table: u32);
    #[wasm_bindgen(js_name = closeTable)]
    pub(crate) fn close_table(table: u32);

    #[wasm_bindgen(js_name = valueAt)]
    pub(crate) fn value_at(slot: u32) -> JsValue;
    #[wasm_bindgen(js_name = hasRoom)]
    pub(crate) fn has_room() -> bool;

    pub(crate) fn describe(slot: u32, table: u32) -> i32;
    pub(crate) fn number(slot: u32) -> f64;
    pub(crate) fn text(slot: u32, code_points: f64) -> String;
    #[wasm_bindgen(js_name = plainText)]
    pub(crate) fn plain_text(slot: u32, code_points: f64) -> i32;
    #[wasm_bindgen(js_name = textLength)]
    pub(crate) fn text_length(slot: u32) -> f64;
    pub(crate) fn length(slot: u32) -> f64;
    pub(crate) fn walk(slot: u32, table: u32, first: i32, second: i32, third: i32) -> i32;
    #[wasm_bindgen(js_name = walkItems)]
    pub(crate) fn walk_items(
        slot: u32,
        table: u32,
        first: i32,
        second: i32,
        third: i32,
        keep_arrays: bool,
        from: u32,
        out: &mut [i32],
    ) -> i32;
    #[wasm_bindgen(js_name = copyDescriptions)]
    pub(crate) fn copy_descriptions(out: &mut [i32]) -> u32;
    pub(crate) fn entries(slot: u32) -> i32;
    pub(crate) fn exact(slot: u32) -> Option<String>;

}
