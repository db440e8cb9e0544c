//! A request and its retries, as a machine.

use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt};
use smithy_waiters::internal::FromHost;
use smithy_waiters::operation::Operation as Model;
use smithy_waiters::retry::{
    self, FailedAttempt, RequestEvent, RequestOptions, RequestStep, RetryEnd, RetryRefusal,
};

use crate::argument::Text;
use crate::error;
use crate::event::{Cancelled, DeadlineReached};
use crate::handle::optional_handle;
use crate::machine::Machine;
use crate::millis::Millis;
use crate::operation::Operation;
use crate::options;
use crate::step::{Call, Sleep};

use super::classify::{Classified, Failed};
use super::quota::duration;
use super::strategy::StandardRetryStrategy;

/// A request with retries in progress. It returns steps for the caller to perform, and never reads a clock, sleeps
/// or calls.
///
/// `strategy` is a `StandardRetryStrategy`. For a custom strategy, it is the delay of the first token in seconds; the
/// caller then passes each `decision` of the strategy to `handle`.
///
/// Raises:
///     OptionsError: An option is unknown or invalid, or the delay is invalid.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct Request {
    machine: Machine<retry::Request>,
    model: Option<Model>,
}

/// The result of a request. Its text describes the number of attempts and the reason for the end.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct RequestReport(retry::RequestReport);

#[pymethods]
impl Request {
    #[new]
    #[pyo3(signature = (strategy, *, operation=None, input=None, has_policy=false, **options))]
    fn new(
        strategy: &Bound<'_, PyAny>,
        operation: Option<&Bound<'_, Operation>>,
        input: Option<Py<PyAny>>,
        has_policy: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = strategy.py();
        let mut options = options::read(py, options, (RequestOptions::NAMES, &[]), |options| {
            RequestOptions::from_host(options)
        })?;
        if has_policy {
            options = options.with_policy();
        }
        if let Some(operation) = operation {
            let context = operation.get().context();
            let input = optional_handle(py, input.as_ref(), &context);
            options = options.operation(operation.get().model(), input);
            context.finish()?;
        }
        let request = match strategy.cast::<StandardRetryStrategy>() {
            Ok(strategy) => retry::Request::new(strategy.get().strategy().clone(), options),
            Err(_) => {
                retry::Request::with_outside_strategy(duration("delay", strategy.clone())?, options)
            }
        };
        Ok(Self {
            machine: Machine::new(request),
            model: operation.map(|operation| operation.get().model().clone()),
        })
    }

    /// Return the current step: `Sleep` during a pause, `Call` when the pause has ended and until that attempt has
    /// ended, or a `RequestReport` if no time is left.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).
    fn poll<'py>(&self, py: Python<'py>, now_ms: Millis) -> PyResult<Bound<'py, PyAny>> {
        step_to_python(py, self.machine.step(|request| request.poll(now_ms.0))?)
    }

    /// Handle an event and return the next step.
    ///
    /// Args:
    ///     event: `"success"`, `"failure"`, or `"retry"` with its `failure`; or `DeadlineReached` or `Cancelled` of
    ///         `smithy_waiters.events`.
    ///     now_ms: The milliseconds since the start of the request.
    ///     failure: The classification of the failed attempt.
    ///     decision: The decision of a custom strategy on a retry: the delay in seconds, or its refusal.
    ///
    /// Raises:
    ///     OptionsError: The delay of the `decision` is invalid.
    ///     StateError: The event is out of order, `now_ms` is not a valid time, or another step is being taken.
    ///     ValueError: The event is unknown, or one of its arguments is missing.
    #[pyo3(signature = (event, now_ms, failure=None, decision=None))]
    fn handle<'py>(
        &self,
        py: Python<'py>,
        event: &Bound<'py, PyAny>,
        now_ms: Millis,
        failure: Option<&Bound<'py, Classified>>,
        decision: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let failure = failure.map(|failure| failure.get().classified());
        let event = if event.is_exact_instance_of::<DeadlineReached>() {
            RequestEvent::DeadlineReached
        } else if event.is_exact_instance_of::<Cancelled>() {
            RequestEvent::Cancelled
        } else {
            match (&*event.extract::<Text>()?, failure, decision) {
                ("success", None, None) => RequestEvent::Success,
                ("failure", _, None) => RequestEvent::Failure,
                ("retry", Some(failure), None) => RequestEvent::Retry(failure),
                ("retry", Some(failure), Some(decision)) => {
                    RequestEvent::Decided(failure, read_decision(decision)?)
                }
                _ => return Err(PyValueError::new_err("an event without its arguments")),
            }
        };
        let step = self
            .machine
            .step(|request| request.handle(event, now_ms.0))?;
        step_to_python(py, step.map_err(error::state)?)
    }

    /// Classify a failed attempt.
    ///
    /// `facts` are the facts of an error, the caller's own classification, or `None` for a response that a policy
    /// rejects.
    ///
    /// Raises:
    ///     StateError: A step is being taken (`busy`).
    fn classify(&self, facts: Option<Failed<'_>>) -> PyResult<Classified> {
        let model = self.model.as_ref();
        let attempt = facts.as_ref().map(|failed| failed.attempt(model));
        let attempt = attempt.unwrap_or(FailedAttempt::Response);
        let classified = self.machine.read(|request| request.classify(attempt))?;
        Ok(Classified::from_engine(classified))
    }

    /// The number of attempts started so far.
    #[getter]
    fn attempts(&self) -> PyResult<u64> {
        self.machine.read(retry::Request::attempts)
    }
}

#[pymethods]
impl RequestReport {
    /// The number of attempts started.
    #[getter]
    const fn attempts(&self) -> u64 {
        self.0.attempts
    }

    /// The machine-readable reason why no further attempt is made; `None` for a success.
    #[getter]
    fn code(&self) -> Option<&str> {
        self.0.end.as_ref().map(RetryEnd::code)
    }

    /// The reason why no further attempt is made, as text; `None` for a success.
    #[getter]
    fn message(&self) -> Option<String> {
        self.0.end.as_ref().map(ToString::to_string)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }
}

fn step_to_python(py: Python<'_>, step: RequestStep) -> PyResult<Bound<'_, PyAny>> {
    match step {
        RequestStep::Call {
            attempt,
            deadline_ms,
        } => Call::new(attempt, deadline_ms).into_bound_py_any(py),
        RequestStep::Sleep { until_ms } => Sleep::new(until_ms, false).into_bound_py_any(py),
        RequestStep::Done(report) => RequestReport(report).into_bound_py_any(py),
    }
}

/// Reads the decision of a custom strategy: a delay, or an exception with a code and a message.
fn read_decision(decision: &Bound<'_, PyAny>) -> PyResult<Result<Duration, RetryRefusal>> {
    if decision.is_instance_of::<PyFloat>() || decision.is_instance_of::<PyInt>() {
        return duration("delay", decision.clone()).map(Ok);
    }
    let py = decision.py();
    let Text(code) = decision.getattr(intern!(py, "code"))?.extract()?;
    let Text(message) = decision.getattr(intern!(py, "message"))?.extract()?;
    // A strategy that wraps the standard one may pass its refusal on. The engine explains that refusal in detail.
    let not_retryable = RetryRefusal::NotRetryable;
    if code == not_retryable.code() && message == not_retryable.to_string() {
        return Ok(Err(not_retryable));
    }
    Ok(Err(RetryRefusal::Other { code, message }))
}
