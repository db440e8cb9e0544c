//! A request and its retries, as a machine.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use smithy_waiters::operation::Operation as Model;
use smithy_waiters::retry::{
    self, FailedAttempt, RequestEvent, RequestOptions, RequestStep, RetryEnd, RetryRefusal,
};

use crate::argument::Text;
use crate::context::Context;
use crate::error;
use crate::event::{Cancelled, DeadlineReached};
use crate::handle::{Handle, optional_handle};
use crate::machine::Machine;
use crate::millis::Millis;
use crate::operation::Operation;
use crate::options;
use crate::step::{Call, Sleep};

use super::classify::{Classified, Failed};

/// A request with retries in progress. It returns steps for the caller to perform, and never reads a clock, sleeps
/// or calls.
///
/// The steps `"acquire"`, `"refresh"`, `"record"` and `"release"` are for a retry strategy, whose token the caller has.
///
/// Raises:
///     OptionsError: An option is unknown or invalid.
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
    #[pyo3(signature = (*, operation=None, input=None, has_policy=false, **options))]
    fn new(
        py: Python<'_>,
        operation: Option<&Bound<'_, Operation>>,
        input: Option<Py<PyAny>>,
        has_policy: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut options: RequestOptions = options::of(py, options)?;
        if has_policy {
            options = options.with_policy();
        }
        if let Some(operation) = operation {
            let context = operation.get().context();
            let input = optional_handle(py, input.as_ref(), &context);
            options = options.operation(operation.get().model(), input);
            context.finish()?;
        }
        Ok(Self {
            machine: Machine::new(retry::Request::new(options)),
            model: operation.map(|operation| operation.get().model().clone()),
        })
    }

    /// Return the current step: `Sleep` during a pause, `Call` when the pause has ended and until that attempt has
    /// ended, the name of a step of the strategy, or a `RequestReport` if the request has ended.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).
    fn poll<'py>(&self, py: Python<'py>, now_ms: Millis) -> PyResult<Bound<'py, PyAny>> {
        step_to_python(py, self.machine.step(|request| request.poll(now_ms.0))?)
    }

    /// Handle an event and return the next step.
    ///
    /// Args:
    ///     event: `"success"`, `"failure"`, `"retry"` with its `failure`, or `"returned"` after the strategy took its
    ///         token back; or `DeadlineReached` or `Cancelled` of `smithy_waiters.events`.
    ///     now_ms: The milliseconds since the start of the request.
    ///     failure: The classification of the failed attempt.
    ///
    /// Raises:
    ///     StateError: The event is out of order, `now_ms` is not a valid time, or another step is being taken.
    ///     ValueError: The event is unknown, or its argument is missing.
    #[pyo3(signature = (event, now_ms, failure=None))]
    fn handle<'py>(
        &self,
        py: Python<'py>,
        event: &Bound<'py, PyAny>,
        now_ms: Millis,
        failure: Option<&Bound<'py, Classified>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let failure = failure.map(|failure| failure.get().classified());
        let event = if event.is_exact_instance_of::<DeadlineReached>() {
            RequestEvent::DeadlineReached
        } else if event.is_exact_instance_of::<Cancelled>() {
            RequestEvent::Cancelled
        } else {
            match (&*event.extract::<Text>()?, failure) {
                ("success", None) => RequestEvent::Success,
                ("failure", _) => RequestEvent::Failure,
                ("retry", Some(failure)) => RequestEvent::Retry(failure),
                ("returned", None) => RequestEvent::Returned,
                _ => return Err(PyValueError::new_err("an event without its arguments")),
            }
        };
        self.take(py, event, now_ms)
    }

    /// Handle the token that the strategy issued, and return the next step.
    ///
    /// Raises:
    ///     OptionsError: The token has no valid `delay`.
    ///     StateError: The strategy has no step, `now_ms` is not a valid time, or another step is being taken.
    fn handle_token<'py>(
        &self,
        token: &Bound<'py, PyAny>,
        now_ms: Millis,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = token.py();
        let delay = token.getattr_opt(intern!(py, "delay"))?;
        let delay = options::seconds(delay.unwrap_or_else(|| py.None().into_bound(py)))?;
        let context = Context::new(&[]);
        let delay = Handle::new(delay, &context);
        let step = self
            .machine
            .step(|request| request.handle_host_token(&delay, now_ms.0))?;
        context.finish()?;
        let step = step.map_err(error::state)?.map_err(error::options)?;
        step_to_python(py, step)
    }

    /// Handle the exception by which the strategy refused a token, and return the next step.
    ///
    /// Raises:
    ///     StateError: The strategy has no step, `now_ms` is not a valid time, or another step is being taken.
    fn handle_refusal<'py>(
        &self,
        refusal: &Bound<'py, PyAny>,
        now_ms: Millis,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = refusal.py();
        let Text(code) = refusal.getattr(intern!(py, "code"))?.extract()?;
        let Text(message) = refusal.getattr(intern!(py, "message"))?.extract()?;
        let refusal = RetryRefusal::from_host(code, message);
        self.take(py, RequestEvent::Refused(refusal.into()), now_ms)
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

impl Request {
    fn take<'py>(
        &self,
        py: Python<'py>,
        event: RequestEvent<'_>,
        now_ms: Millis,
    ) -> PyResult<Bound<'py, PyAny>> {
        let step = self
            .machine
            .step(|request| request.handle(event, now_ms.0))?;
        step_to_python(py, step.map_err(error::state)?)
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
        RequestStep::Acquire => "acquire".into_bound_py_any(py),
        RequestStep::Refresh(_) => "refresh".into_bound_py_any(py),
        RequestStep::Record => "record".into_bound_py_any(py),
        RequestStep::Release => "release".into_bound_py_any(py),
    }
}
