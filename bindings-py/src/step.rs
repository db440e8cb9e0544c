//! The steps of a wait and of a request.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smithy_waiters::{EndValues, Step, WaitReport};

use crate::error;
use crate::pickle;
use crate::record::AttemptRecord;
use crate::repr;

pub(crate) fn to_python(py: Python<'_>, step: Step) -> PyResult<Bound<'_, PyAny>> {
    match step {
        Step::Call {
            attempt,
            deadline_ms,
        } => Call::new(attempt, deadline_ms).into_bound_py_any(py),
        Step::Sleep { until_ms, last } => Sleep::new(until_ms, last).into_bound_py_any(py),
        Step::Done(report) => Done(report).into_bound_py_any(py),
    }
}

/// The step to call the operation and then handle the event of its end.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Call {
    /// The number of the attempt, starting at 1.
    attempt: u64,
    /// The time at which to cancel the call and handle `DeadlineReached`, in milliseconds since the start; `None` if
    /// the call has no deadline.
    deadline_ms: Option<u64>,
}

#[pymethods]
impl Call {
    #[getter]
    const fn r#type(&self) -> &'static str {
        "call"
    }

    #[new]
    #[pyo3(signature = (attempt, deadline_ms))]
    pub(crate) const fn new(attempt: u64, deadline_ms: Option<u64>) -> Self {
        Self {
            attempt,
            deadline_ms,
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["attempt", "deadline_ms"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["attempt", "deadline_ms"])
    }
}

/// The step to sleep and then poll.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Sleep {
    /// The end of the pause, in milliseconds since the start.
    until_ms: u64,
    /// `True` if the next attempt is the last one before the deadline.
    last: bool,
}

#[pymethods]
impl Sleep {
    #[getter]
    const fn r#type(&self) -> &'static str {
        "sleep"
    }

    #[new]
    pub(crate) const fn new(until_ms: u64, last: bool) -> Self {
        Self { until_ms, last }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["until_ms", "last"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["until_ms", "last"])
    }
}

/// The step that ends the wait, with its report.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Done(Arc<WaitReport>);

impl From<Arc<WaitReport>> for Done {
    fn from(report: Arc<WaitReport>) -> Self {
        Self(report)
    }
}

#[pymethods]
impl Done {
    #[getter]
    const fn r#type(&self) -> &'static str {
        "done"
    }

    /// The state: `"success"` or `"failure"`.
    #[getter]
    fn state(&self) -> &'static str {
        if self.0.kind.is_some() {
            "failure"
        } else {
            "success"
        }
    }

    /// The reason for the failure: `"failure_state"`, `"unexpected_state"`, `"unmatched_error"`, `"unreachable"`,
    /// `"timed_out"`, `"too_many_attempts"` or `"cancelled"`; `None` for a success.
    #[getter]
    fn code(&self) -> Option<&'static str> {
        self.0.kind.map(smithy_waiters::FailureKind::code)
    }

    /// The name of the waiter.
    #[getter]
    fn waiter(&self) -> Option<&str> {
        self.0.waiter.as_deref()
    }

    /// The label of the wait.
    #[getter]
    fn label(&self) -> Option<&str> {
        self.0.label.as_deref()
    }

    /// The result in one sentence.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// The index of the acceptor that ended the wait; `None` if no acceptor did.
    #[getter]
    fn acceptor(&self) -> Option<usize> {
        self.0.acceptor
    }

    /// The acceptor that ended the wait as compact JSON, with the members of the definition.
    #[getter]
    fn acceptor_text(&self) -> Option<&str> {
        self.0.acceptor_text.as_deref()
    }

    /// The number of attempts started.
    #[getter]
    fn attempts(&self) -> u64 {
        self.0.attempts
    }

    /// The duration of the wait, in milliseconds.
    #[getter]
    fn elapsed_ms(&self) -> u64 {
        self.0.elapsed_ms
    }

    /// The maximum time between the change of the resource and the end of the wait, in milliseconds: the time since
    /// the start of the latest call that returned another state. `None` for a failure, and if there was no such call.
    #[getter]
    fn noticed_within_ms(&self) -> Option<u64> {
        self.0.noticed_within_ms
    }

    /// The result of the last attempt: `"response"`, `"error"`, `"cut"` (aborted at its deadline), `"late"` or
    /// `"cancelled"`; `None` if no attempt was made.
    #[getter]
    fn last_result(&self) -> Option<&'static str> {
        self.0
            .last_result
            .map(smithy_waiters::AttemptResult::as_str)
    }

    /// The latest attempts, oldest first. Their number is limited by `history_limit`.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.history.iter().cloned().map(AttemptRecord::from))
    }

    /// Return the full report as text: the message, and for each attempt the reasons why each acceptor did or did
    /// not match.
    fn explain(&self) -> String {
        self.0.explain()
    }

    /// Return the report as JSON text, with the same members as `WaiterError.to_json`. The response and the errors,
    /// which the report does not have, are null.
    fn to_json(&self) -> String {
        self.0.to_json(&EndValues::default())
    }

    /// Return the report as JSON text with the values of the caller: for logs, or for storage in at most `limit` bytes if
    /// possible. `values` is the JSON text of `response` and `error`.
    #[pyo3(signature = (values, limit=None))]
    fn _end_json(&self, values: &str, limit: Option<usize>) -> PyResult<String> {
        let values = EndValues::from_json(values).map_err(error::state)?;
        Ok(self.0.end_json(&values, limit))
    }

    /// `True` if the wait gave up on work that may still be running: it was cancelled, or its time or its attempts are
    /// over.
    #[getter]
    fn _leaves_work(&self) -> bool {
        self.0
            .kind
            .is_some_and(smithy_waiters::FailureKind::leaves_work)
    }

    /// Return the error if it is the cause of the failure.
    fn _cause(&self, error: Option<Py<PyAny>>) -> Option<Py<PyAny>> {
        self.0.cause(error, None)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_function(py, "_done", (self.to_json(),))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let report = [
            "state",
            "code",
            "waiter",
            "label",
            "message",
            "acceptor",
            "acceptor_text",
        ];
        let times = [
            "attempts",
            "elapsed_ms",
            "noticed_within_ms",
            "last_result",
            "history",
        ];
        repr::from_attributes(slf, &[], &[&report[..], &times].concat())
    }
}
