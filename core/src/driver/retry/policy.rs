//! Policies: the meaning of an attempt's result.

use crate::driver::{NO_INPUT, OperationError};
use crate::evaluation::Observation;
use crate::response::{Either, Response, View};
use crate::retry::RetryDirective;
use crate::value::Value;
use crate::waiter::Waiter;

/// Decides whether the result of an attempt is a success, a failure or a reason to retry.
///
/// [`AcceptorRetryPolicy`] implements it with a waiter's acceptors. A closure is a policy, too.
///
/// # Example: retrying an empty response
///
/// ```
/// use smithy_waiters::ErrorMetadata;
/// use smithy_waiters::driver::Retry;
/// use smithy_waiters::retry::{RetryDirective, RetryOptions, StandardRetryStrategy};
/// # #[cfg(feature = "testing")] {
/// use smithy_waiters::testing::FakeClock;
///
/// let policy = |result: Result<&Vec<u8>, &ErrorMetadata>| match result {
///     Ok(body) if body.is_empty() => RetryDirective::Retry,
///     Ok(_) => RetryDirective::Succeed,
///     Err(_) => RetryDirective::Fail,
/// };
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let mut bodies = [vec![], vec![7]].into_iter();
/// let call = |_| Ok(bodies.next().unwrap_or_default());
/// let result = Retry::new(&strategy, FakeClock::new()).call_blocking_by(&policy, call);
/// assert_eq!(result.unwrap(), Ok(vec![7]));
/// # }
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
pub trait RetryPolicy<T, E> {
    /// Returns the meaning of a result.
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective;
}

impl<T, E, F: Fn(Result<&T, &E>) -> RetryDirective> RetryPolicy<T, E> for F {
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective {
        self(result)
    }
}

/// A retry policy that uses a waiter's acceptors to classify results as success, failure or retry.
///
/// The first acceptor that matches decides. If no acceptor matches, an error is a failure and a response is retried, as
/// in a wait. The delays and the number of retries come from the retry strategy, not from the waiter.
///
/// # Example: a stack that does not exist yet
///
/// ```
/// use smithy_waiters::driver::{AcceptorRetryPolicy, RetryPolicy};
/// use smithy_waiters::retry::RetryDirective;
/// use smithy_waiters::{ErrorMetadata, Waiter};
///
/// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}},
///     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let policy = AcceptorRetryPolicy::new(&waiter);
/// let missing: Result<&serde_json::Value, _> = Err(&ErrorMetadata::of_code("NotFound"));
/// assert_eq!(policy.directive(missing), RetryDirective::Retry);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AcceptorRetryPolicy<I = &'static serde_json::Value> {
    waiter: Waiter,
    input: I,
}

impl AcceptorRetryPolicy {
    /// Creates a policy from the acceptors of a waiter.
    #[must_use]
    pub fn new(waiter: &Waiter) -> Self {
        Self {
            waiter: waiter.clone(),
            input: &NO_INPUT,
        }
    }

    /// Sets the operation's input, which `inputOutput` matchers read.
    #[must_use]
    pub fn input<I: Value>(self, input: I) -> AcceptorRetryPolicy<I> {
        AcceptorRetryPolicy {
            waiter: self.waiter,
            input,
        }
    }
}

impl<T: Response, E: OperationError, I: Value> RetryPolicy<T, E> for AcceptorRetryPolicy<I> {
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective {
        let input: Either<I, View<'_>> = Either::Input(self.input.clone());
        let verdict = match result {
            Ok(response) => {
                let response = Either::Response(response.view());
                self.waiter.evaluate(input, Observation::Response(response))
            }
            Err(error) => self
                .waiter
                .evaluate(input, Observation::Error(&error.metadata())),
        };
        verdict.state().into()
    }
}

/// A policy that accepts every response and retries every error.
pub(super) struct ErrorsOnly;

impl<T, E> RetryPolicy<T, E> for ErrorsOnly {
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective {
        match result {
            Ok(_) => RetryDirective::Succeed,
            Err(_) => RetryDirective::Retry,
        }
    }
}
