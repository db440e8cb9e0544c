//! Examples of mistakes in acceptors. A test lints them.

/// The wrong and the right text of an event: the members of a matcher for `output`, or acceptors.
pub(super) struct Example {
    rule: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const fn example(rule: &'static str, wrong: &'static str, right: &'static str) -> Example {
    Example { rule, wrong, right }
}

const EXAMPLES: [Example; 9] = [
    example(
        "SmithyWaiters.ConstantCondition",
        r#"path: "'status' == 'DONE'", comparator: "booleanEquals", expected: "true""#,
        r#"path: "status == 'DONE'", comparator: "booleanEquals", expected: "true""#,
    ),
    example(
        "SmithyWaiters.NeverMatches",
        r#"path: "status", comparator: "stringEquals", expected: "COMPLETE""#,
        r#"path: "status", comparator: "stringEquals", expected: "DONE""#,
    ),
    example(
        "SmithyWaiters.NullArgument",
        r#"path: "length(jobs) == `0`", comparator: "booleanEquals", expected: "true""#,
        r#"path: "length(jobs || `[]`) == `0`", comparator: "booleanEquals", expected: "true""#,
    ),
    example(
        "SmithyWaiters.UnknownEnumValue",
        r#"path: "status == 'COMPLETE'", comparator: "booleanEquals", expected: "true""#,
        r#"path: "status == 'DONE'", comparator: "booleanEquals", expected: "true""#,
    ),
    example(
        "SmithyWaiters.UnreachableAcceptor",
        r#"{state: "retry", matcher: {success: false}},
{state: "success", matcher: {errorType: "NotFound"}}"#,
        r#"{state: "success", matcher: {errorType: "NotFound"}},
{state: "retry", matcher: {success: false}}"#,
    ),
    example(
        "SmithyWaiters.WrongType",
        r#"path: "size == '3'", comparator: "booleanEquals", expected: "true""#,
        r#"path: "size == `3`", comparator: "booleanEquals", expected: "true""#,
    ),
    example(
        "WaitableTrait",
        r#"path: "size > 3", comparator: "booleanEquals", expected: "true""#,
        r#"path: "size > `3`", comparator: "booleanEquals", expected: "true""#,
    ),
    example(
        "WaitableTraitInvalidErrorType",
        r#"{state: "success", matcher: {errorType: "JobNotFound"}}"#,
        r#"{state: "success", matcher: {errorType: "NotFound"}}"#,
    ),
    example(
        "WaitableTraitJmespathProblem",
        r#"path: "status == DONE", comparator: "booleanEquals", expected: "true""#,
        r#"path: "status == 'DONE'", comparator: "booleanEquals", expected: "true""#,
    ),
];

/// Returns the example of an event as text, or an empty text.
pub(super) fn of(rule: &str) -> String {
    let example = EXAMPLES.iter().find(|example| example.rule == rule);
    example.map_or_else(String::new, |Example { wrong, right, .. }| {
        let indented = |text| textwrap::indent(text, "    ");
        format!(
            "\nWrong:\n{}\nRight:\n{}\n",
            indented(wrong),
            indented(right)
        )
    })
}
