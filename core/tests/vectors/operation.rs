//! Runs the vectors for the requests of an operation: compression, idempotency and errors.

use serde_json::{Map, Value as Json, json};
use smithy_waiters::compression::{
    Body, CompressionSettings, RequestCompression, content_encoding,
};
use smithy_waiters::internal::FromHost;
use smithy_waiters::operation::Operation;
use smithy_waiters::{DefinitionError, OptionsError};

use crate::file::Vector;
use crate::results;
use crate::values::HostValue;

/// Returns whether a body is compressed, the encoding, and the header.
pub(crate) fn compress(vector: &Vector) -> Json {
    let compression = match compression(vector) {
        Ok(compression) => compression,
        Err(error) => return results::definition_error(&error),
    };
    let settings = match settings(vector) {
        Ok(settings) => settings,
        Err(error) => return results::options_error(&error),
    };
    let supported: Vec<&str> = match vector.find("supported").and_then(Json::as_array) {
        Some(supported) => supported
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect(),
        None => vec!["gzip"],
    };
    let body = body(&vector.json()["body"]);
    let existing = vector.find("contentEncoding").and_then(Json::as_str);
    let encoding = compression
        .as_ref()
        .and_then(|compression| compression.encoding(body, &settings, &supported));
    let header = match encoding {
        Some(encoding) => Some(content_encoding(existing, encoding)),
        None => existing.map(ToOwned::to_owned),
    };
    json!({"encoding": encoding, "contentEncoding": header})
}

/// Returns the encodings in the vector, or those of a model's operation.
fn compression(vector: &Vector) -> Result<Option<RequestCompression>, DefinitionError> {
    if let Some(encodings) = vector.find("encodings").and_then(Json::as_array) {
        let encodings = encodings.iter().map(|encoding| encoding.as_str().unwrap());
        return RequestCompression::new(encodings).map(Some);
    }
    Ok(operation(vector)?.compression().cloned())
}

fn settings(vector: &Vector) -> Result<CompressionSettings, OptionsError> {
    let read = |name| match vector.find(name) {
        Some(settings) => CompressionSettings::from_host(HostValue::new(settings)),
        None => Ok(CompressionSettings::default()),
    };
    Ok(read("request")?.over(read("client")?))
}

fn body(given: &Json) -> Body {
    match given.as_str() {
        Some("streaming") => Body::Streaming,
        Some(_) => Body::StreamingOfKnownLength,
        None => Body::Whole {
            bytes: given.as_u64().unwrap(),
        },
    }
}

fn operation(vector: &Vector) -> Result<Operation, DefinitionError> {
    let service = vector.find("service").and_then(Json::as_str);
    Operation::from_model_value(&vector.model(), vector.text("operation"), service)
}

/// Returns the input with its token, whether the request is idempotent, and the modeled errors.
pub(crate) fn run(vector: &Vector) -> Json {
    let operation = match operation(vector) {
        Ok(operation) => operation,
        Err(error) => return results::definition_error(&error),
    };
    let input = vector.find("input").cloned().unwrap_or(json!({}));
    let input = operation.with_token(input, || vector.text("token").to_owned());
    let idempotent = operation.is_idempotent(&input).unwrap();
    let names = vector.find("errors").and_then(Json::as_array);
    let errors = names.into_iter().flatten().map(|name| {
        let name = name.as_str().unwrap();
        let modeled = operation.error(name).map(|modeled| {
            json!({
                "fault": modeled.fault.as_str(), "retryable": modeled.retryable, "throttling": modeled.throttling,
            })
        });
        (name.to_owned(), modeled.into())
    });
    json!({
        "input": input, "idempotent": idempotent, "member": operation.idempotency_token(),
        "errors": errors.collect::<Map<_, _>>(),
    })
}
