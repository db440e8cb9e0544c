//! How messages travel: traits that a model has only on request.

use serde_json::{Value, json};
use smithy_waiters_model::{Sources, read};

use crate::{NAMESPACE, model, service};

/// Returns a service with the parts that decide how a response travels.
fn with_wire_format() -> Value {
    let mut service = service();
    let metadata = json!({"protocol": "rest-xml", "protocols": ["rest-xml", "json"], "jsonVersion": "1.0",
        "xmlNamespace": "urn:jobs"});
    let members = json!({
        "status": {"shape": "Text", "locationName": "State"},
        "steps": {"shape": "Steps"},
        "started": {"shape": "Time", "location": "header", "locationName": "X-Started"},
        "ended": {"shape": "End"},
        "body": {"shape": "Choice"}});
    let all = service["metadata"].as_object_mut().unwrap();
    all.extend(metadata.as_object().unwrap().clone());
    let shapes = &mut service["shapes"];
    shapes["GetJobResponse"] = json!({"type": "structure", "members": members, "payload": "body"});
    shapes["Steps"] = json!({"type": "list", "flattened": true, "member": {"shape": "Text", "locationName": "step"}});
    shapes["Time"] = json!({"type": "timestamp", "timestampFormat": "rfc822"});
    shapes["End"] = json!({"type": "timestamp", "timestampFormat": "iso8601"});
    shapes["Text"] = json!({"type": "string", "min": 3});
    service
}

#[test]
fn protocols_are_read_on_request() {
    let (plain, _) = model(&with_wire_format(), &[]);
    assert!(!plain.to_string().contains("xmlName"));
    let mut sources = Sources::default().with_protocols();
    assert!(sources.add("job/service-2.json", with_wire_format().to_string()));
    let ast: Value = serde_json::from_str(&read(&sources).to_ast()).unwrap();
    let shape = |name: &str| ast["shapes"][format!("{NAMESPACE}#{name}")].clone();
    let traits = &shape("JobQueue")["traits"];
    for id in ["aws.protocols#restXml", "aws.protocols#awsJson1_0"] {
        assert_eq!(traits[id], json!({}), "{id}");
    }
    assert_eq!(
        traits["smithy.api#xmlNamespace"],
        json!({"uri": "urn:jobs"})
    );
    let http = json!({"method": "GET", "uri": "/"});
    assert_eq!(shape("GetJob")["traits"]["smithy.api#http"], http);
    let member = |name: &str| shape("GetJobResponse")["members"][name]["traits"].clone();
    assert_eq!(
        member("status"),
        json!({"smithy.api#xmlName": "State", "smithy.api#jsonName": "State"})
    );
    assert_eq!(
        member("steps"),
        json!({"smithy.api#xmlFlattened": {}, "smithy.api#xmlName": "step"})
    );
    assert_eq!(
        member("started"),
        json!({"smithy.api#httpHeader": "X-Started", "smithy.api#timestampFormat": "http-date"})
    );
    assert_eq!(
        member("ended"),
        json!({"smithy.api#timestampFormat": "date-time"})
    );
    assert_eq!(member("body"), json!({"smithy.api#httpPayload": {}}));
    assert_eq!(
        shape("Text")["traits"],
        json!({"smithy.api#length": {"min": 3}})
    );
}
