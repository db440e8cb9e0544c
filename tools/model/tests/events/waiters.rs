//! Events about waiters.

use smithy_waiters_model::{Sources, read, validate};

use crate::{NONE, events};

/// Returns the events of a waiter on an operation with an input and an output.
fn of_waiter(name: &str, waiter: &str) -> Vec<String> {
    events(&format!(
        "@waitable({name}: {waiter})\noperation O {{ input := {{ a: String }} output := {{ b: Boolean, c: Cs }} errors: [E] }}\nlist Cs {{ member: String }}\n@error(\"client\") structure E {{}}"
    ))
}

const SUCCESS: &str = r#"{state: "success", matcher: {success: true}}"#;

fn with_success(more: &str) -> String {
    format!("{{acceptors: [{SUCCESS}] {more}}}")
}

fn with_acceptor(acceptor: &str) -> String {
    format!("{{acceptors: [{SUCCESS}, {acceptor}]}}")
}

fn with_path(path: &str, comparator: &str, expected: &str) -> String {
    with_acceptor(&format!(
        "{{state: \"failure\", matcher: {{output: {{path: \"{path}\", comparator: \"{comparator}\", expected: \"{expected}\"}}}}}}"
    ))
}

#[test]
fn names_and_delays_of_waiters() {
    assert_eq!(of_waiter("Fine", &with_success("")), NONE);
    for name in ["fine", "\"Fine-Name\"", "\"1Fine\"", "Fine_Name"] {
        assert_eq!(
            of_waiter(name, &with_success("")),
            ["4 ERROR TraitValue O"],
            "{name}"
        );
    }
    assert_eq!(
        of_waiter("Fine", &with_success("minDelay: 5, maxDelay: 5")),
        NONE
    );
    assert_eq!(
        of_waiter("Fine", &with_success("minDelay: 5, maxDelay: 4")),
        ["4 ERROR WaitableTrait O"]
    );
    assert_eq!(
        of_waiter("Fine", &with_success("minDelay: 121")),
        ["4 ERROR WaitableTrait O"]
    );
    assert_eq!(
        of_waiter("Fine", &with_success("maxDelay: 1")),
        ["4 ERROR WaitableTrait O"]
    );
    assert_eq!(
        of_waiter("Fine", &with_success("minDelay: 0")),
        ["4 ERROR TraitValue.Target.InvalidRange O"]
    );
    assert_eq!(
        of_waiter("Fine", &with_success("minDelay: 1.5")),
        ["4 ERROR TraitValue O"]
    );
    assert_eq!(
        of_waiter("Fine", &with_success("tags: [\"\"]")),
        ["4 ERROR TraitValue O"]
    );
}

#[test]
fn members_that_a_waiter_does_not_have_are_warned_about() {
    assert_eq!(
        of_waiter("Fine", &with_success("description: \"said\"")),
        ["4 WARNING TraitValue.UnknownMember.smithy.waiters#Waiter.description O"]
    );
    let acceptor = "{state: \"retry\", matcher: {errorType: \"E\"}, note: 1}";
    assert_eq!(
        of_waiter("Fine", &with_acceptor(acceptor)),
        ["4 WARNING TraitValue.UnknownMember.smithy.waiters#Acceptor.note O"]
    );
}

#[test]
fn values_that_smithy_cannot_build_have_ids_of_ours() {
    let broken = [
        "{}",
        "{acceptors: 1}",
        "[]",
        "{acceptors: [{state: \"success\"}]}",
        "{acceptors: [{state: \"won\", matcher: {success: true}}]}",
        "{acceptors: [{state: \"success\", matcher: {}}]}",
        "{acceptors: [{state: \"success\", matcher: {success: true, errorType: \"E\"}}]}",
        "{acceptors: [{state: \"success\", matcher: {success: 1}}]}",
        "{acceptors: [{state: \"success\", matcher: {output: {path: \"b\", expected: \"true\"}}}]}",
    ];
    for waiter in broken {
        let found = of_waiter("Fine", waiter);
        assert!(!found.is_empty(), "{waiter}");
        assert!(
            found.iter().all(|event| event.contains(" SmithyWaiters.")),
            "{waiter}: {found:?}"
        );
    }
}

