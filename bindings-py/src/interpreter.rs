//! One interpreter of a process.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Refuses a second interpreter: classes and interned names are the process's, and would be the first one's in
/// it.
pub(crate) fn claim(py: Python<'_>) -> PyResult<()> {
    /// Each interpreter has a `sys` of its own.
    static FIRST: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let sys = py.import("sys")?;
    let first = FIRST.get_or_init(py, || sys.clone().unbind());
    if first.is(&sys) {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "smithy_waiters is used by another interpreter of this process: it cannot be imported in a second one",
    ))
}
