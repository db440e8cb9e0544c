//! The state machine of one request and its retries. Events and the current time determine the next step.

use std::fmt;
use std::mem;
use std::time::Duration;

use super::{
    Classified, FailureInfo, RefreshError, RequestFailure, RetryDirective, RetryInfo, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, StandardRetryStrategy, TokenError,
};
use crate::error::{OptionsError, StateError};
use crate::millis::{TEN_YEARS_MS, rounded_up};
use crate::operation::Operation;
use crate::options::{FromHost, OptionSpec, RawOptions};
use crate::value::Value;

const MAX_TIME: OptionSpec = OptionSpec::new(
    "maxTime",
    "must be at least 1 ms and at most 315360000 seconds (ten years)",
);

/// The properties of a request that are set before its first attempt.
///
/// # Example: a read with 30 seconds for all attempts
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::RequestOptions;
///
/// let options = RequestOptions::default().idempotent(true).max_time(Duration::from_secs(30));
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default)]
pub struct RequestOptions {
    idempotent: Option<bool>,
    operation: Option<(Operation, bool)>,
    max_time: Option<Duration>,
    has_policy: bool,
}

#[doc(hidden)]
impl FromHost for RequestOptions {
    const NAMES: &'static [&'static str] = &["idempotent", "maxTime"];

    /// Reads options from an object of a host language: `idempotent`, a boolean, and `maxTime` in seconds. Null values
    /// count as absent.
    ///
    /// # Errors
    ///
    /// Returns `unknown_option` for any other name and `invalid_option` for a value of the wrong type or out of range.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, Self::NAMES)?;
        let max_time = raw.duration(&MAX_TIME)?;
        let checked = max_time.map(|max_time| MAX_TIME.positive_millis(max_time));
        checked.transpose()?;
        Ok(Self {
            idempotent: raw.boolean("idempotent")?,
            max_time,
            ..Self::default()
        })
    }
}

impl RequestOptions {
    /// Sets whether the request can be repeated without side effects. It overrides the traits of the
    /// [`operation`](Self::operation).
    ///
    /// If neither marks the request as idempotent, it is retried only if the service requests it: by `Retry-After`, the
    /// status 429 or 503, a throttling code, or an error that its model marks as retryable.
    ///
    /// Specification: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    #[must_use]
    pub const fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = Some(idempotent);
        self
    }

    /// Sets the operation of a model and its input, which determine whether the request is
    /// [idempotent](Self::idempotent) and which of its errors are retryable.
    #[must_use]
    pub fn operation(mut self, operation: &Operation, input: impl Value) -> Self {
        // An unreadable input cannot prove that the request is idempotent.
        let idempotent = operation.is_idempotent(input).unwrap_or(false);
        self.operation = Some((operation.clone(), idempotent));
        self
    }

    /// Sets the time limit for all attempts together, at most ten years. No attempt starts after it, and an attempt in
    /// progress is cancelled. With a limit of zero, the request ends without an attempt. The default is unlimited.
    #[must_use]
    pub const fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = Some(max_time);
        self
    }

    /// Marks the results as evaluated by a policy: a result that the policy retries is safe to retry.
    #[must_use]
    pub const fn with_policy(mut self) -> Self {
        self.has_policy = true;
        self
    }

    fn is_idempotent(&self) -> bool {
        let modeled = self.operation.as_ref().is_some_and(|(_, known)| *known);
        self.has_policy || self.idempotent.unwrap_or(modeled)
    }
}

