//! What the engine is told of an exception (D4).

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
use crate::error::option_error;
use crate::shape::text;

/// How much is told: a message costs a call of the exception's own code, and no verdict depends on it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Detail {
    Names,
    Message,
}

/// How the caller of a waiter wants errors to be named.
pub(crate) struct Naming {
    /// Gives an error's names, or `None` where the usual reading is as well.
    names: Option<Py<PyAny>>,
    service_errors_only: bool,
}

impl Naming {
    pub(crate) fn new(
        names: Option<Bound<'_, PyAny>>,
        service_errors_only: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if names.as_ref().is_some_and(|names| !names.is_callable()) {
            let message = "`error_names` must be a function";
            return Err(option_error("invalid_option", "error_names", message));
        }
        Ok(Self {
            names: names.map(Bound::unbind),
            service_errors_only: service_errors_only.map_or(Ok(false), boolean)?,
        })
    }

    pub(crate) const fn names(&self) -> Option<&Py<PyAny>> {
        self.names.as_ref()
    }

    pub(crate) const fn service_errors_only(&self) -> bool {
        self.service_errors_only
    }

    /// The facts of what a call raised, or of what stands for it: a string is the name of an error.
    ///
    /// Fails where the caller's function does: that is a bug of the caller, and no result.
    pub(crate) fn facts(
        &self,
        error: &Bound<'_, PyAny>,
        detail: Detail,
        context: &Context<'_>,
    ) -> PyResult<ErrorMetadata<'static>> {
        if let Ok(name) = error.cast::<PyString>() {
            return Ok(ErrorMetadata::of_code(owned(name, context)));
        }
        let told = service_error(error, context);
        let facts = match self.given_names(error, context)? {
            Some(names) => ErrorMetadata::of_codes(names),
            None => usual(error, told.as_ref()),
        };
        let facts = if self.service_errors_only {
            facts.service_errors_only()
        } else {
            facts
        };
        Ok(match detail {
            Detail::Names => facts,
            Detail::Message => {
                let message = told.and_then(|told| told.message);
                facts.message(message.unwrap_or_else(|| shown(error, context)))
            }
        })
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.names)
    }

    fn given_names(
        &self,
        error: &Bound<'_, PyAny>,
        context: &Context<'_>,
    ) -> PyResult<Option<Vec<String>>> {
        let Some(function) = &self.names else {
            return Ok(None);
        };
        let given = function.bind(error.py()).call1((error,))?;
        if given.is_none() {
            return Ok(None);
        }
        if given.is_instance_of::<PyString>() {
            return Err(no_names(&given));
        }
        let name = |name: PyResult<Bound<'_, PyAny>>| match name?.cast_into::<PyString>() {
            Ok(name) => Ok(owned(&name, context)),
            Err(_) => Err(no_names(&given)),
        };
        given
            .try_iter()
            .map_err(|_| no_names(&given))?
            .map(name)
            .collect::<PyResult<_>>()
            .map(Some)
    }
}

fn boolean(given: Bound<'_, PyAny>) -> PyResult<bool> {
    let boolean = given.cast::<PyBool>().map(|given| given.is_true());
    boolean.map_err(|_| {
        let message = "`service_errors_only` must be a boolean";
        option_error("invalid_option", "service_errors_only", message)
    })
}

fn no_names(given: &Bound<'_, PyAny>) -> PyErr {
    let class = class_name(&given.get_type());
    PyTypeError::new_err(format!(
        "`error_names` must give a list of strings or None, got {class}"
    ))
}

