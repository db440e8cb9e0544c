//! An attempt that has ended.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::pickle;
use crate::repr::{self, Repr};
use crate::verdict::Reason;

/// One attempt that has ended; times are in milliseconds since the wait began.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, PartialEq)]
pub(crate) struct AttemptRecord(smithy_waiters::AttemptRecord);

impl From<smithy_waiters::AttemptRecord> for AttemptRecord {
    fn from(record: smithy_waiters::AttemptRecord) -> Self {
        Self(record)
    }
}

#[pymethods]
impl AttemptRecord {
    /// Its number, from 1.
    #[getter]
    const fn attempt(&self) -> u64 {
        self.0.attempt
    }

    /// When the call was started.
    #[getter]
    const fn started_ms(&self) -> u64 {
        self.0.started_ms
    }

    /// When it ended.
    #[getter]
    const fn ended_ms(&self) -> u64 {
        self.0.ended_ms
    }

    /// The result: `"response"`, `"error"`, `"cut"`, `"late"` or `"cancelled"`.
    #[getter]
    const fn result(&self) -> &'static str {
        self.0.result.as_str()
    }

    /// The error in one line, where the call failed.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.0.error.as_deref()
    }

    /// The verdict's state; `None` where the result was not looked at.
    #[getter]
    fn state(&self) -> Option<&'static str> {
        self.0.state.map(smithy_waiters::State::as_str)
    }

    /// The index of the acceptor that matched.
    #[getter]
    const fn acceptor(&self) -> Option<usize> {
        self.0.acceptor
    }

    /// Why each acceptor that was looked at did or did not match.
    #[getter]
    fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.reasons.iter().cloned().map(Reason::from))
    }

    /// The values of the paths to show, if the call succeeded.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.values.iter().cloned().map(PathValue::from))
    }

    /// The delay that followed; `None` where none did.
    #[getter]
    const fn delay_ms(&self) -> Option<u64> {
        self.0.delay_ms
    }

    /// Whether the attempt after that delay is the last that fits.
    #[getter]
    const fn next_is_last(&self) -> bool {
        self.0.next_is_last
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_function(py, "_attempt", (pickle::json(&self.0)?,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(Repr::new(py, "AttemptRecord")
            .with("attempt", self.attempt())?
            .with("started_ms", self.started_ms())?
            .with("ended_ms", self.ended_ms())?
            .with("result", self.result())?
            .with("error", self.error())?
            .with("state", self.state())?
            .with("acceptor", self.acceptor())?
            .with("reasons", self.reasons(py)?)?
            .with("values", self.values(py)?)?
            .with("delay_ms", self.delay_ms())?
            .with("next_is_last", self.next_is_last())?
            .end())
    }
}

/// The value of a path that the caller of a wait wants to see.
#[pyclass(frozen, eq, hash, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PathValue {
    /// The path, as the caller gave it.
    path: String,
    /// The value as JSON, cut at 200 characters; its type if it is redacted, the problem if it cannot be read.
    text: String,
}

impl From<smithy_waiters::PathValue> for PathValue {
    fn from(value: smithy_waiters::PathValue) -> Self {
        Self {
            path: value.path,
            text: value.text,
        }
    }
}

#[pymethods]
impl PathValue {
    #[new]
    const fn new(path: String, text: String) -> Self {
        Self { path, text }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["path", "text"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &[], &["path", "text"])
    }
}
