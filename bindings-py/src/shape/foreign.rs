//! Classes of modules that need not be loaded: where a module is not, no object is of its classes.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};

use super::{Shape, scalar};

/// What an object of a foreign class reads as.
pub(super) enum Foreign<'py> {
    Is(Shape<'py>),
    /// Its value is another object's.
    StandsFor(Bound<'py, PyAny>),
    Unknown,
}

pub(super) fn of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Foreign<'py>> {
    if ENUM.has(object)? {
        let value = object.getattr(intern!(object.py(), "value"))?;
        return Ok(Foreign::StandsFor(value));
    }
    // Before the numbers: these know numpy's integers and floats, but not its booleans and times.
    if NUMPY_SCALAR.has(object)? {
        return numpy_scalar(object);
    }
    if NUMBER.has(object)? {
        return number_shape(object).map(Foreign::Is);
    }
    if NUMPY_ARRAY.has(object)? {
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
        if class.has(object)? {
            return Ok(Foreign::StandsFor(object.str()?.into_any()));
        }
    }
    if is_root_model(object)? {
        let root = object.getattr(intern!(object.py(), "root"));
        return root.map(Foreign::StandsFor);
    }
    Ok(Foreign::Unknown)
}

/// Whether an object has a length, and items as often as somebody asks for them.
pub(super) fn is_collection(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    COLLECTION.has(object)
}

/// Whether an object stands for another one in a test: it answers to whatever it is asked.
pub(super) fn is_mock(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    MOCK.has(object)
}

/// Whether an object is a function with some of its arguments.
pub(super) fn is_partial(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    PARTIAL.has(object)
}

/// Whether an object is a function (D8: those are null), or a class, also one that can be iterated over, as
/// enums can.
///
/// Python has many classes of functions, and so have other languages' compilers; all of them say how they are
/// called.
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

/// Whether an object is a model of pydantic that is a value of another type, by a class of its own.
fn is_root_model(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let says = intern!(object.py(), "__pydantic_root_model__");
    match object.get_type().getattr_opt(says)? {
        Some(says) => says.is_truthy(),
        None => Ok(false),
    }
}

/// A scalar of numpy, by its kind: times and durations are read as those of `datetime` are, any other as the
/// Python object it is made from.
fn numpy_scalar<'py>(scalar: &Bound<'py, PyAny>) -> PyResult<Foreign<'py>> {
    let py = scalar.py();
    let kind = scalar
        .getattr(intern!(py, "dtype"))?
        .getattr(intern!(py, "kind"))?;
    match kind.cast::<PyString>()?.to_str()? {
        "f" | "i" | "u" => number_shape(scalar).map(Foreign::Is),
        "b" => Ok(Foreign::Is(Shape::Boolean(scalar.is_truthy()?))),
        "M" => {
            // In microseconds: numpy gives finer times as plain integers.
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

/// Whether a duration of numpy says how long it is: months, years and those without a unit do not.
fn has_length(duration: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = duration.py();
    let class = duration.getattr(intern!(py, "dtype"))?;
    let name = class.getattr(intern!(py, "name"))?;
    let name = name.cast::<PyString>()?.to_cow()?.into_owned();
    Ok(name.ends_with(']') && !name.ends_with("Y]") && !name.ends_with("M]"))
}

/// An array of numpy; one without dimensions stands for the value in it.
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

/// A class of a module that may be loaded later, or never.
struct Class {
    module: &'static str,
    name: &'static str,
    found: PyOnceLock<Py<PyType>>,
}

impl Class {
    const fn new(module: &'static str, name: &'static str) -> Self {
        let found = PyOnceLock::new();
        Self {
            module,
            name,
            found,
        }
    }

    /// Whether an object is of the class.
    fn has(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = object.py();
        match self.found.get(py) {
            Some(class) => object.is_instance(class.bind(py)),
            None => match self.look(py)? {
                Some(class) => object.is_instance(&class),
                None => Ok(false),
            },
        }
    }

    /// The class, where its module is loaded, and far enough.
    fn look<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyType>>> {
        let modules = py.import(intern!(py, "sys"))?;
        let modules = modules.getattr(intern!(py, "modules"))?;
        let Some(module) = modules.cast::<PyDict>()?.get_item(self.module)? else {
            return Ok(None);
        };
        let Some(class) = module.getattr_opt(self.name)? else {
            return Ok(None);
        };
        let Ok(class) = class.cast_into::<PyType>() else {
            return Ok(None);
        };
        let _ = self.found.set(py, class.clone().unbind());
        Ok(Some(class))
    }
}

/// The shape of an object that says to be a number; one that no double can be is null.
fn number_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Shape<'py>> {
    let py = object.py();
    match scalar::number(object) {
        Ok(number) => Ok(Shape::Number(number)),
        // Complex numbers, and a Decimal's signalling NaN.
        Err(error)
            if error.is_instance_of::<PyTypeError>(py)
                || error.is_instance_of::<PyValueError>(py) =>
        {
            Ok(Shape::Null)
        }
        Err(error) => Err(error),
    }
}
