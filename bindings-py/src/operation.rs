//! What a model says of one operation's requests.

use pyo3::prelude::*;
use pyo3::types::PyString;
use smithy_waiters::operation;

use crate::argument::Text;
use crate::compression::RequestCompression;
use crate::context::Context;
use crate::error;
use crate::handle::Handle;
use crate::verdict::handle_of;

/// What the modeled errors of an operation are: whose fault, whether retryable, and whether throttling.
type Modeled = (&'static str, bool, bool);

/// The engine's part of an operation: what its behavior traits say.
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
    #[pyo3(signature = (text, operation, service=None))]
    fn new(py: Python<'_>, text: &str, operation: Text, service: Option<Text>) -> PyResult<Self> {
        let operation = operation::Operation::from_model(text, &operation, service.as_deref());
        let operation = operation.map_err(error::definition)?;
        let names = operation.names().iter();
        let names = names
            .map(|name| PyString::intern(py, name).unbind())
            .collect();
        Ok(Self { operation, names })
    }

    /// The input member that makes a request safe to repeat once it is provided, where there is one.
    #[getter]
    fn idempotency_token(&self) -> Option<&str> {
        self.operation.idempotency_token()
    }

    /// How request bodies may be compressed, where they may.
    #[getter]
    fn compression(&self) -> Option<RequestCompression> {
        self.operation
            .compression()
            .cloned()
            .map(RequestCompression::of)
    }

    /// Whether a request with this input may be repeated without harm.
    ///
    /// It may where the operation is `readonly` or `idempotent`, or the input has its idempotency token.
    #[pyo3(signature = (input=None))]
    fn is_idempotent(&self, py: Python<'_>, input: Option<Py<PyAny>>) -> PyResult<bool> {
        let context = self.context();
        let input = handle_of(py, input.as_ref(), &context);
        let idempotent = self.operation.is_idempotent(input);
        context.finish()?;
        idempotent.map_err(error::unreadable_input)
    }

    /// The input member that is to be filled with a fresh UUID: the idempotency token, where this input has none.
    fn missing_token(&self, input: Bound<'_, PyAny>) -> PyResult<Option<&str>> {
        let context = self.context();
        let missing = self.operation.missing_token(Handle::new(input, &context));
        context.finish()?;
        missing.map_err(error::unreadable_input)
    }

    /// A model of this operation alone, as JSON text, and its id there: what it is made of again.
    fn _arguments(&self) -> (String, &'static str) {
        (self.operation.to_model(), operation::Operation::KEPT)
    }

    /// What the model says of an error: its fault, whether it is retryable, and whether that is throttling.
    fn error(&self, name: Text) -> Option<Modeled> {
        let modeled = self.operation.error(&name)?;
        Some((
            modeled.fault.as_str(),
            modeled.retryable,
            modeled.throttling,
        ))
    }
}
