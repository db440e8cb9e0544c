//! Implementation of [`Value`] for borrowed Python objects.

use std::borrow::Cow;
use std::ops::ControlFlow;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyNone, PyString};
use smithy_waiters::internal::Name;
use smithy_waiters::value::{Kind, ReadError, Value};

use crate::context::Context;
use crate::shape::{Shape, identity, number, text};

/// A Python object, and the context of its evaluation.
#[derive(Clone)]
pub(crate) struct Handle<'a, 'py> {
    object: Bound<'py, PyAny>,
    context: &'a Context<'a>,
}

impl<'a, 'py> Handle<'a, 'py> {
    pub(crate) const fn new(object: Bound<'py, PyAny>, context: &'a Context<'a>) -> Self {
        Self { object, context }
    }

    pub(crate) fn into_object(self) -> Bound<'py, PyAny> {
        self.object
    }

    fn wrap(&self, object: Bound<'py, PyAny>) -> Self {
        Self::new(object, self.context)
    }

    /// Returns the shape of an object that is not of an exact JSON type.
    fn shape(&self) -> Result<Shape<'py>, ReadError> {
        self.read(Shape::from_object(&self.object))
    }

    fn read<T>(&self, read: PyResult<T>) -> Result<T, ReadError> {
        read.map_err(|error| self.context.read_error(self.object.py(), error))
    }
}

/// Returns the text of a plain string without unpaired surrogates. Nearly all strings are plain.
fn plain_text<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    object.cast_exact::<PyString>().ok()?.to_str().ok()
}

fn member<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match object.cast_exact::<PyDict>() {
        Ok(dict) => dict.get_item(name),
        Err(_) => Shape::from_object(object)?.member(name),
    }
}

// The exact JSON types come first: nearly all values have them, and each check is a comparison of pointers. Other
// values are read by their shape.
impl Value for Handle<'_, '_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        let object = &self.object;
        if object.is_exact_instance_of::<PyString>() {
            Ok(Kind::String)
        } else if object.is_exact_instance_of::<PyDict>() {
            Ok(Kind::Object)
        } else if object.is_exact_instance_of::<PyList>() {
            Ok(Kind::Array)
        } else if object.is_exact_instance_of::<PyNone>() {
            Ok(Kind::Null)
        } else if let Ok(value) = object.cast_exact::<PyBool>() {
            Ok(Kind::Boolean(value.is_true()))
        } else if object.is_exact_instance_of::<PyInt>() || object.is_exact_instance_of::<PyFloat>()
        {
            self.read(number(object)).map(Kind::Number)
        } else {
            Ok(self.shape()?.kind())
        }
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        if let Some(text) = plain_text(&self.object) {
            return Ok(Cow::Borrowed(text));
        }
        match self.object.cast::<PyString>() {
            Ok(string) => self.read(text(string)),
            Err(_) => {
                let shape = self.shape()?;
                self.read(shape.text()).map(Cow::Owned)
            }
        }
    }

    fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        if self.object.is_instance_of::<PyString>() {
            return self.text();
        }
        let shape = self.shape()?;
        self.read(shape.text_start(code_points)).map(Cow::Owned)
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        if let Some(text) = plain_text(&self.object) {
            return Ok(text.len());
        }
        let shape = self.shape()?;
        self.read(shape.text_len())
    }

    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        let object = &self.object;
        if object.is(&**self.context.name(object.py(), expected)) {
            return Ok(true);
        }
        match plain_text(object) {
            Some(text) => Ok(text == expected.as_str()),
            None => {
                let enough = expected.as_str().chars().count().saturating_add(1);
                Ok(self.text_start(enough)? == expected.as_str())
            }
        }
    }

    fn len(&self) -> Result<usize, ReadError> {
        if let Ok(list) = self.object.cast_exact::<PyList>() {
            return Ok(list.len());
        }
        let shape = self.shape()?;
        self.read(shape.len())
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        if let Ok(list) = self.object.cast_exact::<PyList>() {
            return Ok(list.get_item(index).ok().map(|item| self.wrap(item)));
        }
        let shape = self.shape()?;
        let item = self.read(shape.item(index))?;
        Ok(item.map(|item| self.wrap(item)))
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        let name = PyString::new(self.object.py(), name);
        let member = self.read(member(&self.object, &name))?;
        Ok(member.map(|member| self.wrap(member)))
    }

    fn member_at(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        let Some((first, rest)) = path.split_first() else {
            return Ok(Some(self.clone()));
        };
        let py = self.object.py();
        let mut reached = self.read(member(&self.object, &self.context.name(py, first)))?;
        for name in rest {
            let Some(object) = reached else { break };
            reached = self.read(member(&object, &self.context.name(py, name)))?;
        }
        Ok(reached.map(|object| self.wrap(object)))
    }

    fn identity(&self) -> Result<Option<String>, ReadError> {
        self.read(identity(&self.object))
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        if let Ok(list) = self.object.cast_exact::<PyList>() {
            let _ = list.iter().try_for_each(|item| visit(self.wrap(item)));
            return Ok(());
        }
        let shape = self.shape()?;
        self.read(shape.items(&mut |item| visit(self.wrap(item))))
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let shape = self.shape()?;
        self.read(shape.members(&mut |name, member| visit(name, self.wrap(member))))
    }
}

/// Returns a handle to an input that may be absent.
pub(crate) fn optional_handle<'a, 'py>(
    py: Python<'py>,
    input: Option<&Py<PyAny>>,
    context: &'a Context<'a>,
) -> Handle<'a, 'py> {
    let object = match input {
        Some(input) => input.bind(py).clone(),
        None => py.None().into_bound(py),
    };
    Handle::new(object, context)
}
