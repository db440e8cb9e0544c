//! Reductions of objects for `pickle` and `copy`.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde::Serialize;
use smithy_waiters::{ReasonCode, StateError};

use crate::error;

/// This extension module. Importing it by name would import the package, which imports this module.
static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Stores the extension module for reductions.
pub(crate) fn set_module(module: &Bound<'_, PyModule>) {
    MODULE.get_or_init(module.py(), || module.clone().unbind());
}

/// Returns a reduction to a call of a function of this module.
pub(crate) fn reduce_with_function<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let missing = || PyImportError::new_err("the extension `smithy_waiters._engine` is not loaded");
    let module = MODULE.get(py).ok_or_else(missing)?;
    let function = module.bind(py).getattr(function)?;
    (function, arguments.into_bound_py_any(py)?).into_pyobject(py)
}

/// Returns a reduction to a call of a class with keyword arguments.
pub(crate) fn reduce_with_keywords<'py>(
    object: &Bound<'py, PyAny>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    reduce_with_function(object.py(), "_make", (object.get_type(), keywords))
}

/// Returns a reduction to a call of a class with the named attributes of the object as keyword arguments.
pub(crate) fn reduce_with_attributes<'py>(
    object: &Bound<'py, PyAny>,
    names: &[&str],
) -> PyResult<Bound<'py, PyTuple>> {
    let keywords = PyDict::new(object.py());
    for name in names {
        keywords.set_item(*name, object.getattr(*name)?)?;
    }
    reduce_with_keywords(object, &keywords)
}

/// Calls a class with keyword arguments, which `__reduce__` does not support.
#[pyfunction]
#[pyo3(name = "_make", signature = (cls, keywords, /))]
pub(crate) fn make<'py>(
    cls: &Bound<'py, PyType>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    cls.call((), Some(keywords))
}

/// Returns a reduction to a call of a class with positional arguments.
pub(crate) fn reduce_with_class<'py>(
    class: Bound<'py, PyType>,
    arguments: impl IntoPyObject<'py, Target = PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = class.py();
    (class, arguments.into_bound_py_any(py)?).into_pyobject(py)
}

/// Wraps an error or a response that is an argument of a reduction. See `pickling.py`.
pub(crate) fn pickle_argument<'py>(error: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    error::package_member(error.py(), "pickle_argument")?.call1((error,))
}

pub(crate) fn reason_code(name: &str) -> PyResult<ReasonCode> {
    let code = ReasonCode::ALL
        .into_iter()
        .find(|code| code.as_str() == name);
    code.ok_or_else(|| {
        let message = format!("unknown reason code `{name}`");
        error::state_error("damaged_state", message)
    })
}

/// Serializes a report or a record.
pub(crate) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|_| damaged())
}

pub(crate) fn damaged() -> PyErr {
    error::state(StateError::Damaged)
}
