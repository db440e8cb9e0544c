//! Classification of objects by class.

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

/// The maximum number of replacements of an object by another, such as an enum member whose value is another enum
/// member.
const MAX_STAND_INS: usize = 8;

impl<'py> Shape<'py> {
    pub(crate) fn from_object(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut object = object.clone();
        for _ in 0..MAX_STAND_INS {
            // First, because nearly all values have a built-in class, and the other checks are expensive.
            if let Some(shape) = builtin_shape(&object)? {
                return Ok(shape);
            }
            match foreign::classify(&object)? {
                Foreign::Is(shape) => return Ok(shape),
                Foreign::StandsFor(other) => object = other,
                Foreign::Unknown => return abstract_shape(&object),
            }
        }
        Ok(Shape::Null)
    }
}

/// Returns the shape of an object of a built-in class. Frequent classes come first.
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

/// Returns the shape of an object by its abstract base classes and methods. These checks are expensive and come last.
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
        // A callable object that is not a function. A mock would also satisfy all following checks.
        Shape::Fields(object.clone())
    } else if is_single_pass(object)? {
        return Err(not_repeatable(object));
    } else if foreign::is_collection(object)? {
        Shape::Collection(object.clone())
    } else {
        Shape::Fields(object.clone())
    })
}

/// Returns `true` if an object can be read only once, so that a second read would return other items.
fn is_single_pass(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, class) = (object.py(), object.get_type());
    Ok(object.cast::<PyIterator>().is_ok()
        || class.hasattr(intern!(py, "__anext__"))?
        || class.hasattr(intern!(py, "__await__"))?)
}

fn not_repeatable(object: &Bound<'_, PyAny>) -> PyErr {
    let class = class_name(&object.get_type());
    PyTypeError::new_err(format!(
        "`{class}` can be read only once: make a list of it"
    ))
}

fn is_any<A: pyo3::PyTypeCheck, B: pyo3::PyTypeCheck>(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<A>().is_ok() || object.cast::<B>().is_ok()
}
