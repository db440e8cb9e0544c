//! Texts for `repr`.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// Returns `Class(value, name=value, …)` with the values of attributes.
pub(crate) fn from_attributes(
    object: &Bound<'_, PyAny>,
    positional: &[&str],
    keywords: &[&str],
) -> PyResult<String> {
    let class = object.get_type().name()?.to_string();
    let mut repr = Repr::new(object.py(), &class);
    for name in positional {
        repr = repr.positional(object.getattr(*name)?)?;
    }
    for name in keywords {
        repr = repr.field(name, object.getattr(*name)?)?;
    }
    Ok(repr.end())
}

/// A builder of `Class(name=value, …)`, with the `repr` of each value.
pub(crate) struct Repr<'py> {
    py: Python<'py>,
    text: String,
    between: &'static str,
}

impl<'py> Repr<'py> {
    pub(crate) fn new(py: Python<'py>, class: &str) -> Self {
        Self {
            py,
            text: format!("{class}("),
            between: "",
        }
    }

    /// Adds a value without a name.
    pub(crate) fn positional(mut self, value: impl IntoPyObjectExt<'py>) -> PyResult<Self> {
        let value = value.into_bound_py_any(self.py)?.repr()?;
        self.text.push_str(self.between);
        self.text.push_str(&value.to_string());
        self.between = ", ";
        Ok(self)
    }

    pub(crate) fn field(mut self, name: &str, value: impl IntoPyObjectExt<'py>) -> PyResult<Self> {
        let value = value.into_bound_py_any(self.py)?.repr()?;
        self.text.push_str(self.between);
        self.text.push_str(&format!("{name}={value}"));
        self.between = ", ";
        Ok(self)
    }

    pub(crate) fn end(mut self) -> String {
        self.text.push(')');
        self.text
    }
}
