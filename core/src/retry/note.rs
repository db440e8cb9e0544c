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
///     "`x-amz-retry-after` is no number of milliseconds: ignored",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RetryNote {
    /// `Retry-After` is a date, and the current time is unknown.
    #[error("`Retry-After` is a date, and the time now is not known: ignored")]
    NoClock,
    /// `x-amz-retry-after` is not a non-negative integer.
    #[error("`x-amz-retry-after` is no number of milliseconds: ignored")]
    NoMilliseconds,
    /// `Retry-After` is neither a non-negative number nor a date.
    #[error("`Retry-After` is neither a number of seconds nor an HTTP date: ignored")]
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
