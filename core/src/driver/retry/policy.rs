//! What the result of an attempt means.

use crate::driver::OperationError;
use crate::matcher::Seen;
use crate::response::{Either, Response, View};
use crate::retry::{AcceptorRetryPolicy, RetryDirective};
use crate::value::Value;

/// Says what the result of an attempt means: a waiter's acceptors do, [`AcceptorRetryPolicy`], and so does a closure.
///
/// # Example: an empty response is asked for again
///
/// ```
/// use smithy_waiters::ErrorFacts;
/// use smithy_waiters::driver::Retry;
/// use smithy_waiters::retry::{RetryDirective, RetryOptions, StandardRetryStrategy};
/// # #[cfg(feature = "testing")] {
/// use smithy_waiters::testing::FakeClock;
///
/// let policy = |result: Result<&Vec<u8>, &ErrorFacts>| match result {
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
    /// What follows from the result.
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective;
}

impl<T, E, F: Fn(Result<&T, &E>) -> RetryDirective> RetryPolicy<T, E> for F {
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective {
        self(result)
    }
}

impl<T: Response, E: OperationError, I: Value> RetryPolicy<T, E> for AcceptorRetryPolicy<I> {
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective {
        let input: Either<I, View<'_>> = Either::Input(self.input.clone());
        match result {
            Ok(response) => self.evaluate(input, Seen::Response(Either::Response(response.view()))),
            Err(error) => self.evaluate(input, Seen::Failure(&error.facts())),
        }
    }
}

/// Every response is a success; every error may be retried.
pub(super) struct ErrorsOnly;

impl<T, E> RetryPolicy<T, E> for ErrorsOnly {
    fn directive(&self, result: Result<&T, &E>) -> RetryDirective {
        match result {
            Ok(_) => RetryDirective::Succeed,
            Err(_) => RetryDirective::Retry,
        }
    }
}
