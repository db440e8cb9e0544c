//! The rules of the specification. Each case violates a rule by a change of a valid model, and links to the clause.

use smithy_waiters_model::{Event, Severity, Sources, read, validate};

/// A model without events in Smithy's validator.
const VALID: &str = include_str!("smithy/models/valid.smithy");

/// Returns the errors in a text, without warnings.
fn errors(text: &str) -> Vec<Event> {
    let mut sources = Sources::default();
    assert!(sources.add("valid.smithy", text));
    let mut events = validate(&read(&sources));
    events.retain(|event| event.severity >= Severity::Danger);
    events
}

/// The clause, a part of the valid model, its replacement, and the id of the error.
type Rule = (&'static str, &'static str, &'static str, &'static str);

const WAITERS: [Rule; 12] = [
    ("#waiter-names", "JobDone:", "jobDone:", "TraitValue"),
    ("#waiter-names", "JobGone:", "Job_Gone:", "TraitValue"),
    (
        "#waiter-names",
        "JobGone:",
        "JobDone:",
        "SmithyWaiters.Syntax",
    ),
    (
        "#waiter-structure",
        "minDelay: 2",
        "minDelay: 121",
        "WaitableTrait",
    ),
    (
        "#waiter-structure",
        "minDelay: 2",
        "minDelay: 0",
        "TraitValue.Target.InvalidRange",
    ),
    (
        "#waiter-structure",
        "state: \"success\", matcher: { success: false }",
        "state: \"retry\", matcher: { success: false }",
        "WaitableTrait",
    ),
    (
        "#acceptorstate-enum",
        "state: \"success\", matcher: { success: false }",
        "state: \"won\", matcher: { success: false }",
        "SmithyWaiters.Model",
    ),
    (
        "#matcher-union",
        "{ success: false }",
        "{ succeeds: false }",
        "TraitValue.UnknownMember",
    ),
    (
        "#pathmatcher-structure",
        "== 'LOST'\"",
        "== 'LOST\"",
        "WaitableTrait",
    ),
    (
        "#pathmatcher-structure",
        "path: \"status\"",
        "path: \"state\"",
        "WaitableTraitJmespathProblem.JmespathEventDanger",
    ),
    (
        "#pathcomparator-enum",
        "comparator: \"stringEquals\"",
        "comparator: \"allStringEquals\"",
        "WaitableTraitJmespathProblem.ReturnTypeMismatch",
    ),
    (
        "#pathcomparator-enum",
        "expected: \"true\"",
        "expected: \"True\"",
        "WaitableTrait",
    ),
];

const BEHAVIOURS: [Rule; 9] = [
    (
        "#paginated-trait",
        "inputToken: \"token\"",
        "inputToken: \"gone\"",
        "PaginatedTrait",
    ),
    (
        "#paginated-trait",
        "inputToken: \"token\", ",
        "",
        "PaginatedTrait",
    ),
    (
        "#paginated-trait",
        "outputToken: \"page.token\"",
        "outputToken: \"page.gone\"",
        "PaginatedTrait",
    ),
    (
        "#paginated-trait",
        "items: \"jobs\"",
        "items: \"page\"",
        "PaginatedTrait",
    ),
    (
        "#paginated-trait",
        "limit: Integer",
        "limit: String",
        "PaginatedTrait",
    ),
    (
        "#requestcompression-trait",
        "[\"gzip\"]",
        "[\"zip\"]",
        "RequestCompressionTrait",
    ),
    (
        "#requestcompression-trait",
        "[\"gzip\"]",
        "[]",
        "RequestCompressionTrait",
    ),
    (
        "#requestcompression-trait",
        "@streaming\n",
        "@streaming\n@requiresLength\n",
        "RequestCompressionTrait",
    ),
    (
        "#idempotencytoken-trait",
        "clientToken: String",
        "clientToken: Integer",
        "TraitTarget",
    ),
];

#[test]
fn broken_rules_are_errors() {
    assert_eq!(errors(VALID), []);
    for (page, rules) in [
        (
            "https://smithy.io/2.0/additional-specs/waiters.html",
            &WAITERS[..],
        ),
        (
            "https://smithy.io/2.0/spec/behavior-traits.html",
            &BEHAVIOURS,
        ),
    ] {
        for (clause, before, after, id) in rules {
            assert!(VALID.contains(before), "`{before}` is not in the model");
            let found = errors(&VALID.replacen(before, after, 1));
            let is_it = |event: &Event| {
                let rest = event.id.strip_prefix(id);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            assert!(
                found.iter().any(is_it),
                "{page}{clause}, `{after}`: {found:#?}"
            );
        }
    }
}
