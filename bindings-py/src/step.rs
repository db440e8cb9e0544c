//! The steps of a wait and of a request.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smithy_waiters::{Step, WaitReport};

use crate::pickle;
use crate::record::AttemptRecord;
use crate::repr;

pub(crate) fn of(py: Python<'_>, step: Step) -> PyResult<Bound<'_, PyAny>> {
    match step {
        Step::Call {
            attempt,
            deadline_ms,
        } => Call::new(attempt, deadline_ms).into_bound_py_any(py),
        Step::Sleep { until_ms, last } => Sleep::new(until_ms, last).into_bound_py_any(py),
        Step::Done(report) => Done(report).into_bound_py_any(py),
    }
}

/// Call the operation, then handle the end of the call.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Call {
    /// The number of the attempt, from 1.
    attempt: u64,
    /// When to cancel the call and handle `DeadlineReached`, in milliseconds since the start; `None` if nothing
    /// limits it.
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
        repr::of(slf, &[], &["attempt", "deadline_ms"])
    }
}

/// Sleep, then poll.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Sleep {
    /// When the pause ends, in milliseconds since the start.
    until_ms: u64,
    /// Whether the next attempt is the last one that fits before the deadline.
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
        repr::of(slf, &[], &["until_ms", "last"])
    }
}

/// The wait has ended.
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

    /// `"success"` or `"failure"`.
    #[getter]
    fn state(&self) -> &'static str {
        if self.0.kind.is_some() {
            "failure"
        } else {
            "success"
        }
    }

    /// Why it failed: `"failure_state"`, `"unexpected_state"`, `"unmatched_error"`, `"unreachable"`, `"timed_out"`,
    /// `"too_many_attempts"` or `"cancelled"`; `None` for a success.
    #[getter]
    fn code(&self) -> Option<&'static str> {
        self.0.kind.map(smithy_waiters::FailureKind::code)
    }

    /// The waiter's name.
    #[getter]
    fn waiter(&self) -> Option<&str> {
        self.0.waiter.as_deref()
    }

    /// The label of the wait.
    #[getter]
    fn label(&self) -> Option<&str> {
        self.0.label.as_deref()
    }

    /// The headline, for people.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// The index of the acceptor that ended the wait.
    #[getter]
    fn acceptor(&self) -> Option<usize> {
        self.0.acceptor
    }

    /// That acceptor as compact JSON, with the members of the definition.
    #[getter]
    fn acceptor_text(&self) -> Option<&str> {
        self.0.acceptor_text.as_deref()
    }

    /// The number of attempts that were started.
    #[getter]
    fn attempts(&self) -> u64 {
        self.0.attempts
    }

    /// How long the wait took, in milliseconds.
    #[getter]
    fn elapsed_ms(&self) -> u64 {
        self.0.elapsed_ms
    }

    /// How late a success may have been noticed, in milliseconds: the time since the start of the newest call
    /// before it that showed another state. `None` if there was none, and for a failure.
    #[getter]
    fn noticed_within_ms(&self) -> Option<u64> {
        self.0.noticed_within_ms
    }

    /// The end of the last attempt: `"response"`, `"error"`, `"cut"`, `"late"` or `"cancelled"`; `None` if there
    /// was none.
    #[getter]
    fn last_result(&self) -> Option<&'static str> {
        self.0
            .last_result
            .map(smithy_waiters::AttemptResult::as_str)
    }

    /// The newest attempts, oldest first, at most the history limit.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.history.iter().cloned().map(AttemptRecord::from))
    }

    /// Returns the whole story for people: the message, then each attempt and why each acceptor did or did not
    /// match.
    fn explain(&self) -> String {
        self.0.explain()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_function(py, "_done", (pickle::json(&*self.0)?,))
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
        repr::of(slf, &[], &[&report[..], &times].concat())
    }
}
