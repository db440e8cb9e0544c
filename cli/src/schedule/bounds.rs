//! The bounds of a wait, and its calls within them.

use std::time::Duration;

use anyhow::Result;
use smithy_waiters::{DelayInput, delay};

/// The least and the greatest delay of a wait, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) min_delay: Duration,
    pub(super) max_delay: Duration,
    pub(super) max_wait: Duration,
}

/// A call that has been made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// Its number, from 1.
    pub(super) attempt: u64,
    /// When it was made.
    pub(super) at: Duration,
}

impl Call {
    pub(super) const FIRST: Self = Self {
        attempt: 1,
        at: Duration::ZERO,
    };
}

impl Bounds {
    /// The call after another one, and whether it is the last; none where the time is up.
    pub(super) fn next(&self, call: Call, random: f64) -> Result<Option<(Call, bool)>> {
        let next = delay(&DelayInput {
            attempt: call.attempt,
            remaining: self.max_wait.saturating_sub(call.at),
            min_delay: self.min_delay,
            max_delay: self.max_delay,
            random,
        })?;
        Ok(next.map(|next| {
            let attempt = call.attempt.saturating_add(1);
            let at = call.at.saturating_add(next.delay);
            (Call { attempt, at }, next.last)
        }))
    }
}
