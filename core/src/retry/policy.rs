//! The directive of a retry policy.

use crate::definition::State;

/// What follows from a call's result.
///
/// # Example: from a waiter's state
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
    reason = "a host that retries must know all three"
)]
pub enum RetryDirective {
    /// The call has failed, whatever a strategy would say.
    Fail,
    /// The call is to be made again, if the strategy allows it.
    Retry,
    /// The call has succeeded; its result may be an error.
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
