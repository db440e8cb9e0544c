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
use crate::retry::classify::Facts;
use crate::transient::Classification;

/// The event of a call that returned a response.
///
/// `not_before_ms` is the earliest time of the next attempt, if the service requested one, in milliseconds since the
/// start of the wait.
///
/// Raises:
///     StateError: `not_before_ms` is not from 0 to 2^53 - 1 (`invalid_time`).
#[pyclass(frozen, get_all, name = "Response", module = "smithy_waiters.events")]
pub(crate) struct ResponseEvent {
    /// The response.
    pub(crate) response: Py<PyAny>,
    /// The earliest time of the next attempt, in milliseconds since the start of the wait; `None` for any time.
    pub(crate) not_before_ms: Option<u64>,
}

/// The event of a call that raised an error.
///
/// `error` is the exception or the name of an error. `transient` is your own classification: a `Transient`, or
/// `False` for a permanent error. If it is `None`, the engine classifies the error by its `facts`, or else by its name.
///
/// Raises:
///     OptionsError: `error` is not an error, or `transient` is not a classification.
#[pyclass(frozen, subclass, name = "Error", module = "smithy_waiters.events")]
pub(crate) struct ErrorEvent {
    /// The exception, or the name of an error.
    #[pyo3(get)]
    pub(crate) error: Py<PyAny>,
    /// Your classification of the error; `None` if the engine classifies it.
    #[pyo3(get)]
    pub(crate) transient: Option<Classification>,
    pub(crate) facts: Option<Facts>,
}

/// The event of a call whose result was evaluated by compiled or hand-written code instead of the engine.
///
/// `acceptor` is the index of the first acceptor that matched, or `None`. `error` is the exception that the call
/// raised, or its name; `None` if the call returned a response. `transient` is your own classification of the error:
/// a `Transient`, or `False` for a permanent error. If it is `None`, the engine classifies the error by its `facts`, or
/// else by its name.
///
/// Raises:
///     OptionsError: `error` is not an error, or `transient` is not a classification.
///     StateError: `acceptor` is not an index (`invalid_verdict`).
#[pyclass(frozen, subclass, name = "Verdict", module = "smithy_waiters.events")]
pub(crate) struct VerdictEvent {
    /// The index of the first acceptor that matched, or `None`.
    #[pyo3(get)]
    pub(crate) acceptor: Option<usize>,
    /// The exception, or the name of an error; `None` for a response.
    #[pyo3(get)]
    pub(crate) error: Option<Py<PyAny>>,
    /// Your classification of the error; `None` if the engine classifies it.
    #[pyo3(get)]
    pub(crate) transient: Option<Classification>,
    pub(crate) facts: Option<Facts>,
}

/// The event of a call that you cancelled at its deadline.
#[pyclass(frozen, eq, hash, module = "smithy_waiters.events")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct DeadlineReached;

/// The event of a wait that the caller cancelled. It is valid at any time.
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
        repr::from_attributes(slf, &["response"], &["not_before_ms"])
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.response)
    }
}

#[pymethods]
impl ErrorEvent {
    #[new]
    #[pyo3(signature = (error, transient=None, facts=None))]
    fn new(
        #[pyo3(from_py_with = error_argument)] error: Py<PyAny>,
        transient: Option<Classification>,
        facts: Option<Facts>,
    ) -> Self {
        Self {
            error,
            transient,
            facts,
        }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &["error"], &["transient"])
    }

    // The traceback of an error references frames, which often reference this event: a cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.error)
    }
}

#[pymethods]
impl VerdictEvent {
    #[new]
    #[pyo3(signature = (acceptor, error=None, transient=None, facts=None))]
    fn new(
        #[pyo3(from_py_with = index)] acceptor: Option<usize>,
        error: Option<&Bound<'_, PyAny>>,
        transient: Option<Classification>,
        facts: Option<Facts>,
    ) -> PyResult<Self> {
        Ok(Self {
            acceptor,
            error: error.map(error_argument).transpose()?,
            transient,
            facts,
        })
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &["acceptor"], &["error", "transient"])
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

fn time(object: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let time: Option<Millis> = object.extract()?;
    Ok(time.map(|time| time.0))
}

fn error_argument(error: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    check_error(error.as_borrowed())?;
    Ok(error.clone().unbind())
}

/// Reads an index. The engine checks that the waiter has an acceptor with this index.
fn index(object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let is_boolean = object.is_instance_of::<PyBool>();
    match object.extract() {
        Ok(index) if !is_boolean => Ok(index),
        _ => {
            let object = object.repr()?;
            let message =
                format!("`acceptor` must be the index of an acceptor or `None`, got {object}");
            Err(error::state_error("invalid_verdict", message))
        }
    }
}

/// Creates the error of an object that is not an event.
pub(crate) fn unknown(event: &Bound<'_, PyAny>) -> PyErr {
    let class = class_name(&event.get_type());
    PyTypeError::new_err(format!(
        "`event` must be one of `smithy_waiters.events`, got `{class}`"
    ))
}
