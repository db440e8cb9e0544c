//! Invalid files: the messages contain the file, the member and the rule.

use serde_json::{Value, json};
use smithy_waiters_model::{Sources, read};

use crate::{model, service, waiters};

/// Returns the errors of a service with one member replaced.
fn of_service(pointer: &str, value: Value) -> Vec<String> {
    let mut service = service();
    *service.pointer_mut(pointer).unwrap() = value;
    messages(model(&service, &[]).1, "job/service-2.json")
}

/// Returns the errors of waiters with one member replaced.
fn of_waiters(pointer: &str, value: Value) -> Vec<String> {
    let acceptors =
        json!([{"state": "success", "matcher": "path", "argument": "status", "expected": "DONE"}]);
    let mut waiters = waiters(&acceptors);
    *waiters.pointer_mut(pointer).unwrap() = value;
    messages(
        model(&service(), &[("waiters-2.json", &waiters)]).1,
        "job/waiters-2.json",
    )
}

fn messages(events: Vec<String>, file: &str) -> Vec<String> {
    let start = format!("{file} ERROR SmithyWaiters.Botocore: ");
    let message = |event: String| event.strip_prefix(&start).unwrap_or(&event).to_owned();
    events.into_iter().map(message).collect()
}

#[test]
fn of_the_service() {
    assert_eq!(
        of_service("/metadata", json!(1)),
        ["`metadata` must be an object, got `1`"]
    );
    assert_eq!(
        of_service("/metadata", json!({})),
        ["`metadata.serviceId` must be a string, got nothing"]
    );
    assert_eq!(
        of_service("/shapes/Number/type", json!("integr")),
        ["`shapes.Number.type` must be a shape type, got `integr`: did you mean `integer`?"]
    );
    assert_eq!(
        of_service("/shapes/Steps/member", json!({})),
        [
            "`shapes.Steps.member.shape` must be a string, got nothing",
            "the list is missing its member `member`"
        ]
        .map(|text| text.to_owned())
        .map(|text| text.replace(
            "the list",
            "job/service-2.json ERROR SmithyWaiters.Model: the list"
        ))
    );
}

#[test]
fn of_waiters_and_acceptors() {
    let waiter = "/waiters/JobDone";
    let of = |member: &str, value: Value| of_waiters(&format!("{waiter}{member}"), value);
    assert_eq!(
        of_waiters("/version", json!(3)),
        ["`version` must be 2, got `3`"]
    );
    assert_eq!(
        of("/operation", json!("GetJbo")),
        [
            "`waiters.JobDone.operation` must be an operation of the service, got `GetJbo`: did you mean `GetJob`?"
        ]
    );
    assert_eq!(
        of("/delay", json!(0)),
        ["`waiters.JobDone.delay` must be a positive integer, got `0`"]
    );
    assert_eq!(
        of("/maxAttempts", json!(1.5)),
        ["`waiters.JobDone.maxAttempts` must be a positive integer, got `1.5`"]
    );
    assert_eq!(
        of("/acceptors/0/matcher", json!("pathSome")),
        [
            "`waiters.JobDone.acceptors.0.matcher` must be one of `path`, `pathAll`, `pathAny`, `status`, `error`, got `pathSome`"
        ]
    );
    assert_eq!(
        of("/acceptors/0/state", json!(null)),
        [
            "`waiters.JobDone.acceptors.0.state` must be one of `success`, `failure`, `retry`, got null"
        ]
    );
    assert_eq!(
        of("/acceptors/0/argument", json!(["status"])),
        ["`waiters.JobDone.acceptors.0.argument` must be a string, got an array"]
    );
    let acceptor = |matcher: &str, expected: Value| {
        of(
            "/acceptors/0",
            json!({"state": "retry", "matcher": matcher, "expected": expected, "argument": "steps"}),
        )
    };
    assert_eq!(
        acceptor("status", json!(99)),
        ["`waiters.JobDone.acceptors.0.expected` must be an HTTP status from 200 to 599, got `99`"]
    );
    assert_eq!(
        acceptor("error", json!(404)),
        [
            "`waiters.JobDone.acceptors.0.expected` must be an error code, `true` or `false`, got `404`"
        ]
    );
    assert_eq!(
        acceptor("pathAny", json!(null)),
        [
            "job/waiters-2.json WARNING SmithyWaiters.Botocore.NotExpressible: `waiters.JobDone.acceptors.0.expected` must not be null: \
          a path cannot find null in a list"
        ]
    );
}

#[test]
fn of_paginators() {
    let paginators = json!({"pagination": {"GetJobs": {}, "GetJob": {"input_token": 1}}});
    let (_, events) = model(&service(), &[("paginators-1.json", &paginators)]);
    assert_eq!(
        messages(events, "job/paginators-1.json"),
        [
            "`pagination.GetJob.input_token` must be a string or an array, got `1`",
            "`pagination.GetJobs` must be an operation of the service: did you mean `GetJob`?"
        ]
    );
}

#[test]
fn waiters_need_their_service() {
    let mut sources = Sources::default();
    assert!(sources.add("one/service-2.json", service().to_string()));
    assert!(sources.add("two/waiters-2.json", "{}"));
    let model = read(&sources);
    let [event] = model.events() else {
        panic!("{:?}", model.events())
    };
    assert_eq!(
        event.message,
        "`waiters-2.json` requires a `service-2.json` in the same folder"
    );
    assert_eq!(
        sources.position(event.at).unwrap().file,
        "two/waiters-2.json"
    );
}

#[test]
fn a_damaged_file() {
    let mut sources = Sources::default();
    assert!(sources.add("service-2.json", service().to_string()));
    assert!(sources.add("waiters-2.json", "{\"version\": 2,\n"));
    let model = read(&sources);
    let [event] = model.events() else {
        panic!("{:?}", model.events())
    };
    let at = sources.position(event.at).unwrap();
    assert_eq!((at.file, at.line), ("waiters-2.json", 2));
    assert!(
        event.message.starts_with("invalid JSON"),
        "{}",
        event.message
    );
}
