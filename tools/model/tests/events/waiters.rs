//! Messages about paths, which say what would fit.

use smithy_waiters_model::{Sources, read, validate};

#[test]
fn messages_of_paths() {
    for (path, comparator, end) in [
        (
            "b",
            "stringEquals",
            "returns a boolean: use `booleanEquals`",
        ),
        (
            "c",
            "stringEquals",
            "returns an array: use `allStringEquals` or `anyStringEquals`",
        ),
        (
            "c[0]",
            "booleanEquals",
            "returns a string: use `stringEquals`",
        ),
        (
            "b || lenght(c) > `1`",
            "booleanEquals",
            "did you mean `length`?",
        ),
        (
            "d == READY",
            "booleanEquals",
            "unknown member `READY`: for a string, write `'READY'`",
        ),
        (
            "d == tokn",
            "booleanEquals",
            "unknown member `tokn`: did you mean `token`?",
        ),
        (
            "c[0] > 3",
            "booleanEquals",
            "expected an expression, found a number: write it in backticks",
        ),
    ] {
        let mut sources = Sources::default();
        let matcher = format!(
            "output: {{path: \"{path}\", comparator: \"{comparator}\", expected: \"true\"}}"
        );
        let text = format!(
            "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n\
             @waitable(Done: {{minDelay: true, acceptors: [{{state: \"success\", matcher: {{{matcher}}}}}]}})\n\
             operation O {{ output := {{ b: Boolean, c: Cs, d: String, token: String }} }}\nlist Cs {{ member: String }}"
        );
        assert!(sources.add("a.smithy", text));
        let events = validate(&read(&sources));
        for end in [end, "expected an integer, found `true`"] {
            let is_said = events.iter().any(|event| event.message.ends_with(end));
            assert!(is_said, "{end}: {events:?}");
        }
    }
}

#[test]
fn messages_of_values_say_what_was_found() {
    for (members, end) in [
        ("minDelay: 1.5", "expected an integer, found `1.5`"),
        ("minDelay: 1e0", "expected an integer, found `1e0`"),
        (
            "minDelay: 2147483648",
            "expected an integer of 32 bits, found 2147483648",
        ),
        ("minDelay: 0", "expected at least 1, found 0"),
        ("minDelay: []", "expected an integer, found an array"),
        ("documentation: 3", "expected a string, found `3`"),
        ("acceptors: 3", "expected an array, found `3`"),
        (
            "acceptors: \"x\"",
            "expected an array, found the string `x`",
        ),
        ("acceptors: []", "expected at least 1 element, found 0"),
    ] {
        let acceptors = "acceptors: [{state: \"success\", matcher: {success: true}}], ";
        let acceptors = if members.contains("acceptors") {
            ""
        } else {
            acceptors
        };
        let text = format!(
            "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n@waitable(Done: {{{acceptors}{members}}})\noperation O {{}}"
        );
        let mut sources = Sources::default();
        assert!(sources.add("a.smithy", text));
        let events = validate(&read(&sources));
        let is_said = events.iter().any(|event| event.message.ends_with(end));
        assert!(is_said, "{end}: {events:?}");
    }
}
