//! One request and its retries, as a machine.

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
use crate::handle::handle_of;
use crate::machine::Machine;
use crate::millis::Millis;
use crate::operation::Operation;
use crate::options;
use crate::step::{Call, Sleep};

use super::classify::{Classified, Failed};
use super::quota::duration;
use super::strategy::StandardRetryStrategy;

/// A request in progress: returns the next step, and has no clock, sleep or call of its own.
///
/// `strategy` is a `StandardRetryStrategy`; or the first delay of a custom one in seconds, which then decides
/// outside.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct Request {
    machine: Machine<retry::Request>,
    model: Option<Model>,
}

/// How a request ended; its text tells people after how many attempts and why.
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
        let mut options = options::read(py, options, (RequestOptions::NAMES, &[]), |given| {
            RequestOptions::from_host(given)
        })?;
        if has_policy {
            options = options.judged_by_policy();
        }
        if let Some(operation) = operation {
            let context = operation.get().context();
            let input = handle_of(py, input.as_ref(), &context);
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

    /// Returns the step that is due: `Sleep` before the pause is over, `Call` after it and while that attempt is in
    /// flight, a `RequestReport` if no time is left.
    fn poll<'py>(&self, py: Python<'py>, now_ms: Millis) -> PyResult<Bound<'py, PyAny>> {
        of_step(py, self.machine.step(|request| request.poll(now_ms.0))?)
    }

    /// Takes an event and returns the next step: `"success"`, `"failure"`, or `"retry"` with its `failure`;
    /// `DeadlineReached` or `Cancelled` of `smithy_waiters.events`.
    ///
    /// `decision` is what a custom strategy decided on a retry: the delay in seconds, or a refusal.
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
                    RequestEvent::Decided(failure, decided(decision)?)
                }
                _ => return Err(PyValueError::new_err("an event without its arguments")),
            }
        };
        let step = self
            .machine
            .step(|request| request.handle(event, now_ms.0))?;
        of_step(py, step.map_err(error::state)?)
    }

    /// Classifies a failed attempt by what is known of the request. `facts` are those of an error, the caller's own
    /// classification, or `None` for a response that a policy does not accept.
    fn classify(&self, facts: Option<Failed<'_>>) -> PyResult<Classified> {
        let model = self.model.as_ref();
        let attempt = facts.as_ref().map(|failed| failed.attempt(model));
        let attempt = attempt.unwrap_or(FailedAttempt::Response);
        let classified = self.machine.read(|request| request.classify(attempt))?;
        Ok(Classified::of(classified))
    }

    /// The number of attempts that were started.
    #[getter]
    fn attempts(&self) -> PyResult<u64> {
        self.machine.read(retry::Request::attempts)
    }
}

#[pymethods]
impl RequestReport {
    /// The number of attempts that were started.
    #[getter]
    const fn attempts(&self) -> u64 {
        self.0.attempts
    }

    /// Why there is no further attempt, for programs; `None` for a success.
    #[getter]
    fn code(&self) -> Option<&str> {
        self.0.end.as_ref().map(RetryEnd::code)
    }

    /// Why, for people.
    #[getter]
    fn message(&self) -> Option<String> {
        self.0.end.as_ref().map(ToString::to_string)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }
}

fn of_step(py: Python<'_>, step: RequestStep) -> PyResult<Bound<'_, PyAny>> {
    match step {
        RequestStep::Call {
            attempt,
            deadline_ms,
        } => Call::new(attempt, deadline_ms).into_bound_py_any(py),
        RequestStep::Sleep { until_ms } => Sleep::new(until_ms, false).into_bound_py_any(py),
        RequestStep::Done(report) => RequestReport(report).into_bound_py_any(py),
    }
}

/// The answer of a custom strategy: a delay, or an exception with a code and a message.
fn decided(decision: &Bound<'_, PyAny>) -> PyResult<Result<Duration, RetryRefusal>> {
    if decision.is_instance_of::<PyFloat>() || decision.is_instance_of::<PyInt>() {
        return duration("delay", decision.clone()).map(Ok);
    }
    let py = decision.py();
    let Text(code) = decision.getattr(intern!(py, "code"))?.extract()?;
    let Text(message) = decision.getattr(intern!(py, "message"))?.extract()?;
    // A strategy around the standard one passes its refusal on, which the engine explains.
    let usual = RetryRefusal::NotRetryable;
    if code == usual.code() && message == usual.to_string() {
        return Ok(Err(usual));
    }
    Ok(Err(RetryRefusal::Other { code, message }))
}