fn usual(error: &Bound<'_, PyAny>, told: Option<&ServiceError>) -> ErrorMetadata<'static> {
    match told {
        Some(told) => ErrorMetadata::of_codes(told.names.clone()),
        None if error.is_instance_of::<PyBaseException>() || is_record(error) => {
            ErrorMetadata::of_class(class_name(&error.get_type()))
        }
        None => ErrorMetadata::unnamed(),
    }
}

/// What botocore's `ClientError` says of a service's error: `response["Error"]` with `Code` and `Message`.
struct ServiceError {
    /// The code, then what else models call it.
    names: Vec<String>,
    message: Option<String>,
}

/// The module of the classes that botocore makes of a model's errors, each with the name of its shape.
const MODELED: &str = "botocore.errorfactory";

/// The code that botocore makes of a status where the response has no body, and the error that AWS's other SDKs
/// make of it.
const NOT_FOUND: (&str, &str) = ("404", "NotFound");

fn service_error(error: &Bound<'_, PyAny>, context: &Context<'_>) -> Option<ServiceError> {
    let py = error.py();
    let response = context.attempt(py, error.getattr_opt(intern!(py, "response")))??;
    let told = entry(&response, intern!(py, "Error"), context)?;
    let code = string(&told, intern!(py, "Code"), context)?;
    let message = string(&told, intern!(py, "Message"), context);
    // The text of a status does not differ between operations.
    let is_status = code.parse::<u16>().is_ok();
    let operation = is_status.then(|| operation(error, context)).flatten();
    Some(ServiceError {
        names: names_by(code, error, context),
        message: message.map(|message| match operation {
            Some(operation) => format!("{message} ({operation})"),
            None => message,
        }),
    })
}

fn operation(error: &Bound<'_, PyAny>, context: &Context<'_>) -> Option<String> {
    let py = error.py();
    let operation = context.attempt(py, error.getattr_opt(intern!(py, "operation_name")))??;
    Some(owned(operation.cast::<PyString>().ok()?, context))
}

/// The names of an error with a code. A model's waiters name its shape or its code, and the two may differ.
fn names_by(code: String, error: &Bound<'_, PyAny>, context: &Context<'_>) -> Vec<String> {
    let (status, not_found) = NOT_FOUND;
    let shape = modeled(error, context).filter(|shape| *shape != code);
    let also = (code == status).then(|| not_found.to_owned());
    std::iter::once(code).chain(also).chain(shape).collect()
}

/// The name of the model's shape, where botocore made the error's class of one.
fn modeled(error: &Bound<'_, PyAny>, context: &Context<'_>) -> Option<String> {
    let (py, class) = (error.py(), error.get_type());
    let module = context.attempt(py, class.getattr(intern!(py, "__module__")))?;
    let module = owned(module.cast::<PyString>().ok()?, context);
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
    Some(owned(value.cast::<PyString>().ok()?, context))
}

fn owned(string: &Bound<'_, PyString>, context: &Context<'_>) -> String {
    let text = context.attempt(string.py(), text(string));
    text.map(Into::into).unwrap_or_default()
}

/// Whether an object that is no exception has a class that says something: what is null, boolean or a number
/// has not.
fn is_record(error: &Bound<'_, PyAny>) -> bool {
    use pyo3::types::{PyFloat, PyInt};
    !(error.is_none() || error.cast::<PyInt>().is_ok() || error.cast::<PyFloat>().is_ok())
}

/// `str(error)`, or nothing where that fails.
fn shown(error: &Bound<'_, PyAny>, context: &Context<'_>) -> String {
    if error.is_none() {
        return String::new();
    }
    context
        .attempt(error.py(), error.str())
        .map_or_else(String::new, |text| owned(&text, context))
}

/// Refuses an object that is given for an error by mistake. `None` is an error without a name, and other
/// objects may be the data of one.
pub(crate) fn check_error(given: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    let got = if let Ok(class) = given.cast::<PyType>() {
        format!("not its class: `{}()`", class.name()?)
    } else if is_plain_value(given) {
        format!("got {}", given.repr()?)
    } else {
        return Ok(());
    };
    let message = format!("`error` must be an exception or the name of one, {got}");
    Err(option_error("invalid_option", "error", message))
}

fn is_plain_value(given: Borrowed<'_, '_, PyAny>) -> bool {
    let is_number = given.is_instance_of::<PyInt>() || given.is_instance_of::<PyFloat>();
    let is_list = given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>();
    is_number || is_list || given.is_instance_of::<PyBytes>() || given.is_instance_of::<PySet>()
}
