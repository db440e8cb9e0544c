//! The delay before the next attempt: exponential backoff with jitter, in integer milliseconds.
//!
//! Clause: [Waiter retries](https://smithy.io/2.0/additional-specs/waiters.html#waiter-retries).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::{OptionsError, option};
use crate::millis::whole_millis;
use crate::value::{Kind, describe};

/// The delay before the next attempt.
///
/// # Example: the delay before the last attempt
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{Delay, DelayInput, delay};
///
/// let input = DelayInput {
///     attempt: 1,
///     remaining: Duration::from_secs(3),
///     min_delay: Duration::from_secs(2),
///     max_delay: Duration::from_secs(120),
///     random: 0.0,
/// };
/// let Some(Delay { delay: next, last, .. }) = delay(&input)? else { panic!() };
/// assert_eq!((next, last), (Duration::from_secs(1), true));
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delay {
    /// The time to sleep before the attempt.
    pub delay: Duration,
    /// `true` if the next attempt is the last one that fits into the remaining time.
    pub last: bool,
}

/// The inputs of [`delay`].
///
/// # Example: no time remains
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{DelayInput, delay};
///
/// let input = DelayInput {
///     attempt: 7,
///     remaining: Duration::ZERO,
///     min_delay: Duration::from_secs(2),
///     max_delay: Duration::from_secs(120),
///     random: 0.5,
/// };
/// assert_eq!(delay(&input)?, None);
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelayInput {
    /// The number of attempts made so far, at least 1.
    pub attempt: u64,
    /// The time until the deadline of the wait.
    pub remaining: Duration,
    /// The minimum delay between two attempts.
    pub min_delay: Duration,
    /// The maximum delay between two attempts.
    pub max_delay: Duration,
    /// A random number in `[0, 1)`.
    pub random: f64,
}

/// Returns the delay before the next attempt, or `None` if no further attempt fits into the remaining time.
///
/// If at most `min_delay` remains, a case that the specification does not define, the delay is half of the remaining
/// time, so that a short wait gets a second attempt. See [docs/rules.md#delays](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#delays).
///
/// # Errors
///
/// - `invalid_option` if `attempt` is 0 or `random` is outside `[0, 1)`.
/// - `conflicting_options` if `min_delay` is less than a millisecond or above `max_delay`.
///
/// # Example: the third delay of the specification's table
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{DelayInput, delay};
///
/// let third = delay(&DelayInput {
///     attempt: 3,
///     remaining: Duration::from_secs(295),
///     min_delay: Duration::from_secs(2),
///     max_delay: Duration::from_secs(120),
///     random: 0.7,
/// })?;
/// assert_eq!(third.map(|third| third.delay), Some(Duration::from_millis(6_200)));
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
pub fn delay(input: &DelayInput) -> Result<Option<Delay>, OptionsError> {
    if input.attempt == 0 {
        return Err(OptionsError::invalid("attempt", "must be at least 1", "0"));
    }
    // Written as a range, because it excludes NaN, too.
    if !(0.0..1.0).contains(&input.random) {
        let got = describe(Kind::Number(input.random));
        let rule = "must be at least 0 and less than 1";
        return Err(OptionsError::invalid("random", rule, &got));
    }
    let bounds = Bounds::new(whole_millis(input.min_delay), whole_millis(input.max_delay))?;
    let backoff = bounds.backoff(input.attempt, input.random);
    let remaining = whole_millis(input.remaining);
    let next = bounds.delay(backoff, remaining, LastPoll::Specification);
    Ok(next.map(|next| Delay {
        delay: Duration::from_millis(next.delay),
        last: next.last,
    }))
}

/// The time of the last attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastPoll {
    /// One `minDelay` before the deadline, as in the specification.
    Specification,
    /// `reserve` milliseconds before the deadline. See [docs/rules.md#final-poll](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#final-poll).
    Late { reserve: u64 },
}

/// The bounds of a waiter's delays, in milliseconds. `min <= max`, and `min > 0` unless the attempts are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    min: u64,
    max: u64,
}

