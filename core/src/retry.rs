//! Retries of one request: who decides whether, and how long to wait before it.
//!
//! A [`RetryStrategy`] knows nothing of requests: it hands out a [`RetryToken`] for each, takes it back with what is
//! known of a failure, and either gives a new token, whose delay is to be waited, or refuses. Deciding never sleeps.
//!
//! Document: [Retrying requests](https://smithy.io/2.0/guides/client-guidance/retries.html).

mod chain;
mod classify;
mod failed_request;
mod never;
mod note;
mod options;
mod policy;
mod quota;
mod request;
mod retry_after;
mod standard;
mod transient;

use std::time::Duration;

use crate::millis::{seconds, whole_millis};
use crate::operation::ErrorFault;
pub use classify::Classified;
pub use failed_request::{RequestFailure, Transport};
pub use never::NoRetries;
pub use note::RetryNote;
pub use options::{Backoff, RetryCosts, RetryOptions};
pub use policy::RetryDirective;
pub use quota::RetryQuota;
pub use request::{
    FailedAttempt, Request, RequestEvent, RequestOptions, RequestReport, RequestStep, RetryEnd,
};
pub use standard::{StandardRetryStrategy, StandardRetryToken, TokenParts};
pub use transient::Transient;

/// The state of one request between its attempts; [`RetryStrategy`] shows one.
///
/// # Example: a token that is its delay
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::RetryToken;
///
/// struct Pause(Duration);
///
/// impl RetryToken for Pause {
///     fn delay(&self) -> Duration {
///         self.0
///     }
/// }
/// # assert_eq!(Pause(Duration::ZERO).delay(), Duration::ZERO);
/// ```
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

    /// Takes the token back of an attempt that is not made, since no time is left for it or the caller has cancelled in its
    /// pause: what it took, it gives back. (The specification has no such function; a strategy that does not count has nothing to
    /// do.)
    fn release_token(&self, _token: Self::Token) {}
}

impl<S: RetryStrategy + ?Sized> RetryStrategy for &S {
    type Token = S::Token;

    fn acquire_initial_token(&self) -> Result<Self::Token, RetryRefusal> {
        S::acquire_initial_token(self)
    }

    fn refresh_retry_token(
        &self,
        token: Self::Token,
        failure: &FailureInfo,
    ) -> Result<Self::Token, RefreshError> {
        S::refresh_retry_token(self, token, failure)
    }

    fn record_success(&self, token: Self::Token) -> Result<(), TokenError> {
        S::record_success(self, token)
    }

    fn release_token(&self, token: Self::Token) {
        S::release_token(self, token);
    }
}

/// Whether an attempt may be made again.
///
/// # Example: in words
///
/// ```
/// use smithy_waiters::retry::RetrySafety;
///
/// assert_eq!(RetrySafety::Maybe.as_str(), "maybe");
/// assert_eq!(RetrySafety::from_name("yes"), Some(RetrySafety::Yes));
/// ```
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
/// # Example: throttled, for two seconds at least
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{RetryInfo, RetrySafety};
///
/// let throttled = RetryInfo {
///     throttle: true,
///     retry_after: Some(Duration::from_secs(2)),
///     ..RetryInfo::new(RetrySafety::Yes)
/// };
/// assert!(!throttled.timeout);
/// ```
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

impl RetryInfo {
    /// Neither throttling nor a timeout, and no time that the service named.
    #[must_use]
    pub const fn new(safety: RetrySafety) -> Self {
        Self {
            safety,
            throttle: false,
            timeout: false,
            retry_after: None,
        }
    }
}

impl RetrySafety {
    /// The stable word, for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Maybe => "maybe",
        }
    }

    /// The one with this word.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Maybe, Self::No, Self::Yes];
        all.into_iter().find(|one| one.as_str() == name)
    }
}

/// What is known of a failed attempt: as much of [`RetryInfo`] and of the fault as its error tells.
///
/// [`RequestFailure::classify`] makes one from a status, headers and names.
///
/// # Example: a server's fault, of which no more is known
///
/// ```
/// use smithy_waiters::operation::ErrorFault;
/// use smithy_waiters::retry::FailureInfo;
///
/// let failure = FailureInfo { retry: None, fault: Some(ErrorFault::Server) };
/// assert_ne!(failure, FailureInfo::default());
/// ```
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
///
/// # Example: why there is no retry
///
/// ```
/// use smithy_waiters::retry::RetryRefusal;
///
/// let refusal = RetryRefusal::QuotaExhausted { available: 3, cost: 5 };
/// assert_eq!(refusal.code(), "quota_exhausted");
/// assert_eq!(refusal.to_string(), "the retry quota is exhausted: 3 left, the retry costs 5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RetryRefusal {
    /// As many retries were made as are allowed.
    #[error("{}", no_more_retries(*.max_retries))]
    MaxRetries {
        /// How many are allowed.
        max_retries: u64,
    },
    /// The error is one to retry for a request that is known to be idempotent. Drivers say so, strategies cannot know.
    #[error("the error is not retryable: the request is not known to be idempotent")]
    NotIdempotent,
    /// The error is none to retry.
    #[error("the error is not retryable")]
    NotRetryable,
    /// A custom strategy's own reason.
    #[error("{message}")]
    Other {
        /// The stable code, for programs.
        code: String,
        /// The reason, for people.
        message: String,
    },
    /// Too many requests failed lately: retries would make it worse.
    #[error("the retry quota is exhausted: {available} left, the retry costs {cost}")]
    QuotaExhausted {
        /// What the quota holds.
        available: u32,
        /// What the retry costs.
        cost: u32,
    },
    /// The service asks for a longer pause than the caller accepts.
    #[error("the service asks for a pause of {}, at most {} are accepted", shown(*.retry_after), shown(*.max_retry_after))]
    RetryAfterTooLong {
        /// What it asks for.
        retry_after: Duration,
        /// What is accepted.
        max_retry_after: Duration,
    },
}

fn no_more_retries(max_retries: u64) -> String {
    match max_retries {
        0 => "no retries are allowed".to_owned(),
        1 => "1 retry was made, no more are allowed".to_owned(),
        retries => format!("{retries} retries were made, no more are allowed"),
    }
}

fn shown(duration: Duration) -> String {
    seconds(whole_millis(duration))
}

impl RetryRefusal {
    /// The refusal after so many retries.
    #[must_use]
    pub const fn max_retries(max_retries: u64) -> Self {
        Self::MaxRetries { max_retries }
    }

    /// The stable code, for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::MaxRetries { .. } => "max_retries",
            Self::NotIdempotent | Self::NotRetryable => "not_retryable",
            Self::Other { code, .. } => code,
            Self::QuotaExhausted { .. } => "quota_exhausted",
            Self::RetryAfterTooLong { .. } => "retry_after_too_long",
        }
    }
}

/// A token that the strategy cannot take.
///
/// # Example: the token of another strategy
///
/// ```
/// use smithy_waiters::retry::{RetryOptions, RetryStrategy, StandardRetryStrategy, TokenError};
///
/// let one = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let other = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// assert_eq!(other.record_success(one.acquire_initial_token()?), Err(TokenError::Foreign));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// # Example: a refusal or a mistake
///
/// ```
/// use smithy_waiters::retry::{RefreshError, RetryRefusal, TokenError};
///
/// let refused = RefreshError::from(RetryRefusal::NotRetryable);
/// assert_eq!(refused, RefreshError::Refused(RetryRefusal::NotRetryable));
/// assert_eq!(RefreshError::from(TokenError::Used).to_string(), "the retry token was used before");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
