//! The state machine of one request and its retries. Events and the current time determine the next step.

use std::fmt;
use std::time::Duration;

use super::host::token_delay;
use super::{
    Classified, FailureInfo, RefreshError, RequestFailure, RetryDirective, RetryInfo, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, TokenError,
};
use crate::error::{OptionsError, StateError};
use crate::millis::{TEN_YEARS_MS, rounded_up, to_ten_years};
use crate::operation::Operation;
use crate::options::{FromHost, OptionSpec, RawOptions};
use crate::value::{Kind, Value};

const MAX_TIME: OptionSpec = OptionSpec::new(
    "maxTime",
    to_ten_years!("must be at least 1 ms and at most"),
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
        // A policy decides by itself which results are safe to retry.
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
/// let mut request = Request::new(RequestOptions::default().idempotent(true));
/// let (mut now, mut token) = (0, None);
/// let mut step = request.poll(now);
/// let report = loop {
///     if let Some(event) = step.strategy_event(&strategy, &mut token) {
///         step = request.handle(event, now)?;
///         continue;
///     }
///     step = match step {
///         RequestStep::Call { attempt: 3, .. } => request.handle(RequestEvent::Success, now)?,
///         RequestStep::Sleep { until_ms } => {
///             now = until_ms;
///             request.poll(now)
///         }
///         RequestStep::Done(report) => break report,
///         _ => {
///             let failure = request.classify(FailedAttempt::Error(RequestFailure::default().status(502)));
///             request.handle(RequestEvent::Retry(&failure), now)?
///         }
///     };
/// };
/// assert_eq!((report.attempts, report.end), (3, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must handle every step")]
pub enum RequestStep {
    /// [Acquire](RetryStrategy::acquire_initial_token) the token of the first attempt.
    Acquire,
    /// [Refresh](RetryStrategy::refresh_retry_token) the token of the failed attempt.
    Refresh(FailureInfo),
    /// [Record](RetryStrategy::record_success) the success of the attempt, which has the token.
    Record,
    /// [Release](RetryStrategy::release_token) the token, whose attempt is not made.
    Release,
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

/// The end of an attempt, the result of a strategy, or a cancellation by the caller.
///
/// # Example: the results of a strategy
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{Classified, FailureInfo, Request, RequestEvent, RequestOptions, RequestStep};
///
/// let mut request = Request::new(RequestOptions::default());
/// assert_eq!(request.poll(0), RequestStep::Acquire);
/// let token = RequestEvent::Token(Duration::ZERO);
/// assert_eq!(request.handle(token, 0)?, RequestStep::Call { attempt: 1, deadline_ms: None });
///
/// let failure = Classified::from(FailureInfo::default());
/// assert_eq!(request.handle(RequestEvent::Retry(&failure), 20)?, RequestStep::Refresh(failure.info));
/// let token = RequestEvent::Token(Duration::from_secs(3));
/// assert_eq!(request.handle(token, 20)?, RequestStep::Sleep { until_ms: 3_020 });
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
    /// The attempt failed, and the strategy decides about another one. See [`Request::classify`].
    Retry(&'a Classified),
    /// The attempt failed, and a policy rules out another one.
    Failure,
    /// The host cancelled the attempt because its deadline passed.
    DeadlineReached,
    /// The caller cancelled the request. This event is valid at any time.
    Cancelled,
    /// The strategy issued a token with this delay.
    Token(Duration),
    /// The strategy refused a token, or rejected the one that it issued before.
    Refused(RefreshError),
    /// The strategy took the token back.
    Returned,
}

/// A result other than a success, for [`Request::classify`].
///
/// # Example: an idempotent request
///
/// ```
/// use smithy_waiters::retry::{FailedAttempt, Request, RequestFailure, RequestOptions, RetrySafety};
///
/// let request = Request::new(RequestOptions::default());
/// let bad_gateway = FailedAttempt::Error(RequestFailure::default().status(502));
/// let safety = request.classify(bad_gateway).info.retry.map(|retry| retry.safety);
/// assert_eq!(safety, Some(RetrySafety::No), "the request is not known to be idempotent");
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
/// use smithy_waiters::retry::{Request, RequestEvent, RequestOptions, RequestStep};
///
/// let mut request = Request::new(RequestOptions::default());
/// let RequestStep::Done(report) = request.handle(RequestEvent::Cancelled, 0)? else { unreachable!() };
/// assert_eq!(report.to_string(), "failed after 0 attempts: the request was cancelled");
/// # Ok::<(), smithy_waiters::StateError>(())
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
/// latest time. The host stores the token of its strategy. Each token is refreshed, recorded or released at most once:
/// it is recorded after a success, and released if the attempt that it is for is never made.
///
/// Specification:
/// [Using retry strategies](https://smithy.io/2.0/guides/client-guidance/retries.html#using-retry-strategies).
///
/// # Example: a request that the caller cancels in a pause
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{Request, RequestEvent, RequestOptions, RequestStep, RetryEnd};
///
/// let mut request = Request::new(RequestOptions::default());
/// request.poll(0);
/// let token = RequestEvent::Token(Duration::from_secs(1));
/// assert_eq!(request.handle(token, 0)?, RequestStep::Sleep { until_ms: 1_000 });
///
/// assert_eq!(request.handle(RequestEvent::Cancelled, 500)?, RequestStep::Release);
/// let RequestStep::Done(report) = request.handle(RequestEvent::Returned, 500)? else { unreachable!() };
/// assert_eq!(report.end, Some(RetryEnd::Cancelled));
/// # Ok::<(), smithy_waiters::StateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    options: RequestOptions,
    deadline_ms: Option<u64>,
    attempts: u64,
    now: u64,
    phase: Phase,
    /// The refusal of the first token, without which the attempt is made.
    refusal: Option<RefreshError>,
}

#[derive(Clone, Debug)]
enum Phase {
    Acquire,
    Pause { until: u64 },
    InFlight,
    Refresh(Classified),
    Record(RequestReport),
    Release(RequestReport),
    Done(RequestReport),
}

impl Request {
    /// Starts a request.
    #[must_use]
    pub fn new(options: RequestOptions) -> Self {
        Self {
            deadline_ms: options.max_time.map(rounded_up),
            options,
            attempts: 0,
            now: 0,
            phase: Phase::Acquire,
            refusal: None,
        }
    }

    /// Returns the next step: [`RequestStep::Sleep`] before the end of a pause, [`RequestStep::Call`] after it and
    /// while that attempt is in flight, a step of the strategy, or [`RequestStep::Done`] if the request ended. A
    /// request whose time is over after a pause ends.
    pub fn poll(&mut self, now_ms: u64) -> RequestStep {
        let now = self.advance(now_ms);
        if let Phase::Pause { until } = self.phase {
            // Ends at once if the pause ends after the deadline: the sleep could not lead to another attempt.
            if self.is_over(now.max(until)) {
                return self.end(Some(RetryEnd::OutOfTime), Phase::Release);
            }
            if now >= until {
                self.attempts = self.attempts.saturating_add(1);
                self.phase = Phase::InFlight;
            }
        }
        self.step()
    }

    /// Handles an event and returns the next step. The result of an attempt counts even if the attempt ended after the
    /// deadline.
    ///
    /// # Errors
    ///
    /// Errors leave the request unchanged. Returns [`StateError::NotInFlight`] for the end of an attempt if none is in
    /// flight, [`StateError::BeforeDeadline`] for a [`RequestEvent::DeadlineReached`] before the deadline, and
    /// [`StateError::OtherStep`] for a result of the strategy that does not belong to the current step.
    pub fn handle(
        &mut self,
        event: RequestEvent<'_>,
        now_ms: u64,
    ) -> Result<RequestStep, StateError> {
        self.check(&event, now_ms)?;
        self.advance(now_ms);
        if matches!(self.phase, Phase::Done(_)) {
            return Ok(self.step());
        }
        Ok(match event {
            RequestEvent::Success => self.end(None, Phase::Record),
            RequestEvent::Retry(failure) => match self.refusal.take() {
                // Without a first token there is one attempt and no retry, as in the specification's example.
                Some(refusal) => self.end(Some(reason(refusal, failure)), Phase::Done),
                None => self.enter(Phase::Refresh(*failure)),
            },
            // The attempt was made, so that its token is neither recorded nor refunded.
            // Rule: docs/rules.md#quota-refund
            RequestEvent::Failure => self.end(Some(RetryEnd::Failed), Phase::Done),
            RequestEvent::DeadlineReached => self.end(Some(RetryEnd::OutOfTime), Phase::Done),
            RequestEvent::Cancelled => match self.phase {
                Phase::Pause { .. } => self.end(Some(RetryEnd::Cancelled), Phase::Release),
                // The end of the request is already known.
                Phase::Record(_) | Phase::Release(_) => self.conclude(),
                // The token's attempt was made, so that it is not refunded. Rule: docs/rules.md#quota-refund
                _ => self.end(Some(RetryEnd::Cancelled), Phase::Done),
            },
            RequestEvent::Token(delay) => self.pause(delay),
            RequestEvent::Refused(refusal) => self.refuse(refusal),
            RequestEvent::Returned => self.conclude(),
        })
    }

    /// Handles a token of a host's strategy, whose delay is in seconds.
    ///
    /// # Errors
    ///
    /// The outer errors are those of [`handle`](Self::handle). The inner error is `invalid_option` for an invalid delay.
    /// The strategy has issued the token nevertheless, and the request releases it after [`RequestEvent::Cancelled`].
    #[doc(hidden)]
    pub fn handle_host_token<V: Value>(
        &mut self,
        delay: &V,
        now_ms: u64,
    ) -> Result<Result<RequestStep, OptionsError>, StateError> {
        let error = match token_delay(delay) {
            Ok(delay) => return self.handle(RequestEvent::Token(delay), now_ms).map(Ok),
            Err(error) => error,
        };
        self.check(&RequestEvent::Token(Duration::MAX), now_ms)?;
        // A value without a delay is not a token, so there is nothing to release.
        if !matches!(delay.kind(), Ok(Kind::Null)) {
            self.phase = Phase::Pause { until: u64::MAX };
        }
        Ok(Err(error))
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

    /// Checks that an event belongs to the current step.
    fn check(&self, event: &RequestEvent<'_>, now_ms: u64) -> Result<(), StateError> {
        match (&self.phase, event) {
            (Phase::Done(_), _)
            // The caller can cancel at any time, also while the strategy works.
            | (_, RequestEvent::Cancelled)
            | (
                Phase::Acquire | Phase::Refresh(_),
                RequestEvent::Token(_) | RequestEvent::Refused(_),
            )
            | (
                Phase::Record(_) | Phase::Release(_),
                // A strategy may reject the token that it gets back. The end of the request does not depend on it.
                RequestEvent::Returned | RequestEvent::Refused(_),
            ) => Ok(()),
            (_, RequestEvent::Token(_) | RequestEvent::Refused(_) | RequestEvent::Returned) => {
                Err(StateError::OtherStep)
            }
            (Phase::InFlight, RequestEvent::DeadlineReached)
                // A timer that fires early must not end the request: elapsed time decides, as in a wait.
                if !self.is_over(now_ms.max(self.now)) =>
            {
                let deadline_ms = self.deadline_ms;
                Err(StateError::BeforeDeadline { deadline_ms })
            }
            (Phase::InFlight, _) => Ok(()),
            _ => Err(StateError::NotInFlight),
        }
    }

    /// Pauses for the delay of a token.
    fn pause(&mut self, delay: Duration) -> RequestStep {
        let is_first = matches!(self.phase, Phase::Acquire);
        let until = self.now.saturating_add(rounded_up(delay));
        // A retry is announced by `Sleep` even if its delay is 0, because drivers report the failure with this step.
        let pause = self.enter(Phase::Pause { until });
        // Delays are clamped to ten years, so such a pause stands for an unbounded one.
        if until >= TEN_YEARS_MS || self.is_over(until) {
            return self.end(Some(RetryEnd::OutOfTime), Phase::Release);
        }
        if is_first { self.poll(self.now) } else { pause }
    }

    fn refuse(&mut self, refusal: RefreshError) -> RequestStep {
        match self.phase {
            // The request is still sent once.
            Phase::Acquire => {
                self.refusal = Some(refusal);
                self.pause(Duration::ZERO)
            }
            Phase::Refresh(failure) => self.end(Some(reason(refusal, &failure)), Phase::Done),
            // The end of the request is already known.
            _ => self.conclude(),
        }
    }

    /// Ends a request whose token was returned.
    fn conclude(&mut self) -> RequestStep {
        if let Phase::Record(report) | Phase::Release(report) = &self.phase {
            self.phase = Phase::Done(report.clone());
        }
        self.step()
    }

    /// Ends the request in this phase. Without a token, the strategy has no further step.
    fn end(&mut self, end: Option<RetryEnd>, phase: fn(RequestReport) -> Phase) -> RequestStep {
        let attempts = self.attempts;
        let report = RequestReport { attempts, end };
        // A refused first token was never issued, so that there is nothing to record or to release.
        let phase = if self.refusal.is_some() {
            Phase::Done
        } else {
            phase
        };
        self.enter(phase(report))
    }

    fn enter(&mut self, phase: Phase) -> RequestStep {
        self.phase = phase;
        self.step()
    }

    fn step(&self) -> RequestStep {
        match &self.phase {
            Phase::Acquire => RequestStep::Acquire,
            Phase::Pause { until } => RequestStep::Sleep { until_ms: *until },
            Phase::InFlight => RequestStep::Call {
                attempt: self.attempts,
                deadline_ms: self.deadline_ms,
            },
            Phase::Refresh(failure) => RequestStep::Refresh(failure.info),
            Phase::Record(_) => RequestStep::Record,
            Phase::Release(_) => RequestStep::Release,
            Phase::Done(report) => RequestStep::Done(report.clone()),
        }
    }

    fn advance(&mut self, now: u64) -> u64 {
        // As in a wait, a clock that goes backwards must not lengthen anything.
        self.now = self.now.max(now);
        self.now
    }

    fn is_over(&self, now: u64) -> bool {
        self.deadline_ms.is_some_and(|deadline| now >= deadline)
    }
}

/// Returns the reason for ending a request that its strategy does not retry.
fn reason(refusal: RefreshError, failure: &Classified) -> RetryEnd {
    match refusal {
        // Only the request has access to the idempotency; the strategy returns the generic refusal.
        RefreshError::Refused(RetryRefusal::NotRetryable) if failure.not_idempotent => {
            RetryEnd::Refused(RetryRefusal::NotIdempotent)
        }
        other => other.into(),
    }
}

impl RequestStep {
    /// Takes a step of the strategy. `token` is the token that the strategy issued before; it is replaced. Returns the
    /// event to report, or `None` for a step without a strategy.
    ///
    /// # Example: the first token of a request
    ///
    /// ```
    /// use smithy_waiters::retry::{Request, RequestOptions, RequestStep, RetryOptions, StandardRetryStrategy};
    ///
    /// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
    /// let (mut request, mut token) = (Request::new(RequestOptions::default()), None);
    /// let acquired = request.poll(0).strategy_event(&strategy, &mut token);
    /// assert!(acquired.is_some() && token.is_some());
    /// # Ok::<(), smithy_waiters::OptionsError>(())
    /// ```
    #[must_use]
    pub fn strategy_event<S: RetryStrategy>(
        &self,
        strategy: &S,
        token: &mut Option<S::Token>,
    ) -> Option<RequestEvent<'static>> {
        let issued = match self {
            Self::Acquire => strategy.acquire_initial_token().map_err(RefreshError::from),
            Self::Refresh(failure) => match token.take() {
                Some(token) => strategy.refresh_retry_token(token, failure),
                None => Err(TokenError::Used.into()),
            },
            Self::Record => {
                let recorded = token.take().map(|token| strategy.record_success(token));
                return Some(match recorded {
                    Some(Err(rejected)) => RequestEvent::Refused(rejected.into()),
                    _ => RequestEvent::Returned,
                });
            }
            Self::Release => {
                if let Some(token) = token.take() {
                    strategy.release_token(token);
                }
                return Some(RequestEvent::Returned);
            }
            Self::Call { .. } | Self::Sleep { .. } | Self::Done(_) => return None,
        };
        Some(match issued {
            Ok(issued) => RequestEvent::Token(token.insert(issued).delay()),
            Err(refused) => RequestEvent::Refused(refused),
        })
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
