//! Texts that identify values which lose information in the data model, for the comparison of continuation tokens.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFrozenSet, PyInt, PySet, PyString};

use super::scalar::text;
use super::{Shape, iterate};

/// Returns a text that identifies a value which loses information in the data model, or `None` for other values.
pub(crate) fn identity(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match &Shape::from_object(object)? {
        Shape::Number(double) => number(object, *double),
        Shape::Text(string) => surrogates(string),
        // The order of an equal set may differ.
        Shape::Collection(set) if is_set(set) => unordered(set).map(Some),
        shape @ (Shape::Dict(_) | Shape::Mapping(_) | Shape::Fields(_)) => members(object, shape),
        _ => Ok(None),
    }
}

/// Returns the digits of a number that is not equal to a double, without trailing zeros of a fraction.
fn number(object: &Bound<'_, PyAny>, double: f64) -> PyResult<Option<String>> {
    // Python compares numbers of different types exactly.
    if object.eq(double)? {
        return Ok(None);
    }
    let py = object.py();
    if let Ok(integer) = object.cast::<PyInt>() {
        // Hexadecimal, because Python limits the number of decimal digits and converts them in quadratic time.
        let digits = integer.call_method1(intern!(py, "__format__"), ("x",))?;
        return Ok(Some(format!("integer {}", digits.str()?.to_str()?)));
    }
    let number = match object.getattr_opt(intern!(py, "normalize"))? {
        Some(normalize) => normalize.call1((unlimited_context(py)?,))?,
        None => object.clone(),
    };
    Ok(Some(format!("number {}", number.str()?.to_str()?)))
}

/// Returns a context for decimals. The default context would round.
fn unlimited_context(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static CONTEXT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let context = CONTEXT.get_or_try_init(py, || {
        let decimal = py.import("decimal")?;
        let precision = decimal.getattr("MAX_PREC")?;
        Ok::<_, PyErr>(decimal.getattr("Context")?.call1((precision,))?.unbind())
    })?;
    Ok(context.bind(py).clone())
}

/// Returns the text of a string with an unpaired surrogate, which otherwise reads as U+FFFD.
fn surrogates(string: &Bound<'_, PyString>) -> PyResult<Option<String>> {
    if string.to_str().is_ok() {
        return Ok(None);
    }
    // `repr` escapes surrogates and backslashes.
    tagged_repr("text", string)
}

fn is_set(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>()
}

fn unordered(set: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut items = Vec::new();
    for item in iterate(set)? {
        items.push(text(&item?.repr()?)?.into_owned());
    }
    items.sort_unstable();
    Ok(format!("set {}", items.join(", ")))
}

/// Returns the `repr` of a mapping with keys that are not strings, or of an object without members.
///
/// Without a custom `__repr__`, that text identifies the object.
fn members(object: &Bound<'_, PyAny>, shape: &Shape<'_>) -> PyResult<Option<String>> {
    let names = shape.names()?.len();
    let is_whole = match shape {
        Shape::Fields(_) => names > 0,
        Shape::Dict(dict) => dict.len() == names,
        _ => object.len().ok() == Some(names),
    };
    if is_whole {
        return Ok(None);
    }
    tagged_repr("object", object)
}

fn tagged_repr(kind: &str, object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let repr = object.repr()?;
    Ok(Some(format!("{kind} {}", text(&repr)?)))
}