/// A delay in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextDelay {
    pub(crate) delay: u64,
    pub(crate) last: bool,
}

impl Bounds {
    pub(crate) fn new(min: u64, max: u64) -> Result<Self, OptionsError> {
        if min >= 1 && min <= max {
            return Ok(Self { min, max });
        }
        let parts = [
            option("minDelay"),
            " must be from 1 ms to ".into(),
            option("maxDelay"),
            format!(", got {min} ms and {max} ms").into(),
        ];
        Err(OptionsError::conflict("minDelay", parts))
    }

    /// Creates bounds that the caller has already validated.
    pub(crate) const fn checked(min: u64, max: u64) -> Self {
        Self { min, max }
    }

    pub(crate) const fn min(self) -> u64 {
        self.min
    }

    /// Returns the delay between two attempts, or `None` if no further attempt fits into the remaining time.
    pub(crate) const fn delay(
        self,
        backoff: u64,
        remaining: u64,
        last_poll: LastPoll,
    ) -> Option<NextDelay> {
        match last_poll {
            LastPoll::Specification => self.before_deadline(backoff, remaining),
            LastPoll::Late { reserve } => self.late(backoff, remaining, reserve),
        }
    }

    /// Extends a delay to at least `least`, the delay that a service or a strategy requires. Returns `None` if it does
    /// not fit into the remaining time. See docs/rules.md#transient-errors.
    pub(crate) fn no_sooner(
        self,
        next: NextDelay,
        least: u64,
        remaining: u64,
    ) -> Option<NextDelay> {
        if least <= next.delay {
            return Some(next);
        }
        // Not `<=`: no call starts at the deadline. Rule: docs/rules.md#deadline
        (least < remaining).then(|| NextDelay {
            delay: least,
            last: remaining.saturating_sub(least) <= self.min,
        })
    }

    /// Returns the reserve for a late last poll: twice the slowest poll, at least one second, at most `min`.
    pub(crate) fn reserve(self, slowest: u64) -> u64 {
        const LEAST: u64 = 1_000;
        // `min` comes last: with a `minDelay` below one second, the reserve is `minDelay`.
        // Rule: docs/rules.md#final-poll
        slowest.saturating_mul(2).max(LEAST).min(self.min)
    }

    /// Returns a fraction of the elapsed time, within the bounds. Jitter subtracts up to a tenth of it.
    pub(crate) fn proportional(self, millionths: u64, elapsed: u64, random: f64) -> u64 {
        // In 128 bits: a time of a host (below 2^53 ms) in millionths exceeds 64.
        let part = u128::from(elapsed).saturating_mul(u128::from(millionths)) / 1_000_000;
        self.shortened(u64::try_from(part).unwrap_or(u64::MAX), random)
    }

    /// Returns the minimum delay, doubled after each attempt up to the maximum. Jitter subtracts up to a tenth of it.
    pub(crate) fn doubling(self, attempt: u64, random: f64) -> u64 {
        self.shortened(self.ceiling(attempt), random)
    }

    fn shortened(self, part: u64, random: f64) -> u64 {
        // Delays are at most ten years, so that their milliseconds are exact in a double.
        let jitter = (random * (part / 10) as f64).floor() as u64;
        // Jitter only shortens, so that a change is never noticed later than the part allows.
        // Rule: docs/rules.md#pace
        part.saturating_sub(jitter).clamp(self.min, self.max)
    }

    /// Computes the specification's `random(minDelay, ceiling)`, with both ends included.
    pub(crate) fn backoff(self, attempt: u64, random: f64) -> u64 {
        let ceiling = self.ceiling(attempt);
        let choices = ceiling.saturating_sub(self.min).saturating_add(1);
        // Delays are at most ten years, so that their milliseconds are exact in a double.
        let jitter = (random * choices as f64).floor() as u64;
        // A draw just below 1 can round up to `choices`.
        ceiling.min(self.min.saturating_add(jitter))
    }

