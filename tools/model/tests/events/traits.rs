//! The targets and values of the traits of waiters and behaviours, with the events of Smithy 1.73.

use crate::{NONE, events};

/// Returns the ids of the events of a text, with their shapes.
fn found(idl: &str) -> Vec<String> {
    let events = events(idl).into_iter();
    let without_line = |event: String| event.split_once(' ').unwrap().1.to_owned();
    events.map(without_line).collect()
}

#[test]
fn traits_are_where_their_selectors_say() {
    for wrong in [
        "@paginated structure A {}",
        "@requestCompression(encodings: [\"gzip\"]) service A {}",
        "@retryable structure A {}",
        "@retryable operation A {}",
        "@idempotencyToken string A",
        "@waitable(W: {acceptors: [{state: \"success\", matcher: {success: true}}]}) service A {}",
    ] {
        assert_eq!(found(wrong), ["ERROR TraitTarget A"], "{wrong}");
    }
    for wrong in [
        "structure S { @idempotencyToken a: Integer }",
        "structure S { @retryable a: String }",
        "union S { @idempotencyToken a: String }",
    ] {
        assert_eq!(found(wrong), ["ERROR TraitTarget S$a"], "{wrong}");
    }
    for fine in [
        "@error(\"client\") @retryable structure A {}",
        "structure S { @idempotencyToken a: E }\nenum E { A }",
        "@paginated(inputToken: \"a\", outputToken: \"b\") service S {}",
    ] {
        assert_eq!(found(fine), NONE, "{fine}");
    }
}

#[test]
fn other_traits_are_not_checked() {
    for other in [
        "@length(min: 1) integer A",
        "@tags([null]) string A",
        "@readonly @idempotent operation A {}",
        "structure S { @httpPayload a: String, @httpPayload b: String }",
        "@trait @idRef(failWhenMissing: true) string ref\n@ref(\"ns#Nope\") string A",
    ] {
        assert_eq!(found(other), NONE, "{other}");
    }
}

#[test]
fn values_are_what_their_definitions_say() {
    for broken in [
        "@paginated(inputToken: null) operation A {}",
        "@paginated([]) operation A {}",
        "@requestCompression operation A { input := {} }",
        "@requestCompression(encodings: [null]) operation A { input := {} }",
        "@error(\"client\") @retryable(throttling: \"yes\") structure A {}",
    ] {
        assert_eq!(found(broken), ["ERROR SmithyWaiters.Model A"], "{broken}");
    }
    assert_eq!(
        found("@paginated(items: \"\") operation A {}")
            .last()
            .unwrap(),
        "ERROR TraitValue A"
    );
    let delay = |delay: &str| {
        found(&format!(
            "@waitable(W: {{acceptors: [{{state: \"success\", matcher: {{success: true}}}}], maxDelay: {delay}}}) operation A {{}}"
        ))
    };
    assert_eq!(delay("2147483647"), NONE);
    assert_eq!(delay("2147483648"), ["ERROR TraitValue A"]);
    assert_eq!(delay("2e3"), ["ERROR TraitValue A"]);
}

#[test]
fn members_that_values_do_not_have_are_said() {
    assert_eq!(
        found("@error(\"client\") @retryable(often: 1) structure A {}"),
        ["WARNING TraitValue.UnknownMember.smithy.api#retryable.often A"]
    );
    assert_eq!(
        found("@requestCompression(encodings: [\"gzip\"], level: 1) operation A { input := {} }"),
        ["WARNING TraitValue.UnknownMember.smithy.api#requestCompression.level A"]
    );
}
