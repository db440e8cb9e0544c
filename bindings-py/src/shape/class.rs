//! Which shape the objects of a class have.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDateTime, PyDict, PyFloat, PyFrozenSet, PyInt, PyMapping,
    PyMemoryView, PySequence, PySet, PyString, PyType,
};

use super::{Shape, mapping, scalar};

/// The shape of an object; the commonest classes first, those that cost a search of abstract bases last.
pub(super) fn shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Shape<'py>> {
    if let Some(shape) = scalar_shape(object)? {
        return Ok(shape);
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        return mapping::dict_shape(dict);
    }
    if is_any::<PySet, PyFrozenSet>(object) {
        return Ok(Shape::Set(object.clone()));
    }
    if object.is_instance(class(object.py(), &ENUM, ("enum", "Enum"))?)? {
        return shape(&object.getattr("value")?);
    }
    if object.is_instance(class(object.py(), &NUMBER, ("numbers", "Number"))?)? {
        // Complex numbers are none of the data model's.
        return Ok(scalar::number(object).map_or(Shape::Null, Shape::Number));
    }
    abstract_shape(object)
}

fn scalar_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Shape<'py>>> {
    Ok(Some(if object.is_none() {
        Shape::Null
    } else if let Ok(string) = object.cast::<PyString>() {
        Shape::Text(string.clone())
    } else if let Ok(value) = object.cast_exact::<PyBool>() {
        Shape::Boolean(value.is_true())
    } else if is_any::<PyInt, PyFloat>(object) {
        Shape::Number(scalar::number(object)?)
    } else if is_any::<PyBytes, PyByteArray>(object) || object.is_instance_of::<PyMemoryView>() {
        Shape::Blob(object.clone())
    } else if let Ok(time) = object.cast::<PyDateTime>() {
        Shape::Number(scalar::epoch_seconds(time)?)
    } else {
        return Ok(None);
    }))
}

fn abstract_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Shape<'py>> {
    Ok(
        if object.cast::<PyMapping>().is_ok() || mapping::reads_like_one(object)? {
            Shape::Mapping(object.clone())
        } else if object.cast::<PySequence>().is_ok() {
            Shape::Sequence(object.clone())
        } else if object.is_instance(class(object.py(), &SET, ("collections.abc", "Set"))?)? {
            Shape::Set(object.clone())
        } else if object.is_callable() {
            // D8: functions are null.
            Shape::Null
        } else {
            Shape::Fields(object.clone())
        },
    )
}

fn is_any<A: pyo3::PyTypeCheck, B: pyo3::PyTypeCheck>(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<A>().is_ok() || object.cast::<B>().is_ok()
}

static ENUM: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static NUMBER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static SET: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn class<'a, 'py>(
    py: Python<'py>,
    cell: &'a PyOnceLock<Py<PyType>>,
    (module, name): (&str, &str),
) -> PyResult<&'a Bound<'py, PyType>> {
    cell.import(py, module, name)
}