/// The next action of a request. All times are milliseconds since it started.
///
/// # Example: the loop of a host
///
/// ```
/// use smithy_waiters::retry::{
///     FailedAttempt, Request, RequestEvent, RequestFailure, RequestOptions, RequestStep, RetryOptions, StandardRetryStrategy,
/// };
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let mut request = Request::new(strategy, RequestOptions::default().idempotent(true));
/// let mut now = 0;
/// let mut step = request.poll(now);
/// let report = loop {
///     step = match step {
///         RequestStep::Call { attempt: 3, .. } => request.handle(RequestEvent::Success, now)?,
///         RequestStep::Call { .. } => {
///             let failure = request.classify(FailedAttempt::Error(RequestFailure::default().status(502)));
///             request.handle(RequestEvent::Retry(&failure), now)?
///         }
///         RequestStep::Sleep { until_ms } => {
///             now = until_ms;
///             request.poll(now)
///         }
///         RequestStep::Done(report) => break report,
///     };
/// };
/// assert_eq!((report.attempts, report.end), (3, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must handle every step")]
pub enum RequestStep {
    /// Make the attempt, then [`handle`](Request::handle) its result.
    Call {
        /// The number of the attempt, from 1.
        attempt: u64,
        /// The time at which to cancel the attempt and report [`RequestEvent::DeadlineReached`]. `None` without a time
        /// limit.
        deadline_ms: Option<u64>,
    },
    /// Sleep, then [`poll`](Request::poll).
    Sleep {
        /// The end of the pause.
        until_ms: u64,
    },
    /// The request ended.
    Done(RequestReport),
}

/// The end of an attempt, or a cancellation by the caller.
///
/// # Example: a strategy outside of the state machine
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{
///     Classified, FailureInfo, Request, RequestEvent, RequestOptions, RequestStep,
/// };
///
/// let mut request: Request = Request::with_outside_strategy(Duration::ZERO, RequestOptions::default());
/// request.poll(0);
/// let failure = Classified::from(FailureInfo::default());
/// let decided = RequestEvent::Decided(&failure, Ok(Duration::from_secs(3)));
/// assert_eq!(request.handle(decided, 20)?, RequestStep::Sleep { until_ms: 3_020 });
/// # Ok::<(), smithy_waiters::StateError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the events of the state machine are its contract"
)]
pub enum RequestEvent<'a> {
    /// The attempt succeeded.
    Success,
    /// The attempt failed, and the request's strategy decides about another one. See [`Request::classify`].
    Retry(&'a Classified),
    /// The attempt failed, and an external strategy decided: the pause before the next attempt, or a refusal.
    Decided(&'a Classified, Result<Duration, RetryRefusal>),
    /// The attempt failed, and a policy rules out another one.
    Failure,
    /// The host cancelled the attempt because its deadline passed.
    DeadlineReached,
    /// The caller cancelled the request. This event is valid at any time.
    Cancelled,
}

/// A result other than a success, for [`Request::classify`].
///
/// # Example: an idempotent request
///
/// ```
/// use smithy_waiters::retry::{
///     FailedAttempt, Request, RequestFailure, RequestOptions, RetryOptions, RetrySafety, StandardRetryStrategy,
/// };
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let request = Request::new(strategy, RequestOptions::default());
/// let bad_gateway = FailedAttempt::Error(RequestFailure::default().status(502));
/// let safety = request.classify(bad_gateway).info.retry.map(|retry| retry.safety);
/// assert_eq!(safety, Some(RetrySafety::No), "the request is not known to be idempotent");
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "an attempt returns a response or an error, and the host classifies errors or not"
)]
pub enum FailedAttempt<'a> {
    /// An error with its description.
    Error(RequestFailure<'a>),
    /// An error that the host classified.
    Classified(FailureInfo),
    /// A response that a policy rejected.
    Response,
}

/// The end of a request.
///
/// # Example: the text of a report
///
/// ```
/// use smithy_waiters::retry::{Request, RequestEvent, RequestOptions, RequestStep, RetryOptions, StandardRetryStrategy};
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let mut request = Request::new(strategy, RequestOptions::default());
/// let RequestStep::Done(report) = request.handle(RequestEvent::Cancelled, 0)? else { unreachable!() };
/// assert_eq!(report.to_string(), "failed after 0 attempts: the request was cancelled");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestReport {
    /// The number of attempts that were started.
    pub attempts: u64,
    /// The reason why there is no further attempt. `None` for a success.
    pub end: Option<RetryEnd>,
}

