//! The milliseconds since a wait began, as hosts count them.

use pyo3::prelude::*;

use crate::error;

/// Milliseconds, rounded down: time that is not over has not passed.
#[derive(Clone, Copy)]
pub(crate) struct Elapsed(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Elapsed {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let elapsed = object.extract().unwrap_or(f64::NAN);
        let millis = smithy_waiters::Wait::elapsed_from_host(elapsed);
        millis.map(Self).map_err(error::state)
    }
}
