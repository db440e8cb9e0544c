//! Who says which acceptor matches: the engine's own interpreter, or a matcher that was compiled.

use super::OperationError;
use crate::error::StateError;
use crate::failure::ErrorFacts;
use crate::matcher::Seen;
use crate::response::{Either, Response, View};
use crate::value::Value;
use crate::wait::{Step, Wait};

/// Tells a wait what came of a call.
pub(super) trait Judge<T, E> {
    /// `pause` is the retry strategy's word on an error that no acceptor matches.
    fn observe(
        &mut self,
        wait: &mut Wait,
        seen: Result<&T, &E>,
        elapsed: u64,
        pause: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError>;
}

/// The definition's paths, interpreted: with the operation's input.
pub(super) struct Interpreter<I>(pub(super) I);

impl<I: Value, T: Response, E: OperationError> Judge<T, E> for Interpreter<I> {
    fn observe(
        &mut self,
        wait: &mut Wait,
        seen: Result<&T, &E>,
        elapsed: u64,
        pause: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        let input = Either::Input(self.0.clone());
        match seen {
            Ok(response) => {
                let seen = Seen::Response(Either::Response(response.view()));
                wait.observe(input, seen, elapsed)
            }
            Err(error) => {
                let facts = error.facts();
                let seen: Seen<'_, Either<I, View<'_>>> = Seen::Failure(&facts);
                wait.observe_or_retry(input, seen, elapsed, pause)
            }
        }
    }
}

/// What a compiled matcher found: an acceptor, by its index, and what its `message` gives.
///
/// # Example: a failure with a message
///
/// ```
/// use smithy_waiters::driver::Matched;
///
/// let plain: Matched = 1.into();
/// assert_eq!(plain.message(Some("the disk is full".to_owned())).acceptor(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    acceptor: usize,
    message: Option<String>,
}

impl From<usize> for Matched {
    fn from(acceptor: usize) -> Self {
        let message = None;
        Self { acceptor, message }
    }
}

impl Matched {
    /// With the message of the failure that it leads to, in place of the default one.
    #[must_use]
    pub fn message(mut self, message: Option<String>) -> Self {
        self.message = message;
        self
    }

    /// The index of the acceptor.
    #[must_use]
    pub const fn acceptor(&self) -> usize {
        self.acceptor
    }
}

/// A matcher that was compiled: the first acceptor that matches.
pub(super) struct Compiled<M>(pub(super) M);

impl<M, X, T, E: OperationError> Judge<T, E> for Compiled<M>
where
    M: FnMut(Result<&T, &ErrorFacts<'_>>) -> Option<X>,
    X: Into<Matched>,
{
    fn observe(
        &mut self,
        wait: &mut Wait,
        seen: Result<&T, &E>,
        elapsed: u64,
        pause: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        let facts = seen.err().map(OperationError::facts);
        let facts = facts.as_ref();
        let matched = match (seen, facts) {
            (Ok(response), _) => (self.0)(Ok(response)),
            (_, Some(facts)) => (self.0)(Err(facts)),
            (Err(_), None) => None,
        };
        let (acceptor, message) = match matched.map(Into::into) {
            Some(Matched { acceptor, message }) => (Some(acceptor), message),
            None => (None, None),
        };
        wait.observe_match((acceptor, message), facts, elapsed, pause)
    }
}
