//! The events of a wait.

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::context::class_name;
use crate::error;
use crate::failure::check_error;
use crate::millis::Millis;
use crate::repr;
use crate::transient::Classification;

/// The call returned a response.
///
/// `not_before_ms` is the earliest time of the next attempt, if the service asked for one, in milliseconds
/// since the wait started.
#[pyclass(frozen, get_all, name = "Response", module = "smithy_waiters.events")]
pub(crate) struct ResponseEvent {
    /// The response.
    pub(crate) response: Py<PyAny>,
    /// The earliest time of the next attempt, in milliseconds since the wait started.
    pub(crate) not_before_ms: Option<u64>,
}

/// The call raised an error: the exception, or the name of one.
///
/// `transient` is your own classification: a `Transient`, or `False` for an error that waiting does not cure.
/// Without it the package classifies the error.
#[pyclass(frozen, get_all, name = "Error", module = "smithy_waiters.events")]
pub(crate) struct ErrorEvent {
    /// The exception, or the name of one.
    pub(crate) error: Py<PyAny>,
    /// Your classification of the error; `None` to let the package classify it.
    pub(crate) transient: Option<Classification>,
}

/// The call ended, and compiled or hand-written code evaluated the result: the engine reads no value.
///
/// `acceptor` is the index of the first acceptor that matched, or `None`. `error` is the exception that the
/// call raised, or its name; `None` if the call returned a response. `transient` as in `Error`.
#[pyclass(frozen, get_all, name = "Verdict", module = "smithy_waiters.events")]
pub(crate) struct VerdictEvent {
    /// The index of the first acceptor that matched.
    pub(crate) acceptor: Option<usize>,
    /// The exception, or the name of one; `None` after a response.
    pub(crate) error: Option<Py<PyAny>>,
    /// Your classification of the error; `None` to let the package classify it.
    pub(crate) transient: Option<Classification>,
}

/// You cancelled the call because its deadline has passed.
#[pyclass(frozen, eq, hash, module = "smithy_waiters.events")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct DeadlineReached;

/// The caller cancelled the wait; legal at any time.
#[pyclass(frozen, eq, hash, module = "smithy_waiters.events")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Cancelled;

#[pymethods]
impl ResponseEvent {
    #[new]
    #[pyo3(signature = (response, not_before_ms=None))]
    const fn new(
        response: Py<PyAny>,
        #[pyo3(from_py_with = time)] not_before_ms: Option<u64>,
    ) -> Self {
        Self {
            response,
            not_before_ms,
        }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &["response"], &["not_before_ms"])
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.response)
    }
}

#[pymethods]
impl ErrorEvent {
    #[new]
    #[pyo3(signature = (error, transient=None))]
    const fn new(
        #[pyo3(from_py_with = checked)] error: Py<PyAny>,
        transient: Option<Classification>,
    ) -> Self {
        Self { error, transient }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &["error"], &["transient"])
    }

    // An error holds the frames it passed, and one of those most often this event: a cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.error)
    }
}

#[pymethods]
impl VerdictEvent {
    #[new]
    #[pyo3(signature = (acceptor, error=None, transient=None))]
    fn new(
        #[pyo3(from_py_with = index)] acceptor: Option<usize>,
        error: Option<&Bound<'_, PyAny>>,
        transient: Option<Classification>,
    ) -> PyResult<Self> {
        Ok(Self {
            acceptor,
            error: error.map(checked).transpose()?,
            transient,
        })
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &["acceptor"], &["error", "transient"])
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.error)
    }
}

#[pymethods]
impl DeadlineReached {
    #[new]
    const fn new() -> Self {
        Self
    }

    const fn __repr__(&self) -> &'static str {
        "DeadlineReached()"
    }
}

#[pymethods]
impl Cancelled {
    #[new]
    const fn new() -> Self {
        Self
    }

    const fn __repr__(&self) -> &'static str {
        "Cancelled()"
    }
}

fn time(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let time: Option<Millis> = given.extract()?;
    Ok(time.map(|time| time.0))
}

fn checked(error: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    check_error(error.as_borrowed())?;
    Ok(error.clone().unbind())
}

/// The engine checks that the waiter has such an acceptor.
fn index(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let is_boolean = given.is_instance_of::<PyBool>();
    match given.extract() {
        Ok(index) if !is_boolean => Ok(index),
        _ => {
            let given = given.repr()?;
            let message =
                format!("`acceptor` must be the index of an acceptor or `None`, got {given}");
            Err(error::state_error("invalid_verdict", message))
        }
    }
}

/// The refusal of an object that is not an event.
pub(crate) fn unknown(event: &Bound<'_, PyAny>) -> PyErr {
    let class = class_name(&event.get_type());
    PyTypeError::new_err(format!(
        "`event` must be one of `smithy_waiters.events`, got `{class}`"
    ))
}
