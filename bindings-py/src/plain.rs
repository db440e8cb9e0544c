//! Conversion of any object to plain data for JSON, for the failures of waits in logs.

use std::ops::ControlFlow;

use pyo3::exceptions::{PyBaseException, PyException};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};
use smithy_waiters::internal::plain::{CIRCULAR, DEEPEST, MOST_VALUES, TOO_DEEP, TOO_LARGE};

use crate::context::class_name;
use crate::search::to_number;
use crate::shape::{Shape, text};

/// The members that every exception has.
const RESERVED: [&str; 3] = ["cause", "message", "name"];

/// Converts a value to `dict`, `list`, `str`, `int`, `float`, `bool` and `None`, by the rules of the engine.
///
/// Exceptions also have their name and message. A text in angle brackets replaces values that are circular, too large
/// or unreadable. The function raises no `Exception`.
#[pyfunction]
#[pyo3(name = "_plain")]
pub(crate) fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Copier::default().copy(value)
}

#[derive(Default)]
struct Copier<'py> {
    /// The values that contain the current value.
    within: Vec<Bound<'py, PyAny>>,
    values: usize,
}

impl<'py> Copier<'py> {
    fn copy(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        if self.within.iter().any(|outer| outer.is(value)) {
            return Ok(py_text(py, CIRCULAR));
        }
        if self.within.len() == DEEPEST {
            return Ok(py_text(py, TOO_DEEP));
        }
        if self.is_full() {
            return Ok(py_text(py, TOO_LARGE));
        }
        self.values = self.values.saturating_add(1);
        self.within.push(value.clone());
        let copy = self.copy_value(value);
        self.within.pop();
        copy.or_else(|error| unreadable(py, error))
    }

    fn copy_value(&mut self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        if value.is_instance_of::<PyBaseException>() {
            return self.error(value);
        }
        let shape = Shape::from_object(value)?;
        match &shape {
            Shape::Null => Ok(py.None().into_bound(py)),
            Shape::Boolean(value) => Ok(value.into_pyobject(py)?.to_owned().into_any()),
            Shape::Number(number) => exact(value, *number),
            Shape::Blob(_) | Shape::Text(_) => Ok(py_text(py, &shape.text()?)),
            Shape::Collection(_) | Shape::Sequence(_) => self.items(py, &shape),
            Shape::Dict(_) | Shape::Fields(_) | Shape::Mapping(_) => self.members(py, &shape),
        }
    }

    fn items(&mut self, py: Python<'py>, shape: &Shape<'py>) -> PyResult<Bound<'py, PyAny>> {
        let copies = PyList::empty(py);
        let mut result = Ok(());
        shape.items(&mut |item| {
            let is_full = self.is_full();
            result = self.copy(&item).and_then(|copy| copies.append(copy));
            if is_full || result.is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        result.map(|()| copies.into_any())
    }

    fn members(&mut self, py: Python<'py>, shape: &Shape<'py>) -> PyResult<Bound<'py, PyAny>> {
        let copies = PyDict::new(py);
        for name in shape.names()? {
            let is_full = self.is_full();
            if let Some(copy) = self.member(shape, &name)? {
                copies.set_item(text(&name)?, copy)?;
            }
            if is_full {
                break;
            }
        }
        Ok(copies.into_any())
    }

    fn member(
        &mut self,
        shape: &Shape<'py>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = name.py();
        match shape.member(name) {
            Ok(Some(member)) => self.copy(&member).map(Some),
            // Methods and unset fields.
            Ok(None) if matches!(shape, Shape::Fields(_)) => Ok(None),
            Ok(None) => Ok(Some(py.None().into_bound(py))),
            Err(error) => unreadable(py, error).map(Some),
        }
    }

    /// Copies the name, the message, the public attributes and the cause of an exception.
    fn error(&mut self, error: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = error.py();
        let copy = PyDict::new(py);
        copy.set_item("name", class_name(&error.get_type()))?;
        copy.set_item("message", message(error)?)?;
        let attributes = error.getattr(intern!(py, "__dict__"))?;
        for (name, value) in attributes.cast::<PyDict>()?.copy()? {
            let name = name.cast::<PyString>()?;
            let name = text(name)?;
            if !name.starts_with('_') && !RESERVED.contains(&&*name) && is_fact(&value)? {
                copy.set_item(&*name, self.copy(&value)?)?;
            }
        }
        let cause = error.getattr(intern!(py, "__cause__"))?;
        if !cause.is_none() {
            copy.set_item("cause", self.copy(&cause)?)?;
        }
        Ok(copy.into_any())
    }

    const fn is_full(&self) -> bool {
        self.values >= MOST_VALUES
    }
}

/// Returns `true` if an attribute of an exception is data, and not a function or an internal object of a client.
fn is_fact(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_instance_of::<PyBaseException>() {
        return Ok(true);
    }
    match Shape::from_object(value) {
        Ok(shape) => Ok(!value.is_callable() && !shape.is_undeclared()?),
        Err(error) => unreadable(value.py(), error).map(|_| false),
    }
}

/// Returns a number in its exact value if the engine reads it as a finite number. Integral types become `int`.
fn exact<'py>(value: &Bound<'py, PyAny>, read: f64) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if !read.is_finite() {
        return Ok(py.None().into_bound(py));
    }
    if value.is_exact_instance_of::<PyInt>() {
        return Ok(value.clone());
    }
    if value.is_exact_instance_of::<PyFloat>() {
        return to_number(py, read);
    }
    match value.getattr_opt(intern!(py, "__index__"))? {
        Some(index) => index.call0(),
        None => to_number(py, read),
    }
}

/// Returns the text for a value that cannot be read. Exceptions that are not an `Exception` are raised.
fn unreadable(py: Python<'_>, error: PyErr) -> PyResult<Bound<'_, PyAny>> {
    if !error.is_instance_of::<PyException>(py) {
        return Err(error);
    }
    let mut reason = message(error.value(py))?;
    if reason.is_empty() {
        reason = class_name(&error.get_type(py));
    }
    Ok(py_text(py, &format!("<unreadable: {reason}>")))
}

/// Returns the text of an exception, or an empty string if reading it fails.
fn message(error: &Bound<'_, PyAny>) -> PyResult<String> {
    match error.str() {
        Ok(py_text) => Ok(text(&py_text)?.into_owned()),
        Err(problem) if problem.is_instance_of::<PyException>(error.py()) => Ok(String::new()),
        Err(interruption) => Err(interruption),
    }
}

fn py_text<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyAny> {
    PyString::new(py, text).into_any()
}
