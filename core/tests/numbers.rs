//! A host that reads and prints numbers: it is asked for every number with a fraction. In a process of its own, which has
//! this host for good.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use serde_json::{Value, json};
use smithy_waiters::value::Numbers;
use smithy_waiters::{CompiledExpression, Found, Waiter};

/// Reads fractions as twice what they are, so that it shows who has read them.
fn host() -> Numbers {
    Numbers {
        print: |number| format!("<{number}>"),
        parse: |text, json| {
            let doubled = doubled(&serde_json::from_str(text).unwrap());
            Numbers::correct(json, &&doubled).unwrap();
        },
    }
}

fn doubled(json: &Value) -> Value {
    match json {
        Value::Number(number) if number.is_f64() => json!(number.as_f64().unwrap() * 2.0),
        Value::Array(items) => items.iter().map(doubled).collect(),
        Value::Object(members) => {
            let members = members.iter();
            members
                .map(|(name, value)| (name.clone(), doubled(value)))
                .collect()
        }
        other => other.clone(),
    }
}

fn search(expression: &str) -> Found<&Value> {
    let expression = CompiledExpression::new(expression).unwrap();
    expression.search(&Value::Null).unwrap()
}

#[test]
fn the_host_reads_and_prints_what_has_a_fraction() {
    host().install();
    assert_eq!(search("`1.5`"), Found::Number(3.0));
    assert_eq!(search("`7`"), Found::Number(7.0));
    assert_eq!(
        search("'a' && ` [{\"\\`\\\\\": [0.25]}] ` | [0].*[] | [0]"),
        Found::Number(0.5)
    );
    assert_eq!(search("to_number('2.5')"), Found::Number(5.0));
    assert_eq!(
        search("to_string(`[4, 1.5]`)"),
        Found::String("[<4>,<3>]".into())
    );
    let error = Waiter::from_json(r#"{"minDelay": 0.75, "acceptors": []}"#).unwrap_err();
    assert!(error.message.ends_with("got <1.5>"), "{error}");
}
