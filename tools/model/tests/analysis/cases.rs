//! Acceptors and conditions that are never reached, always true or always false.

use crate::{findings, of_condition};

/// Returns the findings for acceptors with matchers, without notes.
fn of(matchers: &[&str]) -> Vec<String> {
    let each = matchers
        .iter()
        .map(|matcher| format!("{{state: \"success\", matcher: {{{matcher}}}}}"));
    let mut found = findings("ThingsReady", &each.collect::<Vec<_>>().join(" "));
    found.retain(|id| id.starts_with("Unreachable") || id.starts_with("Constant"));
    found
}

fn output(path: &str, comparator: &str, expected: &str) -> String {
    format!("output: {{path: {path:?}, comparator: \"{comparator}\", expected: \"{expected}\"}}")
}

fn is(path: &str, expected: &str) -> String {
    output(path, "booleanEquals", expected)
}

const NONE: [&str; 0] = [];

#[test]
fn conditions_that_exclude_themselves_are_found() {
    for never in [
        "state == 'ready' && state == 'failed'",
        "done && !done",
        "size > `3` && size < `2`",
        "count == `1` && count == `2`",
        "contains(levels, `1`) && !contains(levels, `1`)",
        "level == `1` && (level == `2` || done == `true` && done == `false`)",
        "anything.a == 'x' && anything.a == 'y'",
        "!(state != 'ready' || state != 'failed')",
        "count > `1` && count < `2`",
        "either.thing != `null` && either.text != `null`",
        "either.thing.state == 'ready' && either.text == 'x'",
        "either.thing.parts[0].state == 'ready' && either.text == 'x'",
        // A list is not a boolean.
        "things[?state == 'ready'] && things[?state == 'failed']",
    ] {
        assert_eq!(of_condition(never), ["ConstantCondition.0"], "{never}");
    }
}

#[test]
fn conditions_that_leave_nothing_out_are_found() {
    for always in [
        "state != 'ready' || state != 'failed'",
        "state == 'ready' || state != 'ready'",
        "done || !done",
        "size > `1` || size <= `1`",
        "!(done && !done)",
        "percent >= `0` || percent == `50`",
        "rank >= `1`",
    ] {
        assert_eq!(of_condition(always), ["ConstantCondition.0"], "{always}");
    }
}

#[test]
fn conditions_that_depend_are_let_be() {
    let lengths =
        "length(things[?state == 'ready']) == `1` && length(things[?state == 'failed']) == `2`";
    assert_eq!(of(&[&is(lengths, "true")]), NONE);
    for depends in [
        "state == 'ready' || state == 'failed'",
        // An enum may get new values, and a member may be missing.
        "state == 'ready' || state == 'failed' || state == 'creating'",
        "count > `1` || count <= `1`",
        "count == `1` && size == `2`",
        "state != 'ready' && state != 'failed'",
        "done == `true` || done == `false`",
        "contains(things[].state, 'ready') && contains(things[].state, 'failed')",
        "things[0].state == 'ready' && things[1].state == 'failed'",
        "!!things[?state == 'ready'] && !things[?state == 'failed']",
        "length(things) > `1` && length(things[?state == 'ready']) < `1`",
        "anything.a == 'x' || anything.a == `1`",
        "name || done",
        "!title && title != 'x'",
        "anything.a > `1` || anything.a < `2`",
        "count > `1` && count < `3`",
        "when > `1` && when < `2`",
        "either.thing != `null` || either.text != `null`",
        "either.thing.state == 'ready' && !(either.thing.parts)",
        "either.thing != `null` && either.text == `null`",
    ] {
        assert_eq!(of(&[&is(depends, "true")]), NONE, "{depends}");
    }
}

/// Pairs of acceptors. The second one is unreachable, its condition is constant, or neither.
const PAIRS: &str = "\
state is ready; state == 'ready' => unreachable
state is ready; state == 'ready' && done => unreachable
state == 'ready' || done; state is ready => unreachable
state != 'failed'; state is ready => unreachable
not state == 'failed'; state is ready => unreachable
size > `1`; size > `3` => unreachable
state is ready; done && !done => constant
state is ready; both output.state is ready => unreachable
both output.state is ready; state is ready => unreachable
state is ready; state | @ == 'ready' => unreachable
state is ready; (state || 'none') == 'ready' => unreachable
anything has ready; anything has only ready => unreachable
anything.a has ready; anything.a == 'ready' => neither
state is ready; things[0] | state == 'ready' => neither
state is ready; contains(['ready'], state) => unreachable
contains(['ready', 'failed'], state); state is ready => unreachable
state is ready; contains(['ready', 'failed'], state) => neither
things[].state has ready; things[].state has only ready => unreachable
things[].state has ready; contains(things[].state, 'ready') => unreachable
contains(things[].state, 'ready'); things[].state has only ready => unreachable
things[].state has only ready; things[].state has ready => neither
state is ready; state == 'ready' || done => neither
size > `3`; size > `1` => neither
state is ready; state is failed => neither
state is ready; things[0].state is ready => neither";

