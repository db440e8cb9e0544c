//! Objects of pickles.

use std::sync::Arc;

use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use smithy_waiters::Snapshot;

use crate::definition::Observed;
use crate::error;
use crate::pickle::damaged;
use crate::record::AttemptRecord;
use crate::step::Done;
use crate::verdict::Verdict;
use crate::wait::Wait;
use crate::waiter::{Waiter, owner};

fn original(py: Python<'_>, argument: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let original = error::of_package(py, "original")?;
    Ok(original.call1((argument,))?.unbind())
}

fn of_json<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|_| damaged())
}

#[pyfunction]
#[pyo3(name = "_attempt")]
pub(crate) fn attempt(json: &str) -> PyResult<AttemptRecord> {
    of_json::<smithy_waiters::AttemptRecord>(json).map(Into::into)
}

#[pyfunction]
#[pyo3(name = "_done")]
pub(crate) fn done(json: &str) -> PyResult<Done> {
    of_json::<smithy_waiters::WaitReport>(json).map(|report| Arc::new(report).into())
}

#[pyfunction]
#[pyo3(name = "_verdict", signature = (waiter, json, failed, seen, input))]
pub(crate) fn verdict(
    py: Python<'_>,
    waiter: &Bound<'_, Waiter>,
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
    Ok(Verdict::new(of_json(json)?, owner(waiter), input, seen))
}

/// A wait that was in flight hands out the same attempt again. No time passes by being pickled.
#[pyfunction]
#[pyo3(name = "_wait", signature = (waiter, json, input))]
pub(crate) fn wait(
    waiter: &Bound<'_, Waiter>,
    json: &str,
    input: Option<Py<PyAny>>,
) -> PyResult<Wait> {
    let elapsed_ms = |saved: &Snapshot| saved.elapsed_ms(None);
    Wait::resume(owner(waiter), input, json, elapsed_ms).map_err(error::state)
}
