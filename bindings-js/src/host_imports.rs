//! The host's functions for reading its values. `npm/src/engine/host-imports.ts` implements and documents them.

use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The number that ends a path of fewer than three names.
pub(crate) const END: i32 = -1;

#[wasm_bindgen(raw_module = "./host-imports.js")]
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
    #[wasm_bindgen(js_name = hasStackSpace)]
    pub(crate) fn has_stack_space() -> bool;

    pub(crate) fn describe(slot: u32, table: u32) -> i32;
    pub(crate) fn number(slot: u32) -> f64;
    pub(crate) fn text(slot: u32, code_points: f64) -> String;
    #[wasm_bindgen(js_name = plainText)]
    pub(crate) fn plain_text(slot: u32, code_points: f64) -> i32;
    #[wasm_bindgen(js_name = textLength)]
    pub(crate) fn text_length(slot: u32) -> f64;
    pub(crate) fn length(slot: u32) -> f64;
    #[wasm_bindgen(js_name = memberAt)]
    pub(crate) fn member_at(slot: u32, table: u32, first: i32, second: i32, third: i32) -> i32;
    #[wasm_bindgen(js_name = memberNamed)]
    pub(crate) fn member_named(slot: u32, table: u32, name: &str) -> i32;
    #[wasm_bindgen(js_name = itemsAt)]
    pub(crate) fn items_at(
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
    pub(crate) fn identity(slot: u32) -> Option<String>;
    pub(crate) fn warning(slot: u32) -> Option<String>;
}
