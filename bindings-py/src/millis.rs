//! Times of a machine, as Python passes them.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use smithy_waiters::internal::millis_from_host;

use crate::error;

/// Milliseconds since the start of a machine, rounded down.
#[derive(Clone, Copy)]
pub(crate) struct Millis(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Millis {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // `bool` is a subclass of `int` in Python.
        let time = match object.cast_exact::<PyBool>() {
            Ok(_) => f64::NAN,
            Err(_) => object.extract().unwrap_or(f64::NAN),
        };
        millis_from_host(time).map(Self).map_err(error::state)
    }
}

/// A wall-clock time in milliseconds since 1970, which Python passes in seconds. Rounded down, so that a time that was just
/// read is not in the future.
#[derive(Clone, Copy)]
pub(crate) struct WallClock(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for WallClock {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // Seconds since 1970 are precise to less than a microsecond.
        let micros = (object.extract::<f64>()? * 1_000_000.0).round();
        let millis = millis_from_host((micros / 1_000.0).floor());
        millis.map(Self).map_err(error::state)
    }
}

/// Returns the wall-clock time in milliseconds since 1970, or `None` if it cannot be read.
///
/// It calls `time.time`, which tests can replace.
pub(crate) fn wall_clock(py: Python<'_>) -> Option<u64> {
    let time = py.import(intern!(py, "time")).ok()?;
    let now = time.call_method0(intern!(py, "time")).ok()?;
    now.extract().ok().map(|WallClock(millis)| millis)
}
