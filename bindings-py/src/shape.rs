//! What a Python object is in the data model (D8), and how it is read as that.

mod class;
mod exact;
mod fields;
mod foreign;
mod mapping;
mod read;
mod scalar;

use std::ops::ControlFlow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smithy_waiters::value::Kind;

pub(crate) use exact::exact_text;
pub(crate) use scalar::{number, text};

/// An object, by the protocol it is read by.
pub(crate) enum Shape<'py> {
    /// Bytes: a base64 string.
    Blob(Bound<'py, PyAny>),
    Boolean(bool),
    /// Has a length, and is iterated over.
    Collection(Bound<'py, PyAny>),
    /// A dict that reads as dicts do.
    Dict(Bound<'py, PyDict>),
    /// An object of attributes.
    Fields(Bound<'py, PyAny>),
    /// A mapping that is no dict, or that reads otherwise.
    Mapping(Bound<'py, PyAny>),
    Null,
    Number(f64),
    /// Has a length and items by index.
    Sequence(Bound<'py, PyAny>),
    Text(Bound<'py, PyString>),
}

impl Shape<'_> {
    pub(crate) const fn kind(&self) -> Kind {
        match self {
            Self::Blob(_) | Self::Text(_) => Kind::String,
            Self::Boolean(value) => Kind::Boolean(*value),
            Self::Dict(_) | Self::Fields(_) | Self::Mapping(_) => Kind::Object,
            Self::Null => Kind::Null,
            Self::Number(number) => Kind::Number(*number),
            Self::Collection(_) | Self::Sequence(_) => Kind::Array,
        }
    }
}

/// Takes the items of an array.
type Visit<'v, 'py> = dyn FnMut(Bound<'py, PyAny>) -> ControlFlow<()> + 'v;

/// Takes the members of an object.
type VisitMember<'v, 'py> = dyn FnMut(&str, Bound<'py, PyAny>) -> ControlFlow<()> + 'v;

/// More items than any evaluation takes, and soon counted: what iterates for ever ends there.
const MOST_ITEMS: usize = 1_000_000;

/// Iterates over an object of any class, which may be endless.
fn limited<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>>> {
    let mut left = MOST_ITEMS;
    Ok(object.try_iter()?.map(move |item| {
        left = left.checked_sub(1).ok_or_else(too_many)?;
        item
    }))
}

fn too_many() -> PyErr {
    PyValueError::new_err(format!("more than {MOST_ITEMS} items"))
}
