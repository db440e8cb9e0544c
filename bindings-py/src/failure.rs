//! Names and messages of Python exceptions, for the matching of errors.
//!
//! Rule: docs/rules.md#error-names

use pyo3::PyTraverseError;
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::gc::PyVisit;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyFloat, PyInt, PyList, PyMapping, PySet, PyString, PyTuple, PyType,
};
use smithy_waiters::ErrorMetadata;

use crate::context::{Context, class_name};
use crate::error::{display_input, must_be, option_error};
use crate::shape::text;

/// The requested part of the metadata. Messages run the exception's code, so they are only read for reports.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Detail {
    Names,
    Message,
}

/// The caller's options for the names of errors.
pub(crate) struct Naming {
    /// The function that returns the names of an error, or `None` for the default names.
    names: Option<Py<PyAny>>,
    service_errors_only: bool,
    /// The names of classes that the definition's acceptors have.
    classes: Box<[String]>,
}

/// The prefix of an error's name that stands for a class and its subclasses. Rule: docs/rules.md#error-names
const CLASS: &str = "class=";

impl Naming {
    pub(crate) fn new(
        names: Option<Bound<'_, PyAny>>,
        service_errors_only: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if let Some(names) = names.as_ref().filter(|names| !names.is_callable()) {
            return Err(must_be("error_names", "function", names, ""));
        }
        Ok(Self {
            names: names.map(Bound::unbind),
            service_errors_only: service_errors_only.map_or(Ok(false), boolean)?,
            classes: Box::default(),
        })
    }

    /// Sets the names of errors that the definition's acceptors have.
    pub(crate) fn with_error_types<'a>(mut self, names: impl Iterator<Item = &'a str>) -> Self {
        let classes = names.filter(|name| name.starts_with(CLASS));
        self.classes = classes.map(ToOwned::to_owned).collect();
        self
    }

    pub(crate) const fn names(&self) -> Option<&Py<PyAny>> {
        self.names.as_ref()
    }

    pub(crate) const fn service_errors_only(&self) -> bool {
        self.service_errors_only
    }

    /// Returns the metadata of an exception, or of an object that represents one. A string is the name of an error.
    ///
    /// Fails if the caller's function fails, which is a bug in the caller and not a result of the call.
    pub(crate) fn metadata(
        &self,
        error: &Bound<'_, PyAny>,
        detail: Detail,
        context: &Context<'_>,
    ) -> PyResult<ErrorMetadata<'static>> {
        if let Ok(name) = error.cast::<PyString>() {
            return Ok(ErrorMetadata::of_code(to_text(name, context)));
        }
        let service_error = service_error(error, context);
        let metadata = match self.custom_names(error, context)? {
            Some(names) => ErrorMetadata::of_codes(names),
            None => default_metadata(error, service_error.as_ref()),
        };
        let metadata = if self.service_errors_only {
            metadata.service_errors_only()
        } else {
            metadata
        };
        let metadata = metadata.with_classes(self.known_classes(error, context));
        Ok(match detail {
            Detail::Names => metadata,
            Detail::Message => {
                let message = service_error.and_then(|service_error| service_error.message);
                metadata.message(message.unwrap_or_else(|| display(error, context)))
            }
        })
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.names)
    }

    /// Returns the names in the definition that are the error's class or one of its base classes.
    fn known_classes(&self, error: &Bound<'_, PyAny>, context: &Context<'_>) -> Vec<String> {
        if self.classes.is_empty() || !error.is_instance_of::<PyBaseException>() {
            return Vec::new();
        }
        let bases = error.get_type().mro();
        let bases = bases
            .iter()
            .filter_map(|base| base.cast_into::<PyType>().ok());
        let name = |class: Bound<'_, PyType>| {
            let name = context.attempt(error.py(), class.fully_qualified_name())?;
            Some(format!("{CLASS}{}", to_text(&name, context)))
        };
        let names = bases.filter_map(name);
        names.filter(|name| self.classes.contains(name)).collect()
    }

    fn custom_names(
        &self,
        error: &Bound<'_, PyAny>,
        context: &Context<'_>,
    ) -> PyResult<Option<Vec<String>>> {
        let Some(function) = &self.names else {
            return Ok(None);
        };
        let object = function.bind(error.py()).call1((error,))?;
        if object.is_none() {
            return Ok(None);
        }
        // A string is iterable, so that each of its characters would count as a name.
        if object.is_instance_of::<PyString>() {
            return Err(invalid_names(&display_input(&object)));
        }
        let name = |(index, name): (usize, PyResult<Bound<'_, PyAny>>)| {
            let name = name?;
            let text = name.cast::<PyString>().map(|name| to_text(name, context));
            text.map_err(|_| invalid_names(&format!("{} at index {index}", display_input(&name))))
        };
        object
            .try_iter()
            .map_err(|_| invalid_names(&display_input(&object)))?
            .enumerate()
            .map(name)
            .collect::<PyResult<_>>()
            .map(Some)
    }
}

fn boolean(object: Bound<'_, PyAny>) -> PyResult<bool> {
    let boolean = object.cast::<PyBool>().map(|object| object.is_true());
    boolean.map_err(|_| must_be("service_errors_only", "boolean", &object, ""))
}

fn invalid_names(got: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "`error_names` must return a list of strings or `None`, got {got}"
    ))
}