#[test]
fn acceptors_of_waiters() {
    let retry = "{acceptors: [{state: \"retry\", matcher: {success: true}}]}";
    assert_eq!(of_waiter("Fine", retry), ["4 ERROR WaitableTrait O"]);
    assert_eq!(
        of_waiter("Fine", "{acceptors: []}").last().unwrap(),
        "4 ERROR TraitValue O"
    );
    let unknown = with_acceptor("{state: \"failure\", matcher: {outputs: 1}}");
    assert_eq!(
        of_waiter("Fine", &unknown),
        ["4 ERROR TraitValue.UnknownMember.smithy.waiters#Matcher.outputs O"]
    );
    let error = |name: &str| {
        of_waiter(
            "Fine",
            &with_acceptor(&format!(
                "{{state: \"retry\", matcher: {{errorType: \"{name}\"}}}}"
            )),
        )
    };
    assert_eq!(error("E"), NONE);
    assert_eq!(error("ns#E"), NONE);
    assert_eq!(
        error("other#E"),
        ["4 WARNING WaitableTraitInvalidErrorType.Fine.1 O"]
    );
    assert_eq!(
        error("F"),
        ["4 WARNING WaitableTraitInvalidErrorType.Fine.1 O"]
    );
}

#[test]
fn paths_of_acceptors() {
    let path =
        |path: &str, comparator: &str| of_waiter("Fine", &with_path(path, comparator, "true"));
    let mismatch = ["4 DANGER WaitableTraitJmespathProblem.ReturnTypeMismatch.Fine.1 O"];
    let danger = ["4 DANGER WaitableTraitJmespathProblem.JmespathEventDanger.Fine.1 O"];
    assert_eq!(path("b", "booleanEquals"), NONE);
    assert_eq!(path("b", "stringEquals"), mismatch);
    assert_eq!(path("c", "allStringEquals"), NONE);
    assert_eq!(path("c", "booleanEquals"), mismatch);
    assert_eq!(path("length(@)", "anyStringEquals"), mismatch);
    assert_eq!(path("c[0]", "stringEquals"), NONE);
    assert_eq!(path("c[0].d", "stringEquals"), danger);
    assert_eq!(path("c.d", "stringEquals"), danger);
    assert_eq!(path("b[0]", "stringEquals"), danger);
    assert_eq!(path("b[]", "anyStringEquals"), danger);
    assert_eq!(
        path("b.*", "anyStringEquals").first().unwrap(),
        danger.first().unwrap()
    );
    assert_eq!(
        path("nothing(b)", "booleanEquals"),
        ["4 ERROR WaitableTrait O"]
    );
    assert_eq!(
        path("length(c, c) == `1`", "booleanEquals"),
        ["4 ERROR WaitableTrait O"]
    );
    assert_eq!(path("c[", "booleanEquals"), ["4 ERROR WaitableTrait O"]);
    // The same problem in two elements is reported once.
    assert_eq!(path("c[*].d", "anyStringEquals"), danger);
    assert_eq!(
        of_waiter("Fine", &with_path("b", "booleanEquals", "yes")),
        ["4 ERROR WaitableTrait O"]
    );
}

#[test]
fn both_sides_are_looked_at_together() {
    let both = |path: &str| {
        let matcher = format!(
            "inputOutput: {{path: \"{path}\", comparator: \"booleanEquals\", expected: \"true\"}}"
        );
        of_waiter(
            "Fine",
            &with_acceptor(&format!("{{state: \"failure\", matcher: {{{matcher}}}}}")),
        )
    };
    let danger = "4 DANGER WaitableTraitJmespathProblem.JmespathEventDanger.Fine.1 O";
    assert_eq!(both("input.a == output.c[0]"), NONE);
    assert_eq!(both("input.x == output.y"), [danger, danger]);
    assert_eq!(both("a == `1`"), [danger]);
}

#[test]
fn an_operation_without_output_gives_nothing() {
    let waiter = with_path("b", "booleanEquals", "true");
    let found = events(&format!("@waitable(Fine: {waiter})\noperation O {{}}"));
    // The type of a missing member is not reported in addition.
    assert_eq!(
        found,
        ["4 DANGER WaitableTraitJmespathProblem.JmespathEventDanger.Fine.1 O"]
    );
}

