//! Checks of the space on the host's stack.
//!
//! A stack overflow inside the engine would leave the engine in an invalid state, because the host's exception does not
//! run destructors when it unwinds through wasm. The host therefore checks for space before each call of the engine.

use std::cell::Cell;

use smithy_waiters::value::ReadError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::host_imports;

/// Allocates a number of large frames on the stack and frees them. The host throws a stack overflow if there is not
/// enough space.
///
/// A frame is large because 256 values are live at the end of a branch that runs only if `always` is true. The host
/// never passes `true`, but the compiler cannot infer that. The call is fast because nothing is written to the frames.
#[wasm_bindgen(js_name = checkStack)]
pub fn check_stack(frames: u32, always: bool) -> f64 {
    descend(frames, always)
}

#[inline(never)]
fn descend(frames: u32, always: bool) -> f64 {
    if always {
        return read_many();
    }
    match frames.checked_sub(1) {
        // The compiler would convert a plain sum to a loop without frames.
        Some(frames) => 1.0 - descend(frames, always) / 2.0,
        None => 0.0,
    }
}

macro_rules! with_4_alive {
    ($value:expr) => {
        host_imports::number(0)
            - (host_imports::number(1)
                - (host_imports::number(2) - (host_imports::number(3) - $value)))
    };
}

macro_rules! with_16_alive {
    ($value:expr) => {
        with_4_alive!(with_4_alive!(with_4_alive!(with_4_alive!($value))))
    };
}

macro_rules! with_64_alive {
    ($value:expr) => {
        with_16_alive!(with_16_alive!(with_16_alive!(with_16_alive!($value))))
    };
}

#[inline(always)]
fn read_many() -> f64 {
    with_64_alive!(with_64_alive!(with_64_alive!(with_64_alive!(0.0))))
}

/// The number of nested visits between two checks of the stack.
const VISITS: u32 = 8;

thread_local! {
    static NESTED: Cell<u32> = const { Cell::new(0) };
}

/// A visit of a value's items or members. Visits nest.
pub(crate) struct Visit;

impl Visit {
    /// Starts a visit. Returns an error if the host's stack has too little space for nested visits.
    pub(crate) fn begin() -> Result<Self, ReadError> {
        let nested = NESTED.get();
        if nested % VISITS == VISITS - 1 && !host_imports::has_stack_space() {
            return Err(ReadError::new("the value is too deep for the stack"));
        }
        NESTED.set(nested.saturating_add(1));
        Ok(Self)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        NESTED.set(NESTED.get().saturating_sub(1));
    }
}
