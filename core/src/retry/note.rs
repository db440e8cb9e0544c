//! Notes about the classification of an error.

/// A note about a header that was ignored or about a rule that prevents a retry.
///
/// # Example: the text of a note
///
/// ```
/// use smithy_waiters::retry::RetryNote;
///
/// assert_eq!(RetryNote::NoMilliseconds.code(), "invalid_retry_after");
/// assert_eq!(
///     RetryNote::NoMilliseconds.to_string(),
///     "ignoring `x-amz-retry-after`: it is not a number of milliseconds",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RetryNote {
    /// `Retry-After` is a date, and the current time is unknown.
    #[error("ignoring `Retry-After`: it is a date, and the current time is unknown")]
    NoClock,
    /// `x-amz-retry-after` is not a non-negative integer.
    #[error("ignoring `x-amz-retry-after`: it is not a number of milliseconds")]
    NoMilliseconds,
    /// `Retry-After` is neither a non-negative number nor a date.
    #[error("ignoring `Retry-After`: it is neither a number of seconds nor an HTTP date")]
    NoSecondsOrDate,
    /// The error would be retried if the request were known to be idempotent.
    #[error("the request is not known to be idempotent")]
    NotIdempotent,
}

impl RetryNote {
    /// Returns the stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoClock => "no_clock",
            Self::NoMilliseconds | Self::NoSecondsOrDate => "invalid_retry_after",
            Self::NotIdempotent => "not_idempotent",
        }
    }
}