/// The reason why a request is not retried.
///
/// # Example: the text of a reason
///
/// ```
/// use smithy_waiters::retry::RetryEnd;
///
/// assert_eq!(RetryEnd::OutOfTime.code(), "out_of_time");
/// assert_eq!(RetryEnd::OutOfTime.to_string(), "no further attempt fits into the time limit");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RetryEnd {
    /// The caller cancelled the request.
    #[error("the request was cancelled")]
    Cancelled,
    /// A policy ruled out another attempt.
    #[error("the retry policy classified the result as a failure")]
    Failed,
    /// The next attempt would start after the time limit, or the last attempt exceeded it.
    #[error("no further attempt fits into the time limit")]
    OutOfTime,
    /// The strategy refused another attempt.
    #[error(transparent)]
    Refused(RetryRefusal),
    /// The strategy rejected the token.
    #[error(transparent)]
    Token(TokenError),
}

/// A request in progress: a state machine that performs no calls, sleeps or clock reads.
///
/// `now_ms` is the time since the request started, in milliseconds. A time earlier than a previous one counts as the
/// latest time. The request owns its token and returns it to the strategy if the next attempt never starts.
///
/// Specification:
/// [Using retry strategies](https://smithy.io/2.0/guides/client-guidance/retries.html#using-retry-strategies).
///
/// # Example: a request that is throttled once
///
/// ```
/// use smithy_waiters::retry::{
///     FailedAttempt, Request, RequestEvent, RequestFailure, RequestOptions, RequestStep, RetryOptions, StandardRetryStrategy,
/// };
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let mut request = Request::new(strategy, RequestOptions::default());
/// assert_eq!(request.poll(0), RequestStep::Call { attempt: 1, deadline_ms: None });
///
/// let throttled = RequestFailure::default().status(429).retry_after("7");
/// let failure = request.classify(FailedAttempt::Error(throttled));
/// assert_eq!(request.handle(RequestEvent::Retry(&failure), 20)?, RequestStep::Sleep { until_ms: 7_020 });
/// assert_eq!(request.poll(7_020), RequestStep::Call { attempt: 2, deadline_ms: None });
/// assert!(matches!(request.handle(RequestEvent::Success, 7_040)?, RequestStep::Done(report) if report.end.is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Request<S: RetryStrategy = StandardRetryStrategy> {
    /// `None` for an external strategy.
    strategy: Option<S>,
    /// The latest token of the strategy, or its refusal.
    token: Result<S::Token, RetryRefusal>,
    options: RequestOptions,
    deadline_ms: Option<u64>,
    attempts: u64,
    now: u64,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    Pause { until: u64 },
    InFlight,
    Done(RequestReport),
}

impl<S: RetryStrategy> Request<S> {
    /// Acquires a token from the strategy and starts the request. The token's delay precedes the first attempt.
    #[must_use]
    pub fn new(strategy: S, options: RequestOptions) -> Self {
        // If the strategy refuses a token, the request is still sent once.
        let token = strategy.acquire_initial_token();
        let delay = token.as_ref().map_or(Duration::ZERO, RetryToken::delay);
        Self::start(Some(strategy), token, delay, options)
    }

    /// Starts a request with an external strategy, whose decisions are reported as [`RequestEvent::Decided`]. `delay`
    /// is the delay of its initial token.
    #[must_use]
    pub fn with_outside_strategy(delay: Duration, options: RequestOptions) -> Self {
        Self::start(None, Err(RetryRefusal::NotRetryable), delay, options)
    }

    fn start(
        strategy: Option<S>,
        token: Result<S::Token, RetryRefusal>,
        delay: Duration,
        options: RequestOptions,
    ) -> Self {
        Self {
            strategy,
            token,
            deadline_ms: options.max_time.map(rounded_up),
            options,
            attempts: 0,
            now: 0,
            phase: Phase::Pause {
                until: rounded_up(delay),
            },
        }
    }

