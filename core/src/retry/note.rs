//! Notes on the classification of an error.

/// A header that was ignored, and why; or what keeps an error from being retried.
///
/// # Example: in words
///
/// ```
/// use smithy_waiters::retry::RetryNote;
///
/// assert_eq!(RetryNote::NoMilliseconds.code(), "invalid_retry_after");
/// assert_eq!(
///     RetryNote::NoMilliseconds.to_string(),
///     "`x-amz-retry-after` is no number of milliseconds: ignored",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RetryNote {
    /// A date in `Retry-After`, and no time to hold it against.
    #[error("`Retry-After` is a date, and the time now is not known: ignored")]
    NoClock,
    /// `x-amz-retry-after` is no whole number from 0.
    #[error("`x-amz-retry-after` is no number of milliseconds: ignored")]
    NoMilliseconds,
    /// `Retry-After` is neither a number from 0 nor a date.
    #[error("`Retry-After` is neither a number of seconds nor an HTTP date: ignored")]
    NoSecondsOrDate,
    /// The error is one to retry, if the request were known to be idempotent.
    #[error("the request is not known to be idempotent")]
    NotIdempotent,
}

impl RetryNote {
    /// The stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoClock => "no_clock",
            Self::NoMilliseconds | Self::NoSecondsOrDate => "invalid_retry_after",
            Self::NotIdempotent => "not_idempotent",
        }
    }
}
