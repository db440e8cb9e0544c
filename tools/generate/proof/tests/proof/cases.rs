//! The number of random responses, and smaller ones that still show a difference.

use std::env;

use serde_json::Value as Json;

/// Returns the number of random responses for each matcher, which `cargo xtask deep` increases.
pub(crate) fn responses(usual: usize) -> usize {
    let given = env::var("SMITHY_WAITERS_RESPONSES").ok();
    given.map_or(usual, |count| count.parse().unwrap())
}

/// Prints the number of responses on which generated code and the engine agree.
#[expect(clippy::print_stdout, reason = "`cargo xtask` reads it")]
pub(crate) fn report(count: usize, about: &str) {
    println!("generated: {count} responses of {about}");
}

/// Removes members and items from a value while both sides still differ on it.
pub(crate) fn smaller(mut value: Json, differs: &dyn Fn(&Json) -> bool) -> Json {
    while let Some(next) = parts(&value).into_iter().find(differs) {
        value = next;
    }
    value
}

/// Returns copies of a value, each without one of the members and items at any depth.
fn parts(value: &Json) -> Vec<Json> {
    let mut parts = Vec::new();
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                let mut without = members.clone();
                without.remove(name);
                parts.push(without.into());
                for part in self::parts(member) {
                    let mut with = members.clone();
                    with.insert(name.clone(), part);
                    parts.push(with.into());
                }
            }
        }
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let mut without = items.clone();
                without.remove(index);
                parts.push(without.into());
                for part in self::parts(item) {
                    let mut with = items.clone();
                    *with.get_mut(index).unwrap() = part;
                    parts.push(with.into());
                }
            }
        }
        _ => {}
    }
    parts
}

#[test]
fn a_difference_is_made_smaller() {
    let value = serde_json::json!({"a": [{"b": 1}, {"b": 2, "c": 3}], "d": 4});
    let differs = |value: &Json| value.to_string().contains("\"b\":2");
    let found = smaller(value, &differs);
    assert_eq!(found, serde_json::json!({"a": [{"b": 2}]}));
}
