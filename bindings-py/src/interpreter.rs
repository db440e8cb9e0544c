//! The restriction to one interpreter per process.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Rejects a second interpreter, because the statics of this crate hold objects of the first one.
pub(crate) fn claim(py: Python<'_>) -> PyResult<()> {
    /// The module `sys`, which differs between interpreters.
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
