//! The engine's errors as the exceptions of `smithy_waiters.errors`.

use pyo3::prelude::*;
use smithy_waiters::paginator::PaginationError;
use smithy_waiters::retry::RefreshError;

/// Written in Python, where people read them.
mod python {
    use pyo3::import_exception;

    import_exception!(smithy_waiters.errors, DefinitionError);
    import_exception!(smithy_waiters.errors, ExpressionError);
    import_exception!(smithy_waiters.errors, OptionsError);
    import_exception!(smithy_waiters.errors, PaginationError);
    import_exception!(smithy_waiters.errors, RetryRefusal);
    import_exception!(smithy_waiters.errors, StateError);
    import_exception!(smithy_waiters.errors, TokenError);
}

pub(crate) fn definition(error: smithy_waiters::DefinitionError) -> PyErr {
    let message = error.to_string();
    python::DefinitionError::new_err((message, error.code, error.path, error.column))
}

pub(crate) fn expression(error: smithy_waiters::ExpressionError) -> PyErr {
    python::ExpressionError::new_err((error.message, error.code, error.column))
}

/// An expression that is none.
pub(crate) fn no_expression() -> PyErr {
    let message = "the expression must be a string";
    python::ExpressionError::new_err((message, "invalid_expression"))
}

/// `option` is the engine's name of it; people read Python's.
pub(crate) fn options(error: smithy_waiters::OptionsError) -> PyErr {
    let option = crate::options::python_name(&error.option).to_owned();
    let message = match error.code {
        "unknown_option" => format!("`{option}` is not an option"),
        _ => crate::options::python_words(&in_backticks(&error.message, &option)),
    };
    option_error(error.code, option, message)
}

/// A message that begins with an option of one word, with that in backticks as the others are.
fn in_backticks(message: &str, option: &str) -> String {
    match message.strip_prefix(option) {
        Some(rest) if rest.starts_with(' ') => format!("`{option}`{rest}"),
        _ => message.to_owned(),
    }
}

/// Adds the option that an unknown one may stand for.
pub(crate) fn with_hint(
    py: Python<'_>,
    error: PyErr,
    options: &Bound<'_, PyAny>,
) -> PyResult<PyErr> {
    let hinted = py.import("smithy_waiters.hint")?.getattr("hinted")?;
    let hinted = hinted.call1((error.value(py), options))?;
    Ok(PyErr::from_value(hinted))
}

/// An error about an argument that the engine never sees.
pub(crate) fn option_error(
    code: &'static str,
    option: impl Into<String>,
    message: impl Into<String>,
) -> PyErr {
    python::OptionsError::new_err((message.into(), code, option.into()))
}

pub(crate) fn state(error: smithy_waiters::StateError) -> PyErr {
    state_error(error.code(), error.to_string())
}

pub(crate) fn state_error(code: &'static str, message: String) -> PyErr {
    python::StateError::new_err((message, code))
}

pub(crate) fn refusal(error: smithy_waiters::retry::RetryRefusal) -> PyErr {
    python::RetryRefusal::new_err((error.to_string(), error.code().to_owned()))
}

pub(crate) fn token(error: smithy_waiters::retry::TokenError) -> PyErr {
    python::TokenError::new_err((error.to_string(), error.code()))
}

pub(crate) fn refresh(error: RefreshError) -> PyErr {
    match error {
        RefreshError::Refused(refused) => refusal(refused),
        RefreshError::Token(refused) => token(refused),
    }
}

pub(crate) fn pagination(error: PaginationError) -> PyErr {
    python::PaginationError::new_err((error.to_string(), error.code()))
}

/// An input that its own host cannot read.
pub(crate) fn unreadable_input(error: smithy_waiters::value::ReadError) -> PyErr {
    let message = format!("the input cannot be read: {error}");
    option_error("invalid_option", "input", message)
}
