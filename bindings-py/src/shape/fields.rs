//! Objects of attributes: dataclasses, attrs, pydantic models, and any other.

use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::VisitMember;
use super::scalar::text;

/// Whether the object's class says what its members are.
pub(super) fn are_declared(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(declared(object)?.is_some())
}

/// The attribute of that name, where it is a member of the object and set.
pub(super) fn member<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is_member = match declared(object)? {
        Some(fields) => fields.contains(name)? || is_extra(object, name)?,
        None => is_public(name)?,
    };
    if is_member {
        read(object, name)
    } else {
        Ok(None)
    }
}

/// Every member that is set.
pub(super) fn members<'py>(
    object: &Bound<'py, PyAny>,
    visit: &mut VisitMember<'_, 'py>,
) -> PyResult<()> {
    for name in names(object)? {
        let Some(value) = read(object, &name)? else {
            continue;
        };
        if visit(&text(&name)?, value).is_break() {
            break;
        }
    }
    Ok(())
}

/// D8: callable attributes are methods, not members.
fn read<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match object.getattr(name) {
        Ok(value) => Ok((!value.is_callable()).then_some(value)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The names of the members, in the order of their declaration, else of the alphabet.
pub(super) fn names<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let Some(fields) = declared(object)? else {
        return public_names(object);
    };
    match extra(object)? {
        Some(extra) => strings(fields.try_iter()?.chain(extra.try_iter()?)),
        None => strings(fields.try_iter()?),
    }
}

fn public_names<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let mut names = strings(object.dir()?.iter().map(Ok))?;
    names.retain(|name| is_public(name).unwrap_or(false));
    Ok(names)
}

fn strings<'py>(
    names: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
) -> PyResult<Vec<Bound<'py, PyString>>> {
    names.map(|name| Ok(name?.cast_into()?)).collect()
}

/// The names of the fields that the object's class declares; `None` where it declares none.
fn declared<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (py, class) = (object.py(), object.get_type());
    for attribute in [
        intern!(py, "__dataclass_fields__"),
        // Pydantic, of version 2.
        intern!(py, "__pydantic_fields__"),
    ] {
        if let Some(fields) = class.getattr_opt(attribute)? {
            return Ok(Some(fields));
        }
    }
    let Some(attributes) = class.getattr_opt(intern!(py, "__attrs_attrs__"))? else {
        return Ok(None);
    };
    let names = PyList::empty(py);
    for attribute in attributes.try_iter()? {
        names.append(attribute?.getattr(intern!(py, "name"))?)?;
    }
    Ok(Some(names.into_any()))
}

/// What a model of pydantic holds beyond the fields of its class.
fn extra<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let extra = object.getattr_opt(intern!(object.py(), "__pydantic_extra__"))?;
    Ok(extra.filter(|extra| !extra.is_none()))
}

fn is_extra<'py>(object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<bool> {
    extra(object)?.map_or(Ok(false), |extra| extra.contains(name))
}

fn is_public(name: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(!text(name)?.starts_with('_'))
}
