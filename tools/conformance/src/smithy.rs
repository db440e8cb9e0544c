//! A suite as Smithy: `httpResponseTests` for each response, and the proposed trait `waiterTests`.
//!
//! Clause: [HTTP protocol compliance tests](https://smithy.io/2.0/additional-specs/http-protocol-compliance-tests.html).
//! `conformance/PROPOSAL.md` describes the other trait. Values are written as JSON, which is also valid in the IDL.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::{Kind, Model, Shape, id};

use crate::Protocol;
use crate::suite::{Case, Suite};
use crate::wire::Wire;

/// The definition of the trait `waiterTests`, for a file beside those of the suites.
pub const WAITER_TESTS: &str = include_str!("../waiter-tests.smithy");

/// The tests of a trait by the shape that the trait is applied to.
type Tests = BTreeMap<String, Vec<Json>>;

/// Returns a suite as Smithy IDL. A suite without a protocol has no responses, only tests of waiters.
#[must_use]
pub fn smithy<'m>(model: &'m Model<'m>, suite: &Suite) -> String {
    let service = model.shape(&suite.service.shape);
    let protocol = service.and_then(|service| Protocol::of(service).first().copied());
    let (mut responses, mut waiters) = (Tests::new(), Tests::new());
    for case in &suite.cases {
        let operation = suite.waiters.get(&case.waiter);
        let operation =
            operation.and_then(|waiter| operation_with(model, &waiter.operation, &case.waiter));
        let Some(operation) = operation else {
            continue;
        };
        let wire = Wire {
            model,
            service,
            operation,
        };
        let error = case.answer.error.as_ref();
        let error = error.and_then(|error| wire.error_shape(error.shape.as_deref()?));
        let target = match (&case.answer.error, error) {
            (None, _) => Some(operation.id),
            (Some(_), error) => error.map(|error| error.id),
        };
        let response = target.zip(protocol.and_then(|protocol| response(case, protocol)));
        let answer = match (&response, &case.answer.error) {
            (Some(_), _) => json!({"response": identifier(&case.id)}),
            (None, Some(error)) => json!({"error": {"name": error.code}}),
            (None, None) => json!({"output": case.answer.output}),
        };
        if let Some((target, test)) = response {
            responses.entry(target.to_owned()).or_default().push(test);
        }
        let params = case
            .params
            .as_ref()
            .or_else(|| Some(&suite.waiters.get(&case.waiter)?.params));
        let test = waiter_test(case, params, &answer);
        waiters
            .entry(operation.id.to_owned())
            .or_default()
            .push(test);
    }
    let mut text = "$version: \"2\"\n\nnamespace waiters.conformance.tests\n".to_owned();
    text.push_str(&applied("smithy.test#httpResponseTests", &responses));
    text.push_str(&applied("smithy.test#waiterTests", &waiters));
    text
}

/// Returns the operation with a name and a waiter.
fn operation_with<'m>(model: &'m Model<'m>, name: &str, waiter: &str) -> Option<&'m Shape<'m>> {
    model.of_kind(Kind::Operation).find(|operation| {
        let applied = operation.find_trait(id::WAITABLE);
        id::name(operation.id) == name
            && applied.is_some_and(|applied| applied.value.member(waiter).is_some())
    })
}

fn response(case: &Case, protocol: Protocol) -> Option<Json> {
    let http = case.answer.http.as_ref()?;
    let body = http.body.as_ref().or(http.body_base64.as_ref());
    let media_type = body.and_then(|_| http.headers.get("content-type"));
    Some(structure([
        ("id", Some(identifier(&case.id).into())),
        ("protocol", Some(protocol.trait_id().into())),
        ("code", Some(http.status.into())),
        ("headers", Some(json!(http.headers))),
        ("body", body.map(|body| body.as_str().into())),
        (
            "bodyMediaType",
            media_type.map(|media_type| media_type.as_str().into()),
        ),
        ("params", case.answer.output.clone()),
        ("tags", Some(json!(["waiters"]))),
    ]))
}

fn waiter_test(case: &Case, params: Option<&Map<String, Json>>, answer: &Json) -> Json {
    let expect = [
        ("state", Some(case.expect.state.as_str().into())),
        ("acceptor", case.expect.acceptor.map(Json::from)),
    ];
    structure([
        ("id", Some(identifier(&case.id).into())),
        ("waiter", Some(case.waiter.as_str().into())),
        ("params", params.cloned().map(Json::Object)),
        ("answers", Some(json!([answer]))),
        ("expect", Some(structure(expect))),
        ("documentation", Some(case.reason.as_str().into())),
        ("tags", Some(json!([case.basis]))),
    ])
}

/// Returns an object of the members that have a value.
fn structure<const N: usize>(members: [(&str, Option<Json>); N]) -> Json {
    let members = members.into_iter();
    let set = members.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Json::Object(set.collect())
}

fn applied(name: &str, tests: &Tests) -> String {
    let apply = |(target, tests): (&String, &Vec<Json>)| {
        let tests: Vec<String> = tests.iter().map(|test| format!("    {test}\n")).collect();
        format!("\napply {target} @{name}([\n{}])\n", tests.concat())
    };
    tests.iter().map(apply).collect()
}

/// Returns an id in the grammar of protocol tests.
fn identifier(id: &str) -> String {
    id.replace(['.', '-'], "_")
}
