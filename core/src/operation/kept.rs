//! What is known of an operation, as a model that says no more.

use serde_json::{Map, Value as Json, json};

use super::{Operation, Traits};
use crate::compression::{RequestCompression, STREAMING};
use crate::retry::{ErrorFault, Modeled};

/// The input, which has the idempotency token and the stream.
const INPUT: &str = "kept.input#Input";
/// The stream; the name of its member is not one that an idempotency token may have.
const STREAM: &str = "kept.input#Stream";

pub(super) fn model(traits: &Traits) -> Json {
    let mut shapes: Map<String, Json> = traits
        .errors
        .iter()
        .rev()
        .map(|(name, modeled)| (id(name), error(*modeled)))
        .collect();
    let errors: Vec<Json> = shapes.keys().map(|id| json!({"target": id})).collect();
    let mut members = Map::new();
    if let Some(token) = &traits.idempotency_token {
        let token_trait = json!({"smithy.api#idempotencyToken": {}});
        let member = json!({"target": "smithy.api#String", "traits": token_trait});
        members.insert(token.as_str().to_owned(), member);
    }
    let compression = traits.compression.as_ref();
    if compression.is_some_and(RequestCompression::is_streaming) {
        members.insert(String::new(), json!({"target": STREAM}));
        let stream = json!({"type": "blob", "traits": {STREAMING: {}}});
        shapes.insert(STREAM.to_owned(), stream);
    }
    shapes.insert(
        INPUT.to_owned(),
        json!({"type": "structure", "members": members}),
    );
    let mut own = Map::new();
    if traits.idempotent {
        own.insert("smithy.api#idempotent".to_owned(), json!({}));
    }
    if let Some(compression) = compression {
        let encodings = json!({"encodings": compression.encodings().collect::<Vec<_>>()});
        own.insert("smithy.api#requestCompression".to_owned(), encodings);
    }
    let operation =
        json!({"type": "operation", "input": {"target": INPUT}, "errors": errors, "traits": own});
    shapes.insert(Operation::KEPT.to_owned(), operation);
    json!({"shapes": shapes})
}

/// Its namespace is one of errors only.
fn id(error: &str) -> String {
    format!("kept.errors#{error}")
}

fn error(modeled: Modeled) -> Json {
    let mut traits = Map::new();
    if modeled.fault != ErrorFault::Other {
        traits.insert("smithy.api#error".to_owned(), modeled.fault.as_str().into());
    }
    if modeled.retryable {
        let throttling = json!({"throttling": modeled.throttling});
        traits.insert("smithy.api#retryable".to_owned(), throttling);
    }
    json!({"type": "structure", "members": {}, "traits": traits})
}
