//! The text of a value that the data model loses something of. Continuation tokens are compared by it.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFrozenSet, PyInt, PySet, PyString};

use super::scalar::text;
use super::{Shape, limited};

/// Returns a text that only equal values have, or `None` if the members, items, text or double of the value say
/// it all.
pub(crate) fn exact_text(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match &Shape::of(object)? {
        Shape::Number(double) => number(object, *double),
        Shape::Text(string) => surrogates(string),
        // The same set may have another order.
        Shape::Collection(set) if is_set(set) => unordered(set).map(Some),
        shape @ (Shape::Dict(_) | Shape::Mapping(_) | Shape::Fields(_)) => members(object, shape),
        _ => Ok(None),
    }
}

/// A number that no double holds: its digits, without trailing zeros of a fraction.
fn number(object: &Bound<'_, PyAny>, double: f64) -> PyResult<Option<String>> {
    // Python compares exactly, whatever the types.
    if object.eq(double)? {
        return Ok(None);
    }
    let py = object.py();
    if let Ok(integer) = object.cast::<PyInt>() {
        // Decimal digits are limited, and cost the square of their number.
        let digits = integer.call_method1(intern!(py, "__format__"), ("x",))?;
        return Ok(Some(format!("integer {}", digits.str()?.to_str()?)));
    }
    let number = match object.getattr_opt(intern!(py, "normalize"))? {
        Some(normalize) => normalize.call1((unlimited_context(py)?,))?,
        None => object.clone(),
    };
    Ok(Some(format!("number {}", number.str()?.to_str()?)))
}

/// The usual context of decimals would round.
fn unlimited_context(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static CONTEXT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let context = CONTEXT.get_or_try_init(py, || {
        let decimal = py.import("decimal")?;
        let precision = decimal.getattr("MAX_PREC")?;
        Ok::<_, PyErr>(decimal.getattr("Context")?.call1((precision,))?.unbind())
    })?;
    Ok(context.bind(py).clone())
}

/// A text with half a pair of surrogates, which reads as U+FFFD otherwise.
fn surrogates(string: &Bound<'_, PyString>) -> PyResult<Option<String>> {
    if string.to_str().is_ok() {
        return Ok(None);
    }
    // It escapes them, and backslashes.
    shown("text", string)
}

fn is_set(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>()
}

fn unordered(set: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut items = Vec::new();
    for item in limited(set)? {
        items.push(text(&item?.repr()?)?.into_owned());
    }
    items.sort_unstable();
    Ok(format!("set {}", items.join(", ")))
}

/// A mapping with keys that are not strings, or an object without members: `repr`, which tells objects apart by
/// identity unless their class defines its own.
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
    shown("object", object)
}

fn shown(kind: &str, object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let repr = object.repr()?;
    Ok(Some(format!("{kind} {}", text(&repr)?)))
}
