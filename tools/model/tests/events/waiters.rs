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
