//! What the result of an attempt means.

use std::time::SystemTime;

use crate::driver::OperationError;
use crate::matcher::Seen;
use crate::operation::Operation;
use crate::response::{Either, Response, View};
use crate::retry::{AcceptorRetryPolicy, Classified, FailureInfo, RetryDirective};
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
            Ok(response) => {
                self.evaluate_with(input, Seen::Response(Either::Response(response.view())))
            }
            Err(error) => self.evaluate_with(input, Seen::Failure(&error.facts())),
        }
    }
}

/// What follows from an attempt.
pub(super) enum Judgement {
    /// Another one, if the strategy allows it.
    Again(Classified),
    /// None, by a policy's word.
    Failed(Classified),
    Success,
}

/// Says what follows from an attempt.
pub(super) trait Judge<T, E> {
    fn judge(&self, result: &Result<T, E>, reading: &Reading) -> Judgement;
}

/// A response is a success, an error may be retried by what it is.
pub(super) struct ErrorsOnly;

impl<T, E: OperationError> Judge<T, E> for ErrorsOnly {
    fn judge(&self, result: &Result<T, E>, reading: &Reading) -> Judgement {
        match result {
            Ok(_) => Judgement::Success,
            Err(error) => Judgement::Again(reading.classified(error)),
        }
    }
}

/// A policy's word counts.
pub(super) struct ByPolicy<'p, P>(pub(super) &'p P);

impl<T, E: OperationError, P: RetryPolicy<T, E>> Judge<T, E> for ByPolicy<'_, P> {
    fn judge(&self, result: &Result<T, E>, reading: &Reading) -> Judgement {
        match self.0.directive(result.as_ref()) {
            RetryDirective::Succeed => Judgement::Success,
            RetryDirective::Fail => Judgement::Failed(allowed(result, reading)),
            RetryDirective::Retry => Judgement::Again(allowed(result, reading)),
        }
    }
}

/// What is known of a result that a policy does not take for a success.
fn allowed<T, E: OperationError>(result: &Result<T, E>, reading: &Reading) -> Classified {
    match result {
        Ok(_) => Classified {
            info: FailureInfo::default().allowed(),
            note: None,
            not_idempotent: false,
        },
        Err(error) => {
            let known = reading.safe().classified(error);
            Classified {
                info: known.info.allowed(),
                ..known
            }
        }
    }
}

/// What is known of a request whose attempt failed.
#[derive(Clone, Debug)]
pub(in crate::driver) struct Reading {
    pub(in crate::driver) idempotent: bool,
    pub(in crate::driver) operation: Option<Operation>,
    pub(in crate::driver) date: fn() -> Option<SystemTime>,
}

impl Reading {
    /// The same where a policy says that the request is to be repeated: it knows.
    fn safe(&self) -> Self {
        Self {
            idempotent: true,
            ..self.clone()
        }
    }

    pub(in crate::driver) fn classified(&self, error: &impl OperationError) -> Classified {
        let mut failure = error.failure().idempotent(self.idempotent);
        if let Some(operation) = &self.operation {
            failure = failure.modeled_by(operation);
        }
        if let Some(now) = (self.date)() {
            failure = failure.now(now);
        }
        failure.classify()
    }
}
