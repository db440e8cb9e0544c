//! Retries of one request: the loop around a [`RetryStrategy`], with the caller's own clock and sleep.

mod attempts;
mod end;
mod held;
mod policy;

use std::future::Future;
use std::time::{Duration, SystemTime};

use attempts::{Attempts, Finished};
pub use end::{RetryEnd, RetryError, RetryProgress};
pub(super) use held::Held;
pub(super) use policy::Reading;
pub use policy::RetryPolicy;
use policy::{ByPolicy, ErrorsOnly, Judge};

use super::blocking::sleep;
use super::cancel::is_cancelled;
use super::{
    Attempt, BlockingRuntime, CancelToken, OperationError, Runtime, cut, give_way, unless_cancelled,
};
use crate::error::OptionsError;
use crate::operation::Operation;
use crate::retry::{RetryOptions, RetryStrategy, StandardRetryStrategy};
use crate::value::Value;

/// How one request is made, and made again.
///
/// # Example: a read that is throttled once
///
/// ```
/// use smithy_waiters::driver::{Retry, TokioRuntime};
/// use smithy_waiters::retry::{RequestFailure, RetryOptions, StandardRetryStrategy};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let strategy = StandardRetryStrategy::seeded(&RetryOptions::default())?;
/// let read = async |attempt: u64| match attempt {
///     1 => Err(RequestFailure::default().status(429)),
///     _ => Ok("content"),
/// };
/// let retry = Retry::new(&strategy, TokioRuntime::new()).idempotent(true);
/// assert_eq!(retry.call(|attempt| read(attempt.number)).await.ok(), Some("content"));
/// # Ok(())
/// # }
/// ```
///
/// # Example: what an HTTP client's error and response tell
///
/// ```
/// use std::fmt;
/// use std::error::Error;
/// use smithy_waiters::driver::OperationError;
/// use smithy_waiters::ErrorFacts;
/// use smithy_waiters::retry::RequestFailure;
///
/// /// With reqwest: `Failed` for a response whose status is an error, `Lost` for a `reqwest::Error`.
/// #[derive(Debug)]
/// enum HttpError { Failed { status: u16, retry_after: Option<String> }, Lost(std::io::Error) }
///
/// impl OperationError for HttpError {
///     fn facts(&self) -> ErrorFacts<'_> {
///         ErrorFacts::unnamed().message(self.to_string())
///     }
///
///     fn failure(&self) -> RequestFailure<'_> {
///         match self {
///             Self::Failed { status, retry_after } => RequestFailure::of_response(*status, |name| {
///                 retry_after.as_deref().filter(|_| name == "retry-after")
///             }),
///             Self::Lost(error) => RequestFailure::of_error(error),
///         }
///     }
///
///     fn as_error(&self) -> Option<&(dyn Error + 'static)> {
///         Some(self)
///     }
/// }
/// # impl Error for HttpError {}
/// # impl fmt::Display for HttpError {
/// #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{self:?}") }
/// # }
/// # let lost = HttpError::Lost(std::io::ErrorKind::TimedOut.into());
/// # assert!(lost.failure().classify().info.retry.is_some_and(|retry| retry.timeout));
/// # let failed = HttpError::Failed { status: 429, retry_after: Some("1".into()) };
/// # assert!(failed.failure().classify().info.retry.is_some_and(|retry| retry.throttle));
/// ```
#[derive(Clone, Debug)]
pub struct Retry<S, R, H = fn(RetryProgress<'_>)> {
    strategy: S,
    runtime: R,
    /// What the caller says, which counts over what the operation does.
    idempotent: Option<bool>,
    reading: Reading,
    max_time: Option<Duration>,
    on_failure: Option<H>,
    cancel: Option<CancelToken>,
}

impl<S: RetryStrategy, R> Retry<S, R> {
    /// Requests by this strategy, or a reference to one, on this clock and sleep: a [`Runtime`], or a [`BlockingRuntime`].
    #[must_use]
    pub fn new(strategy: S, runtime: R) -> Self {
        Self {
            strategy,
            runtime,
            idempotent: None,
            reading: Reading {
                idempotent: false,
                operation: None,
                date: system_date,
            },
            max_time: None,
            on_failure: None,
            cancel: None,
        }
    }
}

