//! Classes of optional modules. If a module is not loaded, no object can have its classes.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};

use super::{Shape, scalar};

/// The classification of an object by foreign classes.
pub(super) enum Foreign<'py> {
    Is(Shape<'py>),
    /// The value is that of another object.
    StandsFor(Bound<'py, PyAny>),
    Unknown,
}

pub(super) fn classify<'py>(object: &Bound<'py, PyAny>) -> PyResult<Foreign<'py>> {
    if ENUM.has_instance(object)? {
        let value = object.getattr(intern!(object.py(), "value"))?;
        return Ok(Foreign::StandsFor(value));
    }
    // Before the numbers: the abstract class `Number` includes numpy's integers and floats, but not booleans and times.
    if NUMPY_SCALAR.has_instance(object)? {
        return numpy_scalar(object);
    }
    if NUMBER.has_instance(object)? {
        return number_shape(object).map(Foreign::Is);
    }
    if NUMPY_ARRAY.has_instance(object)? {
        return numpy_array(object);
    }
    for class in [
        &UUID,
        &PATH,
        &USER_STRING,
        &IPV4_ADDRESS,
        &IPV6_ADDRESS,
        &IPV4_NETWORK,
        &IPV6_NETWORK,
    ] {
        if class.has_instance(object)? {
            return Ok(Foreign::StandsFor(object.str()?.into_any()));
        }
    }
    if is_root_model(object)? {
        let root = object.getattr(intern!(object.py(), "root"));
        return root.map(Foreign::StandsFor);
    }
    Ok(Foreign::Unknown)
}

/// Returns `true` if an object has a length, and can be iterated repeatedly.
pub(super) fn is_collection(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    COLLECTION.has_instance(object)
}

/// Returns `true` if an object is a mock, which has every attribute.
pub(super) fn is_mock(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    MOCK.has_instance(object)
}

/// Returns `true` if an object is a function with bound arguments.
pub(super) fn is_partial(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    PARTIAL.has_instance(object)
}

/// Returns `true` if an object is a function or a class, including enum classes. Functions are null in the data model.
///
/// Python and compilers of other languages have many classes of functions. All of them have a `__qualname__`.
/// Rule: docs/rules.md#host-values
pub(super) fn is_function(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !object.is_callable() {
        return Ok(false);
    }
    if object.is_instance_of::<PyType>() || is_partial(object)? {
        return Ok(true);
    }
    let name = object.getattr_opt(intern!(object.py(), "__qualname__"))?;
    Ok(name.is_some_and(|name| name.is_instance_of::<PyString>()))
}

/// Returns `true` if an object is a pydantic root model, which wraps a value of another type.
fn is_root_model(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let name = intern!(object.py(), "__pydantic_root_model__");
    match object.get_type().getattr_opt(name)? {
        Some(flag) => flag.is_truthy(),
        None => Ok(false),
    }
}

/// Classifies a numpy scalar. Times and durations read like those of `datetime`, and others like the equivalent Python
/// object.
fn numpy_scalar<'py>(scalar: &Bound<'py, PyAny>) -> PyResult<Foreign<'py>> {
    let py = scalar.py();
    let kind = scalar
        .getattr(intern!(py, "dtype"))?
        .getattr(intern!(py, "kind"))?;
    match kind.cast::<PyString>()?.to_str()? {
        "f" | "i" | "u" => number_shape(scalar).map(Foreign::Is),
        "b" => Ok(Foreign::Is(Shape::Boolean(scalar.is_truthy()?))),
        "M" => {
            // In microseconds, because numpy converts more precise times to plain integers.
            let time = scalar.call_method1(intern!(py, "astype"), ("datetime64[us]",))?;
            item(&time).map(Foreign::StandsFor)
        }
        "m" if has_length(scalar)? => {
            let duration = scalar.call_method1(intern!(py, "astype"), ("timedelta64[us]",))?;
            item(&duration).map(Foreign::StandsFor)
        }
        _ => Ok(Foreign::Is(Shape::Null)),
    }
}

