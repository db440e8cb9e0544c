//! Conversion of botocore's definitions of services.

#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

mod newest;
mod problems;
mod protocols;
mod published;
mod translation;

use serde_json::{Value, json};
use smithy_waiters_model::{Event, Sources, read};

/// The namespace of the service.
const NAMESPACE: &str = "com.amazonaws.jobqueue";

/// Returns the definition of a service with the operation `GetJob` and its shapes.
fn service() -> Value {
    json!({
        "version": "2.0",
        "metadata": {"serviceId": "Job Queue", "serviceFullName": "AWS Job Queue", "apiVersion": "2026-01-01"},
        "operations": {"GetJob": {
            "name": "GetJob", "http": {"method": "GET", "requestUri": "/"}, "readonly": true,
            "input": {"shape": "GetJobRequest"}, "output": {"shape": "GetJobResponse"},
            "errors": [{"shape": "Gone"}, {"shape": "Missing"}, {"shape": "Busy"}]
        }},
        "shapes": {
            "GetJobRequest": {"type": "structure", "required": ["id"], "members": {
                "id": {"shape": "Text", "idempotencyToken": true},
                "token": {"shape": "Text", "documentation": "Where to go on."},
                "limit": {"shape": "Number"}}},
            "GetJobResponse": {"type": "structure", "members": {
                "status": {"shape": "Status"}, "steps": {"shape": "Steps"}, "token": {"shape": "Text"}, "count": {"shape": "Number"}}},
            "Status": {"type": "string", "enum": ["DONE", "t2.micro"]},
            "Steps": {"type": "list", "member": {"shape": "Text"}},
            "Text": {"type": "string", "sensitive": true},
            "Number": {"type": "integer"},
            "Anything": {"type": "structure", "members": {}, "document": true},
            "Choice": {"type": "structure", "union": true, "members": {"text": {"shape": "Text"}}},
            "Gone": {"type": "structure", "members": {}, "exception": true, "error": {"httpStatusCode": 404}},
            "Missing": {"type": "structure", "members": {}, "exception": true,
                "error": {"code": "Job.Missing", "httpStatusCode": 404, "senderFault": true}},
            "Busy": {"type": "structure", "members": {}, "exception": true, "fault": true, "retryable": {"throttling": true}}
        }
    })
}

/// Returns the definition of a waiter for `GetJob` with acceptors.
fn waiters(acceptors: &Value) -> Value {
    json!({"version": 2, "waiters": {"JobDone": {
        "operation": "GetJob", "delay": 5, "maxAttempts": 40, "acceptors": acceptors}}})
}

/// Converts a service with further files. Returns the model, and the events as `file:line:column severity id: message`.
fn model(service: &Value, others: &[(&str, &Value)]) -> (Value, Vec<String>) {
    let mut sources = Sources::default();
    assert!(sources.add("job/service-2.json", service.to_string()));
    for (name, text) in others {
        assert!(sources.add(format!("job/{name}"), text.to_string()));
    }
    let model = read(&sources);
    let shown = |event: &Event| {
        let at = sources.position(event.at).unwrap();
        format!(
            "{} {} {}: {}",
            at.file, event.severity, event.id, event.message
        )
    };
    let events = model.events().iter().map(shown).collect();
    (serde_json::from_str(&model.to_ast()).unwrap(), events)
}
