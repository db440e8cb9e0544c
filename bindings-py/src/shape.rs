//! What a Python object is in the data model (D8), and how it is read as that.

mod class;
mod exact;
mod fields;
mod foreign;
mod mapping;
mod scalar;

use std::ops::ControlFlow;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView, PyString};
use smithy_waiters::value::Kind;

pub(crate) use exact::exact;
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

/// Takes the items of an array.
type Visit<'v, 'py> = dyn FnMut(Bound<'py, PyAny>) -> ControlFlow<()> + 'v;

/// Takes the members of an object.
type VisitMember<'v, 'py> = dyn FnMut(&str, Bound<'py, PyAny>) -> ControlFlow<()> + 'v;

impl<'py> Shape<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        class::shape(object)
    }

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

    pub(crate) fn text(&self) -> PyResult<String> {
        match self {
            Self::Blob(bytes) => scalar::base64(bytes),
            Self::Text(string) => Ok(text(string)?.into_owned()),
            _ => Ok(String::new()),
        }
    }

    /// The beginning of a text, with at least this number of code points if it has as many.
    pub(crate) fn text_start(&self, code_points: usize) -> PyResult<String> {
        match self {
            Self::Blob(bytes) => scalar::base64_start(bytes, code_points),
            _ => self.text(),
        }
    }

    /// The bytes of a blob, or of a text in UTF-8.
    pub(crate) fn text_len(&self) -> PyResult<usize> {
        match self {
            // A view of a buffer may have items of several bytes.
            Self::Blob(bytes) => match bytes.cast::<PyMemoryView>() {
                Ok(view) => view.getattr("nbytes")?.extract(),
                Err(_) => bytes.len(),
            },
            _ => Ok(self.text()?.len()),
        }
    }

    pub(crate) fn len(&self) -> PyResult<usize> {
        match self {
            Self::Collection(object) | Self::Sequence(object) => object.len(),
            Self::Dict(_) | Self::Fields(_) | Self::Mapping(_) => {
                let mut count = 0_usize;
                self.members(&mut |_, _| {
                    count = count.saturating_add(1);
                    ControlFlow::Continue(())
                })?;
                Ok(count)
            }
            _ => Ok(0),
        }
    }

    pub(crate) fn item(&self, index: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Self::Sequence(object) => match object.get_item(index) {
                Err(error) if error.is_instance_of::<PyIndexError>(object.py()) => Ok(None),
                item => item.map(Some),
            },
            Self::Collection(object) => {
                for (place, item) in limited(object)?.enumerate() {
                    if place == index || item.is_err() {
                        return item.map(Some);
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn items(&self, visit: &mut Visit<'_, 'py>) -> PyResult<()> {
        let (Self::Collection(object) | Self::Sequence(object)) = self else {
            return Ok(());
        };
        for item in limited(object)? {
            if visit(item?).is_break() {
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn member(
        &self,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Self::Dict(dict) => dict.get_item(name),
            Self::Fields(object) => fields::member(object, name),
            Self::Mapping(object) => mapping::member(object, name),
            _ => Ok(None),
        }
    }

    /// The names of its members, also of those that turn out not to be set.
    pub(crate) fn names(&self) -> PyResult<Vec<Bound<'py, PyString>>> {
        match self {
            Self::Dict(dict) => mapping::names(dict.as_any()),
            Self::Fields(object) => fields::names(object),
            Self::Mapping(object) => mapping::names(object),
            _ => Ok(Vec::new()),
        }
    }

    /// Whether it is an object of attributes that its class declares nowhere.
    pub(crate) fn is_undeclared(&self) -> PyResult<bool> {
        match self {
            Self::Fields(object) => fields::are_declared(object).map(|declared| !declared),
            _ => Ok(false),
        }
    }

    pub(crate) fn members(&self, visit: &mut VisitMember<'_, 'py>) -> PyResult<()> {
        match self {
            Self::Dict(dict) => mapping::dict_members(dict, visit),
            Self::Fields(object) => fields::members(object, visit),
            Self::Mapping(object) => mapping::members(object, visit),
            _ => Ok(()),
        }
    }
}

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
