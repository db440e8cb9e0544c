//! Arguments whose presence counts, not their value.

use std::convert::Infallible;

use pyo3::prelude::*;

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
