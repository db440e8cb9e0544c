//! Request compression: the decision.

use smithy_waiters::compression::{Body, CompressionSettings, RequestCompression};
use smithy_waiters::value::Value;
use smithy_waiters::{DefinitionError, OptionsError};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::value::Handle;

/// A `requestCompression` trait.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineCompression(pub(crate) RequestCompression);

#[wasm_bindgen]
impl EngineCompression {
    /// The trait with the array of encodings in a slot. Throws the JSON text of a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(encodings: u32) -> Result<Self, JsValue> {
        let compression = read(encodings);
        Ok(Self(compression.map_err(Refusal::from)?))
    }

    /// By what a body is compressed, if at all: a whole one of so many bytes, or a stream (-1), or one whose length must be
    /// known (-2). The settings of the request and of its client are in slots; `supported` has a comma between names.
    /// Throws the JSON text of a refusal.
    pub fn encoding(
        &self,
        bytes: f64,
        request: u32,
        client: u32,
        supported: &str,
    ) -> Result<Option<String>, JsValue> {
        let body = match bytes {
            -1.0 => Body::Streaming,
            -2.0 => Body::StreamingOfKnownLength,
            bytes => Body::Whole {
                bytes: bytes as u64,
            },
        };
        let settings = || -> Result<_, OptionsError> {
            let client = CompressionSettings::from_host(Handle::of(client))?;
            Ok(CompressionSettings::from_host(Handle::of(request))?.over(client))
        };
        let settings = settings().map_err(Refusal::from)?;
        let supported: Vec<&str> = supported.split(',').collect();
        let encoding = self.0.encoding(body, &settings, &supported);
        Ok(encoding.map(ToOwned::to_owned))
    }
}

fn read(encodings: u32) -> Result<RequestCompression, DefinitionError> {
    let list = Handle::of(encodings);
    let count = list.len().unwrap_or_default();
    let names: Vec<String> = (0..count)
        .map(|index| {
            let name = list.item(index).ok().flatten();
            let name = name.and_then(|name| Some(name.text().ok()?.into_owned()));
            name.unwrap_or_default()
        })
        .collect();
    RequestCompression::new(names.iter().map(String::as_str))
}
