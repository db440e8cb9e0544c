//! The traits of an error in a model.

use serde::{Deserialize, Serialize};

/// What the model says of an error: its `error` and `retryable` traits.
///
/// # Example: an error that the service wants to be retried
///
/// ```
/// use smithy_waiters::operation::{ErrorFault, ModeledError};
/// use smithy_waiters::retry::{RequestFailure, RetrySafety};
///
/// let modeled = ModeledError { fault: ErrorFault::Client, retryable: true, throttling: true };
/// let info = RequestFailure::default().modeled(modeled).classify().info;
/// assert_eq!(info.retry.map(|retry| (retry.safety, retry.throttle)), Some((RetrySafety::Yes, true)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "the traits' own members")]
pub struct ModeledError {
    /// The value of the `error` trait.
    pub fault: ErrorFault,
    /// Whether it has the `retryable` trait.
    pub retryable: bool,
    /// The `throttling` of its `retryable` trait.
    pub throttling: bool,
}

/// Whose fault an error is.
///
/// # Example: in words
///
/// ```
/// use smithy_waiters::operation::ErrorFault;
///
/// assert_eq!(ErrorFault::Server.as_str(), "server");
/// assert_eq!(ErrorFault::from_name("client"), Some(ErrorFault::Client));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification's three, for strategies to match on"
)]
#[serde(rename_all = "lowercase")]
pub enum ErrorFault {
    /// The client's.
    Client,
    /// The server's.
    Server,
    /// Neither's for certain.
    Other,
}

impl ErrorFault {
    /// The stable word, for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::Other => "other",
        }
    }

    /// The one with this word.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Client, Self::Other, Self::Server];
        all.into_iter().find(|one| one.as_str() == name)
    }
}
