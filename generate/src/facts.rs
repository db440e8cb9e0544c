//! What the behaviour traits say of a service's requests, as the small model that the engines read: which may be made again,
//! which errors invite to, tokens, compression. Its ids are short; names are the model's.

use serde_json::{Map, Value as Json, json};

use smithy_waiters_model::{Shape, id::name};

use crate::ir::{Fault, ModeledError, Operation, Service};

/// The model as JSON text, in a stable order: only operations, their tokens and errors.
pub(crate) fn text(service: &Service<'_>) -> String {
    model(service).to_string()
}

fn model(service: &Service<'_>) -> Json {
    let mut shapes = Map::new();
    for operation in &service.operations {
        shapes.insert(id(operation.shape), described(operation));
        if let (Some(token), Some(input)) = (operation.idempotency_token, operation.input) {
            let target = json!({"target": "smithy.api#String", "traits": {"smithy.api#idempotencyToken": {}}});
            let input_shape = json!({"type": "structure", "members": {token.name: target}});
            shapes.insert(id(input), input_shape);
        }
        for error in &operation.errors {
            shapes.insert(id(error.shape), error_shape(error));
        }
    }
    json!({"smithy": "2.0", "shapes": shapes})
}

fn id(shape: &Shape<'_>) -> String {
    format!("m#{}", name(shape.id))
}

fn described(operation: &Operation<'_>) -> Json {
    let mut shape = Map::new();
    shape.insert("type".to_owned(), "operation".into());
    if let (Some(_), Some(input)) = (operation.idempotency_token, operation.input) {
        shape.insert("input".to_owned(), json!({"target": id(input)}));
    }
    let errors = operation.errors.iter();
    let errors: Vec<Json> = errors
        .map(|error| json!({"target": id(error.shape)}))
        .collect();
    if !errors.is_empty() {
        shape.insert("errors".to_owned(), errors.into());
    }
    let mut traits = Map::new();
    if operation.idempotent {
        traits.insert("smithy.api#idempotent".to_owned(), json!({}));
    }
    if let Some(compression) = &operation.compression {
        let encodings = json!({"encodings": compression.encodings});
        traits.insert("smithy.api#requestCompression".to_owned(), encodings);
    }
    if !traits.is_empty() {
        shape.insert("traits".to_owned(), traits.into());
    }
    shape.into()
}

fn error_shape(error: &ModeledError<'_>) -> Json {
    let fault = match error.fault {
        Fault::Client => "client",
        Fault::Server => "server",
    };
    let mut traits = json!({"smithy.api#error": fault});
    let retryable = match (error.retryable, error.throttling) {
        (false, _) => None,
        (true, false) => Some(json!({})),
        (true, true) => Some(json!({"throttling": true})),
    };
    if let (Some(retryable), Some(traits)) = (retryable, traits.as_object_mut()) {
        traits.insert("smithy.api#retryable".to_owned(), retryable);
    }
    json!({"type": "structure", "traits": traits})
}
