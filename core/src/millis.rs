//! Times in whole milliseconds: one place for each rounding.

use std::time::Duration;

use crate::error::StateError;
use crate::value::display_number;

/// The longest time that an option may be: ten years. A longer one is a mistake of units.
pub(crate) const TEN_YEARS_MS: u64 = 315_360_000_000;

/// Rounds down; at most `u64::MAX`.
pub(crate) const fn whole_millis(duration: Duration) -> u64 {
    let seconds = duration.as_secs().saturating_mul(1_000);
    seconds.saturating_add(duration.subsec_millis() as u64)
}

/// Rounds up, to ten years at most: a pause that a service or a strategy asks for is never cut short.
pub(crate) fn rounded_up(duration: Duration) -> u64 {
    let whole = duration.saturating_add(Duration::from_nanos(999_999));
    whole_millis(whole).min(TEN_YEARS_MS)
}

/// Returns milliseconds as people read them: `300 s`, `0.25 s`.
pub(crate) fn seconds(millis: u64) -> String {
    format!("{} s", display_number(millis as f64 / 1_000.0))
}

/// Returns a host's time since the start of a machine in whole milliseconds, rounded down: a millisecond that is not over has
/// not passed.
///
/// # Errors
///
/// [`StateError::InvalidTime`] if it is negative, above 2^53 - 1 or not a number.
///
/// # Example: a clock with a fraction
///
/// ```
/// use smithy_waiters::internal::millis_from_host;
///
/// assert_eq!(millis_from_host(1_000.9)?, 1_000);
/// # Ok::<(), smithy_waiters::StateError>(())
/// ```
pub fn millis_from_host(now: f64) -> Result<u64, StateError> {
    // Doubles above are not exact, and no clock shows them.
    const GREATEST: f64 = ((1_u64 << 53) - 1) as f64;
    if (0.0..=GREATEST).contains(&now) {
        return Ok(now as u64);
    }
    Err(StateError::InvalidTime)
}
