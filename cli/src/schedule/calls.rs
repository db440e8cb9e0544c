//! The bounds of the number of calls, computed: fewest if every delay is the longest, most if every delay is the shortest.
//!
//! A call that is made later leaves less time to all that follow. So no other delays give fewer calls, or more.

use std::time::Duration;

use anyhow::Result;
use smithy_waiters::{DelayInput, FinalPoll, Pace, delay};

use super::plan::Plan;

/// The draw of the longest delay.
const LONGEST: f64 = 1.0 - f64::EPSILON / 2.0;

/// The fewest and the most calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calls {
    pub(super) least: u64,
    pub(super) most: u64,
}

/// A call that has been made.
#[derive(Clone, Copy, Debug)]
struct Call {
    /// Its number, from 1.
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
    /// Returns the bounds of waits by the specification's rules, or with a fixed delay; `None` by other rules.
    pub(super) fn of(plan: &Plan) -> Result<Option<Self>> {
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
    /// The call after another one, and whether it is the last; `None` if the time is up.
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

    fn plan(min_delay: Duration, max_delay: Duration, max_wait: Duration) -> Plan {
        Plan {
            min_delay,
            max_delay,
            max_wait,
            pace: Pace::Specification,
            final_poll: FinalPoll::Specification,
        }
    }

    /// The same, call by call.
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
    fn what_is_computed_is_what_is_counted() {
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
                    assert_eq!(Calls::of(&plan).unwrap(), Some(expected), "{plan:?}");
                }
            }
        }
    }

    #[test]
    fn a_wait_of_ten_years_is_computed_at_once() {
        let [min_delay, max_delay] = [Duration::from_millis(1); 2];
        let max_wait = Duration::from_secs(315_360_000);
        let calls = Calls::of(&plan(min_delay, max_delay, max_wait)).unwrap();
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
