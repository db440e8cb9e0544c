//! Behavior traits of an operation.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use smithy_waiters::operation;

use crate::argument::Text;
use crate::compression::RequestCompression;
use crate::context::Context;
use crate::error;
use crate::handle::Handle;
use crate::handle::optional_handle;

/// The traits of a modeled error: its fault, whether it is retryable, and whether it is a throttling error.
type Modeled = (&'static str, bool, bool);

/// The base class of `smithy_waiters.operation.Operation`, implemented by the engine: it reads behavior traits.
///
/// Raises:
///     DefinitionError: The model is invalid or does not have the operation.
///     ValueError: `text` is not the JSON text of an operation, and `operation` is `None`.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Operation {
    operation: operation::Operation,
    names: Box<[Py<PyString>]>,
}

impl Operation {
    pub(crate) const fn model(&self) -> &operation::Operation {
        &self.operation
    }

    pub(crate) const fn context(&self) -> Context<'_> {
        Context::new(&self.names)
    }
}

#[pymethods]
impl Operation {
    #[new]
    #[pyo3(signature = (text, operation=None, service=None))]
    fn new(
        py: Python<'_>,
        text: &str,
        operation: Option<Text>,
        service: Option<Text>,
    ) -> PyResult<Self> {
        let operation = match operation {
            Some(operation) => {
                operation::Operation::from_model(text, &operation, service.as_deref())
                    .map_err(error::definition)?
            }
            None => serde_json::from_str(text).map_err(|error| {
                PyValueError::new_err(format!("the pickled operation is invalid: {error}"))
            })?,
        };
        let names = operation.names().iter();
        let names = names
            .map(|name| PyString::intern(py, name).unbind())
            .collect();
        Ok(Self { operation, names })
    }

    /// The name of the input member with the trait `idempotencyToken`, if there is one.
    #[getter]
    fn idempotency_token(&self) -> Option<&str> {
        self.operation.idempotency_token()
    }

    /// The compression of request bodies, if the operation supports it.
    #[getter]
    fn compression(&self) -> Option<RequestCompression> {
        self.operation
            .compression()
            .cloned()
            .map(RequestCompression::from_engine)
    }

    /// Return `True` if a request with this input can be repeated safely.
    ///
    /// That holds if the operation is `readonly` or `idempotent`, or if the input contains the idempotency token. See
    /// the `specification <https://smithy.io/2.0/spec/behavior-traits.html#idempotency>`_.
    ///
    /// Raises:
    ///     OptionsError: The input cannot be read.
    #[pyo3(signature = (input=None))]
    fn is_idempotent(&self, py: Python<'_>, input: Option<Py<PyAny>>) -> PyResult<bool> {
        let context = self.context();
        let input = optional_handle(py, input.as_ref(), &context);
        let idempotent = self.operation.is_idempotent(input);
        context.finish()?;
        idempotent.map_err(error::unreadable_input)
    }

    /// Return the name of the idempotency token if the input lacks it. Set that member to a fresh UUID.
    ///
    /// See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait>`_.
    ///
    /// Raises:
    ///     OptionsError: The input cannot be read.
    fn missing_token(&self, input: Bound<'_, PyAny>) -> PyResult<Option<&str>> {
        let context = self.context();
        let missing = self.operation.missing_token(Handle::new(input, &context));
        context.finish()?;
        missing.map_err(error::unreadable_input)
    }

    /// Return the traits as JSON text, for `pickle`. The constructor reads the text if no operation is passed.
    fn _to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.operation)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Return the traits of a modeled error: its fault, whether it is retryable, and whether it is a throttling
    /// error.
    ///
    /// `None` if the model does not have the error.
    fn error(&self, name: Text) -> Option<Modeled> {
        let modeled = self.operation.error(&name)?;
        Some((
            modeled.fault.as_str(),
            modeled.retryable,
            modeled.throttling,
        ))
    }
}