    /// Returns the next step: [`RequestStep::Sleep`] before the end of a pause, [`RequestStep::Call`] after it and
    /// while that attempt is in flight, or [`RequestStep::Done`] if the request ended or its time is over.
    pub fn poll(&mut self, now_ms: u64) -> RequestStep {
        let now = self.advance(now_ms);
        let until = match &self.phase {
            Phase::Done(report) => return RequestStep::Done(report.clone()),
            Phase::InFlight => return self.call_step(),
            Phase::Pause { until } => *until,
        };
        if self.is_over(now.max(until)) {
            return self.end(Some(RetryEnd::OutOfTime));
        }
        if now < until {
            return RequestStep::Sleep { until_ms: until };
        }
        self.attempts = self.attempts.saturating_add(1);
        self.phase = Phase::InFlight;
        self.call_step()
    }

    /// Handles an event and returns the next step. The result of an attempt counts even if the attempt ended after the
    /// deadline.
    ///
    /// # Errors
    ///
    /// Errors leave the request unchanged. Returns [`StateError::NotInFlight`] if no attempt is in flight, except for
    /// [`RequestEvent::Cancelled`], and [`StateError::BeforeDeadline`] for a [`RequestEvent::DeadlineReached`] before
    /// the deadline.
    pub fn handle(
        &mut self,
        event: RequestEvent<'_>,
        now_ms: u64,
    ) -> Result<RequestStep, StateError> {
        match (&self.phase, &event) {
            (Phase::Done(report), _) => return Ok(RequestStep::Done(report.clone())),
            (_, RequestEvent::Cancelled) => {}
            (Phase::Pause { .. }, _) => return Err(StateError::NotInFlight),
            (_, RequestEvent::DeadlineReached) if !self.is_over(now_ms.max(self.now)) => {
                let deadline_ms = self.deadline_ms;
                return Err(StateError::BeforeDeadline { deadline_ms });
            }
            _ => {}
        }
        self.advance(now_ms);
        Ok(match event {
            RequestEvent::Success => {
                if let (Ok(token), Some(strategy)) = (self.take_token(), &self.strategy) {
                    // An error of the strategy doesn't change the result: the attempt succeeded.
                    let _ = strategy.record_success(token);
                }
                self.end(None)
            }
            RequestEvent::Failure => self.end(Some(RetryEnd::Failed)),
            RequestEvent::DeadlineReached => self.end(Some(RetryEnd::OutOfTime)),
            RequestEvent::Cancelled => self.end(Some(RetryEnd::Cancelled)),
            RequestEvent::Retry(failure) => {
                let delay = self.refresh(&failure.info);
                self.retry(failure, delay.map_err(RetryEnd::from))
            }
            RequestEvent::Decided(failure, delay) => {
                self.retry(failure, delay.map_err(RetryEnd::Refused))
            }
        })
    }

    /// Classifies a failed attempt with the properties of the request: its idempotency, its operation's errors, and
    /// whether a policy evaluates the results.
    #[must_use]
    pub fn classify(&self, failure: FailedAttempt<'_>) -> Classified {
        let mut classified = match failure {
            FailedAttempt::Error(failure) => {
                let failure = failure.idempotent(self.options.is_idempotent());
                match &self.options.operation {
                    Some((operation, _)) => failure.modeled_by(operation).classify(),
                    None => failure.classify(),
                }
            }
            FailedAttempt::Classified(info) => info.into(),
            FailedAttempt::Response => FailureInfo::default().into(),
        };
        // A result that the policy retries is safe to retry.
        if self.options.has_policy {
            let unknown = RetryInfo::new(RetrySafety::Yes);
            let retry = classified.info.retry.get_or_insert(unknown);
            retry.safety = RetrySafety::Yes;
        }
        classified
    }

