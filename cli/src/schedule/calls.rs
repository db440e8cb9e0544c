//! How many calls a wait has, computed: fewest where every delay is the longest, most where every delay is the shortest.
//!
//! A call that is made later leaves less time to all that follow. So no other delays give fewer calls, or more.

use std::time::Duration;

use anyhow::Result;

use super::bounds::{Bounds, Call};

/// The draw of the longest delay.
const LONGEST: f64 = 1.0 - f64::EPSILON / 2.0;

/// The fewest and the most calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calls {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Calls {
    pub(super) fn of(bounds: &Bounds) -> Result<Self> {
        Ok(Self {
            least: bounds.calls(LONGEST, bounds.max_delay)?,
            most: bounds.calls(0.0, bounds.min_delay)?,
        })
    }
}

impl Bounds {
    /// The calls of a wait whose draws are all the same; its delays grow to a limit, if the wait is long enough.
    fn calls(&self, random: f64, limit: Duration) -> Result<u64> {
        let mut call = Call::FIRST;
        while let Some((next, is_last)) = self.next(call, random)? {
            if is_last {
                return Ok(next.attempt);
            }
            if next.at.saturating_sub(call.at) == limit {
                return Ok(self.steady(next, limit));
            }
            call = next;
        }
        Ok(call.attempt)
    }

    /// The calls of a wait whose delays are the same from here on: as many as begin more than a least delay before the end,
    /// and the last one.
    fn steady(&self, call: Call, delay: Duration) -> u64 {
        let until = self.max_wait.saturating_sub(self.min_delay);
        let left = until.saturating_sub(call.at).as_millis().saturating_sub(1);
        let more = left.checked_div(delay.as_millis()).unwrap_or_default();
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        call.attempt.saturating_add(more).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, call by call.
    fn count_calls(bounds: &Bounds, random: f64) -> u64 {
        let mut call = Call::FIRST;
        while let Some((next, is_last)) = bounds.next(call, random).unwrap() {
            call = next;
            if is_last {
                break;
            }
        }
        call.attempt
    }

    #[test]
    fn what_is_computed_is_what_is_counted() {
        for min in [1, 2, 3, 7, 50] {
            for max in [min, min + 1, min * 4, min * 5, 400] {
                for wait in (1..200).chain([999, 1_000, 1_001, 5_000]) {
                    let [min_delay, max_delay, max_wait] =
                        [min, max, wait].map(Duration::from_millis);
                    let bounds = Bounds {
                        min_delay,
                        max_delay,
                        max_wait,
                    };
                    let expected = Calls {
                        least: count_calls(&bounds, LONGEST),
                        most: count_calls(&bounds, 0.0),
                    };
                    assert_eq!(Calls::of(&bounds).unwrap(), expected, "{bounds:?}");
                }
            }
        }
    }

    #[test]
    fn a_wait_of_ten_years_is_computed_at_once() {
        let [min_delay, max_delay] = [Duration::from_millis(1); 2];
        let max_wait = Duration::from_secs(315_360_000);
        let calls = Calls::of(&Bounds {
            min_delay,
            max_delay,
            max_wait,
        })
        .unwrap();
        assert_eq!(
            calls,
            Calls {
                least: 315_360_000_000,
                most: 315_360_000_000
            }
        );
    }
}
