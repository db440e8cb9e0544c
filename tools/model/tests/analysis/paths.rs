//! Findings in paths.

use smithy_waiters_model::{Severity, Sources, lint, read};

use crate::{SHAPES, assert_said, messages, of_condition, of_matcher, of_path};

const NONE: [&str; 0] = [];

#[test]
fn paths_that_fit_are_let_be() {
    let fits = [
        ("state", "stringEquals", "ready"),
        ("old", "stringEquals", "on"),
        ("name", "stringEquals", "anything"),
        ("things[].state", "anyStringEquals", "ready"),
        ("things[0].state", "stringEquals", "ready"),
        ("byName.*.state", "anyStringEquals", "failed"),
        ("byName.x.state", "stringEquals", "failed"),
        ("either.thing.state", "stringEquals", "ready"),
        ("anything.any.thing", "stringEquals", "x"),
        ("anything[].any", "anyStringEquals", "x"),
        ("texts", "allStringEquals", "x"),
        ("[starts_with('ab', 'a'), done][1]", "booleanEquals", "true"),
        ("things[].tags[]", "anyStringEquals", "x"),
        (
            "things[?state == 'ready'].state",
            "anyStringEquals",
            "ready",
        ),
        ("done", "booleanEquals", "true"),
        ("size > `3`", "booleanEquals", "true"),
        ("when > `1700000000`", "booleanEquals", "true"),
        ("length(things) == `0`", "booleanEquals", "true"),
        ("length(things) > `0`", "booleanEquals", "false"),
        (
            "length(things[?state != 'ready']) == `0`",
            "booleanEquals",
            "true",
        ),
        (
            "state == 'ready' || state == 'failed'",
            "booleanEquals",
            "true",
        ),
        ("state != 'creating' && done", "booleanEquals", "true"),
        ("!done", "booleanEquals", "true"),
        ("maybe == null", "booleanEquals", "true"),
        ("contains(things[].state, 'ready')", "booleanEquals", "true"),
        ("not_null(name, 'none')", "stringEquals", "none"),
        ("[state, name][0]", "stringEquals", "ready"),
        ("{a: state}.a", "stringEquals", "ready"),
        (
            "max_by(things, &length(tags)).state",
            "stringEquals",
            "ready",
        ),
        ("sort_by(things, &state)[-1].state", "stringEquals", "ready"),
        ("to_string(size)", "stringEquals", "3"),
        ("type(anything)", "stringEquals", "object"),
        ("keys(byName || `{}`)[0]", "stringEquals", "x"),
        ("data", "stringEquals", "x"),
        ("to_string(state)", "stringEquals", "null"),
        ("not_null(`null`.a, name)", "stringEquals", "x"),
        ("not_null(`null`[0], name)", "stringEquals", "x"),
        ("not_null(`null`[], name)", "stringEquals", "x"),
        ("data == 'x'", "booleanEquals", "true"),
        ("{a: state}.*", "anyStringEquals", "ready"),
        ("to_array(ready)", "allStringEquals", "on"),
        ("sort(anything)[0]", "stringEquals", "x"),
    ];
    for (path, comparator, expected) in fits {
        let acceptor = of_matcher(path, comparator, expected);
        let mut found = crate::events(&format!("Ready: {{acceptors: [{acceptor}]}}"), &[]);
        // Other tests cover notes, dangers and names.
        found.retain(|event| {
            [Severity::Warning, Severity::Error].contains(&event.severity)
                && !event.id.contains("WaiterName")
        });
        assert_eq!(found, [], "{path}");
    }
}

#[test]
fn values_that_an_enum_does_not_have_never_match() {
    for (path, comparator, expected) in [
        ("state", "stringEquals", "redy"),
        ("old", "stringEquals", "ready"),
        ("things[].state", "anyStringEquals", "READY"),
        ("byName.*.state", "allStringEquals", "done"),
        ("numbers", "anyStringEquals", "1"),
        ("to_string(mode)", "stringEquals", "off"),
    ] {
        let found = of_path(path, comparator, expected);
        assert_eq!(found, ["NeverMatches.0"], "{path}");
    }
    let both = of_matcher("output.state", "stringEquals", "redy");
    let found = crate::findings("ThingsReady", &both.replace("output:", "inputOutput:"));
    assert!(found.contains(&"NeverMatches.0".to_owned()), "{found:?}");
    for path in [
        "state == 'redy'",
        "state != 'redy'",
        "'redy' == state",
        "things[?state == 'redy'] == `[]`",
    ] {
        assert_eq!(of_condition(path), ["UnknownEnumValue.0"], "{path}");
    }
}

