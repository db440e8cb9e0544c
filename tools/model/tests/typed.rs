//! The typed tree of expressions, with nested chains, filters in their projections, and types at every node.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use smithy_waiters_model::typed::{Expression, Form, Op};
use smithy_waiters_model::{Model, Sources, read};

const MODEL: &str = r#"$version: "2"
namespace example
operation GetThings {
    input := { names: Names }
    output := { @required things: Things, next: String }
}
list Names { member: String }
list Things { member: Thing }
structure Thing { state: State, parts: Things, size: Integer }
enum State { READY, GONE }
"#;

fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add("model.smithy", MODEL);
    sources
}

fn tree<'m>(model: &'m Model<'m>, path: &str) -> Expression<'m> {
    let operation = model.shape("example#GetThings").unwrap();
    model.output_path(operation, path).unwrap()
}

/// Formats a tree briefly.
fn shown(expression: &Expression<'_>) -> String {
    let all = expression.children().into_iter().map(shown);
    let inside = all.collect::<Vec<_>>().join(" ");
    match &expression.op {
        Op::And(_) => format!("(and {inside})"),
        Op::Call(function, _) => format!("({} {inside})", function.name()),
        Op::Compare(comparison, _) => format!("({comparison:?} {inside})"),
        Op::Current => "@".to_owned(),
        Op::Each { when: None, .. } => format!("(each {inside})"),
        Op::Each { .. } => format!("(each-when {inside})"),
        Op::Flatten(_) => format!("(flatten {inside})"),
        Op::Index(_, index) => format!("({inside} at {index})"),
        Op::Literal(json) => json.to_string(),
        Op::Member(_, name) => format!("({inside} .{name})"),
        Op::Not(_) => format!("(not {inside})"),
        Op::Or(_) => format!("(or {inside})"),
        Op::Reference(_) => format!("(& {inside})"),
        Op::Then(_) => format!("(then {inside})"),
        other => format!("({other:?})"),
    }
}

#[test]
fn chains_are_nested_and_filters_belong_to_their_projections() {
    let sources = sources();
    let model = read(&sources);
    let trees = [
        ("next", "(@ .next)"),
        ("things[].state", "(each (flatten (@ .things)) (@ .state))"),
        ("things[0].parts[1]", "((((@ .things) at 0) .parts) at 1)"),
        (
            "things[*].parts | [0]",
            "((each (@ .things) (@ .parts)) at 0)",
        ),
        (
            "length(things[?!(size == `1`)]) == `0`",
            "(Equal (length (each-when (@ .things) (not (Equal (@ .size) 1)) @)) 0)",
        ),
        ("next | length(@)", "(then (@ .next) (length @))"),
        (
            "max_by(things, &size).state",
            "((max_by (@ .things) (& (@ .size))) .state)",
        ),
        (
            "next && things || next",
            "(or (and (@ .next) (@ .things)) (@ .next))",
        ),
    ];
    for (path, expected) in trees {
        assert_eq!(shown(&tree(&model, path)), expected, "{path}");
    }
}

#[test]
fn every_node_says_what_it_gives() {
    let sources = sources();
    let model = read(&sources);
    let things = tree(&model, "things");
    assert!(!things.gives.nullable, "it is required");
    let states = tree(&model, "things[].state");
    let element = states.gives.element(&model);
    assert!(matches!(&element.form, Form::String(Some(values)) if values.len() == 2));
    let Op::Each { each, .. } = &states.op else {
        panic!("no projection: {states:?}");
    };
    assert!(each.gives.nullable);
}

#[test]
fn a_failure_is_seen_below_a_node() {
    let sources = sources();
    let model = read(&sources);
    let fails = |path: &str| tree(&model, path).can_fail();
    assert!(fails("things[?length(parts) > `0`].state"));
    assert!(!fails("things[?state == 'GONE'].state"));
    assert!(!fails("not_null(next, 'none')"));
}

#[test]
fn what_the_engine_refuses_has_no_tree() {
    let sources = sources();
    let model = read(&sources);
    let operation = model.shape("example#GetThings").unwrap();
    for path in ["a..b", "f(@)", "length()", "&a"] {
        assert!(model.output_path(operation, path).is_none(), "{path}");
    }
}

#[test]
fn input_and_output_are_members_of_one_object() {
    let sources = sources();
    let model = read(&sources);
    let operation = model.shape("example#GetThings").unwrap();
    let path = "length(input.names) == length(output.things)";
    let expression = model.input_output_path(operation, path).unwrap();
    assert_eq!(
        shown(&expression),
        "(Equal (length ((@ .input) .names)) (length ((@ .output) .things)))"
    );
}
