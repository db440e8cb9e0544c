//! Functions that `pickle` calls to create objects.

use std::sync::Arc;

use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use smithy_waiters::WaitReport;

use crate::definition::Observed;
use crate::error;
use crate::pickle::damaged;
use crate::record::AttemptRecord;
use crate::step::Done;
use crate::verdict::Verdict;
use crate::wait::{Wait, snapshot_of};
use crate::waiter::{Waiter, owner};

fn argument_value(py: Python<'_>, argument: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let function = error::package_member(py, "argument_value")?;
    Ok(function.call1((argument,))?.unbind())
}

fn from_json<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|_| damaged())
}

#[pyfunction]
#[pyo3(name = "_attempt")]
pub(crate) fn attempt(json: &str) -> PyResult<AttemptRecord> {
    from_json::<smithy_waiters::AttemptRecord>(json).map(Into::into)
}

#[pyfunction]
#[pyo3(name = "_done")]
pub(crate) fn done(json: &str) -> PyResult<Done> {
    let (report, _) = WaitReport::from_json(json).map_err(error::state)?;
    Ok(Arc::new(report).into())
}

#[pyfunction]
#[pyo3(name = "_verdict", signature = (waiter, json, failed, observed, input))]
pub(crate) fn verdict(
    py: Python<'_>,
    waiter: &Bound<'_, Waiter>,
    json: &str,
    failed: bool,
    observed: Py<PyAny>,
    input: Option<Py<PyAny>>,
) -> PyResult<Verdict> {
    let observed = if failed {
        Observed::Error(argument_value(py, observed)?)
    } else {
        Observed::Response(observed)
    };
    Ok(Verdict::new(
        from_json(json)?,
        owner(waiter),
        input,
        observed,
    ))
}

/// Creates a wait. No time passes between pickling and unpickling. During a call, the same attempt is returned again.
#[pyfunction]
#[pyo3(name = "_wait", signature = (waiter, json, input))]
pub(crate) fn wait(
    waiter: &Bound<'_, Waiter>,
    json: &str,
    input: Option<Py<PyAny>>,
) -> PyResult<Wait> {
    let snapshot = snapshot_of(json)?;
    let now_ms = snapshot.elapsed_ms(None);
    Wait::resume(owner(waiter), input, snapshot, now_ms)
}
