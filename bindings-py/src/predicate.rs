//! A function of the caller that replaces an expression.

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::context::class_name;

/// A function of a response, and the rest of the short form of its waiter.
pub(crate) struct Predicate {
    pub(crate) function: Py<PyAny>,
    pub(crate) short_form: String,
}

impl Predicate {
    /// Calls the function, and returns the value that the engine reads for the response.
    ///
    /// Fails if the function fails.
    pub(crate) fn value<'py>(&self, response: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let result = self.function.bind(response.py()).call1((response,))?;
        let accepts = match result.cast_exact::<PyBool>() {
            Ok(result) => result.is_true(),
            Err(_) => is_true(&result)?,
        };
        value(accepts, response)
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)
    }
}

/// Returns the value that the engine reads for a response, which contains the result of the predicate.
pub(crate) fn value<'py>(
    accepts: bool,
    response: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let value = PyDict::new(response.py());
    value.set_item(intern!(response.py(), "predicate"), accepts)?;
    value.set_item(intern!(response.py(), "response"), response)?;
    Ok(value.into_any())
}

/// Reads the result of a predicate. An awaitable is rejected, because it is always true.
fn is_true(result: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = result.py();
    if !result.hasattr(intern!(py, "__await__"))? {
        return result.is_truthy();
    }
    // Close a coroutine, so that Python does not warn that it was never awaited.
    if let Some(close) = result.getattr_opt(intern!(py, "close"))? {
        close.call0()?;
    }
    let class = class_name(&result.get_type());
    Err(PyTypeError::new_err(format!(
        "the predicate must return a boolean, got an awaitable (`{class}`)"
    )))
}
