//! Numbers are read and printed by the host, which does it as the engine would: that keeps a tenth of the wasm away.

use serde_json::Value;
use smithy_waiters::value::Numbers;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::kernel;
use crate::value::Handle;

/// Runs when the wasm is made ready.
#[wasm_bindgen(start)]
pub fn install() {
    let host = Numbers {
        print: kernel::print_number,
        parse,
    };
    host.install();
}

fn parse(text: &str, json: &mut Value) {
    let slot = kernel::parse(text);
    // What the host has just parsed has no getters that throw.
    let _ = Numbers::correct(json, &Handle::of(slot));
    kernel::release(slot);
}