impl<S: RetryStrategy, R, H: FnMut(RetryProgress<'_>)> Retry<S, R, H> {
    /// Whether the request may be repeated without harm: this counts, whatever the [`operation`](Self::operation) says. Where
    /// neither says so, only what the service itself invites to retry is: by `Retry-After`, the status 429 or 503, a code that
    /// says that it throttles, or an error that its model calls retryable.
    ///
    /// Clause: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    #[must_use]
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = Some(idempotent);
        self.reading.idempotent = idempotent;
        self
    }

    /// The operation of a model, and its input: it says whether the request is [idempotent](Self::idempotent), unless the
    /// caller does, and which of its errors are retryable.
    ///
    /// # Example: a request that is safe to repeat with a token
    ///
    /// ```
    /// use serde_json::json;
    /// use smithy_waiters::driver::Retry;
    /// use smithy_waiters::operation::Operation;
    /// use smithy_waiters::retry::{RequestFailure, RetryOptions, StandardRetryStrategy};
    /// # #[cfg(feature = "testing")] {
    /// use smithy_waiters::testing::FakeClock;
    ///
    /// # let model = json!({"shapes": {
    /// #     "demo#Allocate": {"type": "operation", "input": {"target": "demo#AllocateInput"}},
    /// #     "demo#AllocateInput": {"type": "structure", "members": {
    /// #         "clientToken": {"target": "smithy.api#String", "traits": {"smithy.api#idempotencyToken": {}}}}}}});
    /// let allocate = Operation::from_model_value(&model, "Allocate", None)?;
    /// let input = allocate.with_token(json!({"size": 3}), || "token-1".to_owned());
    /// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
    /// let call = |attempt: smithy_waiters::driver::Attempt| match attempt.number {
    ///     1 => Err(RequestFailure::default().status(500)),
    ///     _ => Ok("allocated"),
    /// };
    /// let retry = Retry::new(&strategy, FakeClock::new()).operation(&allocate, &input);
    /// assert_eq!(retry.call_blocking(call).ok(), Some("allocated"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn operation(mut self, operation: &Operation, input: impl Value) -> Self {
        // Of what cannot be read nothing is known.
        let says = || operation.is_idempotent(input).unwrap_or(false);
        self.reading.idempotent = self.idempotent.unwrap_or_else(says);
        self.reading.operation = Some(operation.clone());
        self
    }

    /// The time that all attempts have together: no attempt begins after it, and one that runs then is cut. Where there is none
    /// at all, as of a deadline that has passed, the request ends as [`OutOfTime`](RetryEnd::OutOfTime) without an attempt.
    #[must_use]
    pub fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = Some(max_time);
        self
    }

    /// What tells the date, which a `Retry-After` may be; the system by default.
    #[must_use]
    pub fn date(mut self, date: fn() -> Option<SystemTime>) -> Self {
        self.reading.date = date;
        self
    }

    /// Calls `on_failure` after each attempt that failed.
    #[must_use]
    pub fn on_failure<G: FnMut(RetryProgress<'_>)>(self, on_failure: G) -> Retry<S, R, G> {
        Retry {
            strategy: self.strategy,
            runtime: self.runtime,
            idempotent: self.idempotent,
            reading: self.reading,
            max_time: self.max_time,
            on_failure: Some(on_failure),
            cancel: self.cancel,
        }
    }

    /// A token that ends the request from elsewhere: no attempt begins after it is cancelled, and the pause before one ends at
    /// once. What an attempt gives counts, once it is over: an asynchronous one is cut, a blocking one runs to its end.
    ///
    /// # Example: a request that is given up in its pause, by another thread
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use std::thread;
    /// use smithy_waiters::driver::{CancelToken, Retry, RetryEnd, StdRuntime};
    /// use smithy_waiters::retry::{RequestFailure, RetryOptions, StandardRetryStrategy};
    ///
    /// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
    /// let token = CancelToken::new();
    /// let (failed, attempts) = mpsc::channel();
    ///
    /// let error = thread::scope(|scope| {
    ///     let canceller = token.clone();
    ///     scope.spawn(move || attempts.recv().map(|_attempt| canceller.cancel()));
    ///     let call = |_| Err::<(), _>(RequestFailure::default().status(503).retry_after("3600"));
    ///     Retry::new(&strategy, StdRuntime::new())
    ///         .on_failure(|progress| failed.send(progress.attempt).unwrap())
    ///         .cancelled_by(&token)
    ///         .call_blocking(call)
    ///         .unwrap_err()
    /// });
    /// assert_eq!((error.attempts, error.end), (1, RetryEnd::Cancelled));
    /// assert!(error.error.is_some()); // what was seen last
    /// # Ok::<(), smithy_waiters::OptionsError>(())
    /// ```
    #[must_use]
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// Makes the request until it succeeds or is not made again. Dropping the future cancels it.
    ///
    /// # Errors
    ///
    /// [`RetryError`]: the error of the last attempt, and why there was no other.
    pub async fn call<C, F, T, E>(self, call: C) -> Result<T, RetryError<E>>
    where
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        E: OperationError,
        R: Runtime,
    {
        self.drive(ErrorsOnly, call).await.response()
    }

    /// As [`call`](Self::call), where a policy says what each result means: a response may be a failure, an error a success.
    ///
    /// # Errors
    ///
    /// [`RetryError`]: the last response or error, and why there was no other attempt.
    ///
    /// # Example: by a waiter's acceptors
    ///
    /// ```
    /// use serde_json::json;
    /// use smithy_waiters::driver::{Retry, TokioRuntime};
    /// use smithy_waiters::retry::{AcceptorRetryPolicy, RetryOptions, StandardRetryStrategy};
    /// use smithy_waiters::{ErrorFacts, Waiter};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
    ///     "path": "Status", "comparator": "stringEquals", "expected": "READY"}}}]}"#)?;
    /// let policy = AcceptorRetryPolicy::new(&waiter);
    /// let strategy = StandardRetryStrategy::seeded(&RetryOptions::default())?;
    /// let describe = async |attempt: u64| {
    ///     Ok::<_, ErrorFacts>(json!({"Status": if attempt < 3 { "PENDING" } else { "READY" }}))
    /// };
    /// let retry = Retry::new(&strategy, TokioRuntime::new());
    /// let response = retry.call_by(&policy, |attempt| describe(attempt.number)).await??;
    /// assert_eq!(response["Status"], "READY");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call_by<P, C, F, T, E>(
        self,
        policy: &P,
        call: C,
    ) -> Result<Result<T, E>, RetryError<E, T>>
    where
        P: RetryPolicy<T, E>,
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        E: OperationError,
        R: Runtime,
    {
        self.drive(ByPolicy(policy), call).await.result()
    }

    /// Makes the request on this thread. An attempt that blocks cannot be cut, not at the end of its time and not by a
    /// [`CancelToken`]; it is told its [`remaining`](Attempt::remaining) time.
    ///
    /// # Errors
    ///
    /// [`RetryError`]: the error of the last attempt, and why there was no other.
    pub fn call_blocking<C, T, E>(self, call: C) -> Result<T, RetryError<E>>
    where
        C: FnMut(Attempt) -> Result<T, E>,
        E: OperationError,
        R: BlockingRuntime,
    {
        self.drive_blocking(&ErrorsOnly, call).response()
    }

    /// As [`call_by`](Self::call_by), on this thread.
    ///
    /// # Errors
    ///
    /// [`RetryError`]: the last response or error, and why there was no other attempt.
    pub fn call_blocking_by<P, C, T, E>(
        self,
        policy: &P,
        call: C,
    ) -> Result<Result<T, E>, RetryError<E, T>>
    where
        P: RetryPolicy<T, E>,
        C: FnMut(Attempt) -> Result<T, E>,
        E: OperationError,
        R: BlockingRuntime,
    {
        self.drive_blocking(&ByPolicy(policy), call).result()
    }

    async fn drive<J, C, F, T, E>(mut self, judge: J, mut call: C) -> Finished<T, E>
    where
        E: OperationError,
        J: Judge<T, E>,
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        R: Runtime,
    {
        let began = self.runtime.now();
        let cancel = self.cancel.as_ref();
        let mut attempts = Attempts::new(self.strategy, self.max_time);
        loop {
            let until = self.runtime.now().saturating_add(attempts.delay());
            // A timer may fire early: the clock decides.
            while let Some(rest) = rest(until, self.runtime.now(), cancel) {
                unless_cancelled(cancel, self.runtime.sleep(rest)).await;
                if self::rest(until, self.runtime.now(), cancel).is_some() {
                    give_way().await;
                }
            }
            if is_cancelled(cancel) {
                return attempts.give_up(RetryEnd::Cancelled);
            }
            let spent = self.runtime.now().saturating_sub(began);
            let Some(attempt) = attempts.begin(spent) else {
                return attempts.give_up(RetryEnd::OutOfTime);
            };
            // Before the call is made: what it does before it first waits counts too.
            let deadline = self.runtime.now().saturating_add(attempt.remaining);
            let called = cut(&self.runtime, call(attempt), deadline);
            let Some(called) = unless_cancelled(cancel, called).await else {
                return attempts.give_up(RetryEnd::Cancelled);
            };
            let Some(result) = called else {
                return attempts.give_up(RetryEnd::OutOfTime);
            };
            let spent = self.runtime.now().saturating_sub(began);
            let judgement = judge.judge(&result, &self.reading);
            if let Some(end) =
                attempts.conclude(result, &judgement, spent, self.on_failure.as_mut())
            {
                return attempts.finish(end);
            }
        }
    }

    fn drive_blocking<J, C, T, E>(mut self, judge: &J, mut call: C) -> Finished<T, E>
    where
        E: OperationError,
        J: Judge<T, E>,
        C: FnMut(Attempt) -> Result<T, E>,
        R: BlockingRuntime,
    {
        let began = self.runtime.now();
        let cancel = self.cancel.as_ref();
        let mut attempts = Attempts::new(self.strategy, self.max_time);
        loop {
            let until = self.runtime.now().saturating_add(attempts.delay());
            while let Some(rest) = rest(until, self.runtime.now(), cancel) {
                sleep(&self.runtime, rest, cancel);
            }
            if is_cancelled(cancel) {
                return attempts.give_up(RetryEnd::Cancelled);
            }
            let spent = self.runtime.now().saturating_sub(began);
            let Some(attempt) = attempts.begin(spent) else {
                return attempts.give_up(RetryEnd::OutOfTime);
            };
            let result = call(attempt);
            let spent = self.runtime.now().saturating_sub(began);
            let judgement = judge.judge(&result, &self.reading);
            if let Some(end) =
                attempts.conclude(result, &judgement, spent, self.on_failure.as_mut())
            {
                return attempts.finish(end);
            }
        }
    }
}

impl StandardRetryStrategy {
    /// A strategy with the options' seed, or with one that the system draws.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); `missing_option` where there is no seed and the system draws none.
    pub fn seeded(options: &RetryOptions) -> Result<Self, OptionsError> {
        Self::new(options, super::run::drawn(options.given_seed())?)
    }
}

/// What is left until a moment, where anything is, and nobody cancels.
fn rest(until: Duration, now: Duration, cancel: Option<&CancelToken>) -> Option<Duration> {
    let rest = until.saturating_sub(now);
    (!rest.is_zero() && !is_cancelled(cancel)).then_some(rest)
}

/// The system's date, where there is one.
#[expect(
    clippy::disallowed_methods,
    reason = "the driver is the edge at which time is read"
)]
pub(super) fn system_date() -> Option<SystemTime> {
    // There the standard library's clock panics.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return None;
    }
    Some(SystemTime::now())
}
