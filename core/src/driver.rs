//! The native driver: loops over the steps of [`Wait`](crate::Wait) and [`Request`](crate::retry::Request) that use the
//! caller's clock and sleep.

pub(crate) mod attempt;
mod blocking;
mod cancel;
mod clock;
mod error;
mod fleet;
mod host;
mod limit;
mod machine;
mod race;
mod reports;
mod retry;
mod runtime;
mod several;
#[cfg(feature = "testing")]
pub(crate) mod testing;
#[cfg(feature = "aws-sdk")]
mod user_agent;
pub(crate) mod wait;

use std::future::Future;

pub(crate) use attempt::Attempt;
pub use cancel::CancelToken;
pub use error::{NamedError, OperationError};
pub use fleet::{BlockingFleet, EachOptions, FleetWaitError, SharedFleet};
use host::AsyncHost;
pub use limit::SharedRateLimit;
pub use reports::Reports;
pub use retry::{AcceptorRetryPolicy, Retry, RetryError, RetryPolicy, RetryProgress};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use runtime::StdRuntime;
#[cfg(feature = "tokio")]
pub use runtime::TokioRuntime;
pub use runtime::{BlockingRuntime, Runtime};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use several::BlockingWaits;
pub use several::{WaitersError, Waits};
#[cfg(feature = "aws-sdk")]
pub use user_agent::mark_user_agent;
pub use wait::Matched;
use wait::{Caller, CompiledMatcher, DefinitionMatcher, PredicateMatcher};
pub(crate) use wait::{Outcome, Progress, WaiterError};

use crate::error::Spelling;
use crate::evaluation::ErrorMetadata;
use crate::options::WaitOptions;
use crate::response::Response;
use crate::value::Value;
use crate::waiter::Waiter;

impl Waiter {
    /// Waits on tokio: calls the operation until an acceptor matches with success or failure, an error matches no
    /// acceptor, or the deadline passes.
    ///
    /// A call that is still running at the deadline is interrupted by dropping its future, as step 2 of the
    /// specification's [waiter workflow] requires. Dropping the future of the wait cancels the wait. If the options
    /// have no seed, the operating system provides one.
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
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

/// A waiter with a hook that is called after each attempt of its waits. [`Waiter::on_attempt`] creates it.
#[derive(Debug)]
#[must_use]
pub struct WatchedWaiter<'w, H> {
    waiter: &'w Waiter,
    on_attempt: H,
}

impl Waiter {
    /// Calls `on_attempt` after each attempt of the wait that follows.
    ///
    /// # Example: a line for each attempt
    ///
    /// ```
    /// use std::time::Duration;
    /// use serde_json::json;
    /// use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter};
    ///
    /// let ready = Waiter::until("Status", "READY").build()?;
    /// let call = |_| Ok::<_, ErrorMetadata>(json!({"Status": "READY"}));
    /// let mut lines = Vec::new();
    /// let watched = ready.on_attempt(|progress| lines.push(progress.summary()));
    /// let outcome = watched.wait_blocking(call, WaitOptions::new(Duration::from_secs(60)))?;
    /// assert!(lines[0].ends_with(r#": success: Status gave "READY""#));
    /// assert!(outcome.to_string().starts_with("the waiter was already in its state after"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn on_attempt<H: FnMut(Progress<'_>)>(&self, on_attempt: H) -> WatchedWaiter<'_, H> {
        WatchedWaiter {
            waiter: self,
            on_attempt,
        }
    }
}

impl<H: FnMut(Progress<'_>)> WatchedWaiter<'_, H> {
    /// Waits on tokio. See [`Waiter::wait`].
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
    #[cfg(feature = "tokio")]
    pub async fn wait<C, F, T, E>(
        self,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        let driver = Driver::new(TokioRuntime::new()).on_attempt(self.on_attempt);
        driver.wait(self.waiter, call, options).await
    }

    /// Waits on this thread. See [`Waiter::wait_blocking`].
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn wait_blocking<C, T, E>(
        self,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> Result<T, E>,
        T: Response,
        E: OperationError,
    {
        let driver = Driver::new(StdRuntime::new()).on_attempt(self.on_attempt);
        driver.wait_blocking(self.waiter, call, options)
    }
}

/// The clock, the operation's input and the hooks that a wait runs with.
///
/// # Example: a matcher that compares the response with the input
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
    /// Creates a driver that uses `runtime`, a [`Runtime`] or a [`BlockingRuntime`], as its clock and sleep.
    #[must_use]
    pub fn new(runtime: R) -> Self {
        Self {
            runtime,
            input: &NO_INPUT,
            caller: Caller {
                spelling: Spelling::default(),
                on_attempt: None,
                cancel: None,
                limit: None,
            },
        }
    }
}

impl<R, I: Value, H: FnMut(Progress<'_>)> Driver<R, I, H> {
    /// Sets the operation's input, which `inputOutput` matchers read.
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
                spelling: self.caller.spelling,
                on_attempt: Some(on_attempt),
                cancel: self.caller.cancel,
                limit: self.caller.limit,
            },
        }
    }

    /// Sets the spelling of options in messages.
    #[doc(hidden)]
    #[must_use]
    pub fn spelling(mut self, spelling: Spelling) -> Self {
        self.caller.spelling = spelling;
        self
    }

    /// Sets a token that cancels the wait from elsewhere.
    ///
    /// The wait then ends with [`FailureKind::Cancelled`](crate::FailureKind::Cancelled) and reports the attempts so
    /// far. See [`CancelToken`] for an example.
    #[must_use]
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.caller.cancel = Some(token.clone());
        self
    }

    /// Sets the rate limit, which several waits and fleets can share. A wait has none by default.
    ///
    /// See [`SharedRateLimit`] for an example.
    #[must_use]
    pub fn rate_limit(mut self, limit: &SharedRateLimit) -> Self {
        self.caller.limit = Some(limit.clone());
        self
    }

    /// Calls the operation until an acceptor matches with success or failure, an error matches no acceptor, or the
    /// deadline passes.
    ///
    /// A call that is still running at the deadline is interrupted by dropping its future.
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
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
        let (host, matcher) = (AsyncHost(self.runtime), DefinitionMatcher(self.input));
        wait::wait(host, self.caller, (waiter, &options), matcher, call).await
    }

    /// Waits until a predicate accepts a response of any type.
    ///
    /// A transient error is retried. Any other error ends the wait. The driver's [`input`](Self::input) is not used,
    /// and the history contains no values, because a predicate has no path.
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
    ///
    /// # Example: a job of a custom type
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
        let (host, waiter) = (AsyncHost(self.runtime), Waiter::for_predicate());
        let matcher = PredicateMatcher(predicate);
        wait::wait(host, self.caller, (&waiter, &options), matcher, call).await
    }

    /// Waits with a compiled matcher, as generated clients do.
    ///
    /// The matcher receives the response or the error's [`ErrorMetadata`] and returns the index of the first acceptor
    /// that matches. A matcher that also evaluates an acceptor's `message` returns [`Matched`]. Responses may be of any
    /// type. The driver's [`input`](Self::input) is not used; a matcher that needs the input captures it. The history
    /// contains no values of paths.
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success, [`WaiterError::Options`] if an option is
    /// invalid, and [`WaiterError::State`] if the matcher returns an acceptor that the waiter doesn't have or that
    /// cannot match the result.
    ///
    /// # Example: a status of a custom type
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
        let (host, matcher) = (AsyncHost(self.runtime), CompiledMatcher(matcher));
        wait::wait(host, self.caller, (waiter, &options), matcher, call).await
    }
}
