//! Steps as numbers, and what crosses beside them.

use serde::Serialize;

/// The steps of every machine; `npm/src/driver/steps.ts` has the same numbers.
pub(crate) const CALL: u32 = 0;
pub(crate) const SLEEP: u32 = 1;
pub(crate) const DONE: u32 = 2;

pub(crate) fn millis_or_infinity(millis: Option<u64>) -> f64 {
    millis.map_or(f64::INFINITY, |millis| millis as f64)
}

/// Returns the JSON text of a record.
pub(crate) fn json(record: &impl Serialize) -> String {
    // Records are made of strings, numbers and booleans, which always serialise.
    serde_json::to_string(record).unwrap_or_default()
}
