//! Findings about possible and impossible values.

use crate::{of_condition, of_path, with_shapes};

const NONE: [&str; 0] = [];

/// Returns the findings for a condition, without notes about null.
fn warned(path: &str) -> Vec<String> {
    let mut found = of_condition(path);
    found.retain(|id| !id.starts_with("NullArgument"));
    found
}

#[test]
fn strings_can_be_turned_around() {
    assert_eq!(
        of_path("[reverse(title)][]", "anyStringEquals", "eltit"),
        NONE
    );
    assert_eq!(of_path("[reverse(mode)][]", "anyStringEquals", "no"), NONE);
    assert_eq!(
        of_path("[reverse(mode)][]", "anyStringEquals", "on"),
        ["NeverMatches.0"]
    );
}

#[test]
fn what_is_missing_on_both_sides_is_equal() {
    assert_eq!(warned("count == name"), NONE);
    assert_eq!(warned("count == state"), NONE);
    assert_eq!(warned("size == name"), ["WrongType.0"]);
    assert_eq!(warned("[count][0] == [name][0]"), NONE);
}

#[test]
fn lists_that_are_missing_are_left_out() {
    assert_eq!(of_path("[texts, more][]", "anyStringEquals", "x"), NONE);
    assert_eq!(
        of_path("[texts, more][]", "allStringEquals", "x"),
        ["EmptyList.0"]
    );
    assert_eq!(of_path("[ready, ready][]", "allStringEquals", "on"), NONE);
}

#[test]
fn numbers_of_an_enum_are_known() {
    assert_eq!(warned("level == `1`"), NONE);
    assert_eq!(warned("level == `3`"), ["UnknownEnumValue.0"]);
    assert_eq!(warned("`3` != level"), ["UnknownEnumValue.0"]);
    assert_eq!(warned("contains(levels, `2`)"), NONE);
    assert_eq!(warned("contains(levels, `3`)"), ["UnknownEnumValue.0"]);
    assert_eq!(warned("levels[?@ == `3`] == `[]`"), ["UnknownEnumValue.0"]);
}

#[test]
fn what_no_list_or_text_contains_is_found() {
    assert_eq!(warned("contains(things[].state, 'ready')"), NONE);
    assert_eq!(
        warned("contains(things[].state, 'NOPE')"),
        ["UnknownEnumValue.0"]
    );
    assert_eq!(
        warned("!contains(things[].state, 'NOPE')"),
        ["UnknownEnumValue.0"]
    );
    assert_eq!(warned("contains(numbers, 'one')"), ["WrongType.0"]);
    assert_eq!(warned("contains(name, 'one')"), NONE);
    assert_eq!(warned("contains(mode, 'o')"), ["ConstantCondition.0"]);
    assert_eq!(warned("contains(mode, 'n')"), NONE);
    assert_eq!(warned("starts_with(mode, 'o')"), ["ConstantCondition.0"]);
    assert_eq!(warned("ends_with(mode, 'f')"), NONE);
    assert_eq!(warned("ends_with(mode, 'x')"), ["UnknownEnumValue.0"]);
    assert_eq!(
        warned("starts_with(mode, 'x') || ready"),
        ["UnknownEnumValue.0"]
    );
    assert_eq!(
        warned("contains(mode, 'x') || ready"),
        ["UnknownEnumValue.0"]
    );
}

#[test]
fn lists_that_are_written_hold_values_of_the_enum() {
    let unknown = ["UnknownEnumValue.0"];
    assert_eq!(warned("contains(['on', 'of'], mode)"), NONE);
    assert_eq!(warned("contains(['on', 'off'], mode)"), unknown);
    assert_eq!(warned("contains(`[\"on\", \"off\"]`, mode)"), unknown);
    assert_eq!(
        warned("contains(['READY', 'DONE'], state)"),
        ["UnknownEnumValue.0", "UnknownEnumValue.0"]
    );
    assert_eq!(
        crate::messages(
            "ThingsReady",
            "{state: \"success\", matcher: {output: {path: \"contains(['on', 'off'], mode) && done\", comparator: \"booleanEquals\", expected: \"true\"}}}",
        ),
        [
            "waiter `ThingsReady`, acceptor 0: `contains(['on', 'off'], mode) && done`, column 17: the value is never `off`: did you mean `of`?"
        ]
    );
    assert_eq!(warned("contains(['x', 'y'], name)"), NONE);
    assert_eq!(warned("contains(['on', title], mode)"), NONE);
    assert_eq!(warned("contains([name, title], mode)"), NONE);
}

