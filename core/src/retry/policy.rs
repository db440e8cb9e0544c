//! The directives of a retry policy.

use crate::definition::State;

/// The meaning of a call's result for a retry.
///
/// # Example: the directive for a waiter's state
///
/// ```
/// use smithy_waiters::State;
/// use smithy_waiters::retry::RetryDirective;
///
/// assert_eq!(RetryDirective::from(State::Retry), RetryDirective::Retry);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "hosts match on all three directives"
)]
pub enum RetryDirective {
    /// The call failed and is not retried.
    Fail,
    /// The call is retried if the strategy allows it.
    Retry,
    /// The call succeeded. Its result may be an error.
    Succeed,
}

impl From<State> for RetryDirective {
    fn from(state: State) -> Self {
        match state {
            State::Success => Self::Succeed,
            State::Failure => Self::Fail,
            State::Retry => Self::Retry,
        }
    }
}
