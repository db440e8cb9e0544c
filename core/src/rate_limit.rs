//! A limit for the calls of many waits, as a machine without a clock.

use crate::error::OptionsError;
use crate::options::{FromHost, OptionSpec, RawOptions};
use crate::value::Value;

/// The calls per second by default.
pub(crate) const USUAL_RATE: f64 = 5.0;

const RATE: OptionSpec = OptionSpec::new(
    "rate",
    "must be a number of calls per second, from 0.001 to 1000",
);

/// The factor of the rate after a throttled call, as in the adaptive mode of the standard retry strategy.
const THROTTLED: f64 = 0.7;

/// The part of the limit by which the rate recovers in each second.
const RECOVERY_PER_SECOND: f64 = 0.1;

/// The lowest part of the limit to which throttled calls can lower the rate.
const LEAST_PART: f64 = 0.01;

/// The rate at which several waits or fleets may call, in the order in which they ask.
///
/// A call of [`reserve`](Self::reserve) takes the next free time. Whoever asks first calls first, so that no wait calls
/// twice before another one that is due has called once. A throttled call lowers the rate by 30 %, and it recovers by
/// 10 % of the limit in each second. Times are milliseconds on a clock of the host, which all users of the limit share.
/// See [docs/rules.md#rate-limit](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#rate-limit).
///
/// # Example: five calls a second
///
/// ```
/// use smithy_waiters::RateLimit;
///
/// let mut limit = RateLimit::new(5.0)?;
/// assert_eq!([limit.reserve(0), limit.reserve(0), limit.reserve(1_000)], [0, 200, 1_000]);
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RateLimit {
    per_second: f64,
    /// The time of the next free call. A fraction, so that the rate is exact.
    next: f64,
    throttled: Option<Throttled>,
}

#[derive(Clone, Copy, Debug)]
struct Throttled {
    at: f64,
    /// The part of the limit right after the throttled call.
    part: f64,
}

impl RateLimit {
    /// Creates a limit in calls per second.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if the rate is not from 0.001 to 1000.
    pub fn new(per_second: f64) -> Result<Self, OptionsError> {
        if !(0.001..=1_000.0).contains(&per_second) {
            return Err(RATE.invalid(&per_second.to_string()));
        }
        Ok(Self {
            per_second,
            next: f64::NEG_INFINITY,
            throttled: None,
        })
    }

    /// Returns the limit in calls per second.
    #[must_use]
    pub const fn per_second(&self) -> f64 {
        self.per_second
    }

    /// Takes the next free time of a call and returns it, in milliseconds. The call may start then, and not earlier.
    pub fn reserve(&mut self, now_ms: u64) -> u64 {
        self.reserve_at(now_ms as f64) as u64
    }

    /// Takes the next free time. Unlike those of [`reserve`](Self::reserve), times can be negative.
    pub(crate) fn reserve_at(&mut self, now: f64) -> f64 {
        let at = self.next.max(now);
        self.next = at + 1_000.0 / (self.per_second * self.part(now));
        // Rounded up, because a call must not be early.
        at.ceil()
    }

    /// Lowers the rate after the service throttled a call.
    pub fn throttle(&mut self, now_ms: u64) {
        self.throttle_at(now_ms as f64);
    }

    pub(crate) fn throttle_at(&mut self, now: f64) {
        let part = (self.part(now) * THROTTLED).max(LEAST_PART);
        self.throttled = Some(Throttled { at: now, part });
        // A free time was computed with the previous rate.
        let pause = 1_000.0 / (self.per_second * part);
        self.next = self.next.max(now + pause);
    }

    /// Returns the part of the limit that is in force.
    fn part(&self, now: f64) -> f64 {
        self.throttled.map_or(1.0, |Throttled { at, part }| {
            let seconds = (now - at).max(0.0) / 1_000.0;
            (part + seconds * RECOVERY_PER_SECOND).min(1.0)
        })
    }
}

/// Reads the option `rate` of a host.
#[doc(hidden)]
impl FromHost for RateLimit {
    const NAMES: &'static [&'static str] = &["rate"];

    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, Self::NAMES)?;
        Self::new(raw.number(RATE.option, RATE.range)?.unwrap_or(USUAL_RATE))
    }
}