#[test]
fn a_union_has_one_member() {
    let of = |path: &str, expected: &str| {
        let mut found = of_path(path, "anyStringEquals", expected);
        found.retain(|id| !id.starts_with("NullArgument"));
        found
    };
    assert_eq!(of("keys(either)", "thing"), NONE);
    assert_eq!(of("keys(either)", "state"), ["NeverMatches.0"]);
    assert_eq!(of("keys(things[0])", "state"), NONE);
    assert_eq!(of("keys(things[0])", "name"), ["NeverMatches.0"]);
    assert_eq!(of("keys(byName)", "name"), NONE);
    assert_eq!(warned("length(either) == `2`"), ["ConstantCondition.0"]);
    assert_eq!(warned("length(things[0]) == `2`"), NONE);
}

#[test]
fn what_may_fail_is_never_always_so() {
    for path in [
        "keys(either) && `true`",
        "starts_with(type(sort(texts)), 'a')",
        "length(anything.a) >= `0`",
        "type(sum(anything.a)) == 'number'",
        "things[?length(tags) > `0` && length(parts) >= `0`] && `true`",
        "sort([name, title]) && `true`",
        "sort_by(things, &state) && `true` || `true`",
        "to_string(join('', [name])) != 'x' || `true`",
        "!(length(maybe) < `0`) && `true`",
    ] {
        let matcher = format!(
            "{{state: \"success\", matcher: {{output: {{path: {path:?}, comparator: \"booleanEquals\", expected: \"true\"}}}}}}"
        );
        let said = crate::messages("ThingsReady", &matcher);
        let always = |said: &String| said.contains("always matches");
        assert!(!said.iter().any(always), "{path}: {said:?}");
    }
    // The finding is reported if the value is impossible.
    assert_eq!(
        warned("sort(numbers || `[]`) && `true` || `true`"),
        ["ConstantCondition.0"]
    );
    // A path that fails does not match either.
    assert_eq!(warned("keys(either) && `false`"), ["ConstantCondition.0"]);
}

#[test]
fn lists_have_lengths() {
    let never = ["ConstantCondition.0"];
    assert_eq!(warned("length(keys(either)) == `2`"), never);
    assert_eq!(warned("length(keys(either)) > `1`"), never);
    assert_eq!(warned("length(keys(things[0])) == `4`"), never);
    assert_eq!(warned("length(keys(things[0])) == `3`"), NONE);
    assert_eq!(warned("length([state, name]) == `3`"), never);
    assert_eq!(warned("length([state, name][]) == `3`"), never);
    assert_eq!(warned("length([state, name][]) == `1`"), NONE);
    assert_eq!(warned("length(pair) > `2`"), never);
    assert_eq!(warned("length(pair[?@ == 'on']) > `2`"), never);
    assert_eq!(warned("length(pair[?@ == 'on']) == `1`"), NONE);
    assert_eq!(warned("length([pair, pair][]) > `4`"), never);
    assert_eq!(warned("length([pair, pair][]) > `3`"), NONE);
    assert_eq!(warned("length([pair, pair, pair][]) > `6`"), never);
    assert_eq!(warned("length([pair, pair, pair][]) > `5`"), NONE);
}

#[test]
fn each_element_of_a_list_that_is_written_is_what_all_are() {
    let of = |comparator: &str, expected: &str| {
        let mut found = of_path("[title, mode]", comparator, expected);
        found.retain(|id| !id.starts_with("EmptyList"));
        found
    };
    assert_eq!(of("allStringEquals", "ready"), ["NeverMatches.0"]);
    assert_eq!(of("allStringEquals", "on"), NONE);
    assert_eq!(of("anyStringEquals", "ready"), NONE);
}

#[test]
fn the_value_is_what_is_underlined() {
    let column = |path: &str| {
        let matcher = format!(
            "{{state: \"success\", matcher: {{output: {{path: {path:?}, comparator: \"booleanEquals\", expected: \"true\"}}}}}}"
        );
        let said = crate::messages("ThingsReady", &matcher).concat();
        let after = said.split_once(", column ").unwrap().1.to_owned();
        after.split_once(':').unwrap().0.to_owned()
    };
    assert_eq!(column("state == 'redy'"), "10");
    assert_eq!(column("'redy' == state"), "1");
    assert_eq!(column("level == `3`"), "10");
    assert_eq!(column("contains(`[\"on\", \"off\"]`, mode)"), "10");
}

