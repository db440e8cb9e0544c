//! Retries of one request: who decides whether, and how long to wait before it.
//!
//! A [`RetryStrategy`] knows nothing of requests: it hands out a [`RetryToken`] for each, takes it back with what is
//! known of a failure, and either gives a new token, whose delay is to be waited, or refuses. Deciding never sleeps.
//!
//! Document: [Retrying requests](https://smithy.io/2.0/guides/client-guidance/retries.html).

mod classify;
mod facts;
mod options;
mod quota;
mod retry_after;
mod standard;

use std::time::Duration;

pub use classify::{Classified, RetryNote};
pub use facts::{Modeled, RequestFailure, Transport};
pub use options::{Backoff, RetryOptions};
pub use quota::RetryQuota;
pub use standard::{StandardRetryStrategy, StandardRetryToken};

/// The state of one request between its attempts.
///
/// Clause: [Retry token](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-token).
pub trait RetryToken {
    /// How long to wait before the next attempt.
    fn delay(&self) -> Duration;
}

/// Decides which failed attempts are made again, and when.
///
/// Tokens are taken by value: one that was used is gone. Strategies are shared by all the requests of a client, so what
/// they count is counted safely between threads.
///
/// Clause: [Retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy).
///
/// # Example: a strategy of one's own
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{FailureInfo, RefreshError, RetryRefusal, RetryStrategy, RetryToken, TokenError};
///
/// /// Tries everything once more, after a second.
/// struct OnceMore;
///
/// struct Attempt { retried: bool }
///
/// impl RetryToken for Attempt {
///     fn delay(&self) -> Duration {
///         Duration::from_secs(u64::from(self.retried))
///     }
/// }
///
/// impl RetryStrategy for OnceMore {
///     type Token = Attempt;
///
///     fn acquire_initial_token(&self) -> Result<Attempt, RetryRefusal> {
///         Ok(Attempt { retried: false })
///     }
///
///     fn refresh_retry_token(&self, token: Attempt, _: &FailureInfo) -> Result<Attempt, RefreshError> {
///         if token.retried {
///             return Err(RetryRefusal::max_retries(1).into());
///         }
///         Ok(Attempt { retried: true })
///     }
///
///     fn record_success(&self, _: Attempt) -> Result<(), TokenError> {
///         Ok(())
///     }
/// }
/// ```
pub trait RetryStrategy {
    /// What it hands out.
    type Token: RetryToken;

    /// The token of a request, before its first attempt.
    ///
    /// # Errors
    ///
    /// A [`RetryRefusal`]: the request is still sent, once.
    fn acquire_initial_token(&self) -> Result<Self::Token, RetryRefusal>;

    /// The token of the next attempt, after one that failed.
    ///
    /// # Errors
    ///
    /// A refusal: the request has failed with the error of its attempt. Or the token is none of this strategy's.
    fn refresh_retry_token(
        &self,
        token: Self::Token,
        failure: &FailureInfo,
    ) -> Result<Self::Token, RefreshError>;

    /// Takes the token back after an attempt that succeeded.
    ///
    /// # Errors
    ///
    /// The token is none of this strategy's.
    fn record_success(&self, token: Self::Token) -> Result<(), TokenError>;
}

/// Whether an attempt may be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification's three, for strategies to match on"
)]
pub enum RetrySafety {
    /// It may.
    Yes,
    /// It may not.
    No,
    /// Not enough is known.
    Maybe,
}

/// What an error says of retrying it.
///
/// Clause: [Retryable errors](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the specification's four, for hosts to fill in"
)]
pub struct RetryInfo {
    /// Whether it is safe.
    pub safety: RetrySafety,
    /// Whether the service said that there were too many requests.
    pub throttle: bool,
    /// Whether no answer came in time.
    pub timeout: bool,
    /// The least time to wait, where the service named one.
    pub retry_after: Option<Duration>,
}

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification's three, for strategies to match on"
)]
pub enum ErrorFault {
    /// The client's.
    Client,
    /// The server's.
    Server,
    /// Neither's for certain.
    Other,
}

/// What is known of a failed attempt: as much of [`RetryInfo`] and of the fault as its error tells.
///
/// [`RequestFailure::classify`] makes one from a status, headers and names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the specification's two interfaces, for hosts to fill in"
)]
pub struct FailureInfo {
    /// What it says of retrying it, where it says anything.
    pub retry: Option<RetryInfo>,
    /// Whose fault it is, where that is known.
    pub fault: Option<ErrorFault>,
}

/// A strategy's no to another attempt: the specification's `TokenAcquisitionFailedException`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RetryRefusal {
    /// As many retries were made as are allowed.
    #[error("{max_retries} {} made, no more are allowed", if *.max_retries == 1 { "retry was" } else { "retries were" })]
    MaxRetries {
        /// How many are allowed.
        max_retries: u64,
    },
    /// The error is none to retry.
    #[error("the error is not retryable")]
    NotRetryable,
    /// Too many requests failed lately: retries would make it worse.
    #[error("the retry quota is exhausted: {available} left, the retry costs {cost}")]
    QuotaExhausted {
        /// What the quota holds.
        available: u32,
        /// What the retry costs.
        cost: u32,
    },
    /// The service asks for a longer pause than the caller accepts.
    #[error("the service asks for a pause of {} s, at most {} s are accepted", retry_after.as_secs_f64(), max_retry_after.as_secs_f64())]
    RetryAfterTooLong {
        /// What it asks for.
        retry_after: Duration,
        /// What is accepted.
        max_retry_after: Duration,
    },
}

impl RetryRefusal {
    /// The refusal after so many retries.
    #[must_use]
    pub const fn max_retries(max_retries: u64) -> Self {
        Self::MaxRetries { max_retries }
    }

    /// The stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::MaxRetries { .. } => "max_retries",
            Self::NotRetryable => "not_retryable",
            Self::QuotaExhausted { .. } => "quota_exhausted",
            Self::RetryAfterTooLong { .. } => "retry_after_too_long",
        }
    }
}

/// A token that the strategy cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// Another strategy handed it out.
    #[error("the retry token was handed out by another strategy")]
    Foreign,
    /// It was given back before.
    #[error("the retry token was used before")]
    Used,
}

impl TokenError {
    /// The stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Foreign => "foreign_token",
            Self::Used => "used_token",
        }
    }
}

/// Why a token was not refreshed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification's two, which callers tell apart"
)]
pub enum RefreshError {
    /// There is no further attempt.
    #[error(transparent)]
    Refused(#[from] RetryRefusal),
    /// The caller's mistake.
    #[error(transparent)]
    Token(#[from] TokenError),
}
