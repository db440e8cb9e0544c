//! The models, and the verdicts that go with them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use smithy_waiters::Waiter;
use smithy_waiters_model::{Sources, read};

/// A waiter with the cases that are given for it.
pub(crate) struct Given {
    pub(crate) operation: String,
    pub(crate) waiter: Waiter,
    pub(crate) cases: Vec<Case>,
}

/// A response or the name of an error, and the acceptor that matches it.
pub(crate) struct Case {
    pub(crate) output: Option<Json>,
    pub(crate) error: Option<String>,
    pub(crate) acceptor: Option<usize>,
}

fn path(folder: &str, service: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/data");
    data.join(folder).join(format!("{service}.json"))
}

pub(crate) fn model(service: &str) -> Sources {
    in_folder("aws-models", service)
}

/// The model that is as old as the SDK, with the SDK's defaults.
pub(crate) fn sdk_model(service: &str) -> Sources {
    let mut sources = in_folder("sdk-models", service);
    if service == "ecs" {
        sources.add("tasks.smithy", include_str!("../../model/tasks.smithy"));
    }
    sources
}

fn in_folder(folder: &str, service: &str) -> Sources {
    let text = fs::read_to_string(path(folder, service)).unwrap();
    let mut sources = Sources::default();
    sources.add("model.json", text);
    sources
}

/// The waiters of a service.
pub(crate) fn given(service: &str) -> Vec<Given> {
    let text = fs::read_to_string(path("aws-verdicts", service)).unwrap();
    let waiters: Vec<Json> = serde_json::from_str(&text).unwrap();
    waiters.iter().map(of_waiter).collect()
}

/// The waiters of a service that the SDK has.
pub(crate) fn given_of_sdk(service: &str) -> Vec<Given> {
    let sources = sdk_model(service);
    let model = read(&sources);
    let mut given = given(service);
    given.retain(|given| {
        let operation = model.shape(&given.operation);
        let waitable = operation.and_then(|shape| shape.find_trait("smithy.waiters#waitable"));
        waitable.is_some_and(|waiters| waiters.value.member(given.waiter.name().unwrap()).is_some())
    });
    given
}

fn of_waiter(waiter: &Json) -> Given {
    let text = |name: &str| waiter.get(name).and_then(Json::as_str).unwrap().to_owned();
    let definition = waiter.get("definition").unwrap().to_string();
    let cases = waiter.get("cases").and_then(Json::as_array).unwrap();
    Given {
        operation: text("operation"),
        waiter: Waiter::named(&text("waiter"), &definition).unwrap(),
        cases: cases.iter().map(of_case).collect(),
    }
}

fn of_case(case: &Json) -> Case {
    let acceptor = case.pointer("/expected/acceptor").and_then(Json::as_u64);
    let error = case.get("error").and_then(Json::as_str);
    Case {
        output: case.get("output").cloned(),
        error: error.map(str::to_owned),
        acceptor: acceptor.map(|index| usize::try_from(index).unwrap()),
    }
}
