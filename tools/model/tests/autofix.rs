//! The changes of `autofix`, and the events that it does not fix.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use proptest::prelude::*;
use smithy_waiters_model::{Outline, Sources, autofix, read};

/// Returns a model with a waiter `Ready` with acceptors, and further text.
fn model(acceptors: &str, more: &str) -> String {
    format!(
        "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n\n@waitable(\n    Ready: {{\n        acceptors: [\n{acceptors}        ]\n    }}\n)\n{more}operation Get {{\n    output := {{ thing: Thing }}\n    errors: [Gone]\n}}\n\nstructure Thing {{ state: State, deep: Thing }}\n\nenum State {{ CREATING, READY }}\n\n@error(\"client\")\nstructure Gone {{}}\n"
    )
}

const UNSAFE: &str = "the change would alter the meaning of the model";
const SUCCESS: &str = "            { state: \"success\", matcher: { errorType: \"Gone\" } }\n";
const RETRY: &str = "            { state: \"retry\", matcher: { output: { path: \"thing.state\", comparator: \"stringEquals\", expected: \"CREATING\" } } }\n";

/// Returns the fixed text, the number of changes, and the reasons of the events that are not fixed.
fn fixed(name: &str, text: &str) -> (String, usize, Vec<&'static str>) {
    let mut sources = Sources::default();
    assert!(sources.add(name, text));
    let fixed = autofix(sources);
    let reasons = fixed.rejections.iter().map(|(_, reason)| *reason).collect();
    let text = fixed.sources.texts().next().unwrap().1.to_owned();
    let mut sources = Sources::default();
    assert!(sources.add(name, &*text));
    assert_eq!(autofix(sources).changes, [], "it is changed again:\n{text}");
    (text, fixed.changes.len(), reasons)
}

fn assert_left(text: &str, reason: &str) {
    assert_eq!(fixed("a.smithy", text), (text.to_owned(), 0, vec![reason]));
}

#[test]
fn paths_in_text_blocks_are_mended_where_they_are() {
    let acceptor = |path: &str, expected: &str| {
        let path = path.replace('\n', "\n                ");
        format!(
            "            {{ state: \"success\", matcher: {{ output: {{\n                path: \"\"\"\n                {path}\"\"\"\n                comparator: \"stringEquals\"\n                expected: {expected}\n            }} }} }}\n"
        )
    };
    let block = |value: &str| format!("\"\"\"\n                    {value}\"\"\"");
    let before = model(
        &acceptor("thing\n  .Deep \\\n  .State", &block("ready")),
        "",
    );
    let after = model(
        &acceptor("thing\n  .deep \\\n  .state", &block("READY")),
        "",
    );
    assert_eq!(fixed("a.smithy", &before), (after.clone(), 3, vec![]));
    let windows = fixed("a.smithy", &before.replace('\n', "\r\n"));
    assert_eq!(windows, (after.replace('\n', "\r\n"), 3, vec![]));
}

