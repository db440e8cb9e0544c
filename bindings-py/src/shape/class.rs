//! Which shape the objects of a class have.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDate, PyDateTime, PyDelta, PyDict, PyFloat, PyFrozenSet, PyInt,
    PyIterator, PyMapping, PyMemoryView, PySequence, PySet, PyString, PyType,
};

use crate::context::class_name;

use super::foreign::{self, Foreign};
use super::{Shape, fields, mapping, scalar};

/// How often an object may stand for another one: an enum's member whose value is another enum's.
const MAX_STAND_INS: usize = 8;

impl<'py> Shape<'py> {
    /// Returns the shape of an object.
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut object = object.clone();
        for _ in 0..MAX_STAND_INS {
            if let Some(shape) = builtin_shape(&object)? {
                return Ok(shape);
            }
            match foreign::of(&object)? {
                Foreign::Is(shape) => return Ok(shape),
                Foreign::StandsFor(other) => object = other,
                Foreign::Unknown => return abstract_shape(&object),
            }
        }
        Ok(Shape::Null)
    }
}

/// The shape of what is of one of Python's own classes; the commonest first.
fn builtin_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Shape<'py>>> {
    Ok(Some(if object.is_none() {
        Shape::Null
    } else if let Ok(string) = object.cast::<PyString>() {
        Shape::Text(string.clone())
    } else if let Ok(dict) = object.cast::<PyDict>() {
        mapping::dict_shape(dict)?
    } else if let Ok(value) = object.cast_exact::<PyBool>() {
        Shape::Boolean(value.is_true())
    } else if is_any::<PyInt, PyFloat>(object) {
        Shape::Number(scalar::number(object)?)
    } else if is_any::<PyBytes, PyByteArray>(object) || object.is_instance_of::<PyMemoryView>() {
        Shape::Blob(object.clone())
    } else if is_any::<PySet, PyFrozenSet>(object) {
        Shape::Collection(object.clone())
    } else if let Ok(time) = object.cast::<PyDateTime>() {
        Shape::Number(scalar::epoch_seconds(time)?)
    } else if let Ok(date) = object.cast::<PyDate>() {
        Shape::Number(scalar::midnight(date)?)
    } else if let Ok(duration) = object.cast::<PyDelta>() {
        Shape::Number(scalar::seconds(duration)?)
    } else {
        return Ok(None);
    }))
}

/// The shape of what is known by what it can do; a search of abstract bases is dear and comes last.
fn abstract_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Shape<'py>> {
    Ok(if object.is_instance_of::<PyType>() {
        Shape::Null
    } else if object.cast::<PyMapping>().is_ok() || mapping::reads_like_one(object)? {
        Shape::Mapping(object.clone())
    } else if object.cast::<PySequence>().is_ok() {
        Shape::Sequence(object.clone())
    } else if fields::are_declared(object)? {
        Shape::Fields(object.clone())
    } else if foreign::is_function(object)? {
        Shape::Null
    } else if object.is_callable() || foreign::is_mock(object)? {
        // Something else that can be called as well. A mock also can all that follows.
        Shape::Fields(object.clone())
    } else if is_used_up(object)? {
        return Err(used_up(object));
    } else if foreign::is_collection(object)? {
        Shape::Collection(object.clone())
    } else {
        Shape::Fields(object.clone())
    })
}

/// Whether an object can be read only once: the next look would find something else.
fn is_used_up(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, class) = (object.py(), object.get_type());
    Ok(object.cast::<PyIterator>().is_ok()
        || class.hasattr(intern!(py, "__anext__"))?
        || class.hasattr(intern!(py, "__await__"))?)
}

fn used_up(object: &Bound<'_, PyAny>) -> PyErr {
    let class = class_name(&object.get_type());
    PyTypeError::new_err(format!(
        "`{class}` can be read only once: make a list of it"
    ))
}

fn is_any<A: pyo3::PyTypeCheck, B: pyo3::PyTypeCheck>(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<A>().is_ok() || object.cast::<B>().is_ok()
}
