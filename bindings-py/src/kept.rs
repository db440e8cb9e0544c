//! What the classes are made of again: for `pickle` and `copy`.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use smithy_waiters::{AttemptRecord, Ending, ReasonCode};

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

/// A class and what to call it with.
pub(crate) fn anew<'py>(
    class: Bound<'py, PyType>,
    arguments: impl IntoPyObject<'py, Target = PyTuple>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = class.py();
    (class, arguments.into_bound_py_any(py)?).into_pyobject(py)
}

/// An error among the arguments, as Python's own part of the package keeps them.
pub(crate) fn given<'py>(error: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let module = error.py().import("smithy_waiters.kept")?;
    module.getattr("kept")?.call1((error,))
}

fn given_of(py: Python<'_>, argument: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let module = py.import("smithy_waiters.kept")?;
    Ok(module.getattr("given_of")?.call1((argument,))?.unbind())
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

#[pyfunction]
#[pyo3(name = "_attempt")]
pub(crate) fn attempt(json: &str) -> PyResult<record::AttemptRecord> {
    let attempt = AttemptRecord::from_json(json).map_err(error::state)?;
    Ok(attempt.into())
}

#[pyfunction]
#[pyo3(name = "_done")]
pub(crate) fn done(json: &str) -> PyResult<step::Done> {
    let ending = Ending::from_json(json).map_err(error::state)?;
    Ok(ending.into())
}

#[pyfunction]
#[pyo3(name = "_verdict", signature = (waiter, parts, failed, seen, input))]
pub(crate) fn verdict(
    py: Python<'_>,
    waiter: Py<Waiter>,
    parts: (u64, Vec<u8>),
    failed: bool,
    seen: Py<PyAny>,
    input: Option<Py<PyAny>>,
) -> PyResult<Verdict> {
    let verdict = smithy_waiters::Verdict::from_parts(parts.0, parts.1);
    let seen = if failed {
        Observed::Error(given_of(py, seen)?)
    } else {
        Observed::Response(seen)
    };
    Ok(Verdict::new(verdict, waiter, input, seen))
}

/// A wait that was in flight hands out the same attempt again, as one that is resumed does.
#[pyfunction]
#[pyo3(name = "_wait", signature = (waiter, json, input))]
pub(crate) fn wait(waiter: Py<Waiter>, json: &str, input: Option<Py<PyAny>>) -> PyResult<Wait> {
    let wait = waiter.get().engine().resume(json, 0);
    Ok(Wait::new(waiter, input, wait.map_err(error::state)?))
}