#[test]
fn waiters_and_event_streams_exclude_each_other() {
    let text = format!(
        "@waitable(Fine: {})\noperation O {{ output := {{ stream: S }} }}\n@streaming union S {{ a: Unit }}\n@streaming blob B",
        with_success("")
    );
    assert_eq!(events(&text), ["4 ERROR TraitTarget O"]);
    assert_eq!(events(&text.replace("stream: S ", "stream: B ")), NONE);
    let on_structure = format!("@waitable(Fine: {})\nstructure T {{}}", with_success(""));
    assert_eq!(events(&on_structure), ["4 ERROR TraitTarget T"]);
}

#[test]
fn what_smithy_says_later_has_ids_of_ours() {
    let waiter = with_path("nothing", "stringEquals", "x");
    assert_eq!(
        of_waiter("fine", &waiter),
        [
            "4 DANGER SmithyWaiters.Later.WaitableTraitJmespathProblem.JmespathEventDanger.fine.1 O",
            "4 ERROR TraitValue O"
        ]
    );
}

#[test]
fn messages_of_failures() {
    let of = |state: &str, message: &str| {
        let acceptor =
            format!("{{state: \"{state}\", matcher: {{success: false}}, message: \"{message}\"}}");
        of_waiter("Fine", &with_acceptor(&acceptor))
    };
    let error = ["4 ERROR WaitableTrait O"];
    assert_eq!(of("failure", "c[0]"), NONE);
    assert_eq!(of("failure", "c"), NONE);
    assert_eq!(of("failure", "'because'"), NONE);
    assert_eq!(of("retry", "c[0]"), error);
    assert_eq!(of("failure", "c["), error);
    assert_eq!(of("failure", "b"), error);
    assert_eq!(of("failure", "[b]"), error);
    assert_eq!(of("failure", "not_null(c[0])"), NONE);
    assert_eq!(of("failure", "c[?@ == 'aa']"), NONE);
}

#[test]
fn names_are_unique_within_services() {
    let operation = |operation: &str, waiter: &str| {
        format!(
            "@waitable({waiter}: {})\noperation {operation} {{}}\n",
            with_success("")
        )
    };
    let of = |service: &str| {
        let two = operation("A", "Same") + &operation("B", "SAME") + &operation("C", "Other");
        events(&format!("{two}{service}"))
    };
    assert_eq!(of("service S { operations: [A, C] }"), NONE);
    let both = ["4 ERROR UniqueWaiterNames A", "6 ERROR UniqueWaiterNames B"];
    assert_eq!(of("service S { operations: [A, B, C] }"), both);
    assert_eq!(
        of(
            "service S { operations: [A], resources: [R] }\nresource R { resources: [T] }\nresource T { list: B }"
        ),
        both
    );
}

#[test]
fn what_a_failure_with_a_message_matches_is_said_once() {
    let matcher = "{output: {path: \"nothing\", comparator: \"stringEquals\", expected: \"x\"}}";
    let acceptor = format!("{{matcher: {matcher}, state: \"failure\", message: \"'because'\"}}");
    assert_eq!(
        of_waiter("Fine", &with_acceptor(&acceptor)),
        ["4 DANGER WaitableTraitJmespathProblem.JmespathEventDanger.Fine.1 O"]
    );
}

/// A message says what would fit.
#[test]
fn messages_of_comparators() {
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
    ] {
        let mut sources = Sources::default();
        let waiter = with_path(path, comparator, "true");
        let waiter = waiter.replacen('{', "{minDelay: true, ", 1);
        let text = format!(
            "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n@waitable(Done: {waiter})\n\
             operation O {{ output := {{ b: Boolean, c: Cs }} }}\nlist Cs {{ member: String }}"
        );
        assert!(sources.add("a.smithy", text));
        let events = validate(&read(&sources));
        for end in [end, "expected an integer, found `true`"] {
            let is_said = events.iter().any(|event| event.message.ends_with(end));
            assert!(is_said, "{end}: {events:?}");
        }
    }
}
