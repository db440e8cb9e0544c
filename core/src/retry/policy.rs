//! What a call's result means to whoever retries it: a waiter's acceptors as a retry policy.

use crate::matcher::Seen;
use crate::value::Value;
use crate::verdict::State;
use crate::waiter::Waiter;

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

/// A waiter's acceptors as a retry policy: which results of a call are a success, a failure, or to be retried.
///
/// The first acceptor that matches decides. Where none does, an error is a failure and a response is retried, as in a wait.
/// When, and how often, is a retry strategy's to say, and not the waiter's.
///
/// # Example: a stack that is not there yet
///
/// ```
/// use smithy_waiters::driver::RetryPolicy;
/// use smithy_waiters::retry::{AcceptorRetryPolicy, RetryDirective};
/// use smithy_waiters::{ErrorFacts, Waiter};
///
/// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}},
///     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let policy = AcceptorRetryPolicy::new(&waiter);
/// let missing: Result<&serde_json::Value, _> = Err(&ErrorFacts::of_code("NotFound"));
/// assert_eq!(policy.directive(missing), RetryDirective::Retry);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AcceptorRetryPolicy<I = &'static serde_json::Value> {
    waiter: Waiter,
    pub(crate) input: I,
}

static NO_INPUT: serde_json::Value = serde_json::Value::Null;

impl AcceptorRetryPolicy {
    /// The acceptors of this waiter.
    #[must_use]
    pub fn new(waiter: &Waiter) -> Self {
        Self {
            waiter: waiter.clone(),
            input: &NO_INPUT,
        }
    }

    /// The call's input, which `inputOutput` matchers look at.
    #[must_use]
    pub fn input<I: Value>(self, input: I) -> AcceptorRetryPolicy<I> {
        AcceptorRetryPolicy {
            waiter: self.waiter,
            input,
        }
    }
}

impl<I> AcceptorRetryPolicy<I> {
    /// What follows from a result.
    pub(crate) fn evaluate<V: Value>(&self, input: V, seen: Seen<'_, V>) -> RetryDirective {
        self.waiter.evaluate(input, seen).state().into()
    }
}
