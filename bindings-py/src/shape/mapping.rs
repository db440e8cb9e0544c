//! Mappings: dicts, dicts that read otherwise, and everything with `keys` and `[]`.

use pyo3::exceptions::PyLookupError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::scalar::text;
use super::{Shape, VisitMember, limited};

/// A dict is read directly unless its class reads it otherwise.
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

/// Whether an object that no abstract base knows is a mapping all the same.
pub(super) fn reads_like_one(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, class) = (object.py(), object.get_type());
    Ok(class.hasattr(intern!(py, "keys"))? && class.hasattr(intern!(py, "__getitem__"))?)
}

/// The value of a key, by the mapping's own `get` where it has one, else by its `[]`.
///
/// A key that is absent is not asked for: a mapping may make values for those.
pub(super) fn member<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    if own_get(object)? {
        let value = object.call_method1(intern!(py, "get"), (name,))?;
        return Ok((!value.is_none()).then_some(value));
    }
    // Without one, Python would look for the name among the values.
    if object.get_type().hasattr(intern!(py, "__contains__"))? && !object.contains(name)? {
        return Ok(None);
    }
    match object.get_item(name) {
        Err(error) if error.is_instance_of::<PyLookupError>(py) => Ok(None),
        value => value.map(Some),
    }
}

/// The members of a mapping, as they were when it was asked: reading one may change it.
pub(super) fn members<'py>(
    object: &Bound<'py, PyAny>,
    visit: &mut VisitMember<'_, 'py>,
) -> PyResult<()> {
    for name in names(object)? {
        // What a key has is a member, a `None` too, which `get` does not tell from none at all.
        let value = member(object, &name)?;
        let value = value.unwrap_or_else(|| object.py().None().into_bound(object.py()));
        if visit(&text(&name)?, value).is_break() {
            break;
        }
    }
    Ok(())
}

/// The keys that name members: strings.
pub(super) fn names<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let keys = object.call_method0(intern!(object.py(), "keys"))?;
    limited(&keys)?
        .filter_map(|key| key.map(|key| key.cast_into().ok()).transpose())
        .collect()
}

/// The same for a dict; keys that are no strings name no members.
pub(super) fn dict_members<'py>(
    dict: &Bound<'py, PyDict>,
    visit: &mut VisitMember<'_, 'py>,
) -> PyResult<()> {
    for item in dict.items() {
        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        let Ok(name) = key.cast::<PyString>() else {
            continue;
        };
        if visit(&text(name)?, value).is_break() {
            break;
        }
    }
    Ok(())
}

/// Whether `get` is the class's own; that of dicts does not look at an overridden `[]`.
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
