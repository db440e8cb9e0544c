//! Hints on responses and errors of real models: a definition that AWS published is no mistake.
#![expect(
    clippy::explicit_write,
    clippy::unwrap_used,
    reason = "a panic fails the test, and output must not be captured"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
#[cfg(feature = "botocore")]
use serde_json::json;
#[cfg(feature = "botocore")]
use smithy_waiters::internal::botocore;
use smithy_waiters::{ErrorMetadata, Event, WaitOptions, Waiter};

#[test]
fn no_first_answer_of_a_published_waiter_has_a_hint() {
    let Some(files) = files("aws-verdicts") else {
        return;
    };
    let (mut waiters, mut answers, mut hints) = (0, 0, BTreeSet::new());
    for path in files {
        let file = json(&path);
        for waiter in file.as_array().unwrap() {
            waiters += 1;
            let name = waiter["waiter"].as_str().unwrap();
            let engine = Waiter::from_value(&waiter["definition"], Some(name)).unwrap();
            for case in waiter["cases"].as_array().unwrap() {
                answers += 1;
                let found = hints_on(&engine, case);
                hints.extend(found.into_iter().map(|hint| format!("{name}: {hint}")));
            }
        }
    }
    writeln!(
        stderr(),
        "aws hints: {} on {answers} answers for {waiters} waiters",
        hints.len()
    )
    .unwrap();
    // A mistake of the definition: the waiter fails at the error that it expects.
    let wrong = "TenantDatabaseDeleted: TenantDatabaseDeleted: the error is `DBInstanceNotFound` and not `DBInstanceNotFoundFault`: write its whole name in `errorType` or `retry_errors`";
    assert_eq!(hints, BTreeSet::from([wrong.to_owned()]));
    assert!(answers > 1_000);
}

/// Every waiter of botocore, on responses of its operation's shape without some of the members.
#[cfg(feature = "botocore")]
#[test]
fn no_first_answer_of_a_waiter_of_botocore_has_a_hint() {
    let Some(services) = files("botocore") else {
        return;
    };
    let (mut waiters, mut random, mut hints) = (0, Random(1), BTreeSet::new());
    for service in services {
        let model = json(&service.join("service-2.json"));
        let file = fs::read_to_string(service.join("waiters-2.json")).unwrap();
        for name in botocore::names(&file).unwrap() {
            waiters += 1;
            let found = botocore::waiter(&file, &name).unwrap();
            let operation = model["operations"].get(&found.operation).unwrap();
            let output = operation.pointer("/output/shape");
            for _ in 0..50 {
                let output = output.map_or_else(
                    || json!({}),
                    |shape| random.value(&model["shapes"], shape.as_str().unwrap(), 6),
                );
                let found = hints_on(&found.waiter, &json!({"input": {}, "output": output}));
                hints.extend(found);
            }
        }
    }
    writeln!(
        stderr(),
        "aws hints: {} for {waiters} waiters of botocore",
        hints.len()
    )
    .unwrap();
    // A mistake of the definition: the state is `REVERTED` in the model.
    let wrong = "EnvironmentReadyForDeployment: State gave \"REVERTED\", which differs from the expected \"Reverted\" only in case";
    assert_eq!(hints, BTreeSet::from([wrong.to_owned()]));
    assert!(waiters > 300);
}

/// A generator of numbers, which are equal in each run.
#[cfg(feature = "botocore")]
struct Random(u64);

#[cfg(feature = "botocore")]
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the numbers are small, and a panic fails the test"
)]
impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// Returns a value of a shape of botocore. One in four members has no value.
    fn value(&mut self, shapes: &Value, name: &str, depth: usize) -> Value {
        let shape = shapes.get(name).unwrap();
        let target = |member: &Value| member["shape"].as_str().unwrap().to_owned();
        match shape["type"].as_str().unwrap() {
            "structure" if depth > 0 => {
                let members = shape["members"].as_object().unwrap();
                let members = members.iter().filter(|_| self.below(4) > 0);
                let members: Vec<_> = members
                    .map(|(name, of)| (name.clone(), target(of)))
                    .collect();
                let value =
                    |(name, of): (String, String)| (name, self.value(shapes, &of, depth - 1));
                members.into_iter().map(value).collect()
            }
            "list" if depth > 0 => {
                let of = target(&shape["member"]);
                let count = self.below(4);
                (0..count)
                    .map(|_| self.value(shapes, &of, depth - 1))
                    .collect()
            }
            "list" => json!([]),
            "structure" | "map" => json!({}),
            "boolean" => json!(self.below(2) == 0),
            "string" | "blob" | "character" => match shape.get("enum").and_then(Value::as_array) {
                Some(words) => words.get(self.below(words.len())).unwrap().clone(),
                None => json!("x"),
            },
            _ => json!(self.below(9)),
        }
    }
}

/// Returns the paths in a folder of data, or `None` if it was not made.
fn files(name: &str) -> Option<Vec<PathBuf>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../target/data")
        .join(name);
    let Ok(entries) = fs::read_dir(&folder) else {
        // `println!` would be captured if the test passes.
        writeln!(
            stderr(),
            "SKIPPED: `cargo xtask data` makes `{}`",
            folder.display()
        )
        .unwrap();
        return None;
    };
    Some(entries.map(|entry| entry.unwrap().path()).collect())
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn hints_on(waiter: &Waiter, case: &Value) -> Vec<String> {
    let options = WaitOptions::new(Duration::from_secs(600));
    let mut wait = waiter.start(&options, 1).unwrap();
    wait.poll(0);
    match case.get("error") {
        Some(error) => wait.handle(
            Event::error(&ErrorMetadata::of_code(error.as_str().unwrap())),
            1,
        ),
        None => wait.handle(
            Event::Response {
                value: &case["output"],
                input: Some(&case["input"]),
                not_before_ms: None,
            },
            1,
        ),
    }
    .unwrap();
    wait.hints().iter().map(ToString::to_string).collect()
}
