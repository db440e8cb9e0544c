//! The engine as a WebAssembly component: converts between the interfaces in `wit/waiters.wit` and the core.
//!
//! Values, definitions and saved states are passed as JSON text, everything else as records and variants.

mod convert;
mod delay;
mod option;
mod quota;
mod request;
mod search;
mod wait;
mod waiter;
mod walk;

#[expect(
    unsafe_code,
    reason = "the glue reads and writes the memory of the host"
)]
mod bindings {
    wit_bindgen::generate!({
        world: "engine",
        path: "wit",
        additional_derives: [Clone],
    });
    use super::Engine;
    export!(Engine);
}

use bindings::exports::smithy::waiters as wit;

/// The implementation of the world's exports.
struct Engine;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
