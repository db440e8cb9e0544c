//! Transient errors: the caller's classification, or that of the package's reader of exceptions.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyTuple};
use smithy_waiters::ErrorMetadata;
use smithy_waiters::retry::{self, RequestFailure};

use crate::error::option_error;
use crate::millis::Millis;
use crate::pickle;
use crate::repr;
use crate::retry::classify::Facts;

/// A transient error: the wait repeats the call unless an acceptor matches the error.
///
/// `not_before_ms` is the earliest time of the next attempt, in milliseconds since the start of the wait; 0 for any
/// time. `answered` is `False` if the connection failed or no answer arrived in time.
///
/// Raises:
///     StateError: `not_before_ms` is not from 0 to 2^53 - 1 (`invalid_time`).
#[pyclass(frozen, eq, hash, get_all, module = "smithy_waiters.events")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Transient {
    /// The earliest time of the next attempt, in milliseconds since the start of the wait.
    not_before_ms: u64,
    /// `True` if the service answered.
    answered: bool,
}

#[pymethods]
impl Transient {
    #[new]
    #[pyo3(signature = (not_before_ms=0, answered=true))]
    const fn new(#[pyo3(from_py_with = time)] not_before_ms: u64, answered: bool) -> Self {
        Self {
            not_before_ms,
            answered,
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["not_before_ms", "answered"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["not_before_ms", "answered"])
    }
}

fn time(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    object.extract().map(|Millis(time)| time)
}

/// The caller's classification of an error.
#[derive(Clone, Copy)]
pub(crate) enum Classification {
    NotTransient,
    Transient(Transient),
}

impl Classification {
    const fn transient(self) -> Option<retry::Transient> {
        match self {
            Self::NotTransient => None,
            Self::Transient(transient) => Some(retry::Transient {
                not_before_ms: transient.not_before_ms,
                answered: transient.answered,
                once: false,
            }),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Classification {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(transient) = object.cast::<Transient>() {
            return Ok(Self::Transient(*transient.get()));
        }
        match object.cast::<PyBool>() {
            Ok(object) if !object.is_true() => Ok(Self::NotTransient),
            _ => {
                let object = object.repr()?;
                let message =
                    format!("`transient` must be a `Transient`, `False` or `None`, got {object}");
                Err(option_error("invalid_option", "transient", message))
            }
        }
    }
}

impl<'py> IntoPyObject<'py> for Classification {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::NotTransient => false.into_bound_py_any(py),
            Self::Transient(transient) => transient.into_bound_py_any(py),
        }
    }
}

/// Returns the metadata with the HTTP status, and the transient error for a wait at `now_ms`, or `None` for a permanent
/// error.
///
/// The caller's classification takes precedence. Exceptions are classified by their facts, and other errors by name.
pub(crate) fn classify(
    metadata: ErrorMetadata<'static>,
    classification: Option<Classification>,
    facts: Option<&Facts>,
    now_ms: u64,
) -> (ErrorMetadata<'static>, Option<retry::Transient>) {
    let named = RequestFailure::from(metadata.clone());
    let failure = match facts {
        Some(facts) => facts.failure_or(named),
        None => named,
    };
    let transient = classification.map_or_else(
        || failure.transient(now_ms),
        |classification| classification.transient(),
    );
    let metadata = match failure.error_status() {
        Some(status) => metadata.status(status),
        None => metadata,
    };
    (metadata, transient)
}
