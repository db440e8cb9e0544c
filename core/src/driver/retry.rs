//! Retries of one request: the loop around a [`RetryStrategy`], with the caller's own clock and sleep.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::mem;
use std::time::{Duration, SystemTime};

use super::{Attempt, BlockingRuntime, Runtime, cut};
use crate::options::TEN_YEARS_MS;
use crate::retry::{
    Classified, FailureInfo, RefreshError, RequestFailure, RetryNote, RetryRefusal, RetryStrategy,
    RetryToken, TokenError,
};

/// The time that the attempts have together where the caller gives none: ten years.
const LONGEST: Duration = Duration::from_millis(TEN_YEARS_MS);

/// An error of a request, of which retries can know more.
///
/// # Example: an error of one's own
///
/// ```
/// use smithy_waiters::driver::RetryableError;
/// use smithy_waiters::retry::RequestFailure;
///
/// struct HttpError { status: u16, retry_after: Option<String> }
///
/// impl RetryableError for HttpError {
///     fn failure(&self) -> RequestFailure<'_> {
///         let failure = RequestFailure::default().status(self.status);
///         match &self.retry_after {
///             Some(header) => failure.retry_after(header),
///             None => failure,
///         }
///     }
/// }
/// ```
pub trait RetryableError {
    /// What is known of the error.
    fn failure(&self) -> RequestFailure<'_>;
}

impl RetryableError for RequestFailure<'_> {
    fn failure(&self) -> RequestFailure<'_> {
        self.clone()
    }
}

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
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 42)?;
/// let read = async |attempt: u64| match attempt {
///     1 => Err(RequestFailure::default().status(429)),
///     _ => Ok("content"),
/// };
/// let retry = Retry::new(&strategy, TokioRuntime::new()).idempotent(true);
/// assert_eq!(retry.call(|attempt| read(attempt.number)).await.ok(), Some("content"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Retry<'s, S, R, H = fn(RetryProgress<'_>)> {
    strategy: &'s S,
    runtime: R,
    idempotent: bool,
    max_time: Option<Duration>,
    date: fn() -> SystemTime,
    on_failure: Option<H>,
}

/// A failed attempt, and what follows it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RetryProgress<'a> {
    /// The number of the attempt, from 1.
    pub attempt: u64,
    /// The delay before the next attempt, or why there is none.
    pub next: Result<Duration, RetryEnd>,
    /// A header of the response that was ignored, and why.
    pub note: Option<&'a RetryNote>,
}

/// Why a request is not made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryEnd {
    /// The next attempt would begin after the time that the caller gives.
    OutOfTime,
    /// The strategy says no.
    Refused(RetryRefusal),
    /// The strategy does not take the token back.
    Token(TokenError),
}

/// A request that failed for good.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryError<E> {
    /// The error of the last attempt that ended; nothing where the only one was cut.
    pub error: Option<E>,
    /// How many attempts were made.
    pub attempts: u64,
    /// Why there was no other.
    pub end: RetryEnd,
}

impl<'s, S: RetryStrategy, R> Retry<'s, S, R> {
    /// Requests by this strategy, on this clock and sleep: a [`Runtime`], or a [`BlockingRuntime`].
    #[must_use]
    pub fn new(strategy: &'s S, runtime: R) -> Self {
        Self {
            strategy,
            runtime,
            idempotent: false,
            max_time: None,
            date: system_date,
            on_failure: None,
        }
    }
}

impl<'s, S: RetryStrategy, R, H: FnMut(RetryProgress<'_>)> Retry<'s, S, R, H> {
    /// Whether the request may be repeated without harm. By default only what the service itself invites to retry is.
    ///
    /// Clause: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    #[must_use]
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = idempotent;
        self
    }

    /// The time that all attempts have together: no attempt begins after it, and one that runs then is cut.
    #[must_use]
    pub fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = Some(max_time);
        self
    }

    /// What tells the date, which a `Retry-After` may be; the system by default.
    #[must_use]
    pub fn date(mut self, date: fn() -> SystemTime) -> Self {
        self.date = date;
        self
    }

    /// Calls `on_failure` after each attempt that failed.
    #[must_use]
    pub fn on_failure<G: FnMut(RetryProgress<'_>)>(self, on_failure: G) -> Retry<'s, S, R, G> {
        Retry {
            strategy: self.strategy,
            runtime: self.runtime,
            idempotent: self.idempotent,
            max_time: self.max_time,
            date: self.date,
            on_failure: Some(on_failure),
        }
    }

    /// Makes the request until it succeeds or is not made again. Dropping the future cancels it.
    ///
    /// # Errors
    ///
    /// [`RetryError`]: the error of the last attempt, and why there was no other.
    pub async fn call<C, F, T, E>(mut self, mut call: C) -> Result<T, RetryError<E>>
    where
        C: FnMut(Attempt) -> F,
        F: Future<Output = Result<T, E>>,
        E: RetryableError,
        R: Runtime,
    {
        let began = self.runtime.now();
        let mut requests = Requests::new(self.strategy, self.max_time);
        let mut last = None;
        loop {
            let until = self.runtime.now().saturating_add(requests.delay());
            // A timer may fire early: the clock decides.
            while let Some(rest) = rest(until, self.runtime.now()) {
                self.runtime.sleep(rest).await;
            }
            let spent = self.runtime.now().saturating_sub(began);
            let attempt = requests.begin(spent);
            // Before the call is made: what it does before it first waits counts too.
            let deadline = self.runtime.now().saturating_add(attempt.remaining);
            let Some(result) = cut(&self.runtime, call(attempt), deadline).await else {
                return Err(requests.give_up(last, RetryEnd::OutOfTime));
            };
            let error = match result {
                Ok(value) => return requests.succeed(value),
                Err(error) => error,
            };
            let spent = self.runtime.now().saturating_sub(began);
            let failure = error
                .failure()
                .now((self.date)())
                .idempotent(self.idempotent);
            match requests.fail(&failure, spent, self.on_failure.as_mut()) {
                Ok(()) => last = Some(error),
                Err(end) => return Err(requests.give_up(Some(error), end)),
            }
        }
    }

    /// Makes the request on this thread. An attempt that blocks cannot be cut; it is told its
    /// [`remaining`](Attempt::remaining) time.
    ///
    /// # Errors
    ///
    /// [`RetryError`]: the error of the last attempt, and why there was no other.
    pub fn call_blocking<C, T, E>(mut self, mut call: C) -> Result<T, RetryError<E>>
    where
        C: FnMut(Attempt) -> Result<T, E>,
        E: RetryableError,
        R: BlockingRuntime,
    {
        let began = self.runtime.now();
        let mut requests = Requests::new(self.strategy, self.max_time);
        loop {
            let until = self.runtime.now().saturating_add(requests.delay());
            while let Some(rest) = rest(until, self.runtime.now()) {
                self.runtime.sleep(rest);
            }
            let spent = self.runtime.now().saturating_sub(began);
            let error = match call(requests.begin(spent)) {
                Ok(value) => return requests.succeed(value),
                Err(error) => error,
            };
            let spent = self.runtime.now().saturating_sub(began);
            let failure = error
                .failure()
                .now((self.date)())
                .idempotent(self.idempotent);
            if let Err(end) = requests.fail(&failure, spent, self.on_failure.as_mut()) {
                return Err(requests.give_up(Some(error), end));
            }
        }
    }
}

