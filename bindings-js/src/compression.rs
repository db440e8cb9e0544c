//! The selection of an encoding for request compression.

use smithy_waiters::OptionsError;
use smithy_waiters::compression::{self, Body, CompressionSettings, RequestCompression};
use smithy_waiters::internal::FromHost;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{STREAMING, STREAMING_OF_KNOWN_LENGTH};
use crate::error::Refusal;
use crate::value::Handle;

/// Returns the `Content-Encoding` header of a compressed body.
#[wasm_bindgen(js_name = contentEncoding)]
pub fn content_encoding(existing: Option<String>, encoding: &str) -> String {
    compression::content_encoding(existing.as_deref(), encoding)
}

/// A `requestCompression` trait.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineCompression(pub(crate) RequestCompression);

#[wasm_bindgen]
impl EngineCompression {
    /// Creates the trait from the JSON text of its encodings. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(encodings: &str) -> Result<Self, JsValue> {
        let compression = RequestCompression::from_json(encodings);
        Ok(Self(compression.map_err(Refusal::from)?))
    }

    /// Returns the encoding for a body, if it is to be compressed. `bytes` is its size or one of the constants for
    /// streams, `request` and `client` are slots with settings, and `supported` is a list of encodings with commas.
    /// Throws a refusal.
    pub fn encoding(
        &self,
        bytes: f64,
        request: u32,
        client: u32,
        supported: &str,
    ) -> Result<Option<String>, JsValue> {
        let body = match bytes {
            STREAMING => Body::Streaming,
            STREAMING_OF_KNOWN_LENGTH => Body::StreamingOfKnownLength,
            bytes => Body::Whole {
                bytes: bytes as u64,
            },
        };
        let settings = || -> Result<_, OptionsError> {
            let client = CompressionSettings::from_host(Handle::from_slot(client))?;
            Ok(CompressionSettings::from_host(Handle::from_slot(request))?.over(client))
        };
        let settings = settings().map_err(Refusal::from)?;
        let supported: Vec<&str> = supported.split(',').collect();
        let encoding = self.0.encoding(body, &settings, &supported);
        Ok(encoding.map(ToOwned::to_owned))
    }
}