/// Returns the matcher for an acceptor in `PAIRS`.
fn matcher(text: &str) -> String {
    if let Some(text) = text.strip_prefix("both ") {
        return matcher(text).replacen("output", "inputOutput", 1);
    }
    for (sign, comparator) in [
        (" has only ", "allStringEquals"),
        (" has ", "anyStringEquals"),
        (" is ", "stringEquals"),
    ] {
        if let Some((path, expected)) = text.split_once(sign) {
            return output(path, comparator, expected);
        }
    }
    match text.strip_prefix("not ") {
        Some(path) => is(path, "false"),
        None => is(text, "true"),
    }
}

#[test]
fn an_acceptor_that_another_comes_before_is_found() {
    for case in PAIRS.lines() {
        let (pair, expected) = case.split_once(" => ").unwrap();
        let (first, second) = pair.split_once("; ").unwrap();
        let expected = match expected {
            "unreachable" => &["UnreachableAcceptor.1"][..],
            "constant" => &["ConstantCondition.1"],
            _ => &[],
        };
        assert_eq!(of(&[&matcher(first), &matcher(second)]), expected, "{case}");
    }
}

#[test]
fn an_acceptor_that_several_come_before_together_is_found() {
    let (yes, no) = (is("size > `1`", "true"), is("size > `1`", "false"));
    assert_eq!(of(&[&yes, &no, "success: true"]), ["UnreachableAcceptor.2"]);
    assert_eq!(
        of(&[&yes, &no, &output("state", "stringEquals", "ready")]),
        ["UnreachableAcceptor.2"]
    );
    // A missing value is neither.
    assert_eq!(
        of(&[&is("done", "true"), &is("done", "false"), "success: true"]),
        NONE
    );
    let of_state = |value: &str| output("state", "stringEquals", value);
    let all = ["creating", "ready", "failed"].map(of_state);
    let [one, two, three] = all.each_ref();
    assert_eq!(of(&[one, two, three, "success: true"]), NONE);
    let either = is("state == 'ready' || state == 'failed'", "true");
    assert_eq!(of(&[one, two, three, &either]), ["UnreachableAcceptor.3"]);
}

#[test]
fn what_is_too_much_to_try_is_let_be() {
    let many: Vec<String> = (0..200)
        .map(|number| format!("name == 'x{number}'"))
        .collect();
    assert_eq!(of(&[&is(&many.join(" || "), "true")]), NONE);
    let members: Vec<String> = (0..60)
        .map(|number| format!("anything.m{number}"))
        .collect();
    assert_eq!(of(&[&is(&members.join(" && "), "true")]), NONE);
    let each: Vec<String> = (0..100)
        .map(|number| output("things[].state", "anyStringEquals", &format!("x{number}")))
        .collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    assert_eq!(of(&each), NONE);
    let doubled = format!("name{} == 'x'", ".[@, @][0]".repeat(30));
    assert_eq!(of(&[&is(&doubled, "true")]), NONE);
}

#[test]
fn the_acceptors_before_an_unreachable_one_are_named() {
    let of = |matchers: &[&str]| {
        let acceptors = matchers
            .iter()
            .map(|matcher| format!("{{state: \"success\", matcher: {{{matcher}}}}}"));
        crate::messages("ThingsReady", &acceptors.collect::<Vec<_>>().join(" "))
    };
    let (yes, no) = (is("size > `1`", "true"), is("size > `1`", "false"));
    assert_eq!(
        of(&[&yes, &no, "success: true"]),
        [
            "waiter `ThingsReady`, acceptor 2: unreachable: one of the acceptors 0, 1 matches whenever this one does"
        ]
    );
    assert_eq!(
        of(&[&yes, &yes]),
        [
            "waiter `ThingsReady`, acceptor 1: unreachable: acceptor 0 matches whenever this one does"
        ]
    );
}
