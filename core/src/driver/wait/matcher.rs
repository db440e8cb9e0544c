//! Matchers of a wait: the definition, a predicate or compiled code.

use serde_json::json;

use crate::driver::error::{OperationError, described};
use crate::error::StateError;
use crate::evaluation::ErrorMetadata;
use crate::response::{Either, Response};
use crate::value::Value;
use crate::wait::{Event, Step, Wait};

/// Reports the result of a call to a wait.
pub(crate) trait Matcher<T, E: OperationError> {
    /// `true` if the engine evaluates paths on the response.
    const READS_RESPONSE: bool;

    /// Reports a response.
    fn response(&mut self, wait: &mut Wait, response: &T, now_ms: u64) -> Result<Step, StateError>;

    /// Reports an error, which the engine matches by default.
    fn error(&mut self, wait: &mut Wait, error: &E, now_ms: u64) -> Result<Step, StateError> {
        let (metadata, transient) = described(error, now_ms);
        let event: Event<'_> = Event::Error {
            error: &metadata,
            transient,
        };
        wait.handle(event, now_ms)
    }
}

/// The definition's matchers, which the engine evaluates, with the operation's input.
pub(crate) struct DefinitionMatcher<I>(pub(crate) I);

impl<I: Value, T: Response, E: OperationError> Matcher<T, E> for DefinitionMatcher<I> {
    const READS_RESPONSE: bool = true;

    fn response(&mut self, wait: &mut Wait, response: &T, now_ms: u64) -> Result<Step, StateError> {
        let event = Event::Response {
            value: Either::Response(response.view()),
            input: Some(Either::Input(self.0.clone())),
            not_before_ms: None,
        };
        wait.handle(event, now_ms)
    }
}

/// The caller's predicate on a response.
pub(crate) struct PredicateMatcher<P>(pub(crate) P);

impl<P: FnMut(&T) -> bool, T, E: OperationError> Matcher<T, E> for PredicateMatcher<P> {
    const READS_RESPONSE: bool = false;

    fn response(&mut self, wait: &mut Wait, response: &T, now_ms: u64) -> Result<Step, StateError> {
        // A predicate becomes a response of one member, so that the engine needs no second way to a verdict.
        let response = json!({"predicate": (self.0)(response)});
        wait.handle(Event::response(&response), now_ms)
    }
}

/// The result of a compiled matcher: the index of the acceptor that matches, and the value of its `message`.
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
    /// Sets the message of the failure, instead of the default one.
    #[must_use]
    pub fn message(mut self, message: Option<String>) -> Self {
        self.message = message;
        self
    }

    /// Returns the index of the acceptor.
    #[must_use]
    pub const fn acceptor(&self) -> usize {
        self.acceptor
    }
}

/// A compiled matcher, which returns the first acceptor that matches.
pub(crate) struct CompiledMatcher<M>(pub(crate) M);

impl<M, X, T, E: OperationError> Matcher<T, E> for CompiledMatcher<M>
where
    M: FnMut(Result<&T, &ErrorMetadata<'_>>) -> Option<X>,
    X: Into<Matched>,
{
    const READS_RESPONSE: bool = false;

    fn response(&mut self, wait: &mut Wait, response: &T, now_ms: u64) -> Result<Step, StateError> {
        let (acceptor, message) = parts((self.0)(Ok(response)));
        let event: Event<'_> = Event::Verdict {
            acceptor,
            message,
            error: None,
            transient: None,
        };
        wait.handle(event, now_ms)
    }

    fn error(&mut self, wait: &mut Wait, error: &E, now_ms: u64) -> Result<Step, StateError> {
        let (metadata, transient) = described(error, now_ms);
        let (acceptor, message) = parts((self.0)(Err(&metadata)));
        let event: Event<'_> = Event::Verdict {
            acceptor,
            message,
            error: Some(&metadata),
            transient,
        };
        wait.handle(event, now_ms)
    }
}

fn parts<X: Into<Matched>>(matched: Option<X>) -> (Option<usize>, Option<String>) {
    match matched.map(Into::into) {
        Some(Matched { acceptor, message }) => (Some(acceptor), message),
        None => (None, None),
    }
}
