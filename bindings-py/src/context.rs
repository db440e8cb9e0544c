//! What the handles of one evaluation share.

use std::borrow::Cow;
use std::cell::RefCell;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use smithy_waiters::value::{Name, ReadError};

/// The interned names, and the exception that nobody may swallow.
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

    /// Python's own string for a name: interned, unless the name is not one of these.
    pub(crate) fn name<'py>(&self, py: Python<'py>, name: &Name) -> Cow<'a, Bound<'py, PyString>> {
        match self.names.get(name.index()) {
            Some(interned) => Cow::Borrowed(interned.bind(py)),
            None => Cow::Owned(PyString::new(py, name.as_str())),
        }
    }

    /// An exception of host code as the engine takes it. What is no `Exception` is kept and raised afterwards.
    pub(crate) fn read_error(&self, py: Python<'_>, error: PyErr) -> ReadError {
        let text = self.one_line(py, &error);
        self.keep_interruption(py, error);
        ReadError::new(text)
    }

    /// Takes the value of a read that must not fail the evaluation; `None` where it failed.
    pub(crate) fn attempt<T>(&self, py: Python<'_>, read: PyResult<T>) -> Option<T> {
        read.map_err(|error| self.read_error(py, error)).ok()
    }

    /// Raises what host code raised to end more than the evaluation: `KeyboardInterrupt`, `CancelledError`, …
    pub(crate) fn finish(&self) -> PyResult<()> {
        self.interruption.take().map_or(Ok(()), |error| Err(*error))
    }

    /// `ValueError: the text`; only the class where the exception's own text cannot be had.
    fn one_line(&self, py: Python<'_>, error: &PyErr) -> String {
        let class = class_name(&error.get_type(py));
        let text = match error.value(py).str() {
            Ok(text) => text.to_string_lossy().into_owned(),
            Err(error) => {
                self.keep_interruption(py, error);
                String::new()
            }
        };
        match text.lines().next() {
            Some(line) if !line.is_empty() => format!("{class}: {line}"),
            _ => class,
        }
    }

    fn keep_interruption(&self, py: Python<'_>, error: PyErr) {
        if !error.is_instance_of::<PyException>(py) {
            let mut kept = self.interruption.borrow_mut();
            kept.get_or_insert_with(|| Box::new(error));
        }
    }
}

/// The name of a class, without its module.
pub(crate) fn class_name(class: &Bound<'_, PyType>) -> String {
    class.name().map_or_else(
        |_| String::new(),
        |name| name.to_string_lossy().into_owned(),
    )
}
