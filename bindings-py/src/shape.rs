//! The mapping of Python objects to the JMESPath data model.
//!
//! Rule: docs/rules.md#host-values

mod class;
mod fields;
mod foreign;
mod identity;
mod mapping;
mod read;
mod scalar;

use std::ops::ControlFlow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smithy_waiters::value::Kind;

pub(crate) use identity::identity;
pub(crate) use scalar::{number, text};

/// An object, classified by the protocol for reading it.
pub(crate) enum Shape<'py> {
    /// Bytes, which read as a base64 string.
    Blob(Bound<'py, PyAny>),
    Boolean(bool),
    /// A sized iterable.
    Collection(Bound<'py, PyAny>),
    /// A dict with the standard access methods.
    Dict(Bound<'py, PyDict>),
    /// An object with attributes.
    Fields(Bound<'py, PyAny>),
    /// A mapping that is not a dict, or a dict with overridden access methods.
    Mapping(Bound<'py, PyAny>),
    Null,
    Number(f64),
    /// A sized object with items by index.
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

/// Visitor of the items of an array.
type Visit<'v, 'py> = dyn FnMut(Bound<'py, PyAny>) -> ControlFlow<()> + 'v;

/// Visitor of the members of an object.
type VisitMember<'v, 'py> = dyn FnMut(&str, Bound<'py, PyAny>) -> ControlFlow<()> + 'v;

/// The maximum number of iterated items, which ends endless iterators. Evaluations have lower limits.
const MAX_ITEMS: usize = 1_000_000;

/// Iterates over an object of any class, up to [`MAX_ITEMS`].
fn iterate<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>>> {
    let mut left = MAX_ITEMS;
    Ok(object.try_iter()?.map(move |item| {
        left = left.checked_sub(1).ok_or_else(too_many)?;
        item
    }))
}

fn too_many() -> PyErr {
    PyValueError::new_err(format!("more than {MAX_ITEMS} items"))
}
