//! The milliseconds since a wait began, as hosts count them.

use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::error;

/// Milliseconds, rounded down: time that is not over has not passed.
#[derive(Clone, Copy)]
pub(crate) struct Elapsed(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Elapsed {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // A boolean is a number to Python, but no time.
        let elapsed = match object.cast_exact::<PyBool>() {
            Ok(_) => f64::NAN,
            Err(_) => object.extract().unwrap_or(f64::NAN),
        };
        let millis = smithy_waiters::Wait::elapsed_from_host(elapsed);
        millis.map(Self).map_err(error::state)
    }
}
