//! The native driver: loops over the steps of [`Wait`](crate::Wait) and [`Request`](crate::retry::Request), with the caller's own
//! clock and sleep.

mod attempt;
mod blocking;
mod cancel;
mod clock;
mod error;
mod host;
mod machine;
mod race;
mod retry;
mod runtime;
#[cfg(feature = "testing")]
pub(crate) mod testing;
mod wait;

use std::future::Future;

pub use attempt::Attempt;
pub use cancel::CancelToken;
pub use error::{NamedError, OperationError};
use host::Awaited;
pub use retry::{AcceptorRetryPolicy, Retry, RetryError, RetryPolicy, RetryProgress};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use runtime::StdRuntime;
#[cfg(feature = "tokio")]
pub use runtime::TokioRuntime;
pub use runtime::{BlockingRuntime, Runtime};
use wait::{Caller, CompiledMatcher, DefinitionMatcher, PredicateMatcher};
pub use wait::{Matched, Outcome, Progress, WaitFailure, WaiterError};

use crate::evaluation::ErrorMetadata;
use crate::options::WaitOptions;
use crate::response::Response;
use crate::value::Value;
use crate::waiter::Waiter;

impl Waiter {
    /// Waits, on tokio: calls the operation until an acceptor says success or failure, an error is matched by none, or
    /// the time is up.
    ///
    /// The future of a call that is still running at the deadline is dropped (step 2 of the specification's [waiter
    /// workflow]). Dropping the wait's own future cancels it. The seed of the delays is drawn from the system where the
    /// options give none.
    ///
    /// # Errors
    ///
    /// [`WaiterError::Failure`] with everything that is known of why, [`WaiterError::Options`] for options that do not
    /// hold.
    ///
    /// # Example: a table that becomes active
    ///
    /// ```
    /// use std::time::Duration;
    /// use serde_json::{Value, json};
    /// use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let table_exists = Waiter::named("TableExists", r#"{"acceptors": [
    ///     {"state": "success", "matcher": {"output": {
    ///         "path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}}},
    ///     {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}}]}"#)?;
    ///
    /// let describe_table = async |attempt: u64| match attempt {
    ///     1 => Err(ErrorMetadata::of_code("ResourceNotFoundException")),
    ///     2 => Ok(json!({"Table": {"TableStatus": "CREATING"}})),
    ///     _ => Ok(json!({"Table": {"TableStatus": "ACTIVE"}})),
    /// };
    /// let options = WaitOptions::new(Duration::from_secs(300));
    /// let outcome = table_exists.wait(|attempt| describe_table(attempt.number), options).await?;
    /// assert_eq!(outcome.report.attempts, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// [waiter workflow]: https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow
    #[cfg(feature = "tokio")]
    pub async fn wait<C, F, T, E>(
        &self,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        Driver::new(TokioRuntime::new())
            .wait(self, call, options)
            .await
    }
}

/// How waits are driven: by which clock and sleep, for which input, watched by whom.
///
/// # Example: a matcher that looks at the input too
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::StdRuntime;
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
///
/// let all_there = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"inputOutput": {
///     "path": "length(input.Ids) == length(output.Items)", "comparator": "booleanEquals", "expected": "true"}}}]}"#)?;
/// let call = |_| Ok::<_, ErrorMetadata>(json!({"Items": [{}, {}]}));
/// let outcome = Driver::new(StdRuntime::new())
///     .input(&json!({"Ids": ["a", "b"]}))
///     .on_attempt(|progress| println!("{:?}", progress.attempt.state))
///     .wait_blocking(&all_there, call, WaitOptions::new(Duration::from_secs(60)))?;
/// assert_eq!(outcome.report.attempts, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Driver<R, I = &'static serde_json::Value, H = fn(Progress<'_>)> {
    runtime: R,
    input: I,
    caller: Caller<H>,
}

static NO_INPUT: serde_json::Value = serde_json::Value::Null;

impl<R> Driver<R> {
    /// A driver on this clock and sleep: a [`Runtime`], or a [`BlockingRuntime`].
    #[must_use]
    pub fn new(runtime: R) -> Self {
        Self {
            runtime,
            input: &NO_INPUT,
            caller: Caller {
                on_attempt: None,
                cancel: None,
            },
        }
    }
}

