//! JavaScript bindings of the engine. The crate contains only names and conversions.
//!
//! JavaScript values are not copied into the wasm. They stay in the slots of a JavaScript array, and the engine reads
//! them by slot number through `npm/src/engine/host-imports.ts`. Strings are copied only if the engine needs their
//! text. The steps of state machines are numbers, and their times are getters. Reports and errors are converted to
//! plain objects.
#![expect(
    clippy::missing_errors_doc,
    reason = "the npm package documents the errors of its functions"
)]

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:literal;)*) => {
        $($(#[$doc])* pub(crate) const $name: $type = $value;)*
    };
}

#[cfg(feature = "behaviours")]
pub mod compression;
#[expect(dead_code, reason = "only the host uses some of the constants")]
mod constants;
pub mod delay;
pub mod error;
mod error_metadata;
pub mod failure;
#[cfg(feature = "behaviours")]
pub mod fleet;
mod host_imports;
mod object;
#[cfg(feature = "behaviours")]
pub mod operation;
#[cfg(feature = "behaviours")]
pub mod options;
#[cfg(feature = "behaviours")]
pub mod paginator;
#[cfg(feature = "behaviours")]
pub mod request;
#[cfg(feature = "behaviours")]
pub mod retry;
pub mod search;
pub mod stack;
mod step;
mod value;
pub mod wait;
pub mod waiter;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
