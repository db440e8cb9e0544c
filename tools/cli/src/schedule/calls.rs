//! Computes the bounds of the number of calls.
//!
//! A wait makes the fewest calls if every delay is the longest possible, and the most if every delay is the shortest. A
//! later call leaves less time for those after it, so no other sequence of delays exceeds these bounds.

use std::time::Duration;

use anyhow::Result;
use smithy_waiters::{DelayInput, FinalPoll, Pace, delay};

use super::plan::Plan;

/// The random number that selects the longest delay.
const LONGEST: f64 = 1.0 - f64::EPSILON / 2.0;

/// The lower and the upper bound of the number of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calls {
    pub(super) least: u64,
    pub(super) most: u64,
}

/// A call of a wait.
#[derive(Clone, Copy, Debug)]
struct Call {
    /// The number of the call, starting at 1.
    attempt: u64,
    at: Duration,
}

impl Call {
    const FIRST: Self = Self {
        attempt: 1,
        at: Duration::ZERO,
    };
}

impl Calls {
    /// Returns the bounds for a pace of the specification or a fixed delay, and `None` for other paces and final polls.
    pub(super) fn compute(plan: &Plan) -> Result<Option<Self>> {
        let is_computed = matches!(plan.pace, Pace::Specification | Pace::Every(_))
            && plan.final_poll == FinalPoll::Specification;
        if !is_computed {
            return Ok(None);
        }
        Ok(Some(Self {
            least: plan.calls(LONGEST, plan.max_delay)?,
            most: plan.calls(0.0, plan.min_delay)?,
        }))
    }
}

impl Plan {
    /// Returns the next call and `true` if it is the last one, or `None` if no time is left.
    fn next(&self, call: Call, random: f64) -> Result<Option<(Call, bool)>> {
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

    /// Counts the calls of a wait in which every delay uses the same random number. The delays grow up to `limit`.
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

    /// Counts the calls of a wait whose delays are constant after `call`: those that start more than a minimum delay
    /// before the end, and the last one.
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

    fn plan(min_delay: Duration, max_delay: Duration, max_wait: Duration) -> Plan {
        Plan {
            min_delay,
            max_delay,
            max_wait,
            pace: Pace::Specification,
            final_poll: FinalPoll::Specification,
        }
    }

    /// Counts the calls one by one.
    fn count_calls(plan: &Plan, random: f64) -> u64 {
        let mut call = Call::FIRST;
        while let Some((next, is_last)) = plan.next(call, random).unwrap() {
            call = next;
            if is_last {
                break;
            }
        }
        call.attempt
    }

    #[test]
    fn computed_bounds_equal_counted_calls() {
        for min in [1, 2, 3, 7, 50] {
            for max in [min, min + 1, min * 4, min * 5, 400] {
                for wait in (1..200).chain([999, 1_000, 1_001, 5_000]) {
                    let [min_delay, max_delay, max_wait] =
                        [min, max, wait].map(Duration::from_millis);
                    let plan = plan(min_delay, max_delay, max_wait);
                    let expected = Calls {
                        least: count_calls(&plan, LONGEST),
                        most: count_calls(&plan, 0.0),
                    };
                    assert_eq!(Calls::compute(&plan).unwrap(), Some(expected), "{plan:?}");
                }
            }
        }
    }

    #[test]
    fn bounds_of_a_wait_of_ten_years_are_computed_in_constant_time() {
        let [min_delay, max_delay] = [Duration::from_millis(1); 2];
        let max_wait = Duration::from_secs(315_360_000);
        let calls = Calls::compute(&plan(min_delay, max_delay, max_wait)).unwrap();
        let all = 315_360_000_000;
        assert_eq!(
            calls,
            Some(Calls {
                least: all,
                most: all
            })
        );
    }
}
