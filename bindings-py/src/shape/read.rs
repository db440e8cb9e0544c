//! Access to the parts of an object by its shape.

use std::ops::ControlFlow;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyMemoryView, PyString};

use super::scalar::{self, text};
use super::{Shape, Visit, VisitMember, fields, iterate, mapping};

impl<'py> Shape<'py> {
    pub(crate) fn text(&self) -> PyResult<String> {
        match self {
            Self::Blob(bytes) => scalar::base64(bytes),
            Self::Text(string) => Ok(text(string)?.into_owned()),
            _ => Ok(String::new()),
        }
    }

    /// Returns the start of a text, with at least this number of code points if the text has as many.
    pub(crate) fn text_start(&self, code_points: usize) -> PyResult<String> {
        match self {
            Self::Blob(bytes) => scalar::base64_start(bytes, code_points),
            _ => self.text(),
        }
    }

    /// Returns the number of bytes in a blob, or in a text as UTF-8.
    pub(crate) fn text_len(&self) -> PyResult<usize> {
        match self {
            // The items of a `memoryview` may have several bytes.
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
                // Counted and not `len()`: keys that are not strings are not members.
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
                for (place, item) in iterate(object)?.enumerate() {
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
        for item in iterate(object)? {
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

    /// Returns the names of the members, including unset ones.
    pub(crate) fn names(&self) -> PyResult<Vec<Bound<'py, PyString>>> {
        match self {
            Self::Dict(dict) => mapping::names(dict.as_any()),
            Self::Fields(object) => fields::names(object),
            Self::Mapping(object) => mapping::names(object),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns `true` for an object with attributes that its class does not declare.
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
