//! Mappings: dicts, dicts with overridden access methods, and other objects with `keys` and `[]`.

use pyo3::exceptions::PyLookupError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::scalar::text;
use super::{Shape, VisitMember, iterate};

/// Returns the shape of a dict. It is read directly unless its class overrides an access method.
pub(super) fn dict_shape<'py>(dict: &Bound<'py, PyDict>) -> PyResult<Shape<'py>> {
    let py = dict.py();
    let reads_otherwise = overrides(dict, intern!(py, "get"))?
        || overrides(dict, intern!(py, "__getitem__"))?
        || overrides(dict, intern!(py, "keys"))?;
    Ok(if reads_otherwise {
        Shape::Mapping(dict.as_any().clone())
    } else {
        Shape::Dict(dict.clone())
    })
}

/// Returns `true` if an object outside of the abstract class `Mapping` has the methods of a mapping.
pub(super) fn reads_like_one(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, class) = (object.py(), object.get_type());
    Ok(class.hasattr(intern!(py, "keys"))? && class.hasattr(intern!(py, "__getitem__"))?)
}

/// Returns the value of a key, by the class's own `get` or otherwise by `[]`.
///
/// Absent keys are not looked up, because a mapping may create values for them.
pub(super) fn member<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    if own_get(object)? {
        let value = object.call_method1(intern!(py, "get"), (name,))?;
        return Ok((!value.is_none()).then_some(value));
    }
    // Without `__contains__`, Python would search for the name by iteration.
    if object.get_type().hasattr(intern!(py, "__contains__"))? && !object.contains(name)? {
        return Ok(None);
    }
    match object.get_item(name) {
        Err(error) if error.is_instance_of::<PyLookupError>(py) => Ok(None),
        value => value.map(Some),
    }
}

/// Visits the members. The keys are copied first, because reading a value may change the mapping.
pub(super) fn members<'py>(
    object: &Bound<'py, PyAny>,
    visit: &mut VisitMember<'_, 'py>,
) -> PyResult<()> {
    for name in names(object)? {
        // A `None` is a member, too. `get` does not distinguish it from an absent one.
        let value = member(object, &name)?;
        let value = value.unwrap_or_else(|| object.py().None().into_bound(object.py()));
        if visit(&text(&name)?, value).is_break() {
            break;
        }
    }
    Ok(())
}

/// Returns the keys that are strings. Other keys cannot be members.
pub(super) fn names<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let keys = object.call_method0(intern!(object.py(), "keys"))?;
    iterate(&keys)?
        .filter_map(|key| key.map(|key| key.cast_into().ok()).transpose())
        .collect()
}

/// Visits the members of a dict. Keys that are not strings are skipped.
pub(super) fn dict_members<'py>(
    dict: &Bound<'py, PyDict>,
    visit: &mut VisitMember<'_, 'py>,
) -> PyResult<()> {
    for item in dict.items() {
        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        // Paths contain strings only, so that no other key can be a member.
        let Ok(name) = key.cast::<PyString>() else {
            continue;
        };
        if visit(&text(name)?, value).is_break() {
            break;
        }
    }
    Ok(())
}

/// Returns `true` if the class defines `get` itself. The `get` of `dict` ignores an overridden `[]`.
fn own_get(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let get = intern!(object.py(), "get");
    match object.cast::<PyDict>() {
        Ok(dict) => overrides(dict, get),
        Err(_) => object.get_type().hasattr(get),
    }
}

fn overrides(dict: &Bound<'_, PyDict>, method: &Bound<'_, PyString>) -> PyResult<bool> {
    let original = dict.py().get_type::<PyDict>().getattr(method)?;
    Ok(!dict.get_type().getattr(method)?.is(&original))
}
