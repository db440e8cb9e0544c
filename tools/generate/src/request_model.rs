//! The minimal Smithy model that generated code embeds for the engine.
//!
//! It contains the operations with their behavior traits: idempotency, retryable errors, idempotency tokens and request
//! compression. Shape ids are shortened, and names are unchanged.

use serde_json::{Map, Value as Json, json};

use crate::ir::{Fault, ModeledError, Operation, Service};

/// Returns the model as JSON text, in a stable order.
pub(crate) fn to_json(service: &Service<'_>) -> String {
    model(service).to_string()
}

fn model(service: &Service<'_>) -> Json {
    let mut shapes = Map::new();
    for operation in &service.operations {
        shapes.insert(id(operation.name), operation_shape(operation));
        let members = input_members(operation);
        if let (false, Some(input)) = (members.is_empty(), operation.input_name) {
            let input_shape = json!({"type": "structure", "members": members});
            shapes.insert(id(input), input_shape);
        }
        if has_stream(operation) {
            let stream = json!({"type": "blob", "traits": {"smithy.api#streaming": {}}});
            shapes.insert(STREAM.to_owned(), stream);
        }
        for (id, error) in errors(operation) {
            shapes.insert(id, error_shape(error));
        }
    }
    json!({"smithy": "2.0", "shapes": shapes})
}

/// The id of the stream member's target. All inputs share it; no other shape is in its namespace.
const STREAM: &str = "s#s";

/// Returns `true` if the model needs the stream of the input. Only compression depends on it.
fn has_stream(operation: &Operation<'_>) -> bool {
    operation.streaming && operation.compression.is_some()
}

/// Returns the members for the idempotency token and the stream. The stream's member has an empty name, which cannot
/// collide with the token's.
fn input_members(operation: &Operation<'_>) -> Map<String, Json> {
    let mut members = Map::new();
    if let Some(token) = operation.idempotency_token {
        let token_trait = json!({"smithy.api#idempotencyToken": {}});
        let member = json!({"target": "smithy.api#String", "traits": token_trait});
        members.insert(token.name.to_owned(), member);
    }
    if has_stream(operation) {
        members.insert(String::new(), json!({"target": STREAM}));
    }
    members
}

fn id(name: &str) -> String {
    format!("m#{name}")
}

fn operation_shape(operation: &Operation<'_>) -> Json {
    let mut shape = Map::new();
    shape.insert("type".to_owned(), "operation".into());
    if let (false, Some(input)) = (input_members(operation).is_empty(), operation.input_name) {
        shape.insert("input".to_owned(), json!({"target": id(input)}));
    }
    let errors = errors(operation).into_iter();
    let errors: Vec<Json> = errors.map(|(id, _)| json!({"target": id})).collect();
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

/// Returns the ids and errors of an operation.
///
/// Each error is listed under its name in the service. A renamed error is listed again under the name of its shape,
/// unless another error has that name.
fn errors<'o, 'm>(operation: &'o Operation<'m>) -> Vec<(String, &'o ModeledError<'m>)> {
    let called = operation.errors.iter().map(|error| (id(error.name), error));
    let renamed = operation.errors.iter().filter_map(|error| {
        let own = smithy_waiters_model::id::name(error.shape.id);
        let is_known = own != error.name && operation.error(own)?.shape.id == error.shape.id;
        is_known.then(|| (format!("{}#{own}", error.name), error))
    });
    called.chain(renamed).collect()
}

fn error_shape(error: &ModeledError<'_>) -> Json {
    let fault = match error.fault {
        Fault::Client => "client",
        Fault::Server => "server",
    };
    let mut traits = Map::new();
    traits.insert("smithy.api#error".to_owned(), fault.into());
    if error.retryable {
        let retryable = if error.throttling {
            json!({"throttling": true})
        } else {
            json!({})
        };
        traits.insert("smithy.api#retryable".to_owned(), retryable);
    }
    if let Some(code) = error.code {
        let code = json!({"code": code});
        traits.insert("aws.protocols#awsQueryError".to_owned(), code);
    }
    json!({"type": "structure", "traits": traits})
}

#[cfg(test)]
mod tests {
    use smithy_waiters::operation::Operation;
    use smithy_waiters_model::{Sources, read};

    use crate::ir;

    const MODEL: &str = r#"$version: "2"
namespace example
service Store { operations: [Send, SendWithToken, Put] }
@requestCompression(encodings: ["gzip"])
operation Send { input := { @required body: Body } }
@requestCompression(encodings: ["gzip"])
operation SendWithToken { input := { @required body: Body, @idempotencyToken token: String } }
@requestCompression(encodings: ["gzip"])
operation Put { input := { body: Blob } }
@streaming blob Body
"#;

    #[test]
    fn the_engine_reads_streams_and_tokens() {
        let mut sources = Sources::default();
        sources.add("model.smithy", MODEL);
        let model = read(&sources);
        let services = ir::services(&sources, &model, &[]).unwrap();
        let text = super::to_json(services.first().unwrap());
        for (name, streaming, token) in [
            ("Send", true, None),
            ("SendWithToken", true, Some("token")),
            ("Put", false, None),
        ] {
            let operation = Operation::from_model(&text, name, None).unwrap();
            let compression = operation.compression().unwrap();
            assert_eq!(compression.is_streaming(), streaming, "{name}");
            assert_eq!(operation.idempotency_token(), token, "{name}");
        }
    }

    #[test]
    fn the_engine_knows_errors_by_their_codes() {
        let error = "@error(\"client\") @retryable @aws.protocols#awsQueryError(code: \"Gone.Code\", \
                     httpResponseCode: 409) structure Gone {}";
        let mut sources = Sources::default();
        let text = MODEL.replace("{ body: Blob } }", "{ body: Blob } errors: [Gone] }");
        sources.add("model.smithy", format!("{text}{error}\n"));
        let model = read(&sources);
        let services = ir::services(&sources, &model, &[]).unwrap();
        let text = super::to_json(services.first().unwrap());
        let put = Operation::from_model(&text, "Put", None).unwrap();
        assert_eq!(put.error("Gone.Code"), put.error("Gone"));
        assert!(put.error("Gone.Code").unwrap().retryable);
    }
}