    /// Returns the number of attempts that were started.
    #[must_use]
    pub const fn attempts(&self) -> u64 {
        self.attempts
    }

    /// Returns the pause that the strategy allows before another attempt.
    fn refresh(&mut self, failure: &FailureInfo) -> Result<Duration, RefreshError> {
        let token = self.take_token()?;
        let strategy = self.strategy.as_ref();
        let strategy = strategy.ok_or(RetryRefusal::NotRetryable)?;
        let token = strategy.refresh_retry_token(token, failure)?;
        let delay = token.delay();
        self.token = Ok(token);
        Ok(delay)
    }

    fn take_token(&mut self) -> Result<S::Token, RetryRefusal> {
        mem::replace(&mut self.token, Err(RetryRefusal::NotRetryable))
    }

    fn retry(&mut self, failure: &Classified, delay: Result<Duration, RetryEnd>) -> RequestStep {
        let delay = match delay {
            Ok(delay) => rounded_up(delay),
            // Only the request has access to the idempotency; the strategy returns the generic refusal.
            Err(RetryEnd::Refused(RetryRefusal::NotRetryable)) if failure.not_idempotent => {
                return self.end(Some(RetryEnd::Refused(RetryRefusal::NotIdempotent)));
            }
            Err(end) => return self.end(Some(end)),
        };
        let until = self.now.saturating_add(delay);
        self.phase = Phase::Pause { until };
        // Delays are clamped to ten years, so such a pause stands for an unbounded one.
        if until >= TEN_YEARS_MS || self.is_over(until) {
            return self.end(Some(RetryEnd::OutOfTime));
        }
        RequestStep::Sleep { until_ms: until }
    }

    fn advance(&mut self, now: u64) -> u64 {
        self.now = self.now.max(now);
        self.now
    }

    const fn call_step(&self) -> RequestStep {
        RequestStep::Call {
            attempt: self.attempts,
            deadline_ms: self.deadline_ms,
        }
    }

    fn is_over(&self, now: u64) -> bool {
        self.deadline_ms.is_some_and(|deadline| now >= deadline)
    }

    /// Returns the token of an attempt that has not started to the strategy.
    fn release(&mut self) {
        if !matches!(self.phase, Phase::Pause { .. }) {
            return;
        }
        if let (Ok(token), Some(strategy)) = (self.take_token(), &self.strategy) {
            strategy.release_token(token);
        }
    }

    fn end(&mut self, end: Option<RetryEnd>) -> RequestStep {
        self.release();
        let attempts = self.attempts;
        let report = RequestReport { attempts, end };
        self.phase = Phase::Done(report.clone());
        RequestStep::Done(report)
    }
}

/// Returns the token to the strategy if the request is dropped during a pause.
impl<S: RetryStrategy> Drop for Request<S> {
    fn drop(&mut self) {
        self.release();
    }
}

impl<S: RetryStrategy> fmt::Debug for Request<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("attempts", &self.attempts)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

impl<'a> RequestEvent<'a> {
    /// Creates the event for an attempt that a policy evaluated. `failure` is its classification.
    #[must_use]
    pub const fn directive(directive: RetryDirective, failure: &'a Classified) -> Self {
        match directive {
            RetryDirective::Succeed => Self::Success,
            RetryDirective::Retry => Self::Retry(failure),
            RetryDirective::Fail => Self::Failure,
        }
    }
}

/// Formats as in `failed after 2 attempts: the error is not retryable`.
impl fmt::Display for RequestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.attempts == 1 { "" } else { "s" };
        match &self.end {
            None => write!(f, "succeeded after {} attempt{s}", self.attempts),
            Some(end) => write!(f, "failed after {} attempt{s}: {end}", self.attempts),
        }
    }
}

impl RetryEnd {
    /// Returns the stable code, for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::OutOfTime => "out_of_time",
            Self::Refused(refusal) => refusal.code(),
            Self::Token(error) => error.code(),
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
