//! What the classes are made of again: for `pickle` and `copy`.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde::Serialize;
use serde::de::DeserializeOwned;
use smithy_waiters::{ReasonCode, Snapshot, StateError};

use crate::error;
use crate::record;
use crate::step;
use crate::verdict::{Observed, Verdict};
use crate::wait::Wait;
use crate::waiter::Waiter;

/// A function of this module and what to call it with, as `__reduce__` gives them.
pub(crate) fn by<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let function = py.import("smithy_waiters._engine")?.getattr(function)?;
    (function, arguments.into_bound_py_any(py)?).into_pyobject(py)
}

/// A class and the keyword arguments that make the object again.
pub(crate) fn by_keywords<'py>(
    object: &Bound<'py, PyAny>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    by(object.py(), "_make", (object.get_type(), keywords))
}

/// A class and those of its keyword arguments that the object has as attributes.
pub(crate) fn by_attributes<'py>(
    object: &Bound<'py, PyAny>,
    names: &[&str],
) -> PyResult<Bound<'py, PyTuple>> {
    let keywords = PyDict::new(object.py());
    for name in names {
        keywords.set_item(*name, object.getattr(*name)?)?;
    }
    by_keywords(object, &keywords)
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
pub(crate) fn anew<'py>(
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

fn original(py: Python<'_>, argument: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let original = error::of_package(py, "original")?;
    Ok(original.call1((argument,))?.unbind())
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

fn of_json<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|_| damaged())
}

fn damaged() -> PyErr {
    error::state(StateError::Damaged)
}

#[pyfunction]
#[pyo3(name = "_attempt")]
pub(crate) fn attempt(json: &str) -> PyResult<record::AttemptRecord> {
    of_json::<smithy_waiters::AttemptRecord>(json).map(Into::into)
}

#[pyfunction]
#[pyo3(name = "_done")]
pub(crate) fn done(json: &str) -> PyResult<step::Done> {
    of_json::<smithy_waiters::WaitReport>(json).map(|report| Arc::new(report).into())
}

#[pyfunction]
#[pyo3(name = "_verdict", signature = (waiter, json, failed, seen, input))]
pub(crate) fn verdict(
    py: Python<'_>,
    waiter: Py<Waiter>,
    json: &str,
    failed: bool,
    seen: Py<PyAny>,
    input: Option<Py<PyAny>>,
) -> PyResult<Verdict> {
    let seen = if failed {
        Observed::Error(original(py, seen)?)
    } else {
        Observed::Response(seen)
    };
    Ok(Verdict::new(of_json(json)?, waiter, input, seen))
}

/// A wait that was in flight hands out the same attempt again. No time passes by being pickled.
#[pyfunction]
#[pyo3(name = "_wait", signature = (waiter, json, input))]
pub(crate) fn wait(waiter: Py<Waiter>, json: &str, input: Option<Py<PyAny>>) -> PyResult<Wait> {
    let elapsed_ms = |saved: &Snapshot| saved.elapsed_ms(None);
    Wait::resume(waiter, input, json, elapsed_ms).map_err(error::state)
}
