//! Room on the host's stack.
//!
//! A stack that overflows inside the engine leaves it broken: nothing is cleaned up when an exception of the host unwinds through
//! wasm. So the host asks for room before it asks for anything else.

use std::cell::Cell;

use smithy_waiters::value::ReadError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::host_imports;

/// Takes as many large frames of the stack and gives them back; the host throws its own error if it has no room for them.
///
/// A frame is large because 256 values are alive at the end of a branch that is taken only if `always` is true. No host passes
/// that, but no compiler knows. Nothing is written to the frames: the question is cheap.
#[wasm_bindgen]
pub fn room(frames: u32, always: bool) -> f64 {
    descend(frames, always)
}

#[inline(never)]
fn descend(frames: u32, always: bool) -> f64 {
    if always {
        return read_many();
    }
    match frames.checked_sub(1) {
        // A mere sum would be compiled to a loop.
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

/// How many visits may nest between two questions for room.
const VISITS: u32 = 8;

thread_local! {
    static NESTED: Cell<u32> = const { Cell::new(0) };
}

/// A visit of a value's items or members, in which those of an item may be visited in turn.
pub(crate) struct Visit;

impl Visit {
    /// Begins a visit, if the host's stack has room for what may follow.
    pub(crate) fn begin() -> Result<Self, ReadError> {
        let nested = NESTED.get();
        if nested % VISITS == VISITS - 1 && !host_imports::has_room() {
            return Err(ReadError::new("the stack has no room for a value so deep"));
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
