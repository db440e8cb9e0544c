//! Targets and values of traits that the recordings of Smithy's events (`tests/smithy`) don't have.

use smithy_waiters_model::{Sources, read, validate};

use crate::{NONE, events};

#[test]
fn other_traits_are_not_checked() {
    for other in [
        "@length(min: 1) integer A",
        "@tags([null]) string A",
        "@readonly @idempotent operation A {}",
        "structure S { @httpPayload a: String, @httpPayload b: String }",
        "@trait @idRef(failWhenMissing: true) string ref\n@ref(\"ns#Nope\") string A",
        "@other.library#thing structure A {}",
    ] {
        assert_eq!(events(other), NONE, "{other}");
    }
}

#[test]
fn values_and_targets_have_their_events() {
    let model = &["4 ERROR SmithyWaiters.Model A"][..];
    let value = &["4 ERROR TraitValue A"][..];
    let danger = "4 DANGER WaitableTraitJmespathProblem.JmespathEventDanger.W.0 A";
    let waiter = |matcher: &str, delay: &str| {
        format!(
            "@waitable(W: {{acceptors: [{{state: \"success\", matcher: {{{matcher}}}}}], maxDelay: {delay}}})\n\
             operation A {{ output := {{ data: Bytes }} }}\n@streaming blob Bytes"
        )
    };
    let both = "inputOutput: {path: \"input.x == output.y\", comparator: \"booleanEquals\", expected: \"true\"}";
    let with_token = |user: &str| {
        format!("{user}\n@error(\"client\") structure E {{ @idempotencyToken a: String }}")
    };
    let ignored = &["5 WARNING IdempotencyTokenIgnored E$a"];
    for (idl, expected) in [
        ("@paginated(inputToken: null) operation A {}", model),
        (
            "@requestCompression(encodings: [null]) operation A { input := {} }",
            model,
        ),
        // A stream that is not of events.
        (&waiter("success: true", "2147483647"), &[]),
        (&waiter("success: true", "2147483648"), value),
        (&waiter("success: true", "2e3"), value),
        (&waiter(both, "9"), &[danger, danger]),
        (&with_token("service S { errors: [E] }"), ignored),
        (&with_token("operation O { errors: [E] }"), ignored),
        (&with_token("resource R { properties: { e: E } }"), ignored),
    ] {
        assert_eq!(events(idl), expected, "{idl}");
    }
}

#[test]
fn a_model_that_was_built_need_not_have_all_traits_of_a_library() {
    let ast = |namespace: &str, name: &str, defined: &str| {
        format!(
            "{{\"smithy\": \"2.0\", \"shapes\": {{{defined}\"{namespace}#S\": {{\"type\": \"structure\", \"traits\": {{\"aws.made#{name}\": {{}}}}}}}}}}"
        )
    };
    let defined =
        "\"aws.made#one\": {\"type\": \"structure\", \"traits\": {\"smithy.api#trait\": {}}},";
    let mut sources = Sources::default();
    assert!(sources.add("a.json", ast("a", "one", defined)));
    assert!(sources.add("b.json", ast("b", "two", "")));
    assert_eq!(validate(&read(&sources)), []);
}

#[test]
fn what_is_unknown_is_told_with_what_is_near() {
    let paginated = |items: &str| {
        format!(
            "@paginated(inputToken: \"next\", outputToken: \"next\", items: \"{items}\")
            @readonly operation List {{ input := {{ next: String }}, output := {{ next: String, items: Names, page: Page }} }}
            structure Page {{ items: Names }}
            list Names {{ member: String }}"
        )
    };
    for (idl, says) in [
        (
            "@requird structure A {}",
            "`ns#A` has the unknown trait `ns#requird`: did you mean `smithy.api#required`?",
        ),
        (
            "structure A { thing: Thinh }\nstring Thing",
            "`ns#A$thing` refers to the unknown shape `ns#Thinh`: did you mean `Thing`?",
        ),
        (
            "structure A { thing: smithy.api#Thinh }\nstring Thing",
            "`ns#A$thing` refers to the unknown shape `smithy.api#Thinh`",
        ),
        (
            &paginated("item"),
            "`items` refers to the unknown member `item`: did you mean `items`?",
        ),
        (
            &paginated("page.item"),
            "`items` is the path `page.item` with the unknown member `item`: did you mean `items`?",
        ),
    ] {
        let mut sources = Sources::default();
        let head = "$version: \"2\"\nnamespace ns\n";
        assert!(sources.add("a.smithy", format!("{head}{idl}")));
        let found = validate(&read(&sources)).into_iter();
        let found: Vec<String> = found.map(|event| event.message).collect();
        assert_eq!(found, [says], "{idl}");
    }
}

#[test]
fn of_many_unknown_traits_the_first_have_suggestions() {
    let shapes: String = (0..102)
        .map(|number| format!("@requird structure A{number} {{}}\n"))
        .collect();
    let mut sources = Sources::default();
    assert!(sources.add(
        "a.smithy",
        format!("$version: \"2\"\nnamespace ns\n{shapes}")
    ));
    let found = validate(&read(&sources));
    let near = found.iter().filter(|event| event.message.ends_with("?"));
    assert_eq!((found.len(), near.count()), (102, 100));
}

#[test]
fn the_token_that_an_event_is_about_is_its_place() {
    for (idl, token) in [
        ("@requird structure A {}", "@requird"),
        ("structure A { thing: Thinh }", "thing"),
        ("structure A { \"thing\": Thinh }", "\"thing\""),
        (
            "@waitable(W: {acceptors: [{state: \"end\", matcher: {success: true}}]}) operation O {}",
            "\"end\"",
        ),
        ("@waitable(W: {acceptors: []}) operation O {}", "["),
        (
            "@waitable(W: {minDelay: -1, acceptors: [{state: \"success\", matcher: {success: true}}]}) operation O {}",
            "-1",
        ),
        (
            "@waitable(W: {acceptors: [{state: \"success\", matcher: {output: {path: \"a.nope\", comparator: \"stringEquals\", expected: \"x\"}}}]}) operation O { output := { a: B } }\nstructure B { b: String }",
            "nope",
        ),
    ] {
        let mut sources = Sources::default();
        let head = "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n";
        assert!(sources.add("a.smithy", format!("{head}{idl}")));
        let events = validate(&read(&sources));
        let span = sources.span(events.last().unwrap()).unwrap();
        assert_eq!(span.text.get(span.range), Some(token), "{events:?}");
    }
}
