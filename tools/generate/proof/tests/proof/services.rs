//! The matchers of all published services, over plain types: they match what the verdicts and the interpreter match.

use std::fs;
use std::path::Path;

use serde_json::json;
use smithy_waiters_model::{Model, id, read};

use crate::cases::{report, responses};
use crate::plain::{Held, RANDOM, random, side};
use crate::{data, sdk_value};

#[test]
fn all_services_are_as_the_verdicts_and_the_interpreter_have_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/data/aws-verdicts");
    let (mut waiters, mut count) = (0_usize, 0_usize);
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let service = path.file_stem().and_then(|name| name.to_str()).unwrap();
        let sources = data::model(service);
        let model = read(&sources);
        for given in data::given(service) {
            of_waiter(&model, service, &given);
            count = count.saturating_add(given.cases.len());
            waiters = waiters.saturating_add(1);
        }
    }
    assert_eq!(waiters, 213);
    let random = waiters.saturating_mul(responses(RANDOM));
    report(random.saturating_add(count), "all services");
}

fn of_waiter(model: &Model<'_>, service: &str, given: &data::Given) {
    let output = side(model, &given.operation, "output");
    let mut random = random(model, &given.waiter);
    let asked = Held {
        service,
        waiter: given.waiter.clone(),
    };
    for case in &given.cases {
        match &case.output {
            Some(value) => {
                let held = sdk_value::sdk_value(model, output, value, false);
                let got = asked.agree(&json!({}), &held);
                if held == *value {
                    assert_eq!(
                        got,
                        case.acceptor,
                        "{service} {}",
                        id::name(&given.operation)
                    );
                }
            }
            None => {
                let error = case.error.as_deref().unwrap();
                asked.agree_on_error_of(error, &names(model, &given.operation, error));
            }
        }
    }
    for _ in 0..responses(RANDOM) {
        let value = random.value(output, 0);
        asked.agree(&json!({}), &value);
    }
}

/// All names of an error: its shape's and its code, whichever is given.
fn names<'m>(model: &'m Model<'m>, operation: &str, error: &'m str) -> Vec<&'m str> {
    let operation = model.shape(operation).unwrap();
    let mut names = vec![error];
    for shape in operation
        .references("errors")
        .filter_map(|id| model.shape(id))
    {
        match (id::name(shape.id), shape.query_code()) {
            (name, Some(code)) if name == error => names.push(code),
            (name, Some(code)) if code == error => names.push(name),
            _ => {}
        }
    }
    names
}