impl<R, I: Value, H: FnMut(Progress<'_>)> Driver<R, I, H> {
    /// The operation's input, which `inputOutput` matchers look at.
    #[must_use]
    pub fn input<J: Value>(self, input: J) -> Driver<R, J, H> {
        Driver {
            runtime: self.runtime,
            input,
            caller: self.caller,
        }
    }

    /// Calls `on_attempt` after each attempt.
    #[must_use]
    pub fn on_attempt<G: FnMut(Progress<'_>)>(self, on_attempt: G) -> Driver<R, I, G> {
        Driver {
            runtime: self.runtime,
            input: self.input,
            caller: Caller {
                on_attempt: Some(on_attempt),
                cancel: self.caller.cancel,
            },
        }
    }

    /// A token that ends the wait from elsewhere: as [`FailureKind::Cancelled`](crate::FailureKind::Cancelled), with what was
    /// seen so far. [`CancelToken`] shows it.
    #[must_use]
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.caller.cancel = Some(token.clone());
        self
    }

    /// Waits: calls the operation until an acceptor says success or failure, an error is matched by none, or the time is
    /// up. The future of a call that is still running at the deadline is dropped.
    ///
    /// # Errors
    ///
    /// [`WaiterError::Failure`] with everything that is known of why, [`WaiterError::Options`] for options that do not
    /// hold.
    pub async fn wait<C, F, T, E>(
        self,
        waiter: &Waiter,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
        R: Runtime,
    {
        let (host, matcher) = (Awaited(self.runtime), DefinitionMatcher(self.input));
        wait::wait(host, self.caller, (waiter, &options), matcher, call).await
    }

    /// Waits until a predicate accepts a response of any type. A transient error is retried, and any other error ends the wait.
    ///
    /// There is no path to show or to lint; the input of the driver is not read.
    ///
    /// # Errors
    ///
    /// As [`wait`](Self::wait).
    ///
    /// # Example: a job of one's own type
    ///
    /// ```
    /// use std::time::Duration;
    /// use smithy_waiters::driver::TokioRuntime;
    /// use smithy_waiters::{Attempt, Driver, ErrorMetadata, WaitOptions};
    ///
    /// struct Job {
    ///     done: bool,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let get_job = async |attempt: Attempt| Ok::<_, ErrorMetadata>(Job { done: attempt.number == 3 });
    /// let options = WaitOptions::new(Duration::from_secs(60)).label("copy");
    /// let driver = Driver::new(TokioRuntime::new());
    /// let outcome = driver.wait_until(|job: &Job| job.done, get_job, options).await?;
    /// assert_eq!(outcome.report.attempts, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn wait_until<P, C, F, T, E>(
        self,
        predicate: P,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        P: FnMut(&T) -> bool,
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        E: OperationError,
        R: Runtime,
    {
        let (host, waiter) = (Awaited(self.runtime), Waiter::of_predicate());
        let matcher = PredicateMatcher(predicate);
        wait::wait(host, self.caller, (&waiter, &options), matcher, call).await
    }

    /// The same with a matcher that is compiled, as generated clients have it: it looks at the response itself, or at what is
    /// known of the error, and gives the index of the first acceptor that matches. Responses are of any type, and the input is
    /// the matcher's own affair.
    ///
    /// The engine does the rest; the history has no texts of what paths gave. A matcher that reads an acceptor's `message` gives
    /// [`Matched`].
    ///
    /// # Errors
    ///
    /// As [`wait`](Self::wait); [`WaiterError::State`] for an acceptor that the waiter does not have, or that does not look at
    /// what it is said to match.
    ///
    /// # Example: a status of one's own type
    ///
    /// ```
    /// use std::time::Duration;
    /// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
    /// # #[cfg(feature = "testing")] {
    /// use smithy_waiters::testing::FakeClock;
    ///
    /// let ready = Waiter::named("Ready", r#"{"acceptors": [
    ///     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
    ///     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
    /// struct Status(&'static str);
    /// let matcher = |seen: Result<&Status, &ErrorMetadata<'_>>| match seen {
    ///     Ok(Status("READY")) => Some(0),
    ///     Err(error) if error.is("NotFound") => Some(1),
    ///     _ => None,
    /// };
    /// let call = async |attempt: smithy_waiters::Attempt| match attempt.number {
    ///     1 => Err(ErrorMetadata::of_code("NotFound")),
    ///     _ => Ok(Status("READY")),
    /// };
    /// let driver = Driver::new(FakeClock::new());
    /// let options = WaitOptions::new(Duration::from_secs(60));
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let outcome = driver.wait_by(&ready, matcher, call, options).await?;
    /// assert_eq!((outcome.report.attempts, outcome.report.acceptor), (2, Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn wait_by<M, X, C, F, T, E>(
        self,
        waiter: &Waiter,
        matcher: M,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        M: FnMut(Result<&T, &ErrorMetadata<'_>>) -> Option<X>,
        X: Into<Matched>,
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        E: OperationError,
        R: Runtime,
    {
        let (host, matcher) = (Awaited(self.runtime), CompiledMatcher(matcher));
        wait::wait(host, self.caller, (waiter, &options), matcher, call).await
    }
}
