//! Arguments with custom conversions: arguments that may be absent, and strings of any code points.

use std::convert::Infallible;
use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::shape::text;

/// An argument that may be absent. `None` is a valid value, unlike for `Option`.
pub(crate) struct MaybeUnset<'a, 'py>(Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> MaybeUnset<'a, 'py> {
    pub(crate) const UNSET: Self = Self(None);

    pub(crate) const fn value(self) -> Option<Borrowed<'a, 'py, PyAny>> {
        self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for MaybeUnset<'a, 'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Self::Error> {
        Ok(Self(Some(object)))
    }
}

/// A string. An unpaired surrogate becomes U+FFFD, as in the values that the engine reads.
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
