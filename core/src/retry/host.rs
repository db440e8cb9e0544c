//! The classifications, refusals and delays of strategies in host languages.

use std::time::Duration;

use super::{FailureInfo, RetryInfo, RetryRefusal, RetrySafety};
use crate::error::{OptionsError, Part, option};
use crate::operation::ErrorFault;
use crate::value::{Kind, ReadError, Value, describe};

impl FailureInfo {
    /// Reads a classification from an object of a host language: `fault` as a string, and `retry` as for
    /// [`RetryInfo::from_host`]. Null members count as absent, and others are ignored.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for a member of the wrong type or out of range.
    #[doc(hidden)]
    pub fn from_host<V: Value>(object: &V) -> Result<Self, OptionsError> {
        check_object("", "the failure".into(), object)?;
        let retry = member(object, "retry")?.map(|(retry, _)| RetryInfo::from_host(&retry));
        Ok(Self {
            retry: retry.transpose()?,
            fault: word(object, "fault", FAULTS, ErrorFault::from_name)?,
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
        check_object("retry", option("retry"), object)?;
        let safety = word(object, "safety", SAFETIES, RetrySafety::from_name)?;
        let retry_after = member(object, "retryAfter")?;
        let retry_after =
            retry_after.map(|(_, kind)| seconds("retryAfter", option("retryAfter"), kind));
        Ok(Self {
            safety: safety.ok_or_else(|| OptionsError::invalid("safety", SAFETIES, "null"))?,
            throttle: flag(object, "throttle")?,
            timeout: flag(object, "timeout")?,
            retry_after: retry_after.transpose()?,
        })
    }
}

const FAULTS: &str = "must be `client`, `server` or `other`";
const SAFETIES: &str = "must be `yes`, `no` or `maybe`";

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
        other => Err(must_be(
            name,
            culprit,
            "a number of seconds, at least 0",
            other,
        )),
    }
}

/// Returns a member that is not null, and its kind.
fn member<V: Value>(object: &V, name: &'static str) -> Result<Option<(V, Kind)>, OptionsError> {
    let read = || match object.member(name)? {
        Some(member) => Ok(Some((member.kind()?, member))),
        None => Ok(None),
    };
    let found = read().map_err(unreadable(name))?;
    Ok(found.and_then(|(kind, member)| (kind != Kind::Null).then_some((member, kind))))
}

fn word<V: Value, T>(
    object: &V,
    name: &'static str,
    rule: &'static str,
    meaning: fn(&str) -> Option<T>,
) -> Result<Option<T>, OptionsError> {
    let Some((value, kind)) = member(object, name)? else {
        return Ok(None);
    };
    if kind != Kind::String {
        return Err(OptionsError::invalid(name, rule, &describe(kind)));
    }
    let text = value.text().map_err(unreadable(name))?;
    let meaning = meaning(&text);
    meaning.map_or_else(
        || Err(OptionsError::invalid(name, rule, &format!("`{text}`"))),
        |meaning| Ok(Some(meaning)),
    )
}

fn flag<V: Value>(object: &V, name: &'static str) -> Result<bool, OptionsError> {
    match member(object, name)? {
        None => Ok(false),
        Some((_, Kind::Boolean(flag))) => Ok(flag),
        Some((_, other)) => Err(must_be(name, option(name), "a boolean", other)),
    }
}

fn check_object<V: Value>(
    name: &'static str,
    culprit: Part,
    value: &V,
) -> Result<(), OptionsError> {
    match value.kind().map_err(unreadable(name))? {
        Kind::Object => Ok(()),
        other => Err(must_be(name, culprit, "an object", other)),
    }
}

fn must_be(name: &'static str, culprit: Part, rule: &str, got: Kind) -> OptionsError {
    let problem = format!(" must be {rule}, got {}", describe(got));
    OptionsError::new("invalid_option", name, [culprit, problem.into()])
}

fn unreadable(name: &'static str) -> impl Fn(ReadError) -> OptionsError {
    move |error| OptionsError::from_cause(name, &error)
}