/// What is left until a moment, where anything is.
fn rest(until: Duration, now: Duration) -> Option<Duration> {
    let rest = until.saturating_sub(now);
    (!rest.is_zero()).then_some(rest)
}

/// The attempts of one request.
struct Requests<'s, S: RetryStrategy> {
    strategy: &'s S,
    /// Nothing where the strategy gave none: the request is then sent once.
    token: Result<S::Token, RetryRefusal>,
    max_time: Duration,
    attempts: u64,
}

impl<'s, S: RetryStrategy> Requests<'s, S> {
    fn new(strategy: &'s S, max_time: Option<Duration>) -> Self {
        Self {
            strategy,
            token: strategy.acquire_initial_token(),
            max_time: max_time.unwrap_or(LONGEST),
            attempts: 0,
        }
    }

    /// The delay before the next attempt; the first may have one too.
    fn delay(&self) -> Duration {
        self.token
            .as_ref()
            .map_or(Duration::ZERO, RetryToken::delay)
    }

    fn begin(&mut self, spent: Duration) -> Attempt {
        self.attempts = self.attempts.saturating_add(1);
        Attempt {
            number: self.attempts,
            remaining: self.max_time.saturating_sub(spent),
        }
    }

    fn succeed<T, E>(self, value: T) -> Result<T, RetryError<E>> {
        if let Ok(token) = self.token {
            // The request has succeeded, whatever the strategy makes of it.
            let _ = self.strategy.record_success(token);
        }
        Ok(value)
    }

    /// Asks the strategy for another attempt, and tells the caller.
    fn fail(
        &mut self,
        failure: &RequestFailure<'_>,
        spent: Duration,
        on_failure: Option<&mut impl FnMut(RetryProgress<'_>)>,
    ) -> Result<(), RetryEnd> {
        let Classified { info, note } = failure.classify();
        let next = self.refresh(&info, spent);
        if let Some(on_failure) = on_failure {
            on_failure(RetryProgress {
                attempt: self.attempts,
                next,
                note: note.as_ref(),
            });
        }
        next.map(|_| ())
    }

    fn refresh(&mut self, info: &FailureInfo, spent: Duration) -> Result<Duration, RetryEnd> {
        let token = mem::replace(&mut self.token, Err(RetryRefusal::NotRetryable))
            .map_err(RetryEnd::Refused)?;
        let token = self.strategy.refresh_retry_token(token, info)?;
        let delay = token.delay();
        self.token = Ok(token);
        if spent.saturating_add(delay) >= self.max_time {
            return Err(RetryEnd::OutOfTime);
        }
        Ok(delay)
    }

    fn give_up<E>(&self, error: Option<E>, end: RetryEnd) -> RetryError<E> {
        RetryError {
            error,
            attempts: self.attempts,
            end,
        }
    }
}

impl From<RefreshError> for RetryEnd {
    fn from(error: RefreshError) -> Self {
        match error {
            RefreshError::Refused(refusal) => Self::Refused(refusal),
            RefreshError::Token(error) => Self::Token(error),
        }
    }
}

impl RetryEnd {
    /// The stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::OutOfTime => "out_of_time",
            Self::Refused(refusal) => refusal.code(),
            Self::Token(error) => error.code(),
        }
    }
}

impl fmt::Display for RetryEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfTime => f.write_str("no further attempt fits in the time there is"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Token(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Display> fmt::Display for RetryError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.attempts == 1 { "" } else { "s" };
        write!(
            f,
            "failed after {} attempt{times}: {}",
            self.attempts, self.end
        )?;
        match &self.error {
            Some(error) => write!(f, ": {error}"),
            None => Ok(()),
        }
    }
}

impl<E: Error + 'static> Error for RetryError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let error = self.error.as_ref()?;
        Some(error)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the driver is the edge at which time is read"
)]
fn system_date() -> SystemTime {
    SystemTime::now()
}