fn default_metadata(
    error: &Bound<'_, PyAny>,
    service_error: Option<&ServiceError>,
) -> ErrorMetadata<'static> {
    match service_error {
        Some(service_error) => ErrorMetadata::of_codes(service_error.names.clone()),
        None if error.is_instance_of::<PyBaseException>() || is_record(error) => {
            ErrorMetadata::of_class(class_name(&error.get_type()))
        }
        None => ErrorMetadata::unnamed(),
    }
}

/// The service's error in botocore's `ClientError`: `Code` and `Message` of `response["Error"]`.
struct ServiceError {
    /// The code, then the other names that models have for the error.
    names: Vec<String>,
    message: Option<String>,
}

/// The module of the classes that botocore creates from a model's errors. Their names are the names of the shapes.
const MODELED: &str = "botocore.errorfactory";

/// The code that botocore derives from the status of a response without a body, and the name of that error in the other
/// AWS SDKs.
const NOT_FOUND: (&str, &str) = ("404", "NotFound");

fn service_error(error: &Bound<'_, PyAny>, context: &Context<'_>) -> Option<ServiceError> {
    let py = error.py();
    let response = context.attempt(py, error.getattr_opt(intern!(py, "response")))??;
    let service_error = entry(&response, intern!(py, "Error"), context)?;
    let code = string(&service_error, intern!(py, "Code"), context)?;
    let message = string(&service_error, intern!(py, "Message"), context);
    // A status has the same text for all operations, so the operation is added.
    let is_status = code.parse::<u16>().is_ok();
    let operation = is_status.then(|| operation(error, context)).flatten();
    Some(ServiceError {
        names: names_for_code(code, error, context),
        message: message.map(|message| match operation {
            Some(operation) => format!("{message} ({operation})"),
            None => message,
        }),
    })
}

fn operation(error: &Bound<'_, PyAny>, context: &Context<'_>) -> Option<String> {
    let py = error.py();
    let operation = context.attempt(py, error.getattr_opt(intern!(py, "operation_name")))??;
    Some(to_text(operation.cast::<PyString>().ok()?, context))
}

/// Returns the names of an error with a code. Waiters of a model use the shape name or the code, which may differ.
fn names_for_code(code: String, error: &Bound<'_, PyAny>, context: &Context<'_>) -> Vec<String> {
    let (status, not_found) = NOT_FOUND;
    let shape = shape_name(error, context).filter(|shape| *shape != code);
    let also = (code == status).then(|| not_found.to_owned());
    std::iter::once(code).chain(also).chain(shape).collect()
}

/// Returns the name of the model's shape, if botocore created the error's class from a shape.
fn shape_name(error: &Bound<'_, PyAny>, context: &Context<'_>) -> Option<String> {
    let (py, class) = (error.py(), error.get_type());
    let module = context.attempt(py, class.getattr(intern!(py, "__module__")))?;
    let module = to_text(module.cast::<PyString>().ok()?, context);
    (module == MODELED).then(|| class_name(&class))
}

fn entry<'py>(
    mapping: &Bound<'py, PyAny>,
    key: &Bound<'py, PyString>,
    context: &Context<'_>,
) -> Option<Bound<'py, PyAny>> {
    let mapping = mapping.cast::<PyMapping>().ok()?;
    let present = context.attempt(mapping.py(), mapping.contains(key))?;
    present.then(|| context.attempt(mapping.py(), mapping.get_item(key)))?
}

fn string(
    mapping: &Bound<'_, PyAny>,
    key: &Bound<'_, PyString>,
    context: &Context<'_>,
) -> Option<String> {
    let value = entry(mapping, key, context)?;
    Some(to_text(value.cast::<PyString>().ok()?, context))
}

fn to_text(string: &Bound<'_, PyString>, context: &Context<'_>) -> String {
    let text = context.attempt(string.py(), text(string));
    text.map(Into::into).unwrap_or_default()
}

/// Returns `true` if the class of an object that is not an exception is a useful name. `None`, booleans and numbers are
/// not.
fn is_record(error: &Bound<'_, PyAny>) -> bool {
    use pyo3::types::{PyFloat, PyInt};
    !(error.is_none() || error.cast::<PyInt>().is_ok() || error.cast::<PyFloat>().is_ok())
}

/// Returns `str(error)`, or an empty string if that fails.
fn display(error: &Bound<'_, PyAny>, context: &Context<'_>) -> String {
    if error.is_none() {
        return String::new();
    }
    context
        .attempt(error.py(), error.str())
        .map_or_else(String::new, |text| to_text(&text, context))
}

/// Rejects objects that are passed as an error by mistake. `None` is an error without a name, and an object can be the
/// data of an error.
pub(crate) fn check_error(object: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    let got = if let Ok(class) = object.cast::<PyType>() {
        format!("not its class: `{}()`", class.name()?)
    } else if is_plain_value(object) {
        format!("got {}", object.repr()?)
    } else {
        return Ok(());
    };
    let message = format!("`error` must be an exception or the name of one, {got}");
    Err(option_error("invalid_option", "error", message))
}

fn is_plain_value(object: Borrowed<'_, '_, PyAny>) -> bool {
    let is_number = object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>();
    let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    is_number || is_list || object.is_instance_of::<PyBytes>() || object.is_instance_of::<PySet>()
}
