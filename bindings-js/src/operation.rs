//! An operation of a model.

use std::rc::Rc;

use smithy_waiters::operation::Operation;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::compression::EngineCompression;
use crate::error::Refusal;
use crate::retry::pack_modeled;
use crate::value::Table;

/// An operation, and its names as the host has interned them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineOperation {
    pub(crate) operation: Operation,
    pub(crate) table: Rc<Table>,
}

#[wasm_bindgen]
impl EngineOperation {
    /// An operation of a model. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &str, name: &str, service: Option<String>) -> Result<Self, JsValue> {
        let operation = Operation::from_model(model, name, service.as_deref());
        let operation = operation.map_err(Refusal::from)?;
        let table = Table::new(operation.names().iter().map(|name| &**name));
        Ok(Self { operation, table })
    }

    /// The input member that is its idempotency token.
    #[wasm_bindgen(js_name = idempotencyToken)]
    pub fn idempotency_token(&self) -> Option<String> {
        self.operation.idempotency_token().map(ToOwned::to_owned)
    }

    /// Whether a request may be repeated, by its input in a slot. An input that cannot be read proves nothing.
    #[wasm_bindgen(js_name = isIdempotent)]
    pub fn is_idempotent(&self, input: u32) -> bool {
        let input = self.table.value(input);
        self.operation.is_idempotent(input).unwrap_or(false)
    }

    /// Whether the input in a slot lacks its idempotency token.
    #[wasm_bindgen(js_name = lacksToken)]
    pub fn lacks_token(&self, input: u32) -> bool {
        let missing = self.operation.missing_token(self.table.value(input));
        missing.is_ok_and(|missing| missing.is_some())
    }

    /// What the model says of an error, packed; 0 where it says nothing.
    pub fn error(&self, name: &str) -> u32 {
        self.operation.error(name).map_or(0, pack_modeled)
    }

    /// How bodies of its requests may be compressed.
    pub fn compression(&self) -> Option<EngineCompression> {
        self.operation.compression().cloned().map(EngineCompression)
    }
}
