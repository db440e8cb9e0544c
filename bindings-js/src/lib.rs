//! The engine for JavaScript: names and conversions, nothing about waiters.
//!
//! Values never cross. They stay in the slots of a JavaScript array, which `npm/src/engine/host-imports.ts` reads;
//! what crosses are slot numbers, kinds and, where a text is needed, strings. The steps of the machines are numbers with getters;
//! reports and errors cross as JSON text.

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:literal;)*) => {
        $($(#[$doc])* pub(crate) const $name: $type = $value;)*
    };
}

#[cfg(feature = "behaviours")]
pub mod compression;
#[expect(dead_code, reason = "some are used by the host only")]
mod constants;
pub mod delay;
pub mod error;
mod error_metadata;
pub mod failure;
mod host_imports;
mod object;
#[cfg(feature = "behaviours")]
pub mod operation;
#[cfg(feature = "behaviours")]
pub mod paginator;
#[cfg(feature = "behaviours")]
pub mod request;
#[cfg(feature = "behaviours")]
pub mod retry;
pub mod room;
pub mod search;
mod step;
mod value;
pub mod wait;
pub mod waiter;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