#[test]
fn quoted_members_keep_their_quotes() {
    let acceptor = |path: &str| {
        format!(
            "            {{ state: \"success\", matcher: {{ output: {{ path: {path}, comparator: \"stringEquals\", expected: \"READY\" }} }} }}\n"
        )
    };
    for (before, after) in [
        (r#""thing.\"State\"""#, r#""thing.\"state\"""#),
        (
            "\"\"\"\n    thing.\"State\" \"\"\"",
            "\"\"\"\n    thing.\"state\" \"\"\"",
        ),
        (r#""\u0074hing.State""#, r#""\u0074hing.state""#),
    ] {
        let expected = (model(&acceptor(after), ""), 1, vec![]);
        assert_eq!(fixed("a.smithy", &model(&acceptor(before), "")), expected);
    }
    let escaped = model(&acceptor(r#""thing.\u0053tate""#), "");
    assert_left(
        &escaped,
        "the string is written in a form that cannot be edited",
    );
}

#[test]
fn what_two_events_need_differently_is_left() {
    let acceptor = |path: &str| {
        format!(
            "            {{ state: \"success\", matcher: {{ output: {{ path: \"{path}\", comparator: \"stringEquals\", expected: \"READY\" }} }} }}\n"
        )
    };
    let acceptors = |one: &str, two: &str| [acceptor(one), acceptor(two)].concat();
    let before = model(&acceptors("thing.State", "thing.deep.State"), "");
    let after = model(&acceptors("thing.state", "thing.deep.state"), "");
    assert_eq!(fixed("a.smithy", &before), (after, 2, vec![]));
    // The same place in another text is another place.
    let one = model(&acceptor("thing.State"), "");
    let two = one
        .replace("namespace ns", "namespace me")
        .replace("{ state: State,", "{ STATE: State,");
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", one) && sources.add("b.smithy", two));
    let both = autofix(sources);
    assert_eq!((both.changes.len(), both.rejections.len()), (2, 0));
    // The path is that of two operations with the mixin, of which each has another member.
    let mixin =
        model(&acceptor("thing.State"), "@mixin\n").replace("    output := { thing: Thing }\n", "");
    let text = format!(
        "{mixin}operation One with [Get] {{\n    output := {{ thing: Thing }}\n}}\noperation Two with [Get] {{\n    output := {{ thing: Upper }}\n}}\nstructure Upper {{ STATE: State }}\n"
    );
    let reason = "another event requires a different change";
    assert_eq!(fixed("a.smithy", &text).2, [reason; 2]);
}

#[test]
fn the_case_of_an_error_is_left() {
    let acceptor = "            { state: \"success\", matcher: { errorType: \"gone\" } }\n";
    let text = model(acceptor, "");
    assert_eq!(fixed("a.smithy", &text), (text.clone(), 0, vec![]));
}

#[test]
fn suppressions_of_other_texts_are_kept_in_mind() {
    let rules = r#"{"smithy": "2.0", "metadata": {"suppressions": [{"id": "WaitableTraitInvalidErrorType.Ready.2", "namespace": "*"}]}}"#;
    let acceptors = [SUCCESS, RETRY, RETRY].concat();
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", model(&acceptors, "")));
    sources.follow(&Outline::of("b.json", rules));
    let fixed = autofix(sources);
    assert_eq!(fixed.changes, []);
    assert!(!fixed.rejections.is_empty());
}

#[test]
fn what_has_several_right_spellings_is_left() {
    let acceptor = "            { state: \"success\", matcher: { output: { path: \"thing.state\", comparator: \"stringEquals\", expected: \"Ready\" } } }\n";
    let text = model(acceptor, "").replace("CREATING, READY", "ready, READY");
    assert_eq!(fixed("a.smithy", &text), (text.clone(), 0, vec![]));
}

#[test]
fn acceptors_that_are_not_needed_are_taken_out_with_their_lines() {
    let inline = |acceptors: &str| model("", "").replace("[\n        ]", &format!("[{acceptors}]"));
    let (success, retry) = (SUCCESS.trim(), RETRY.trim());
    for (before, after) in [
        (model(&[SUCCESS, RETRY].concat(), ""), model(SUCCESS, "")),
        (model(&[RETRY, SUCCESS].concat(), ""), model(SUCCESS, "")),
        (
            model(&[RETRY, SUCCESS, RETRY].concat(), "").replace('\n', "\r\n"),
            model(SUCCESS, "").replace('\n', "\r\n"),
        ),
        (inline(&format!("{success} {retry}")), inline(success)),
        (
            inline(&format!("{success}, {retry}")),
            inline(&format!("{success},")),
        ),
        (inline(&format!("{retry}, {success}")), inline(success)),
        (
            inline(&format!(" {retry} {success} ")),
            inline(&format!(" {success} ")),
        ),
    ] {
        let (text, _, rejections) = fixed("a.smithy", &before);
        assert_eq!((text, rejections), (after, vec![]));
    }
}

#[test]
fn all_that_are_not_needed_in_json_go_with_their_commas() {
    let acceptor =
        |state: &str, matcher: &str| format!("{{\"state\": \"{state}\", \"matcher\": {matcher}}}");
    let model = |acceptors: &str| {
        format!(
            "{{\"smithy\": \"2.0\", \"shapes\": {{\"a#S\": {{\"type\": \"structure\", \"members\": {{\"s\": {{\"target\": \"smithy.api#String\"}}}}}}, \"a#O\": {{\"type\": \"operation\", \"output\": {{\"target\": \"a#S\"}}, \"traits\": {{\"smithy.waiters#waitable\": {{\"Done\": {{\"acceptors\": [{acceptors}]}}}}}}}}}}}}"
        )
    };
    let path =
        "{\"output\": {\"path\": \"s\", \"comparator\": \"stringEquals\", \"expected\": \"x\"}}";
    let success = acceptor("success", "{\"errorType\": \"Gone\"}");
    let retry = acceptor("retry", path);
    let again = acceptor("retry", "{\"success\": true}");
    for before in [
        format!("{success}, {retry}, {again}"),
        format!("{retry},{success}"),
        format!("{retry}, {success},\n {again}"),
        format!("{success} ,\n {retry}"),
    ] {
        let (text, _, rejections) = fixed("a.json", &model(&before));
        assert_eq!((text, rejections), (model(&success), vec![]), "{before}");
    }
}

#[test]
fn acceptors_with_comments_are_left() {
    const REASON: &str = "the change would delete or misplace a comment";
    let commented = [
        RETRY.replace("{ state", "{ // why\n state"),
        RETRY.replace('\n', " // why\n"),
        RETRY.replace('\n', ", // why\n"),
        format!("            // why\n{RETRY}"),
        format!("            /// why\n{RETRY}"),
        format!("            // a, b,\n{RETRY}"),
    ];
    for retry in commented {
        assert_left(&model(&[SUCCESS, &retry].concat(), ""), REASON);
    }
    let of_another = model(&[&SUCCESS.replace('\n', ", // kept\n"), RETRY].concat(), "");
    let left = model(&SUCCESS.replace('\n', ", // kept\n"), "");
    assert_eq!(fixed("a.smithy", &of_another), (left, 1, vec![]));
    let url = SUCCESS.replace("\"success\", ", "\"success\", message: \"https://why\", ");
    let no_comment = fixed("a.smithy", &model(&[&url, RETRY].concat(), ""));
    assert_eq!(no_comment.1, 1);
}

#[test]
fn no_suppression_comes_to_mean_another_acceptor() {
    const REASON: &str = "a suppression refers to this acceptor or a later one by its number";
    let acceptors = [RETRY, SUCCESS].concat();
    let by_trait = "@suppress([\"WaitableTraitJmespathProblem.ReturnTypeMismatch.Ready.1\"])\n";
    assert_left(&model(&acceptors, by_trait), REASON);
    let metadata = "$version: \"2\"\nmetadata suppressions = [{ id: \"WaitableTraitInvalidErrorType.Ready.0\", namespace: \"ns\" }]\n";
    let text = model(&acceptors, "").replace("$version: \"2\"\n", metadata);
    assert_left(&text, REASON);
    let before_it = "@suppress([\"WaitableTraitInvalidErrorType.Ready.0\"])\n";
    let last = model(&[SUCCESS, RETRY].concat(), before_it);
    assert_eq!(
        fixed("a.smithy", &last),
        (model(SUCCESS, before_it), 1, vec![])
    );
}

#[test]
fn the_last_acceptor_stays() {
    let (text, changes, rejections) = fixed("a.smithy", &model(&[RETRY, RETRY].concat(), ""));
    assert_eq!((text, changes), (model(RETRY, ""), 1));
    assert_eq!(rejections, [UNSAFE]);
}

#[test]
fn operations_that_share_a_trait_and_do_not_agree_are_left() {
    let text = "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n
@mixin
@waitable(Ready: { acceptors: [{ state: \"success\", matcher: { output: { path: \"State\", comparator: \"stringEquals\", expected: \"a\" } } }] })
operation Base {}
operation A with [Base] { output := { state: String } }
operation B with [Base] { output := { STATE: String } }
";
    let reason = "another event requires a different change";
    let both = (text.to_owned(), 0, vec![reason; 2]);
    assert_eq!(fixed("a.smithy", text), both);
    // The path is right for the second operation.
    let text = text.replace("STATE", "State");
    assert_left(&text, UNSAFE);
}

#[test]
fn no_other_event_comes_of_a_fix() {
    let ready = RETRY
        .replace("retry", "success")
        .replace("CREATING", "READY");
    let both = [&*ready, &RETRY.replace("CREATING", "FAILED")].concat();
    let of = |acceptors: &str, severity: &str| {
        let rule = format!(
            "{{ id: \"SmithyWaiters.PermanentState\", namespace: \"ns\", severity: \"{severity}\" }}"
        );
        let head = format!("metadata severityOverrides = [{rule}]\nnamespace ns");
        let text = model(acceptors, "").replace("CREATING, READY", "CREATING, READY, FAILED");
        text.replace("namespace ns", &head)
    };
    // Without the acceptor, no acceptor has the value.
    assert_left(&of(&both, "WARNING"), UNSAFE);
    let note = (of(&ready, "NOTE"), 1, vec![]);
    assert_eq!(fixed("a.smithy", &of(&both, "NOTE")), note);
    // The number of an acceptor in an event is not part of what happened.
    let unknown = SUCCESS.replace("Gone", "Goen");
    let before = model(&[SUCCESS, RETRY, &unknown].concat(), "");
    let after = model(&[SUCCESS, &unknown].concat(), "");
    assert_eq!(fixed("a.smithy", &before), (after, 1, vec![]));
}

#[test]
fn a_use_is_added_where_others_are() {
    // Two operations need it.
    let operation = "@waitable(Done: { acceptors: [{ state: \"success\", matcher: { success: true } }] })\noperation";
    let operations = format!("{operation} A {{}}\n{operation} B {{}}\n");
    for (before, after) in [
        (
            "namespace ns // mine\n",
            "namespace ns // mine\nuse smithy.waiters#waitable\n",
        ),
        (
            "namespace  ns\n\nuse  a.b#c // why\n\n",
            "namespace  ns\n\nuse  a.b#c // why\nuse smithy.waiters#waitable\n\n",
        ),
        (
            "metadata a = \"\"\"\nnamespace x\n\"\"\"\nnamespace ns\n",
            "metadata a = \"\"\"\nnamespace x\n\"\"\"\nnamespace ns\nuse smithy.waiters#waitable\n",
        ),
        (
            "metadata namespace = { namespace: a }\nnamespace ns\r\n",
            "metadata namespace = { namespace: a }\nnamespace ns\r\nuse smithy.waiters#waitable\r\n",
        ),
    ] {
        let text = |uses: &str| format!("$version: \"2\"\n{uses}{operations}");
        assert_eq!(fixed("a.smithy", &text(before)), (text(after), 1, vec![]));
    }
}

/// Acceptors in various styles, some of which are fixed, and separators.
const ACCEPTORS: [&str; 8] = [
    "{ state: \"success\", matcher: { success: true } }",
    "{ state: \"failure\", matcher: { errorType: \"gone\" } }",
    "{ state: \"failure\", matcher: { errorType: \"Gone\" } } // last",
    "{\n // first\n state: \"retry\", matcher: { success: true } }",
    "{ state: \"retry\", matcher: { output: { path: \"thing.State\", comparator: \"stringEquals\", expected: \"Ready\" } } }",
    "{ state: \"success\", matcher: { output: { path: \"\"\"\n   thing\n     .Deep.\"State\" \"\"\", comparator: \"stringEquals\", expected: \"\"\"\n  creating\"\"\" } } }",
    "{ state: \"success\", matcher: { output: { path: \"Thing.\\\"state\\\" == '\\u00e9' && length(thing.STATE) > `1`\", comparator: \"booleanEquals\", expected: \"TRUE\" } } }",
    "/// said\n{ state: \"failure\", matcher: { success: false } }",
];
const BETWEEN: [&str; 5] = [" ", ",", "\n", ",\n // next, it says\n", "\r\n"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_mended_stays_what_it_is(
        chosen in prop::collection::vec((0..ACCEPTORS.len(), 0..BETWEEN.len()), 1..6),
        suppressed in prop::option::of(0..6_usize),
    ) {
        let acceptors: String = chosen
            .iter()
            .map(|(acceptor, between)| format!("{}{}", ACCEPTORS[*acceptor], BETWEEN[*between]))
            .collect();
        let suppress = suppressed.map_or_else(String::new, |number| format!("@suppress([\"A.Ready.{number}\"])\n"));
        let before = model(&acceptors, &suppress);
        let errors = |text: &str| {
            let mut sources = Sources::default();
            assert!(sources.add("a.smithy", text));
            read(&sources).events().len()
        };
        // Comments are preserved, and a text that could be parsed before can be parsed after.
        let (after, _, _) = fixed("a.smithy", &before);
        prop_assert_eq!(after.matches("//").count(), before.matches("//").count());
        prop_assert!(errors(&after) <= errors(&before), "{}", after);
        // The first acceptors keep their numbers, which suppressions may contain.
        let first = |text: &str| text.split("acceptors: [").nth(1).map(|rest| rest.to_lowercase().chars().take(20).collect::<String>());
        if suppressed == Some(0) {
            prop_assert_eq!(first(&after), first(&before));
        }
    }
}