#[test]
fn keys_of_a_map_are_values_of_their_enum() {
    assert_eq!(
        warned("contains(keys(byMode), 'off')"),
        ["UnknownEnumValue.0"]
    );
    assert_eq!(warned("contains(keys(byMode), 'on')"), NONE);
}

#[test]
fn small_integers_have_bounds() {
    assert_eq!(warned("tiny > `127`"), ["ConstantCondition.0"]);
    assert_eq!(warned("tiny == `127`"), NONE);
    assert_eq!(warned("count > `2147483647`"), ["ConstantCondition.0"]);
}

#[test]
fn integers_are_no_fractions() {
    let never = ["ConstantCondition.0"];
    assert_eq!(warned("length(things) == `0.5`"), never);
    assert_eq!(warned("length(things) != `1.5` && done"), never);
    assert_eq!(warned("count == `1.5`"), never);
    assert_eq!(warned("floor(when) == `1.5`"), never);
    assert_eq!(warned("length(things) > `0.5`"), NONE);
    assert_eq!(warned("count == `1.0`"), NONE);
    assert_eq!(warned("when == `1.5`"), NONE);
    assert_eq!(warned("avg(numbers) == `1.5`"), NONE);
}

#[test]
fn a_length_that_is_compared_to_learn_that_it_is_there_is_let_be() {
    assert_eq!(of_condition("length(maybe) >= `0`"), ["NullArgument.0"]);
    assert_eq!(warned("length(maybe) < `0`"), ["ConstantCondition.0"]);
    assert_eq!(warned("length(things) >= `0`"), ["ConstantCondition.0"]);
}

#[test]
fn what_is_required_is_not_null() {
    assert_eq!(warned("size == `null`"), ["ConstantCondition.0"]);
    assert_eq!(warned("size != `null` && done"), ["ConstantCondition.0"]);
    assert_eq!(warned("count == `null`"), NONE);
    assert_eq!(warned("things[0] == `null`"), NONE);
}

#[test]
fn types_are_known() {
    assert_eq!(of_path("type(size)", "stringEquals", "number"), NONE);
    assert_eq!(
        of_path("type(size)", "stringEquals", "null"),
        ["NeverMatches.0"]
    );
    assert_eq!(of_path("type(name)", "stringEquals", "null"), NONE);
    assert_eq!(warned("type(things) == 'array'"), ["ConstantCondition.0"]);
}

#[test]
fn numbers_have_bounds() {
    assert_eq!(warned("length(ready) == `0`"), ["ConstantCondition.0"]);
    assert_eq!(warned("length(things) == `-1`"), ["ConstantCondition.0"]);
    assert_eq!(warned("length('abc') == size"), NONE);
    assert_eq!(warned("percent > `100`"), ["ConstantCondition.0"]);
    assert_eq!(warned("percent >= `100`"), NONE);
    assert_eq!(warned("percent == `101`"), ["ConstantCondition.0"]);
}

#[test]
fn conditions_that_can_be_null_never_match_what_they_are_not() {
    assert_eq!(
        of_path("done && 'a' == 'b'", "booleanEquals", "true"),
        ["ConstantCondition.0"]
    );
}

#[test]
fn errors_of_the_service_are_known() {
    let found = |error: &str| {
        with_shapes(
            &format!(
                "Ready: {{acceptors: [{{state: \"success\", matcher: {{errorType: \"{error}\"}}}}]}}"
            ),
            &[
                (
                    "b.smithy",
                    "$version: \"2\"\nnamespace other\nservice S { version: \"1\", operations: [ns#GetThings, Far], errors: [Throttled] }\noperation Far { errors: [third#Lost] }\n@error(\"client\")\nstructure Throttled {}\n@error(\"client\")\nstructure Unbound {}\n",
                ),
                (
                    "c.smithy",
                    "$version: \"2\"\nnamespace third\n@error(\"client\")\nstructure Lost {}\n",
                ),
            ],
        )
    };
    for known in [
        "Throttled",
        "other#Throttled",
        "Lost",
        "other#Unbound",
        "NotFound",
    ] {
        assert_eq!(found(known), NONE, "{known}");
    }
    for unknown in ["Unbound", "other#Nothing"] {
        assert_eq!(found(unknown), ["UnknownErrorType.Ready.0"], "{unknown}");
    }
}
