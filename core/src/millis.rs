//! Conversions between durations and whole milliseconds.

use std::time::Duration;

use crate::error::StateError;
use crate::value::display_number;

/// The longest time of an option: ten years. A longer time is likely in the wrong unit.
pub(crate) const TEN_YEARS_MS: u64 = 315_360_000_000;

/// The longest time of an option.
pub const TEN_YEARS: Duration = Duration::from_millis(TEN_YEARS_MS);

/// The text of a rule that ends with [`TEN_YEARS_MS`].
macro_rules! to_ten_years {
    ($rule:literal) => {
        concat!($rule, " 315360000 seconds (ten years)")
    };
}
pub(crate) use to_ten_years;

/// Returns a duration in milliseconds, rounded down, at most `u64::MAX`.
pub(crate) const fn whole_millis(duration: Duration) -> u64 {
    let seconds = duration.as_secs().saturating_mul(1_000);
    seconds.saturating_add(duration.subsec_millis() as u64)
}

/// Returns seconds in milliseconds, rounded half up. Negative numbers and NaN become 0.
pub(crate) fn millis_of_seconds(seconds: f64) -> u64 {
    // The cast saturates.
    (seconds * 1_000.0).round() as u64
}

/// Returns a duration in milliseconds, rounded up, at most ten years. Rounding up ensures that a delay which a service
/// or a strategy requires is never shortened.
pub(crate) fn rounded_up(duration: Duration) -> u64 {
    // A pause that someone asked for must not end early.
    let whole = duration.saturating_add(Duration::from_nanos(999_999));
    whole_millis(whole).min(TEN_YEARS_MS)
}

/// Formats milliseconds in seconds: `300 s`, `0.25 s`.
pub(crate) fn seconds(millis: u64) -> String {
    format!("{} s", display_number(millis as f64 / 1_000.0))
}

/// A sleep that returns before this time, and before a tenth of its duration, has passed did not sleep: a test replaced it.
const SHORTEST_SLEEP_MS: f64 = 5.0;

/// Returns `true` if a sleep of `asked_ms` that returned after `passed_ms` slept; it may have done so in part. Otherwise its
/// whole duration counts as passed. Rule: docs/rules.md#mocked-sleeps
#[must_use]
pub fn has_slept(passed_ms: f64, asked_ms: f64) -> bool {
    passed_ms >= SHORTEST_SLEEP_MS.min(asked_ms / 10.0)
}

/// Converts a host's time since the start of a wait to whole milliseconds, rounded down.
///
/// # Errors
///
/// Returns [`StateError::InvalidTime`] if `now` is negative, above 2^53 - 1 or not a number.
///
/// # Example: a fraction of a millisecond
///
/// ```
/// use smithy_waiters::internal::millis_from_host;
///
/// assert_eq!(millis_from_host(1_000.9)?, 1_000);
/// # Ok::<(), smithy_waiters::StateError>(())
/// ```
pub fn millis_from_host(now: f64) -> Result<u64, StateError> {
    // Doubles above 2^53 - 1 cannot represent every integer.
    const GREATEST: f64 = ((1_u64 << 53) - 1) as f64;
    if (0.0..=GREATEST).contains(&now) {
        return Ok(now as u64);
    }
    Err(StateError::InvalidTime)
}