/// Returns `true` if a numpy duration has a fixed length, unlike months, years and durations without a unit.
fn has_length(duration: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = duration.py();
    let class = duration.getattr(intern!(py, "dtype"))?;
    let name = class.getattr(intern!(py, "name"))?;
    let name = name.cast::<PyString>()?.to_cow()?.into_owned();
    Ok(name.ends_with(']') && !name.ends_with("Y]") && !name.ends_with("M]"))
}

/// Classifies a numpy array. An array without dimensions reads as its value.
fn numpy_array<'py>(array: &Bound<'py, PyAny>) -> PyResult<Foreign<'py>> {
    let dimensions: usize = array.getattr(intern!(array.py(), "ndim"))?.extract()?;
    if dimensions > 0 {
        return Ok(Foreign::Is(Shape::Sequence(array.clone())));
    }
    array
        .get_item(pyo3::types::PyTuple::empty(array.py()))
        .map(Foreign::StandsFor)
}

fn item<'py>(scalar: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    scalar.call_method0(intern!(scalar.py(), "item"))
}

static COLLECTION: Class = Class::new("_collections_abc", "Collection");
static ENUM: Class = Class::new("enum", "Enum");
static IPV4_ADDRESS: Class = Class::new("ipaddress", "IPv4Address");
static IPV4_NETWORK: Class = Class::new("ipaddress", "IPv4Network");
static IPV6_ADDRESS: Class = Class::new("ipaddress", "IPv6Address");
static IPV6_NETWORK: Class = Class::new("ipaddress", "IPv6Network");
static MOCK: Class = Class::new("unittest.mock", "NonCallableMock");
static NUMBER: Class = Class::new("numbers", "Number");
static NUMPY_ARRAY: Class = Class::new("numpy", "ndarray");
static NUMPY_SCALAR: Class = Class::new("numpy", "generic");
static PARTIAL: Class = Class::new("functools", "partial");
static PATH: Class = Class::new("pathlib", "PurePath");
static USER_STRING: Class = Class::new("collections", "UserString");
static UUID: Class = Class::new("uuid", "UUID");

/// A class of a module that may be loaded later or never.
struct Class {
    module: &'static str,
    name: &'static str,
    cached: PyOnceLock<Py<PyType>>,
}

impl Class {
    const fn new(module: &'static str, name: &'static str) -> Self {
        let cached = PyOnceLock::new();
        Self {
            module,
            name,
            cached,
        }
    }

    fn has_instance(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = object.py();
        match self.cached.get(py) {
            Some(class) => object.is_instance(class.bind(py)),
            None => match self.loaded(py)? {
                Some(class) => object.is_instance(&class),
                None => Ok(false),
            },
        }
    }

    /// Returns the class if its module is loaded and has defined it.
    fn loaded<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyType>>> {
        let modules = py.import(intern!(py, "sys"))?;
        let modules = modules.getattr(intern!(py, "modules"))?;
        // Temporal's sandbox replaces the dictionary with another mapping.
        let module = match modules.cast::<PyDict>() {
            Ok(modules) => modules.get_item(self.module)?,
            Err(_) => Some(modules.call_method1(intern!(py, "get"), (self.module,))?),
        };
        let Some(module) = module.filter(|module| !module.is_none()) else {
            return Ok(None);
        };
        let Some(class) = module.getattr_opt(self.name)? else {
            return Ok(None);
        };
        let Ok(class) = class.cast_into::<PyType>() else {
            return Ok(None);
        };
        let _ = self.cached.set(py, class.clone().unbind());
        Ok(Some(class))
    }
}

/// Returns the shape of an object of the abstract class `Number`. A number that cannot be a double is null.
fn number_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Shape<'py>> {
    let py = object.py();
    match scalar::number(object) {
        Ok(number) => Ok(Shape::Number(number)),
        // Complex numbers, and the signaling NaN of `Decimal`.
        Err(error)
            if error.is_instance_of::<PyTypeError>(py)
                || error.is_instance_of::<PyValueError>(py) =>
        {
            Ok(Shape::Null)
        }
        Err(error) => Err(error),
    }
}
