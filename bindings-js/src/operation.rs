//! Operations of models.

use std::rc::Rc;

use smithy_waiters::operation::Operation;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::compression::EngineCompression;
use crate::error::Refusal;
use crate::failure::modeled_flags;
use crate::value::Table;

/// An operation and the table of its names.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineOperation {
    pub(crate) operation: Operation,
    pub(crate) table: Rc<Table>,
}

#[wasm_bindgen]
impl EngineOperation {
    /// Creates an operation from a model. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &str, name: &str, service: Option<String>) -> Result<Self, JsValue> {
        let operation = Operation::from_model(model, name, service.as_deref());
        let operation = operation.map_err(Refusal::from)?;
        let table = Table::new(operation.names().iter().map(|name| &**name));
        Ok(Self { operation, table })
    }

    /// Returns the name of the input member that is the idempotency token.
    #[wasm_bindgen(js_name = idempotencyToken)]
    pub fn idempotency_token(&self) -> Option<String> {
        self.operation.idempotency_token().map(ToOwned::to_owned)
    }

    /// Returns `true` if a request with the input in a slot may be repeated; `false` if the input cannot be read.
    #[wasm_bindgen(js_name = isIdempotent)]
    pub fn is_idempotent(&self, input: u32) -> bool {
        let input = self.table.value(input);
        self.operation.is_idempotent(input).unwrap_or(false)
    }

    /// Returns `true` if the idempotency token is missing in the input in a slot.
    #[wasm_bindgen(js_name = lacksToken)]
    pub fn lacks_token(&self, input: u32) -> bool {
        let missing = self.operation.missing_token(self.table.value(input));
        missing.is_ok_and(|missing| missing.is_some())
    }

    /// Returns the traits of an error as flags; 0 if the model does not define the error.
    pub fn error(&self, name: &str) -> u32 {
        self.operation.error(name).map_or(0, modeled_flags)
    }

    /// Returns the compression of request bodies, if the operation has the trait.
    pub fn compression(&self) -> Option<EngineCompression> {
        self.operation.compression().cloned().map(EngineCompression)
    }
}
