//! The steps of a wait.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smithy_waiters::{Ending, Step};

use crate::kept;
use crate::record::AttemptRecord;
use crate::shown::Shown;

pub(crate) fn of(py: Python<'_>, step: Step) -> PyResult<Bound<'_, PyAny>> {
    Ok(match step {
        Step::Call {
            attempt,
            remaining_ms,
        } => Bound::new(
            py,
            Call {
                attempt,
                remaining_ms,
            },
        )?
        .into_any(),
        Step::Sleep { delay_ms, last } => Bound::new(py, Sleep { delay_ms, last })?.into_any(),
        Step::Done(ending) => Bound::new(py, Done(ending))?.into_any(),
    })
}

/// Call the operation, then say what came of it.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Call {
    /// The number of the attempt, from 1.
    attempt: u64,
    /// How long the call may take; cut it then and say `expire`.
    remaining_ms: u64,
}

#[pymethods]
impl Call {
    #[getter]
    const fn r#type(&self) -> &'static str {
        "call"
    }

    #[new]
    const fn new(attempt: u64, remaining_ms: u64) -> Self {
        Self {
            attempt,
            remaining_ms,
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let call = slf.get();
        kept::anew(slf.get_type(), (call.attempt, call.remaining_ms))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = Shown::new(py, "Call");
        Ok(shown
            .with("attempt", self.attempt)?
            .with("remaining_ms", self.remaining_ms)?
            .end())
    }
}

/// Sleep, then ask for the next step.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Sleep {
    /// How long.
    delay_ms: u64,
    /// Whether the attempt after it is the last that fits.
    last: bool,
}

#[pymethods]
impl Sleep {
    #[getter]
    const fn r#type(&self) -> &'static str {
        "sleep"
    }

    #[new]
    const fn new(delay_ms: u64, last: bool) -> Self {
        Self { delay_ms, last }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let sleep = slf.get();
        kept::anew(slf.get_type(), (sleep.delay_ms, sleep.last))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = Shown::new(py, "Sleep");
        Ok(shown
            .with("delay_ms", self.delay_ms)?
            .with("last", self.last)?
            .end())
    }
}

/// The wait is over.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Done(Arc<Ending>);

impl From<Ending> for Done {
    fn from(ending: Ending) -> Self {
        Self(Arc::new(ending))
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

    /// Why it failed: `"failure_state"`, `"unmatched_error"`, `"timed_out"`, `"too_many_attempts"` or `"cancelled"`;
    /// `None` for a success.
    #[getter]
    fn code(&self) -> Option<&'static str> {
        self.0.kind.map(smithy_waiters::FailureKind::code)
    }

    /// The waiter's name.
    #[getter]
    fn waiter(&self) -> Option<&str> {
        self.0.waiter.as_deref()
    }

    /// What happened, for people.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// The index of the acceptor that ended the wait.
    #[getter]
    fn acceptor(&self) -> Option<usize> {
        self.0.acceptor
    }

    /// That acceptor as the definition has it, as compact JSON.
    #[getter]
    fn acceptor_text(&self) -> Option<&str> {
        self.0.acceptor_text.as_deref()
    }

    /// The number of calls that were started.
    #[getter]
    fn attempts(&self) -> u64 {
        self.0.attempts
    }

    /// How long it took.
    #[getter]
    fn elapsed_ms(&self) -> u64 {
        self.0.elapsed_ms
    }

    /// The newest attempts, the oldest first; at most the history limit.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.history.iter().cloned().map(AttemptRecord::from))
    }

    /// The whole story for people: the message, then each attempt and why each acceptor did or did not match.
    fn explain(&self) -> String {
        self.0.explain()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        kept::by(py, "_done", (self.0.to_json(),))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(Shown::new(py, "Done")
            .with("state", self.state())?
            .with("code", self.code())?
            .with("waiter", self.waiter())?
            .with("message", self.message())?
            .with("acceptor", self.acceptor())?
            .with("acceptor_text", self.acceptor_text())?
            .with("attempts", self.attempts())?
            .with("elapsed_ms", self.elapsed_ms())?
            .with("history", self.history(py)?)?
            .end())
    }
}
