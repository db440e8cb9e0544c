//! Records of attempts.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::pickle;
use crate::repr::{self, Repr};
use crate::verdict::Reason;

/// The record of an attempt that has ended. Times are milliseconds since the start of the wait.
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
    /// The number of the attempt, starting at 1.
    #[getter]
    const fn attempt(&self) -> u64 {
        self.0.attempt
    }

    /// The start of the call.
    #[getter]
    const fn started_ms(&self) -> u64 {
        self.0.started_ms
    }

    /// The end of the call.
    #[getter]
    const fn ended_ms(&self) -> u64 {
        self.0.ended_ms
    }

    /// The result: `"response"`, `"error"`, `"cut"` (aborted at its deadline), `"late"` or `"cancelled"`.
    #[getter]
    const fn result(&self) -> &'static str {
        self.0.result.as_str()
    }

    /// The error in one line, if the call failed.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.0.error.as_deref()
    }

    /// The state of the verdict; `None` if the result was not evaluated.
    #[getter]
    fn state(&self) -> Option<&'static str> {
        self.0.state.map(smithy_waiters::State::as_str)
    }

    /// The index of the acceptor that matched.
    #[getter]
    const fn acceptor(&self) -> Option<usize> {
        self.0.acceptor
    }

    /// The reasons why each evaluated acceptor did or did not match.
    #[getter]
    fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.reasons.iter().cloned().map(Reason::from))
    }

    /// The values of the paths in `show`, if the call succeeded.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.values.iter().cloned().map(PathValue::from))
    }

    /// The delay before the next attempt, in milliseconds; `None` after the last attempt.
    #[getter]
    const fn delay_ms(&self) -> Option<u64> {
        self.0.delay_ms
    }

    /// `True` if the next attempt is the last one before the deadline.
    #[getter]
    const fn next_is_last(&self) -> bool {
        self.0.next_is_last
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_function(py, "_attempt", (pickle::json(&self.0)?,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(Repr::new(py, "AttemptRecord")
            .field("attempt", self.attempt())?
            .field("started_ms", self.started_ms())?
            .field("ended_ms", self.ended_ms())?
            .field("result", self.result())?
            .field("error", self.error())?
            .field("state", self.state())?
            .field("acceptor", self.acceptor())?
            .field("reasons", self.reasons(py)?)?
            .field("values", self.values(py)?)?
            .field("delay_ms", self.delay_ms())?
            .field("next_is_last", self.next_is_last())?
            .end())
    }
}

/// The value of a path in the option `show`.
#[pyclass(frozen, eq, hash, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PathValue {
    /// The path, as written in the option.
    path: String,
    /// The value as JSON, truncated at 200 characters. For a redacted value it is the type, and for an unreadable
    /// value the problem.
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
        repr::from_attributes(slf, &[], &["path", "text"])
    }
}

/// A probable mistake in a definition, an option or a call, which a result of the call shows.
#[pyclass(frozen, eq, hash, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Hint {
    /// The stable code, such as `"near_name"`.
    code: String,
    /// The text, in one line.
    text: String,
}

impl From<&smithy_waiters::Hint> for Hint {
    fn from(hint: &smithy_waiters::Hint) -> Self {
        Self {
            code: hint.code().as_str().to_owned(),
            text: hint.to_string(),
        }
    }
}

#[pymethods]
impl Hint {
    #[new]
    const fn new(code: String, text: String) -> Self {
        Self { code, text }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["code", "text"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["code", "text"])
    }
}