    // The specification limits the exponent with a logarithm. Doubling up to the maximum gives the same result without
    // floating-point arithmetic. Rule: docs/rules.md#delay-arithmetic
    fn ceiling(self, attempt: u64) -> u64 {
        let mut ceiling = self.min;
        for _ in 1..attempt {
            // Twice 0 is still 0.
            if ceiling == 0 || ceiling >= self.max {
                break;
            }
            ceiling = ceiling.saturating_mul(2);
        }
        ceiling.min(self.max)
    }

    // The specification's last delay, `remainingTime - minDelay`, isn't positive if at most `minDelay` remains. The
    // remaining time is then halved, so that a short wait gets a second attempt. Rule: docs/rules.md#delays
    const fn before_deadline(self, backoff: u64, remaining: u64) -> Option<NextDelay> {
        // Half of 1 ms is 0: the last two calls would follow each other without a pause.
        if remaining <= 1 {
            return None;
        }
        if remaining <= self.min {
            return Some(NextDelay {
                delay: remaining / 2,
                last: true,
            });
        }
        // As in the specification: the waiter must not sleep beyond its time before the last request.
        if remaining.saturating_sub(backoff) <= self.min {
            return Some(NextDelay {
                delay: remaining.saturating_sub(self.min),
                last: true,
            });
        }
        Some(NextDelay {
            delay: backoff,
            last: false,
        })
    }

    // A newer version of the specification makes the last call at the deadline, with no time left for the response. The
    // reserve is the time for it. Rule: docs/rules.md#final-poll
    const fn late(self, backoff: u64, remaining: u64, reserve: u64) -> Option<NextDelay> {
        let until_last = remaining.saturating_sub(reserve);
        // The reserve has begun: a response to a call from now on may be late.
        if until_last == 0 {
            return None;
        }
        let (delay, last) = if backoff >= until_last {
            (until_last, true)
        } else if until_last.saturating_sub(backoff) >= self.min {
            (backoff, false)
        } else if until_last <= self.max {
            (until_last, true)
        } else {
            // After half of the time, these rules apply again.
            (until_last / 2, false)
        };
        Some(NextDelay { delay, last })
    }
}

/// Returns the random number in `[0, 1)` of an attempt.
///
/// It depends only on the seed and the attempt, so that it is equal in every language and after a wait is resumed. See
/// docs/rules.md#delay-arithmetic.
pub(crate) fn draw(seed: u64, attempt: u64) -> f64 {
    // A double has 53 bits of precision.
    (mix(seed, attempt) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns the output of splitmix64 at a position. Different positions of a seed have different outputs.
pub(crate) const fn mix(seed: u64, place: u64) -> u64 {
    let mut z = seed.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::millis::TEN_YEARS_MS;

    #[test]
    fn the_specifications_table_ends_at_298_seconds() {
        let bounds = Bounds::new(2_000, 120_000).unwrap();
        let delays = [2, 3, 6, 6, 22, 62, 43, 24, 71, 42, 9, 6, 2];
        let mut elapsed = 0;
        for (attempt, expected) in (1..).zip(delays.map(|seconds| seconds * 1_000)) {
            let ceiling = bounds.ceiling(attempt);
            let choices = ceiling - 2_000 + 1;
            // The middle of the draws that give this delay.
            let random = ((expected - 2_000) as f64 + 0.5) / choices as f64;
            let backoff = bounds.backoff(attempt, random.min(0.999));
            let next = bounds.delay(backoff, 300_000 - elapsed, LastPoll::Specification);
            let next = next.unwrap();
            assert_eq!(
                next,
                NextDelay {
                    delay: expected,
                    last: attempt == 13
                }
            );
            elapsed += next.delay;
        }
        assert_eq!(elapsed, 298_000);
    }

    #[test]
    fn no_attempt_overflows() {
        let bounds = Bounds::new(1, TEN_YEARS_MS).unwrap();
        assert_eq!(bounds.ceiling(u64::MAX), TEN_YEARS_MS);
    }

    #[test]
    fn draws_stay_below_one() {
        for attempt in 0..10_000 {
            assert!((0.0..1.0).contains(&draw(attempt, attempt)));
        }
    }
}
