//! Conversion of the engine's errors to the exceptions of `smithy_waiters.errors`.

use pyo3::PyErrArguments;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt, PyType};
use smithy_waiters::internal::{self, snake_case};
use smithy_waiters::paginator::PaginationError;
use smithy_waiters::retry::{RefreshError, RetryRefusal, TokenError};

use crate::context::class_name;

/// The exception classes and functions of the package, which it passes to the extension during its import.
static PACKAGE: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Receives the exception classes and the functions that read and pickle errors, which are written in Python.
#[pyfunction]
#[pyo3(name = "_set_package_members")]
pub(crate) fn set_package_members(py: Python<'_>, members: Py<PyDict>) {
    // If a module is reloaded, it passes the members again. The first ones stay in use.
    PACKAGE.get_or_init(py, || members);
}

/// Returns a class or a function of the package.
pub(crate) fn package_member<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let member = PACKAGE
        .get(py)
        .map(|members| members.bind(py).get_item(name));
    let member = member.transpose()?.flatten();
    member.ok_or_else(|| PyImportError::new_err("import `smithy_waiters` before its extension"))
}

fn exception(class: &str, arguments: impl PyErrArguments + 'static) -> PyErr {
    Python::attach(|py| {
        let class = package_member(py, class).and_then(|class| Ok(class.cast_into::<PyType>()?));
        class.map_or_else(|error| error, |class| PyErr::from_type(class, arguments))
    })
}

pub(crate) fn definition(error: smithy_waiters::DefinitionError) -> PyErr {
    let message = error.to_string();
    exception(
        "DefinitionError",
        (message, error.code, error.path, error.column),
    )
}

pub(crate) fn expression(error: smithy_waiters::ExpressionError) -> PyErr {
    exception("ExpressionError", (error.message, error.code, error.column))
}

pub(crate) fn expression_type(object: &Bound<'_, PyAny>) -> PyErr {
    let message = format!(
        "`expression` must be a string, got {}",
        display_input(object)
    );
    exception("ExpressionError", (message, "invalid_expression"))
}

pub(crate) fn options(error: smithy_waiters::OptionsError) -> PyErr {
    let option = snake_case(&error.option);
    option_error(error.code, option, error.message(snake_case))
}

/// Creates the error of an unknown option. All names are in Python's spelling. The message has a suggestion, or
/// `otherwise`.
#[pyfunction]
#[pyo3(name = "_unknown_option")]
pub(crate) fn unknown_option(name: &str, names: Vec<String>, otherwise: &str) -> PyErr {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let error = internal::unknown_option(name, &names, otherwise);
    option_error(error.code, name, error.message(str::to_owned))
}

/// Returns an invalid argument for messages: the value of a number, a boolean or `None`, the name of a class, and the
/// class of another object.
#[pyfunction]
#[pyo3(name = "_display_input")]
pub(crate) fn display_input(object: &Bound<'_, PyAny>) -> String {
    if let Ok(class) = object.cast::<PyType>() {
        return format!("the class `{}`", class_name(class));
    }
    // `bool` is a subclass of `int`.
    let is_number = object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>();
    // The `repr` of an integer with thousands of digits fails.
    let value = (is_number || object.is_none()).then(|| object.repr().ok());
    value.flatten().map_or_else(
        || format!("`{}`", class_name(&object.get_type())),
        |value| value.to_string(),
    )
}

/// Creates an error about an argument that the engine does not read.
pub(crate) fn option_error(
    code: &'static str,
    option: impl Into<String>,
    message: impl Into<String>,
) -> PyErr {
    exception("OptionsError", (message.into(), code, option.into()))
}

/// Creates the error of an argument whose value violates a rule of the engine, such as `boolean`, or a rule with this
/// text. `advice` is appended to the message.
#[pyfunction]
#[pyo3(name = "_must_be", signature = (option, rule, value, advice=""))]
pub(crate) fn must_be(option: &str, rule: &str, value: &Bound<'_, PyAny>, advice: &str) -> PyErr {
    let got = display_input(value) + advice;
    let error = smithy_waiters::OptionsError::must_be(option, rule, &got);
    option_error(error.code, option, error.message(str::to_owned))
}

pub(crate) fn state(error: smithy_waiters::StateError) -> PyErr {
    state_error(error.code(), error.to_string())
}

pub(crate) fn fleet(error: smithy_waiters::FleetError) -> PyErr {
    state_error(error.code(), error.to_string())
}

pub(crate) fn state_error(code: &'static str, message: String) -> PyErr {
    exception("StateError", (message, code))
}

/// Return the exception of a strategy without retries by its code: for a request, or for a token of another strategy.
#[pyfunction]
#[pyo3(name = "_retry_error")]
pub(crate) fn retry_error(code: &str) -> PyErr {
    if code == TokenError::Foreign.code() {
        return token(TokenError::Foreign);
    }
    refusal(RetryRefusal::max_retries(0))
}

pub(crate) fn refusal(error: RetryRefusal) -> PyErr {
    exception("RetryRefusal", (error.to_string(), error.code().to_owned()))
}

pub(crate) fn token(error: TokenError) -> PyErr {
    exception("TokenError", (error.to_string(), error.code()))
}

pub(crate) fn refresh(error: RefreshError) -> PyErr {
    match error {
        RefreshError::Refused(refused) => refusal(refused),
        RefreshError::Token(refused) => token(refused),
    }
}

pub(crate) fn pagination(error: PaginationError) -> PyErr {
    exception("PaginationError", (error.to_string(), error.code()))
}

/// Creates the error of an input that cannot be read.
pub(crate) fn unreadable_input(error: smithy_waiters::value::ReadError) -> PyErr {
    let message = format!("the input cannot be read: {error}");
    option_error("invalid_option", "input", message)
}
