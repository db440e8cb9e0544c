//! References to missing shapes and traits.

use smithy_waiters_model::{Sources, read, validate};

use crate::{NONE, events};

#[test]
fn what_is_missing_is_said_first() {
    let found =
        events("structure T { a: Gone, b: String }\noperation O { input: T, errors: [Lost] }");
    assert_eq!(
        found,
        [
            "4 ERROR SmithyWaiters.Model T$a",
            "5 ERROR SmithyWaiters.Model O"
        ]
    );
    let paginated =
        events("@paginated(inputToken: \"x\")\noperation O { input := { token: Gone } }");
    assert_eq!(
        paginated,
        [
            "4 ERROR SmithyWaiters.Later.PaginatedTrait O",
            "5 ERROR SmithyWaiters.Model OInput$token"
        ]
    );
}

#[test]
fn traits_that_are_not_there_are_errors() {
    assert_eq!(
        events("structure A { @requird a: String }\n@smithy.waiters#waitabl operation O {}"),
        [
            "4 ERROR SmithyWaiters.UnknownTrait A$a",
            "5 ERROR SmithyWaiters.UnknownTrait O"
        ]
    );
    // A later release may define it.
    assert_eq!(
        events("@smithy.api#fresh structure A {}"),
        ["4 WARNING SmithyWaiters.UnknownTrait A"]
    );
    assert_eq!(events("@other.library#thing structure A {}"), NONE);
    assert_eq!(
        events("@trait structure mine {}\n@mine structure A {}"),
        NONE
    );
}

#[test]
fn a_use_that_is_forgotten_is_named() {
    let mut sources = Sources::default();
    let text = "$version: \"2\"\nnamespace ns\n@waitable(Done: {acceptors: [{state: \"success\", matcher: {success: true}}]})\noperation O {}";
    assert!(sources.add("a.smithy", text));
    let events = validate(&read(&sources));
    assert!(
        events[0]
            .message
            .ends_with(": is `use smithy.waiters#waitable` missing?"),
        "{}",
        events[0].message
    );
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
