//! What is left of a wait, read back: its ending, and its attempts.

use serde_json::Value as Json;

use super::restored;
use crate::ending::{AttemptRecord, Ending};
use crate::error::StateError;

pub(crate) fn ending(text: &str) -> Result<Ending, StateError> {
    read(text, restored::ending)
}

pub(crate) fn attempt(text: &str) -> Result<AttemptRecord, StateError> {
    read(text, restored::attempt)
}

fn read<T>(text: &str, restore: impl FnOnce(&Json) -> Option<T>) -> Result<T, StateError> {
    let json = serde_json::from_str(text).ok();
    json.and_then(|json| restore(&json))
        .ok_or(StateError::Damaged)
}
