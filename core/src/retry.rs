//! Retries of one request: strategies that decide whether and when a failed attempt is repeated.
//!
//! A [`RetryStrategy`] is independent of the request. It issues a [`RetryToken`] for each request and, after a failure,
//! either exchanges the token for a new one with a delay or refuses. A strategy never sleeps.
//!
//! Specification: [Retrying requests](https://smithy.io/2.0/guides/client-guidance/retries.html).

pub(crate) mod causes;
mod chain;
mod classify;
mod failed_request;
mod host;
pub(crate) mod leased;
mod never;
mod note;
mod options;
mod policy;
mod problem;
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
pub(crate) use problem::Problem;
pub use quota::RetryQuota;
pub use request::{
    FailedAttempt, Request, RequestEvent, RequestOptions, RequestReport, RequestStep, RetryEnd,
};
pub use standard::{HostToken, StandardRetryStrategy, StandardRetryToken};
pub use transient::Transient;

/// The state of one request between its attempts. See [`RetryStrategy`] for its use.
///
/// # Example: a token that is a delay
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
/// Specification: [Retry token](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-token).
pub trait RetryToken {
    /// Returns the delay before the next attempt.
    fn delay(&self) -> Duration;
}

/// Decides which failed attempts are retried, and when.
///
/// Tokens are passed by value, so each is used once. All requests of a client share a strategy; it must synchronize its
/// own state between threads.
///
/// Specification: [Retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy).
///
/// # Example: a custom strategy
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{FailureInfo, RefreshError, RetryRefusal, RetryStrategy, RetryToken, TokenError};
///
/// /// Retries every error once, after a second.
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
    /// The type of the tokens.
    type Token: RetryToken;

    /// Returns the token of a request before its first attempt.
    ///
    /// # Errors
    ///
    /// Returns a [`RetryRefusal`] if the strategy allows no retries. The request is still sent once.
    fn acquire_initial_token(&self) -> Result<Self::Token, RetryRefusal>;

    /// Exchanges the token of a failed attempt for the token of the next attempt.
    ///
    /// # Errors
    ///
    /// Returns [`RefreshError::Refused`] if the request is not retried, and [`RefreshError::Token`] if another strategy
    /// issued the token.
    fn refresh_retry_token(
        &self,
        token: Self::Token,
        failure: &FailureInfo,
    ) -> Result<Self::Token, RefreshError>;

    /// Takes the token back after a successful attempt.
    ///
    /// # Errors
    ///
    /// Returns [`TokenError`] if another strategy issued the token.
    fn record_success(&self, token: Self::Token) -> Result<(), TokenError>;

    /// Takes back the token of an attempt that is not made, because the time is over or the caller cancelled in the
    /// pause.
    ///
    /// A strategy with a quota refunds what the token cost. The specification has no such function. The default
    /// implementation does nothing.
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

/// Whether an attempt can be retried safely.
///
/// # Example: the names of the values
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
    /// The attempt can be retried.
    Yes,
    /// The attempt must not be retried.
    No,
    /// It is unclear whether the attempt can be retried.
    Maybe,
}

/// The properties of an error that decide about a retry.
///
/// # Example: throttling with a pause of at least two seconds
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
/// Specification: [Retryable errors](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the specification's four, for hosts to fill in"
)]
pub struct RetryInfo {
    /// Whether a retry is safe.
    pub safety: RetrySafety,
    /// `true` if the service throttles.
    pub throttle: bool,
    /// `true` if no response arrived in time.
    pub timeout: bool,
    /// The minimum delay that the service requests.
    pub retry_after: Option<Duration>,
}

impl RetryInfo {
    /// Creates a value without throttling, timeout and minimum delay.
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
    /// Returns the stable name, for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Maybe => "maybe",
        }
    }

    /// Returns the value with this name, or `None` for an unknown name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Maybe, Self::No, Self::Yes];
        all.into_iter().find(|one| one.as_str() == name)
    }
}

/// The classification of a failed attempt: its [`RetryInfo`] and its fault, as far as the error provides them.
///
/// [`RequestFailure::classify`] derives it from a status, headers and a code.
///
/// # Example: a server's fault without further information
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
    /// The properties for a retry, if the error provides any.
    pub retry: Option<RetryInfo>,
    /// The party at fault, if the error provides it.
    pub fault: Option<ErrorFault>,
}

/// A strategy's refusal of another attempt. The specification calls it `TokenAcquisitionFailedException`.
///
/// # Example: the reasons of two refusals
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
    /// The maximum number of retries is reached.
    #[error("{}", no_more_retries(*.max_retries))]
    MaxRetries {
        /// The maximum number of retries.
        max_retries: u64,
    },
    /// The error is retryable only for idempotent requests, and the request is not known to be idempotent. Requests
    /// report this, because a strategy has no access to the idempotency.
    #[error("the error is not retryable: the request is not known to be idempotent")]
    NotIdempotent,
    /// The error is not retryable.
    #[error("the error is not retryable")]
    NotRetryable,
    /// The reason of a custom strategy.
    #[error("{message}")]
    Other {
        /// The stable code, for programs.
        code: String,
        /// The reason, for people.
        message: String,
    },
    /// The quota is exhausted: too many recent requests failed.
    #[error("the retry quota is exhausted: {available} left, the retry costs {cost}")]
    QuotaExhausted {
        /// The number of tokens in the quota.
        available: u32,
        /// The cost of the retry.
        cost: u32,
    },
    /// The service requests a longer pause than the caller accepts.
    #[error("the service requested a pause of {}, the maximum is {}", display_seconds(*.retry_after), display_seconds(*.max_retry_after))]
    RetryAfterTooLong {
        /// The requested pause.
        retry_after: Duration,
        /// The longest accepted pause.
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

fn display_seconds(duration: Duration) -> String {
    seconds(whole_millis(duration))
}

impl RetryRefusal {
    /// Creates the refusal after `max_retries` retries.
    #[must_use]
    pub const fn max_retries(max_retries: u64) -> Self {
        Self::MaxRetries { max_retries }
    }

    /// Returns the stable code, for programs.
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

/// Error returned when a strategy rejects a token.
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
    /// Another strategy issued the token.
    #[error("the retry token was issued by another strategy")]
    Foreign,
    /// The token was already used.
    #[error("the retry token was already used")]
    Used,
}

impl TokenError {
    /// Returns the stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Foreign => "foreign_token",
            Self::Used => "used_token",
        }
    }
}

/// Error returned when a token is not refreshed.
///
/// # Example: the two causes
///
/// ```
/// use smithy_waiters::retry::{RefreshError, RetryRefusal, TokenError};
///
/// let refused = RefreshError::from(RetryRefusal::NotRetryable);
/// assert_eq!(refused, RefreshError::Refused(RetryRefusal::NotRetryable));
/// assert_eq!(RefreshError::from(TokenError::Used).to_string(), "the retry token was already used");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification's two, which callers tell apart"
)]
pub enum RefreshError {
    /// The strategy refused another attempt.
    #[error(transparent)]
    Refused(#[from] RetryRefusal),
    /// The caller passed an invalid token.
    #[error(transparent)]
    Token(#[from] TokenError),
}
