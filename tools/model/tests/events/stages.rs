//! Smithy validates in stages. Events that it would report only in a later stage have an id of this project.

use smithy_waiters_model::{Severity, Sources, lint, read};

const HEAD: &str = "$version: \"2.0\"\nnamespace ns\nuse smithy.waiters#waitable\n";

/// A waiter with an invalid trait value, and problems that Smithy checks later.
const WRONG: &str = "@waitable(low: {acceptors: [{state: \"success\", matcher: {success: true}}]})
operation Low {}
@waitable(None: {acceptors: [{state: \"failure\", matcher: {success: true}}]})
operation None {}
";

/// Returns the ids of errors, in order.
fn errors(idl: &str) -> Vec<String> {
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", format!("{HEAD}{WRONG}{idl}")));
    let events = lint(&read(&sources));
    events.into_iter().map(|event| event.id).collect()
}

const LATER: [&str; 2] = [
    "SmithyWaiters.Later.TraitValue",
    "SmithyWaiters.Later.WaitableTrait",
];

#[test]
fn values_come_before_what_they_mean() {
    assert_eq!(
        errors(""),
        ["TraitValue", "SmithyWaiters.Later.WaitableTrait"]
    );
}

#[test]
fn a_missing_use_hides_no_other_mistake() {
    let mut sources = Sources::default();
    let text = format!("{HEAD}{WRONG}").replace("use smithy.waiters#waitable\n", "");
    assert!(sources.add("a.smithy", text));
    let found = lint(&read(&sources));
    let missing = ": is `use smithy.waiters#waitable` missing?";
    assert!(found[1].message.ends_with(missing), "{found:?}");
    let found: Vec<String> = found.into_iter().map(|event| event.id).collect();
    let unknown = "SmithyWaiters.UnknownTrait";
    let [value, acceptors] = LATER;
    assert_eq!(found, [value, unknown, acceptors, unknown]);
}

#[test]
fn where_traits_are_comes_before_what_they_mean() {
    let waiter = "@waitable(None: {acceptors: [{state: \"failure\", matcher: {success: true}}]})
operation None {}
";
    for (broken, id) in [
        ("@retryable structure S {}", "TraitTarget"),
        (
            "structure S { @idempotencyToken a: String, @idempotencyToken b: String }",
            "ExclusiveStructureMemberTrait",
        ),
        (
            "@requestCompression(encodings: [\"gzip\"]) service S {}",
            "TraitTarget",
        ),
    ] {
        let mut sources = Sources::default();
        assert!(sources.add("a.smithy", format!("{HEAD}{waiter}{broken}")));
        let found: Vec<String> = lint(&read(&sources))
            .into_iter()
            .filter(|event| event.severity > Severity::Note)
            .map(|event| event.id)
            .collect();
        assert_eq!(found, ["SmithyWaiters.Later.WaitableTrait", id], "{broken}");
    }
}

#[test]
fn a_model_that_cannot_be_made_comes_before_all() {
    for (broken, id) in [
        ("strcture S {}", "SmithyWaiters.Syntax"),
        ("apply Gone @required", "SmithyWaiters.Model"),
        ("structure S with [Gone] {}", "SmithyWaiters.Model"),
        ("structure S { a: Gone }", "SmithyWaiters.Model"),
        ("@gone structure S {}", "SmithyWaiters.UnknownTrait"),
        (
            "@tags([\"a\"])\n@tags({})\nstructure S {}",
            "SmithyWaiters.Model",
        ),
        (
            "@waitable(Short: {acceptors: [{matcher: {success: true}}], minDelay: 0})\noperation S {}",
            "SmithyWaiters.Model",
        ),
    ] {
        let found = errors(broken);
        assert_eq!(found[..2], LATER, "{broken}");
        assert!(found.iter().any(|found| found == id), "{broken}: {found:?}");
        let of_ours = |found: &String| found.starts_with("SmithyWaiters.");
        assert!(found.iter().all(of_ours), "{broken}: {found:?}");
    }
}
