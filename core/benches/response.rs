//! Benchmarks of a verdict on a typed response: parsed JSON, a derived `Response` and serde.
//!
//! `cargo bench -p smithy-waiters --bench response --features derive` prints one JSON object for each case, with times
//! in nanoseconds.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark with its own data"
)]

mod timing;

use std::hint::black_box;

use serde::Serialize;
use serde_json::{Value, json};
use smithy_waiters::{Observation, Response, Serialized, Waiter};
use timing::{Contestant, medians};

#[derive(Response, Serialize)]
#[waiter(rename_all = "PascalCase")]
#[serde(rename_all = "PascalCase")]
struct DescribeStacksOutput {
    stacks: Vec<Stack>,
}

#[derive(Response, Serialize)]
#[waiter(rename_all = "PascalCase")]
#[serde(rename_all = "PascalCase")]
struct Stack {
    stack_name: String,
    stack_status: &'static str,
    description: String,
}

fn main() {
    let definition = json!({"acceptors": [{"state": "success", "matcher": {"output": {
        "path": "Stacks[].StackStatus", "comparator": "allStringEquals", "expected": "CREATE_COMPLETE"}}}]});
    let waiter = Waiter::from_value(&definition, None).unwrap();
    for count in [1, 20, 4_000] {
        println!("{}", measure(&waiter, &stacks(count)));
    }
}

fn measure(waiter: &Waiter, output: &DescribeStacksOutput) -> Value {
    let parsed = serde_json::to_value(output).unwrap();
    let evaluate = |response: &dyn Response| {
        black_box(waiter.evaluate(
            smithy_waiters::View::Null,
            Observation::Response(response.view()),
        ));
    };
    let contestants: Vec<Contestant<'_>> = vec![
        ("engine", Box::new(|| evaluate(black_box(&parsed)))),
        ("derived", Box::new(|| evaluate(black_box(output)))),
        (
            "serialized",
            Box::new(|| evaluate(&Serialized::new(black_box(output)))),
        ),
    ];
    let mut result = json!({"case": "typed response", "bytes": parsed.to_string().len()});
    for (name, time) in medians(contestants) {
        result[name] = time.into();
    }
    result
}

fn stacks(count: usize) -> DescribeStacksOutput {
    let stack = |index| Stack {
        stack_name: format!("stack-{index}"),
        stack_status: "CREATE_COMPLETE",
        description: "x".repeat(200),
    };
    DescribeStacksOutput {
        stacks: (0..count).map(stack).collect(),
    }
}
