//! Expressions on values that cannot be read, computed values and literals, in addition to the compliance suite.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use serde_json::{Value as Json, json};
use smithy_waiters::CompiledExpression;

use crate::broken::Broken;

fn search(text: &str, value: &Json) -> Json {
    let expression = CompiledExpression::new(text).unwrap();
    expression.search(value).unwrap().into()
}

/// Returns the code and the message of an error, or of the result if there is none.
fn problem(text: &str, value: &Json) -> (&'static str, String) {
    let expression = CompiledExpression::new(text).unwrap();
    match expression.search(Broken(value)) {
        Ok(found) => ("", format!("{found:?}")),
        Err(error) => (error.code, error.message),
    }
}

#[test]
fn values_that_cannot_be_read_are_errors() {
    let value = json!({
        "K": "!kind", "T": "!text", "L": [1, "!kind"], "O": {"a": "!kind"}, "S": "s",
    });
    for text in [
        "length(K)",
        "length(T)",
        "K == S",
        "T == S",
        "S == T",
        "L == L",
        "O == O",
        "L[?@ == S]",
        "to_string(O)",
        "K[0]",
        "K[*]",
        "sort_by(L, &@)",
        "K && S",
        "!K",
        "type(K)",
        "L[*]",
    ] {
        let (code, message) = problem(text, &value);
        assert_eq!(
            (code, message.contains("the getter failed")),
            ("evaluation_error", true),
            "{text}: {message}"
        );
    }
    // A value cannot fail if it is not read.
    for text in [
        "S",
        "T",
        "K",
        "L[0]",
        "length(L)",
        "S || K",
        "keys(O)",
        "type(T)",
    ] {
        assert_eq!(problem(text, &value).0, "", "{text}");
    }
}

#[test]
fn an_array_may_lose_items_while_it_is_read() {
    let value = json!({"A": [1, "!gone"], "B": [1, 2], "C": [1, 3]});
    for (text, expected) in [
        ("A == A", "true"),
        ("A == B", "false"),
        ("B == A", "false"),
        ("B == C", "false"),
        ("length(A)", "2.0"),
        ("length(A[*])", "1.0"),
    ] {
        let (code, found) = problem(text, &value);
        assert!(
            code.is_empty() && found.contains(expected),
            "{text}: {found}"
        );
    }
}

#[test]
fn arrays_and_objects_are_equal_if_all_of_them_is() {
    let value = json!({
        "L": [1, {"a": 2}], "M": [1, {"a": 3}], "N": [1],
        "O": {"a": 1, "b": [2]}, "P": {"b": [2], "a": 1}, "Q": {"a": 1}, "R": {"a": 1, "c": [2]},
        "S": {"a": 1, "b": [3]},
    });
    for (text, expected) in [
        ("L == L", true),
        ("L == M", false),
        ("L == N", false),
        ("N == L", false),
        ("N == `[1]`", true),
        ("O == P", true),
        ("O == Q", false),
        ("Q == O", false),
        ("O == R", false),
        ("O == S", false),
        ("{a: Q.a} == Q", true),
        ("{a: Q.a, b: N} == Q", false),
        ("[N[0]] == N", true),
    ] {
        assert_eq!(search(text, &value), json!(expected), "{text}");
        let unequal = text.replace("==", "!=");
        assert_eq!(search(&unequal, &value), json!(!expected), "{unequal}");
    }
}

#[test]
fn computed_values_are_read_as_those_of_the_host() {
    let value = json!({"A": [{"n": 1}, {"n": 2}], "B": [{"n": 3}], "s": "x"});
    for (text, expected) in [
        ("length({a: A, b: B})", json!(2)),
        ("length([A, B, s])", json!(3)),
        ("[A, B][]", json!([{"n": 1}, {"n": 2}, {"n": 3}])),
        ("[A, B][].n", json!([1, 2, 3])),
        ("[A[0], B][].n", json!([1, 3])),
        ("`[[1, 2], 3]`[]", json!([1, 2, 3])),
        ("`[[{\"n\": 1}], {\"n\": 2}]`[].n", json!([1, 2])),
        ("[A, B][1][0].n", json!(3)),
        ("[A, B][-1][0].n", json!(3)),
        ("[A, B][2]", json!(null)),
        ("[A, B][-3]", json!(null)),
        ("`[1, 2]`[1]", json!(2)),
        ("{a: A}.a[0].n", json!(1)),
        ("{a: A}.b", json!(null)),
        ("values({a: s})", json!(["x"])),
        ("{a: s}.*", json!(["x"])),
        ("`{\"a\": 1}`.*", json!([1])),
        ("s.*", json!(null)),
        ("keys({a: s, b: s})", json!(["a", "b"])),
        ("A[::-1].n", json!([2, 1])),
        ("A[5:].n", json!([])),
        ("A[0:1].n", json!([1])),
        ("s[0:1]", json!(null)),
        ("!s", json!(false)),
        ("`1` == `1.0`", json!(true)),
        ("length(A)", json!(2)),
        ("avg(A[].n)", json!(1.5)),
        (
            "{s: s, l: [length(A)], t: A[0].n == `1`}",
            json!({"s": "x", "l": [2], "t": true}),
        ),
        ("join('-', [s, s])", json!("x-x")),
        ("nothing", json!(null)),
        ("reverse(s)", json!("x")),
        ("reverse(`[1, 2]`)", json!([2, 1])),
        ("reverse(A)[].n", json!([2, 1])),
        ("!!{a: A}", json!(true)),
        ("{a: A, s: s}.s", json!("x")),
        ("length(A).b", json!(null)),
        ("'x' | b", json!(null)),
        ("[A, s][*].b", json!([])),
        ("`[1.5, {\"d\": null}]`", json!([1.5, {"d": null}])),
    ] {
        assert_eq!(search(text, &value), expected, "{text}");
    }
}
