//! What a model says of an operation's requests.

use smithy_waiters::operation::Operation;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::compression::EngineCompression;
use crate::error::Refusal;
use crate::retry::pack_modeled;

/// An operation.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineOperation(Operation);

#[wasm_bindgen]
impl EngineOperation {
    /// An operation of a model. Throws the JSON text of a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &str, name: &str, service: Option<String>) -> Result<Self, JsValue> {
        let operation = Operation::from_model(model, name, service.as_deref());
        Ok(Self(operation.map_err(Refusal::from)?))
    }

    /// The input member that is its idempotency token.
    #[wasm_bindgen(js_name = idempotencyToken)]
    pub fn idempotency_token(&self) -> Option<String> {
        self.0.idempotency_token().map(ToOwned::to_owned)
    }

    /// Whether its requests may be repeated, with a token or without one.
    #[wasm_bindgen(js_name = isAlwaysIdempotent)]
    pub fn is_always_idempotent(&self) -> bool {
        self.0.is_always_idempotent()
    }

    /// What the model says of an error, packed; 0 where it says nothing.
    pub fn error(&self, name: &str) -> u32 {
        self.0.error(name).map_or(0, pack_modeled)
    }

    /// How bodies of its requests may be compressed.
    pub fn compression(&self) -> Option<EngineCompression> {
        self.0.compression().cloned().map(EngineCompression)
    }
}
