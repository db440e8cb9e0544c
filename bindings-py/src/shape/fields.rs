//! Objects with attributes: dataclasses, attrs classes, pydantic models, and others.

use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

use super::foreign::is_function;
use super::scalar::text;
use super::{VisitMember, iterate};

/// Returns `true` if the object's class declares its members.
pub(super) fn are_declared(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(declaration(object)?.is_some())
}

/// Returns the attribute of a name, if it is a member of the object and set.
pub(super) fn member<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is_member = match declaration(object)? {
        Some(declaration) => declaration.has(object, name)?,
        None => is_public(name)?,
    };
    if is_member {
        read(object, name)
    } else {
        Ok(None)
    }
}

/// Visits all members that are set.
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

/// Reads an attribute. Functions, such as methods, are not members.
///
/// Rule: docs/rules.md#host-values
fn read<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match object.getattr(name) {
        // Methods are not members. Rule: docs/rules.md#host-values
        Ok(value) => Ok((!is_function(&value)?).then_some(value)),
        // A declared field may never have been set.
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the names of the members, in the order of their declaration or alphabetically.
pub(super) fn names<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    match declaration(object)? {
        Some(declaration) => declaration.names(object),
        None => public_names(object),
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

/// The members that a class declares.
enum Declaration<'py> {
    /// The fields of a dataclass by name, including the `ClassVar` and `InitVar` pseudo-fields.
    Dataclass(Bound<'py, PyAny>),
    Names(Bound<'py, PyAny>),
    /// The fields of a pydantic model by name. The object may have extra members.
    Pydantic(Bound<'py, PyAny>),
}

/// Returns the members that the object's class declares; `None` if it does not declare any.
fn declaration<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Declaration<'py>>> {
    let (py, class) = (object.py(), object.get_type());
    if let Some(fields) = class.getattr_opt(intern!(py, "__dataclass_fields__"))? {
        return Ok(Some(Declaration::Dataclass(fields)));
    }
    // pydantic version 2.
    if let Some(fields) = class.getattr_opt(intern!(py, "__pydantic_fields__"))? {
        return Ok(Some(Declaration::Pydantic(fields)));
    }
    let Some(attributes) = class.getattr_opt(intern!(py, "__attrs_attrs__"))? else {
        return Ok(None);
    };
    let names = PyList::empty(py);
    for attribute in iterate(&attributes)? {
        names.append(attribute?.getattr(intern!(py, "name"))?)?;
    }
    Ok(Some(Declaration::Names(names.into_any())))
}

impl<'py> Declaration<'py> {
    fn has(&self, object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<bool> {
        match self {
            Self::Dataclass(fields) => {
                Ok(fields.contains(name)? && is_field(&fields.get_item(name)?)?)
            }
            Self::Names(names) => names.contains(name),
            Self::Pydantic(fields) => Ok(fields.contains(name)?
                || extra(object)?.map_or(Ok(false), |extra| extra.contains(name))?),
        }
    }

    fn names(&self, object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
        match self {
            Self::Dataclass(fields) => {
                let names = strings(iterate(fields)?)?.into_iter();
                names
                    .filter_map(|name| match self.has(object, &name) {
                        Ok(has) => has.then_some(Ok(name)),
                        Err(error) => Some(Err(error)),
                    })
                    .collect()
            }
            Self::Names(names) => strings(iterate(names)?),
            Self::Pydantic(fields) => match extra(object)? {
                Some(extra) => strings(iterate(fields)?.chain(iterate(&extra)?)),
                None => strings(iterate(fields)?),
            },
        }
    }
}

/// Returns `true` if a dataclass entry is a field, and not a `ClassVar` or `InitVar`.
fn is_field(entry: &Bound<'_, PyAny>) -> PyResult<bool> {
    static FIELD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = entry.py();
    let kind = entry.getattr_opt(intern!(py, "_field_type"))?;
    let field = FIELD.import(py, "dataclasses", "_FIELD")?;
    Ok(kind.is_none_or(|kind| kind.is(field)))
}

/// Returns the extra members of a pydantic model.
fn extra<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let extra = object.getattr_opt(intern!(object.py(), "__pydantic_extra__"))?;
    Ok(extra.filter(|extra| !extra.is_none()))
}

fn is_public(name: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(!text(name)?.starts_with('_'))
}
