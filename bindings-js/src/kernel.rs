//! What the wasm asks of its host: the functions of `npm/src/kernel.ts`, where each is described.

use wasm_bindgen::prelude::wasm_bindgen;

/// Null, or nothing at all: no slot holds it.
pub(crate) const NULL: i32 = 0;
/// The host's code threw; [`thrown`] tells what.
pub(crate) const THREW: i32 = -1;

/// There is too much to walk through: the core looks by itself, and counts.
pub(crate) const TOO_MANY: i32 = -2;

/// A value in a slot is told by `slot << KIND_BITS | kind`.
pub(crate) const KIND_BITS: u32 = 3;
pub(crate) const FALSE: i32 = 1;
pub(crate) const TRUE: i32 = 2;
pub(crate) const NUMBER: i32 = 3;
pub(crate) const STRING: i32 = 4;
pub(crate) const ARRAY: i32 = 5;
pub(crate) const OBJECT: i32 = 6;

/// No name: the path ends here, or its step is not a member.
pub(crate) const END: i32 = -1;

#[wasm_bindgen(raw_module = "./kernel.js")]
extern "C" {
    #[wasm_bindgen(js_name = openTable)]
    pub(crate) fn open_table() -> u32;
    #[wasm_bindgen(js_name = addName)]
    pub(crate) fn add_name(table: u32, name: &str);
    #[wasm_bindgen(js_name = addTest)]
    pub(crate) fn add_test(table: u32, wanted: u32, expected: u32);
    #[wasm_bindgen(js_name = addStep)]
    pub(crate) fn add_step(table: u32, kind: u32, name: i32);
    #[wasm_bindgen(js_name = addNumber)]
    pub(crate) fn add_number(table: u32, number: f64);
    #[wasm_bindgen(js_name = addText)]
    pub(crate) fn add_text(table: u32, text: &str);
    #[wasm_bindgen(js_name = addInstruction)]
    pub(crate) fn add_instruction(table: u32, instruction: u32, operand: u32);
    #[wasm_bindgen(js_name = addAcceptor)]
    pub(crate) fn add_acceptor(table: u32, state: u32, when: u32);
    #[wasm_bindgen(js_name = closeTable)]
    pub(crate) fn close_table(table: u32);

    #[wasm_bindgen(js_name = holdNumber)]
    pub(crate) fn hold_number(number: f64) -> u32;
    pub(crate) fn kind(slot: u32) -> i32;
    pub(crate) fn number(slot: u32) -> f64;
    pub(crate) fn text(slot: u32) -> String;
    #[wasm_bindgen(js_name = textIs)]
    pub(crate) fn text_is(slot: u32, table: u32, name: u32) -> bool;
    pub(crate) fn length(slot: u32) -> i32;
    pub(crate) fn item(slot: u32, index: u32) -> i32;
    pub(crate) fn walk(slot: u32, table: u32, first: i32, second: i32, third: i32) -> i32;
    pub(crate) fn entries(slot: u32) -> i32;
    pub(crate) fn exact(slot: u32) -> Option<String>;
    pub(crate) fn test(slot: u32, table: u32, test: u32) -> i32;
    pub(crate) fn thrown() -> String;

    #[wasm_bindgen(js_name = printNumber)]
    pub(crate) fn print_number(number: f64) -> String;
    pub(crate) fn parse(json: &str) -> u32;
    pub(crate) fn release(base: u32);

    #[wasm_bindgen(js_name = noteCodes)]
    pub(crate) fn note_codes(codes: u32);
}
