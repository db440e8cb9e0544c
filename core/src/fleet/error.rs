//! Errors of answers that a fleet cannot read.

use crate::error::StateError;
use crate::value::ReadError;

/// Error returned when the resources of an answer cannot be told apart.
///
/// # Example: the wrong key
///
/// ```
/// use smithy_waiters::FleetError;
///
/// let error = FleetError::DuplicateKey { key: "State".to_owned() };
/// assert_eq!(error.to_string(), "two resources of the answer have the same `State`: name the member that identifies one in `key`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// Two resources of an answer have the same identifier.
    #[error(
        "two resources of the answer have the same `{key}`: name the member that identifies one in `key`"
    )]
    DuplicateKey {
        /// The option `key`.
        key: String,
    },
    /// An answer is not an object, or has the resources under another name.
    #[error("the answer must be an object with `{items}`, got {got}")]
    NoItems {
        /// The option `items`.
        items: String,
        /// What the answer is.
        got: String,
    },
    /// A resource of an answer has no text at the key.
    #[error(
        "resource {index} of `{items}` has no text `{key}`{}: name the member that identifies it in `key`",
        did_you_mean(near.as_deref())
    )]
    NoKey {
        /// The option `items`.
        items: String,
        /// The zero-based index of the resource on its page.
        index: usize,
        /// The option `key`.
        key: String,
        /// A member of the resource with a similar name.
        near: Option<String>,
    },
    /// The host cannot read a value of the answer.
    #[error("the answer cannot be read: {0}")]
    Read(#[from] ReadError),
    /// The event is out of order.
    #[error(transparent)]
    State(#[from] StateError),
}

impl FleetError {
    /// Returns the stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::State(error) => error.code(),
            Self::DuplicateKey { .. }
            | Self::NoItems { .. }
            | Self::NoKey { .. }
            | Self::Read(_) => "invalid_answer",
        }
    }
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!(", did you mean `{near}`"))
}
