//! Objects of attributes: dataclasses, attrs, pydantic models, and any other.

use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

use super::foreign::is_function;
use super::scalar::text;
use super::{VisitMember, limited};

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
        Some(declared) => declared.has(object, name)?,
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

/// D8: functions, such as methods, are no members.
fn read<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match object.getattr(name) {
        Ok(value) => Ok((!is_function(&value)?).then_some(value)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The names of the members, in the order of their declaration, else of the alphabet.
pub(super) fn names<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    match declared(object)? {
        Some(declared) => declared.names(object),
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

/// The members that an object's class declares.
enum Declared<'py> {
    /// By name, the fields of a dataclass, and what is declared beside them but is none of an object.
    Dataclass(Bound<'py, PyAny>),
    Names(Bound<'py, PyAny>),
    /// By name, the fields of a model of pydantic, which may hold more than those.
    Pydantic(Bound<'py, PyAny>),
}

/// What the object's class declares; `None` where it declares nothing.
fn declared<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Declared<'py>>> {
    let (py, class) = (object.py(), object.get_type());
    if let Some(fields) = class.getattr_opt(intern!(py, "__dataclass_fields__"))? {
        return Ok(Some(Declared::Dataclass(fields)));
    }
    // Of version 2.
    if let Some(fields) = class.getattr_opt(intern!(py, "__pydantic_fields__"))? {
        return Ok(Some(Declared::Pydantic(fields)));
    }
    let Some(attributes) = class.getattr_opt(intern!(py, "__attrs_attrs__"))? else {
        return Ok(None);
    };
    let names = PyList::empty(py);
    for attribute in limited(&attributes)? {
        names.append(attribute?.getattr(intern!(py, "name"))?)?;
    }
    Ok(Some(Declared::Names(names.into_any())))
}

impl<'py> Declared<'py> {
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
                let names = strings(limited(fields)?)?.into_iter();
                names
                    .filter_map(|name| match self.has(object, &name) {
                        Ok(has) => has.then_some(Ok(name)),
                        Err(error) => Some(Err(error)),
                    })
                    .collect()
            }
            Self::Names(names) => strings(limited(names)?),
            Self::Pydantic(fields) => match extra(object)? {
                Some(extra) => strings(limited(fields)?.chain(limited(&extra)?)),
                None => strings(limited(fields)?),
            },
        }
    }
}

/// Whether what a dataclass declares is a field of its objects, and no `ClassVar` or `InitVar`.
fn is_field(declared: &Bound<'_, PyAny>) -> PyResult<bool> {
    static FIELD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = declared.py();
    let kind = declared.getattr_opt(intern!(py, "_field_type"))?;
    let field = FIELD.import(py, "dataclasses", "_FIELD")?;
    Ok(kind.is_none_or(|kind| kind.is(field)))
}

/// What a model of pydantic holds beyond the fields of its class.
fn extra<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let extra = object.getattr_opt(intern!(object.py(), "__pydantic_extra__"))?;
    Ok(extra.filter(|extra| !extra.is_none()))
}

fn is_public(name: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(!text(name)?.starts_with('_'))
}
