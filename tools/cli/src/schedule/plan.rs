//! The parameters of the simulated waits.

use std::time::Duration;

use smithy_waiters::{FinalPoll, Pace, WaitOptions};

/// The parameters of a wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) min_delay: Duration,
    pub(super) max_delay: Duration,
    pub(super) max_wait: Duration,
    pub(super) pace: Pace,
    pub(super) final_poll: FinalPoll,
}

impl Plan {
    pub(super) fn options(&self) -> WaitOptions {
        let options = WaitOptions::new(self.max_wait)
            .pace(self.pace)
            .final_poll(self.final_poll);
        match self.pace {
            Pace::Every(_) => options,
            _ => options.min_delay(self.min_delay).max_delay(self.max_delay),
        }
    }
}
