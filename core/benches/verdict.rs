//! Benchmarks of verdicts: the engine, a hand-written closure and the `jmespath` crate.
//!
//! `cargo bench -p smithy-waiters --bench verdict` prints one JSON object for each case, with times in nanoseconds.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark with its own data"
)]

mod timing;

use std::hint::black_box;

use serde_json::{Value, json};
use smithy_waiters::{Observation, Waiter};
use timing::{Contestant, medians};

fn main() {
    for case in [
        table_status(5_000),
        table_status(1_500_000),
        stacks(20),
        stacks(4_000),
    ] {
        println!("{}", case.measure());
    }
}

/// One verdict, computed in three ways.
struct Case {
    name: String,
    waiter: Waiter,
    response: Value,
    path: &'static str,
    by_hand: fn(&Value) -> bool,
}

impl Case {
    fn measure(&self) -> Value {
        let expression = jmespath::compile(self.path).unwrap();
        let contestants: Vec<Contestant<'_>> = vec![
            (
                "engine",
                Box::new(|| {
                    black_box(self.waiter.evaluate(
                        &Value::Null,
                        Observation::Response(black_box(&self.response)),
                    ));
                }),
            ),
            (
                "byHand",
                Box::new(|| {
                    black_box((self.by_hand)(black_box(&self.response)));
                }),
            ),
            (
                "jmespathCrate",
                Box::new(|| {
                    black_box(expression.search(black_box(&self.response)).unwrap());
                }),
            ),
        ];
        let mut result = json!({ "case": self.name, "bytes": self.response.to_string().len() });
        for (name, time) in medians(contestants) {
            result[name] = time.into();
        }
        result
    }
}

fn waiter(path: &str, comparator: &str, expected: &str) -> Waiter {
    let output = json!({"path": path, "comparator": comparator, "expected": expected});
    let definition = json!({"acceptors": [{"state": "success", "matcher": {"output": output}}]});
    Waiter::from_value(&definition, None).unwrap()
}

/// Returns a case with a DescribeTable response of about `bytes` bytes.
fn table_status(bytes: usize) -> Case {
    let attributes: Vec<Value> = (0..bytes / 60)
        .map(
            |index| json!({"AttributeName": format!("attribute-{index:06}"), "AttributeType": "S"}),
        )
        .collect();
    let table =
        json!({"TableName": "orders", "TableStatus": "ACTIVE", "AttributeDefinitions": attributes});
    Case {
        name: "Table.TableStatus".to_owned(),
        waiter: waiter("Table.TableStatus", "stringEquals", "ACTIVE"),
        response: json!({ "Table": table }),
        path: "Table.TableStatus",
        by_hand: |response| response["Table"]["TableStatus"].as_str() == Some("ACTIVE"),
    }
}

/// Returns a case with a DescribeStacks response of `count` completed stacks.
fn stacks(count: usize) -> Case {
    let stack = |index| {
        json!({"StackName": format!("stack-{index}"), "StackStatus": "CREATE_COMPLETE",
        "Parameters": [{"ParameterKey": "a", "ParameterValue": "b"}], "Description": "x".repeat(200)})
    };
    Case {
        name: "Stacks[].StackStatus".to_owned(),
        waiter: waiter("Stacks[].StackStatus", "allStringEquals", "CREATE_COMPLETE"),
        response: json!({"Stacks": (0..count).map(stack).collect::<Vec<_>>()}),
        path: "Stacks[].StackStatus",
        by_hand: |response| {
            let Some(stacks) = response["Stacks"].as_array() else {
                return false;
            };
            !stacks.is_empty()
                && stacks
                    .iter()
                    .all(|stack| stack["StackStatus"].as_str() == Some("CREATE_COMPLETE"))
        },
    }
}
