//! Errors and unusual responses as JSON. The vectors `wait/json.json` have the members.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::driver::OperationError;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{
    CompiledExpression, Driver, ErrorMetadata, Event, Outcome, Response, View, WaitOptions, Waiter,
    WaiterError,
};

const READY: &str = r#"{"acceptors": [
    {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "ready"}}},
    {"state": "failure", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "broken"}}},
    {"state": "success", "matcher": {"errorType": "Gone"}},
    {"state": "retry", "matcher": {"errorType": "Missing"}}]}"#;

fn wait<T: Response, E: OperationError>(
    mut results: Vec<Result<T, E>>,
) -> Result<Outcome<T, E>, WaiterError<T, E>> {
    let waiter = Waiter::named("Ready", READY).unwrap();
    results.reverse();
    let options = WaitOptions::new(Duration::from_secs(60))
        .max_attempts(2)
        .seed(1);
    let call = |_| results.pop().unwrap();
    Driver::new(FakeClock::new()).wait_blocking(&waiter, call, options)
}

#[test]
fn integers_that_doubles_cannot_represent_stay_exact() {
    let broken = json!({"s": "broken", "size": 9_007_199_254_740_993_u64});
    let failure = wait(vec![Ok::<_, ErrorMetadata<'_>>(broken.clone())]).unwrap_err();
    assert_eq!(serde_json::to_value(failure).unwrap()["response"], broken);
}

/// Error of a broken connection, with a source.
#[derive(Debug)]
struct Broken(std::io::Error);

impl OperationError for Broken {
    fn metadata(&self) -> ErrorMetadata<'_> {
        ErrorMetadata::of_class("Broken").message(self.to_string())
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

impl Error for Broken {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection broke")
    }
}

#[test]
fn an_error_has_its_sources() {
    let broken = Broken(std::io::Error::other("reset by peer"));
    let told = serde_json::to_value(wait(vec![Err::<Value, _>(broken)]).unwrap_err()).unwrap();
    assert_eq!(
        told["cause"],
        json!({
            "name": "Broken",
            "message": "the connection broke",
            "cause": {"name": null, "message": "reset by peer"},
        })
    );
}

/// An infinite list.
#[derive(Debug)]
struct Nested;

impl Response for Nested {
    fn view(&self) -> View<'_> {
        View::Array(self)
    }
}

impl smithy_waiters::response::Items for Nested {
    fn len(&self) -> usize {
        1
    }

    fn item(&self, _: usize) -> Option<View<'_>> {
        Some(View::Array(self))
    }
}

#[test]
fn large_responses_are_cut() {
    let nested = wait(vec![Ok::<_, ErrorMetadata<'_>>(Nested), Ok(Nested)]).unwrap_err();
    let told = serde_json::to_value(nested).unwrap();
    let mut inner = &told["response"];
    for _ in 0..32 {
        inner = &inner[0];
    }
    assert_eq!(inner, "<too deep>");
    let long = vec![0.5; 200_000];
    let long = wait(vec![Ok::<_, ErrorMetadata<'_>>(long.clone()), Ok(long)]).unwrap_err();
    let told = serde_json::to_value(long).unwrap();
    let items = told["response"].as_array().unwrap();
    assert_eq!(
        (items.len(), &items[99_998], &items[99_999]),
        (100_000, &json!(0.5), &json!("<too large>"))
    );
}

#[test]
fn errors_of_the_caller() {
    let definition = Waiter::from_json(r#"{"acceptors": []}"#).unwrap_err();
    assert_eq!(
        serde_json::to_value(&definition).unwrap(),
        json!({
            "name": "DefinitionError",
            "message": definition.to_string(),
            "code": "no_acceptors",
            "path": "acceptors",
            "column": null,
        })
    );
    let expression = CompiledExpression::new("a.[").unwrap_err();
    let told = serde_json::to_value(&expression).unwrap();
    assert_eq!(
        (&told["name"], &told["column"]),
        (&json!("ExpressionError"), &json!(4))
    );
    let waiter = Waiter::from_json(READY).unwrap();
    let options = WaitOptions::new(Duration::ZERO);
    let error: WaiterError<Value, ErrorMetadata<'_>> =
        waiter.start(&options, 1).unwrap_err().into();
    let told = serde_json::to_value(&error).unwrap();
    assert_eq!(
        (&told["name"], &told["option"]),
        (&json!("OptionsError"), &json!("maxWait"))
    );
    let mut wait = waiter
        .start(&WaitOptions::new(Duration::from_secs(1)), 1)
        .unwrap();
    let told =
        serde_json::to_value(wait.handle(Event::deadline_reached(), 0).unwrap_err()).unwrap();
    assert_eq!(
        (&told["name"], &told["code"]),
        (&json!("StateError"), &json!("not_in_flight"))
    );
}
