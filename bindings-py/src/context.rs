//! State that the handles of one evaluation share.

use std::borrow::Cow;
use std::cell::RefCell;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use smithy_waiters::internal::Name;
use smithy_waiters::value::ReadError;

/// The interned names, and an exception that must be raised after the evaluation.
pub(crate) struct Context<'a> {
    names: &'a [Py<PyString>],
    interruption: RefCell<Option<Box<PyErr>>>,
}

impl<'a> Context<'a> {
    pub(crate) const fn new(names: &'a [Py<PyString>]) -> Self {
        Self {
            names,
            interruption: RefCell::new(None),
        }
    }

    /// Returns the Python string of a name. It is interned if the name is used by a path of the definition.
    pub(crate) fn name<'py>(&self, py: Python<'py>, name: &Name) -> Cow<'a, Bound<'py, PyString>> {
        match self.names.get(name.index()) {
            Some(interned) => Cow::Borrowed(interned.bind(py)),
            None => Cow::Owned(PyString::new(py, name.as_str())),
        }
    }

    /// Converts an exception of host code to an error of the engine.
    ///
    /// An exception that is not an `Exception` is also stored, and raised by [`finish`](Self::finish).
    pub(crate) fn read_error(&self, py: Python<'_>, error: PyErr) -> ReadError {
        let text = self.one_line(py, &error);
        self.store_interruption(py, error);
        ReadError::new(text)
    }

    /// Returns the result of a read that must not fail the evaluation, or `None` if it failed.
    pub(crate) fn attempt<T>(&self, py: Python<'_>, read: PyResult<T>) -> Option<T> {
        read.map_err(|error| self.read_error(py, error)).ok()
    }

    /// Raises the stored exception, such as `KeyboardInterrupt` or `CancelledError`.
    pub(crate) fn finish(&self) -> PyResult<()> {
        self.interruption.take().map_or(Ok(()), |error| Err(*error))
    }

    /// Returns `ValueError: the text`, or only the class if the text cannot be read.
    fn one_line(&self, py: Python<'_>, error: &PyErr) -> String {
        let class = class_name(&error.get_type(py));
        let text = match error.value(py).str() {
            Ok(text) => text.to_string_lossy().into_owned(),
            Err(error) => {
                self.store_interruption(py, error);
                String::new()
            }
        };
        match text.lines().next() {
            Some(line) if !line.is_empty() => format!("{class}: {line}"),
            _ => class,
        }
    }

    fn store_interruption(&self, py: Python<'_>, error: PyErr) {
        if !error.is_instance_of::<PyException>(py) {
            let mut slot = self.interruption.borrow_mut();
            slot.get_or_insert_with(|| Box::new(error));
        }
    }
}

/// Returns the name of a class without its module.
pub(crate) fn class_name(class: &Bound<'_, PyType>) -> String {
    class.name().map_or_else(
        |_| String::new(),
        |name| name.to_string_lossy().into_owned(),
    )
}
