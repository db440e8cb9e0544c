//! The classifications, refusals and delays of strategies in host languages.

use std::time::Duration;

use super::{FailureInfo, RetryInfo, RetryRefusal, RetrySafety};
use crate::error::{OptionsError, Part, option};
use crate::operation::ErrorFault;
use crate::options::{RawOptions, check_object, wrong_kind};
use crate::value::{Kind, ReadError, Value};

impl FailureInfo {
    /// Reads a classification from an object of a host language: `fault` as a string, and `retry` as for
    /// [`RetryInfo::from_host`]. Null members count as absent, and others are ignored.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for a member of the wrong type or out of range.
    #[doc(hidden)]
    pub fn from_host<V: Value>(object: &V) -> Result<Self, OptionsError> {
        check_object(
            "",
            "the failure".into(),
            object.kind().map_err(unreadable(""))?,
        )?;
        let retry = object.member("retry").map_err(unreadable("retry"))?;
        let retry = match retry {
            Some(retry) if retry.kind().map_err(unreadable("retry"))? != Kind::Null => {
                Some(RetryInfo::from_host(&retry)?)
            }
            _ => None,
        };
        let faults = [ErrorFault::Client, ErrorFault::Server, ErrorFault::Other];
        let faults = faults.map(|fault| (fault.as_str(), fault));
        let raw = RawOptions::of_members(object, &["fault"])?;
        let rule = "must be `client`, `server` or `other`";
        Ok(Self {
            retry,
            fault: raw.word("fault", &faults, rule)?,
        })
    }
}

impl RetryInfo {
    /// Reads the value from an object of a host language: `safety` as a string, the booleans `throttle` and `timeout`,
    /// and `retryAfter` in seconds.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for a member of the wrong type or out of range.
    #[doc(hidden)]
    pub fn from_host<V: Value>(object: &V) -> Result<Self, OptionsError> {
        check_object(
            "retry",
            option("retry"),
            object.kind().map_err(unreadable("retry"))?,
        )?;
        let members = ["safety", "throttle", "timeout", "retryAfter"];
        let raw = RawOptions::of_members(object, &members)?;
        let safeties = [RetrySafety::Yes, RetrySafety::No, RetrySafety::Maybe];
        let safeties = safeties.map(|safety| (safety.as_str(), safety));
        let rule = "must be `yes`, `no` or `maybe`";
        let safety = raw.word("safety", &safeties, rule)?;
        let retry_after = raw.kind("retryAfter");
        let retry_after = retry_after.map(|kind| seconds("retryAfter", option("retryAfter"), kind));
        Ok(Self {
            safety: safety.ok_or_else(|| OptionsError::invalid("safety", rule, "null"))?,
            throttle: raw.boolean("throttle")?.unwrap_or_default(),
            timeout: raw.boolean("timeout")?.unwrap_or_default(),
            retry_after: retry_after.transpose()?,
        })
    }
}

impl RetryRefusal {
    /// Creates the refusal of a host's strategy from its code and message. A strategy that wraps the standard one may
    /// pass its refusal on.
    #[doc(hidden)]
    #[must_use]
    pub fn from_host(code: String, message: String) -> Self {
        let standard = Self::NotRetryable;
        // Passed on by a wrapping strategy. The request adds the note about idempotency to this refusal only.
        if code == standard.code() && message == standard.to_string() {
            return standard;
        }
        Self::Other { code, message }
    }
}

/// Reads the delay of a token in seconds.
pub(super) fn token_delay<V: Value>(delay: &V) -> Result<Duration, OptionsError> {
    let kind = delay.kind().map_err(unreadable("delay"))?;
    seconds("delay", "the delay of a retry token".into(), kind)
}

fn seconds(name: &'static str, culprit: Part, kind: Kind) -> Result<Duration, OptionsError> {
    match kind {
        // The range of `Duration` has no upper limit that a caller could mean.
        Kind::Number(seconds) if (0.0..f64::INFINITY).contains(&seconds) => {
            Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
        }
        other => {
            let rule = "a number of seconds, at least 0";
            Err(wrong_kind(name, culprit, rule, other))
        }
    }
}

fn unreadable(name: &'static str) -> impl Fn(ReadError) -> OptionsError {
    move |error| OptionsError::from_cause(name, &error)
}