#[test]
fn what_is_always_so_is_told_from_what_never_is() {
    for (path, says) in [
        ("length(ready) != `0`", "always true"),
        ("length(ready) == `0`", "always false"),
        ("percent != `200`", "always true"),
        ("percent == `1.5`", "always false"),
        ("rank < `1`", "always false"),
        ("`true` == `false`", "the two sides are never equal"),
        ("!`true` == `false`", "the two sides are always equal"),
        ("ready && `true`", "always returns `true`"),
        ("`null` == `null`", "the two sides are always equal"),
        ("{a: name} && `true`", "always returns `true`"),
        ("done && !done", "never matches: no response"),
        (
            "done || !done",
            "always matches: the path has the same result",
        ),
        (
            "[things[0], things[1]][].stat",
            "unknown member `stat`: did you mean `state`?",
        ),
        (
            "[[things[0]], [things[1]]][][].stat",
            "unknown member `stat`: did you mean `state`?",
        ),
        ("(byName || byName).x.stat", "unknown member `stat`"),
        ("[{a: name}, {a: name}][0].b", "unknown member `b`"),
        ("!`null`", "always returns `true`"),
        ("!''", "always returns `true`"),
        (
            "contains([pair, pair][0], 'x')",
            "no element is ever `x`: expected one of `on`, `of`",
        ),
    ] {
        assert_said(path, "booleanEquals", "true", says);
    }
}

#[test]
fn conditions_that_are_always_so_are_found() {
    for path in [
        "length(things) >= `0`",
        "`0` > length(things)",
        "`true`",
        "'a' == 'b'",
        "!`true` || `false`",
        "length(things[?`true`]) > `1`",
    ] {
        assert_eq!(of_condition(path), ["ConstantCondition.0"], "{path}");
    }
}

#[test]
fn an_order_with_what_may_be_missing_is_null_then_and_not_always_so() {
    for path in [
        "level <= `2`",
        "tiny < `1000`",
        "!(level <= `2`)",
        "count >= `-2147483648` || done",
        "only == `1`",
        "only != `1`",
        "!(only == `1`)",
    ] {
        assert_eq!(of_condition(path), NONE, "{path}");
    }
    assert_eq!(said("percent <= `100`"), ["the comparison is always true"]);
    assert_eq!(
        said("!(level > `2`)"),
        ["the comparison is never true"],
        "it is null where there is no `level`"
    );
    assert_eq!(
        said("!(percent > `100`)"),
        ["the comparison is always false"]
    );
    assert_eq!(
        said("only == `2`"),
        ["the value is never `2`: expected one of `1`"]
    );
}

/// Returns the messages of our findings in a condition, without the position.
fn said(path: &str) -> Vec<String> {
    let found = messages("ThingsReady", &of_matcher(path, "booleanEquals", "true"));
    let found = found.iter().filter_map(|said| said.split_once(", column "));
    found
        .filter_map(|(_, said)| Some(said.split_once(": ")?.1.to_owned()))
        .collect()
}

#[test]
fn what_has_no_order_is_pointed_at() {
    for (path, column, kind) in [
        ("when > 'abc'", 8, "a string"),
        ("'abc' < when", 1, "a string"),
        ("size >= things", 9, "an array"),
        ("things[].tags >= size", 1, "an array"),
        ("done > 'abc'", 1, "a boolean"),
    ] {
        let says = format!("column {column}: only numbers can be ordered, got {kind}");
        assert_said(path, "booleanEquals", "true", &says);
    }
}

#[test]
fn what_comes_of_and_and_or_is_what_their_sides_leave() {
    for (path, expected, says) in [
        (
            "state && 'yes'",
            "ready",
            "never returns `ready`: expected one of `yes`",
        ),
        (
            "mode && 'yes'",
            "on",
            "never returns `on`: expected one of `yes`",
        ),
        ("count && 'x'", "y", "never returns `y`"),
        ("'' || state", "", "never returns ``"),
        ("hollow || 'yes'", "", "never returns ``"),
    ] {
        assert_said(path, "stringEquals", expected, says);
    }
    // An empty string is false, as is the result.
    for (path, expected) in [
        ("name && 'yes'", ""),
        ("state && 'yes'", "yes"),
        ("hollow && 'yes'", ""),
    ] {
        assert_eq!(of_path(path, "stringEquals", expected), NONE, "{path}");
    }
}

