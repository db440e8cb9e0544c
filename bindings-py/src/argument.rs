//! Arguments that are not read as usual: those whose presence counts, and texts of any characters.

use std::convert::Infallible;
use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::shape::text;

/// An argument that may be absent; `None` is a value like any other.
pub(crate) struct Given<'a, 'py>(Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> Given<'a, 'py> {
    pub(crate) const NOTHING: Self = Self(None);

    pub(crate) const fn value(self) -> Option<Borrowed<'a, 'py, PyAny>> {
        self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Given<'a, 'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Self::Error> {
        Ok(Self(Some(object)))
    }
}

/// A string; half a pair of surrogates reads as it does in values.
pub(crate) struct Text(pub(crate) String);

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let string = object.cast::<PyString>()?;
        Ok(Self(text(&string)?.into_owned()))
    }
}
