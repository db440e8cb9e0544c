//! What is left of a wait, read back: its ending, and its attempts.

use serde_json::Value as Json;

use super::restored;
use crate::ending::{AttemptRecord, Ending};
use crate::error::StateError;

impl Ending {
    /// An ending from what [`to_json`](Self::to_json) gave.
    ///
    /// # Errors
    ///
    /// [`StateError::Damaged`] for anything else.
    ///
    /// # Example: kept and read back
    ///
    /// ```
    /// use std::time::Duration;
    /// use smithy_waiters::{Ending, Step, WaitOptions, Waiter};
    ///
    /// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
    /// let Step::Done(ending) = waiter.start(&WaitOptions::new(Duration::from_secs(60)), 0)?.cancel(5) else {
    ///     unreachable!()
    /// };
    /// assert_eq!(Ending::from_json(&ending.to_json())?, *ending);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        read(text, restored::ending)
    }
}

impl AttemptRecord {
    /// An attempt from what [`to_json`](Self::to_json) gave.
    ///
    /// # Errors
    ///
    /// [`StateError::Damaged`] for anything else.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        read(text, restored::attempt)
    }
}

fn read<T>(text: &str, restore: impl FnOnce(&Json) -> Option<T>) -> Result<T, StateError> {
    let json = serde_json::from_str(text).ok();
    json.and_then(|json| restore(&json))
        .ok_or(StateError::Damaged)
}
