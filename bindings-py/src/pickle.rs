//! Reductions of objects for `pickle` and `copy`.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde::Serialize;
use smithy_waiters::{ReasonCode, StateError};

use crate::error;

/// The extension. To import it by its name would import the package, which it is a part of.
static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Keeps the extension for the reductions.
pub(crate) fn set_module(module: &Bound<'_, PyModule>) {
    MODULE.get_or_init(module.py(), || module.clone().unbind());
}

/// A function of this module and what to call it with, as `__reduce__` gives them.
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

/// A class and the keyword arguments that make the object again.
pub(crate) fn reduce_with_keywords<'py>(
    object: &Bound<'py, PyAny>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    reduce_with_function(object.py(), "_make", (object.get_type(), keywords))
}

/// A class and those of its keyword arguments that the object has as attributes.
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

/// Calls a class with keywords, which no `__reduce__` can name.
#[pyfunction]
#[pyo3(name = "_make", signature = (cls, keywords, /))]
pub(crate) fn make<'py>(
    cls: &Bound<'py, PyType>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    cls.call((), Some(keywords))
}

/// A class and what to call it with.
pub(crate) fn reduce_with_class<'py>(
    class: Bound<'py, PyType>,
    arguments: impl IntoPyObject<'py, Target = PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = class.py();
    (class, arguments.into_bound_py_any(py)?).into_pyobject(py)
}

/// An error among the arguments, as Python's own part of the package keeps them.
pub(crate) fn portable<'py>(error: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    error::of_package(error.py(), "portable")?.call1((error,))
}

/// The code of a reason, by its name.
pub(crate) fn code_of(name: &str) -> PyResult<ReasonCode> {
    let known = ReasonCode::ALL
        .into_iter()
        .find(|code| code.as_str() == name);
    known.ok_or_else(|| {
        let message = format!("`{name}` is no code of a reason");
        error::state_error("damaged_state", message)
    })
}

/// The JSON text of a report or a record.
pub(crate) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|_| damaged())
}

pub(crate) fn damaged() -> PyErr {
    error::state(StateError::Damaged)
}
