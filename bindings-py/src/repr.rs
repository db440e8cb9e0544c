//! What `repr` shows.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// Shows an object by its attributes: `Class(value, name=value, …)`.
pub(crate) fn of(
    object: &Bound<'_, PyAny>,
    positional: &[&str],
    keywords: &[&str],
) -> PyResult<String> {
    let class = object.get_type().name()?.to_string();
    let mut shown = Repr::new(object.py(), &class);
    for name in positional {
        shown = shown.value(object.getattr(*name)?)?;
    }
    for name in keywords {
        shown = shown.with(name, object.getattr(*name)?)?;
    }
    Ok(shown.end())
}

/// `Class(name=value, …)`, each value as Python shows it.
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

    /// A value without a name, as it is given by position.
    pub(crate) fn value(mut self, value: impl IntoPyObjectExt<'py>) -> PyResult<Self> {
        let value = value.into_bound_py_any(self.py)?.repr()?;
        self.text.push_str(self.between);
        self.text.push_str(&value.to_string());
        self.between = ", ";
        Ok(self)
    }

    pub(crate) fn with(mut self, name: &str, value: impl IntoPyObjectExt<'py>) -> PyResult<Self> {
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
