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
