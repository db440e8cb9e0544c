//! Random expressions, and values with the members that they name.
//!
//! Forms in which Smithy's evaluator is known to deviate from the specification are left out: slices that start after
//! the end of an array, `to_string` of a composite value, `contains` of a string and a non-string, and sorting a single
//! unsortable item.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use serde_json::{Value, json};

/// An expression of any form. Operands are in parentheses, so that forms combine freely.
pub(super) fn expression() -> impl Strategy<Value = String> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        Union::new_weighted(vec![
            (
                6,
                (inner.clone(), step())
                    .prop_map(|(left, step)| left + &step)
                    .boxed(),
            ),
            (4, followed(inner.clone()).boxed()),
            (3, operation(inner.clone()).boxed()),
            (2, selection(inner.clone()).boxed()),
            (3, call(inner).boxed()),
        ])
    })
}

/// Returns a value with up to four levels.
pub(super) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        2 => select(vec![json!("x"), json!("y"), json!(""), json!("é\"")]),
        2 => select(vec![json!(0), json!(1), json!(-2), json!(1.5)]),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let members = prop::collection::btree_map(name(), inner.clone(), 0..4);
        prop_oneof![
            2 => prop::collection::vec(inner, 0..5).prop_map(Value::from),
            3 => members.prop_map(|members| json!(members)),
        ]
    })
}

fn name() -> impl Strategy<Value = &'static str> {
    select(vec!["a", "b", "c"])
}

fn leaf() -> impl Strategy<Value = String> {
    let literals = [
        "`1`",
        "`null`",
        "`true`",
        "`[]`",
        "`{}`",
        "`[1, [2]]`",
        "'x'",
    ];
    prop_oneof![
        6 => name().prop_map(str::to_owned),
        2 => Just("@".to_owned()),
        1 => select(literals.to_vec()).prop_map(str::to_owned),
    ]
}

/// Returns a step of a path.
fn step() -> impl Strategy<Value = String> {
    let steps = [
        ".a",
        ".b",
        ".c",
        ".*",
        "[*]",
        "[]",
        "[0]",
        "[-1]",
        "[-1:]",
        "[:2]",
        "[::-1]",
        "[?a]",
        "[?@ == 'x']",
        " | [0]",
    ];
    select(steps.to_vec()).prop_map(str::to_owned)
}

/// Returns an expression followed by another one.
fn followed(inner: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let form = select(vec![
        "L.[R]",
        "L.{a: R, b: R}",
        "L[?R]",
        "L | R",
        "L[*].[R]",
        "L.*.{a: R}",
        "L[].[R, R]",
    ]);
    (form, inner.clone(), inner).prop_map(|(form, left, right)| fill(form, &left, &right))
}

fn operation(inner: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let form = select(vec![
        "(L) && (R)",
        "(L) || (R)",
        "!(L)",
        "(L)",
        "(L) == (R)",
        "(L) != (R)",
        "(L) < (R)",
        "(L) >= (R)",
    ]);
    (form, inner.clone(), inner).prop_map(|(form, left, right)| fill(form, &left, &right))
}

fn selection(inner: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let form = select(vec!["[L, R]", "{a: L, b: R}", "[L]", "{a: L}"]);
    (form, inner.clone(), inner).prop_map(|(form, left, right)| fill(form, &left, &right))
}

fn call(inner: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let form = select(vec![
        "abs(L)",
        "avg(L)",
        "ceil(L)",
        "contains(to_array(L), R)",
        "contains(type(L), type(R))",
        "ends_with(L, R)",
        "floor(L)",
        "join(R, L)",
        "length(L)",
        "length(values(L))",
        "map(&R, L)",
        "max([L, R])",
        "max_by(L, &type(@))",
        "merge(L, R)",
        "min([L, R])",
        "min_by(L, &length(@))",
        "not_null(L, R)",
        "reverse(L)",
        "sort([L, R])",
        "sort(keys(L))",
        "sort_by(L, &type(@))",
        "sort_by([L, R], &@)",
        "starts_with(L, R)",
        "sum(L)",
        "to_array(L)",
        "to_number(L)",
        "to_string(length(L))",
        "type(L)",
    ]);
    (form, inner.clone(), inner).prop_map(|(form, left, right)| fill(form, &left, &right))
}

fn fill(form: &str, left: &str, right: &str) -> String {
    let parts = form.chars().map(|char| match char {
        'L' => left.to_owned(),
        'R' => right.to_owned(),
        other => other.to_string(),
    });
    parts.collect()
}
