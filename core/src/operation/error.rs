//! The traits of an error in a model.

use serde::{Deserialize, Serialize};

/// The `error` and `retryable` traits of an error in a model.
///
/// # Example: an error with the trait `retryable`
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
#[expect(clippy::exhaustive_structs, reason = "the members of the traits")]
pub struct ModeledError {
    /// The value of the `error` trait.
    pub fault: ErrorFault,
    /// `true` if the error has the `retryable` trait.
    pub retryable: bool,
    /// The member `throttling` of the `retryable` trait.
    pub throttling: bool,
}

/// The side that caused an error.
///
/// # Example: conversions
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
    /// The client caused the error.
    Client,
    /// The server caused the error.
    Server,
    /// The cause is unknown.
    Other,
}

impl ErrorFault {
    /// Returns the name of the fault: `client`, `server` or `other`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::Other => "other",
        }
    }

    /// Returns the fault with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Client, Self::Other, Self::Server];
        all.into_iter().find(|one| one.as_str() == name)
    }
}
