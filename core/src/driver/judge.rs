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
        pause: impl FnOnce() -> Option<u64>,
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
        pause: impl FnOnce() -> Option<u64>,
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

/// A matcher that was compiled: the index of the first acceptor that matches.
pub(super) struct Compiled<M>(pub(super) M);

impl<M, T, E: OperationError> Judge<T, E> for Compiled<M>
where
    M: FnMut(Result<&T, &ErrorFacts<'_>>) -> Option<usize>,
{
    fn observe(
        &mut self,
        wait: &mut Wait,
        seen: Result<&T, &E>,
        elapsed: u64,
        pause: impl FnOnce() -> Option<u64>,
    ) -> Result<Step, StateError> {
        let facts = seen.err().map(OperationError::facts);
        let facts = facts.as_ref();
        let acceptor = match (seen, facts) {
            (Ok(response), _) => (self.0)(Ok(response)),
            (_, Some(facts)) => (self.0)(Err(facts)),
            (Err(_), None) => None,
        };
        wait.observe_match(acceptor, facts, elapsed, pause)
    }
}