#[test]
fn wrong_types_are_found() {
    assert_eq!(of_condition("size == 'ready'"), ["WrongType.0"]);
    assert_eq!(of_condition("done == 'true'"), ["WrongType.0"]);
    assert_eq!(of_condition("when == '2024'"), ["WrongType.0"]);
    assert_eq!(of_condition("name > count"), ["WrongType.0"]);
    // These have Smithy's ids, also after a filter, where Smithy's sample response is empty.
    assert_said(
        "things[?state == 'ready'].state.more | [0] == `1`",
        "booleanEquals",
        "true",
        "cannot select the member `more` of a string",
    );
    assert_said(
        "things[?state == 'ready'].stat",
        "anyStringEquals",
        "ready",
        "unknown member `stat`: did you mean `state`?",
    );
}

#[test]
fn arguments_and_names_that_a_function_does_not_have_are_named() {
    let elements = "does not accept an array in which each element is";
    for (path, comparator, says) in [
        (
            "sum(texts) > `1`",
            "booleanEquals",
            format!("`sum` {elements} a string"),
        ),
        (
            "join(',', numbers)",
            "stringEquals",
            format!("`join` {elements} a number"),
        ),
        (
            "lengths(things) == `0`",
            "booleanEquals",
            "calls unknown function `lengths` (column 1): did you mean `length`?".to_owned(),
        ),
    ] {
        assert_said(path, comparator, "true", &says);
    }
    assert!(of_condition("sum(`[]`) == `0`").is_empty());
}

#[test]
fn null_and_empty_lists_are_noted() {
    let filtered = "length(things[?state != 'ready'])";
    for (condition, expected) in [
        ("length(maybe) == `0`".to_owned(), &["NullArgument.0"][..]),
        ("length(things) == `0`".to_owned(), &[]),
        (format!("{filtered} == `0`"), &["EmptySuccess.0"]),
        (format!("`0` == {filtered}"), &["EmptySuccess.0"]),
        (format!("{filtered} > `0`"), &[]),
        (format!("{filtered} == `1`"), &[]),
        (format!("{filtered} == length(things)"), &[]),
    ] {
        assert_eq!(of_condition(&condition), expected, "{condition}");
    }
    let none = format!("{filtered} == `0`");
    assert_eq!(of_path(&none, "booleanEquals", "false"), NONE);
    let failing = of_matcher(&none, "booleanEquals", "true").replace("success", "failure");
    let found = crate::findings("ThingsReady", &failing);
    assert!(!found.concat().contains("EmptySuccess"), "{found:?}");
    assert_said(
        "[done, `true`]",
        "anyStringEquals",
        "x",
        "requires strings, but each element is a boolean",
    );
    for (path, comparator, expected) in [
        ("things[].state", "allStringEquals", &["EmptyList.0"][..]),
        ("things[].state", "anyStringEquals", &[]),
        ("texts", "allStringEquals", &[]),
    ] {
        assert_eq!(of_path(path, comparator, "ready"), expected, "{path}");
    }
}

#[test]
fn the_place_in_a_path_of_several_lines_has_a_line() {
    let text = format!(
        "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n{SHAPES}\napply GetThings @waitable(Ready: {{acceptors: [{{state: \"success\", matcher: {{output: {{
            path: \"\"\"
                length(things) == `0` ||
                  size == 'ready'\"\"\", comparator: \"booleanEquals\", expected: \"true\"
        }}}}}}]}})"
    );
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let events = lint(&read(&sources));
    let messages: Vec<&str> = events.iter().map(|event| &*event.message).collect();
    assert_eq!(
        messages,
        [
            "waiter `Ready`, acceptor 0: “length(things) == `0` || size == 'ready'”, line 2, column 3: a number is never equal to a string"
        ]
    );
}

#[test]
fn what_is_beyond_the_limits_of_the_engine_is_ours_to_say() {
    let deep = format!("anything{}", "[]".repeat(200));
    assert_eq!(
        of_path(&deep, "anyStringEquals", "x"),
        ["InvalidExpression.0"]
    );
    let long = vec!["done"; 600].join(" || ");
    assert_eq!(
        of_condition(&long),
        ["ComplexPath.0", "InvalidExpression.0"]
    );
}

#[test]
fn a_path_of_more_than_20_names_is_complex() {
    let path = |names: usize| vec!["done"; names].join(" || ");
    assert_eq!(of_condition(&path(20)), NONE);
    assert_eq!(of_condition(&path(21)), ["ComplexPath.0"]);
}
