//! The examples of the specification: the valid ones are valid, the others are not.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::Path;

use smithy_waiters_model::{Event, Severity, Sources, lint, read};

/// The models in IDL in a page of the specification.
fn examples(page: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/spec")
        .join(page);
    let Ok(text) = fs::read_to_string(&path) else {
        // Not by `println!`: what a test that passes prints is not shown.
        drop(writeln!(
            stderr(),
            "SKIPPED: there is no ../shared/spec/{page}"
        ));
        return Vec::new();
    };
    let blocks = text.split("$version:").skip(1);
    blocks
        .map(|block| format!("$version:{}", code_of(block)))
        .collect()
}

/// What comes before the next sentence: a line that begins with a capital letter and is no code.
fn code_of(block: &str) -> String {
    let mut lines = block.lines().scan(true, |was_blank, line| {
        let is_prose = *was_blank
            && line.starts_with(|char: char| char.is_uppercase() || char.is_ascii_digit());
        *was_blank = line.trim().is_empty();
        (!is_prose).then_some(line)
    });
    lines.by_ref().collect::<Vec<_>>().join("\n")
}

/// The errors of a model; shapes that the page leaves out are no errors here.
fn errors(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    assert!(sources.add("page.smithy", text));
    let events = lint(&read(&sources));
    let is_error =
        |event: &&Event| event.severity >= Severity::Danger && !event.message.contains("refers to");
    events
        .iter()
        .filter(is_error)
        .map(|event| format!("{} {}", event.id, event.message))
        .collect()
}

#[test]
fn examples_of_waiters() {
    let examples = examples("waiters.txt");
    if examples.is_empty() {
        return;
    }
    assert_eq!(examples.len(), 3);
    for example in &examples {
        let found = errors(example);
        if example.contains("GroupExists") {
            // Its acceptor has neither a state nor a matcher: the page's own mistake.
            assert!(
                found
                    .iter()
                    .any(|error| error.contains("the member `state` is missing")),
                "{found:?}"
            );
        } else {
            assert_eq!(found, Vec::<String>::new(), "{example}");
        }
    }
}

#[test]
fn examples_of_behaviour_traits() {
    let examples = examples("behavior-traits.txt");
    if examples.is_empty() {
        return;
    }
    assert!(examples.len() >= 5, "{}", examples.len());
    for example in &examples {
        assert_eq!(errors(example), Vec::<String>::new(), "{example}");
    }
}

/// An example, and what it becomes when it is broken.
#[test]
fn broken_examples_are_broken() {
    let breaks = [
        (
            "waiters.txt",
            0,
            "BucketExists",
            "bucketExists",
            "TraitValue",
        ),
        (
            "waiters.txt",
            0,
            "state: \"success\"",
            "state: \"retry\"",
            "WaitableTrait",
        ),
        (
            "waiters.txt",
            0,
            "success: true",
            "succeeds: true",
            "TraitValue",
        ),
        (
            "waiters.txt",
            1,
            "path: \"status\"",
            "path: \"status[\"",
            "WaitableTrait",
        ),
        (
            "waiters.txt",
            1,
            "path: \"status\"",
            "path: \"state\"",
            "WaitableTraitJmespathProblem",
        ),
        (
            "waiters.txt",
            1,
            "comparator: \"stringEquals\"",
            "comparator: \"allStringEquals\"",
            "WaitableTraitJmespathProblem",
        ),
        (
            "behavior-traits.txt",
            0,
            "inputToken: \"nextToken\"",
            "inputToken: \"token\"",
            "PaginatedTrait",
        ),
        (
            "behavior-traits.txt",
            0,
            "outputToken: \"nextToken\"",
            "outputToken: \"token\"",
            "PaginatedTrait",
        ),
        (
            "behavior-traits.txt",
            2,
            "items: \"result.foos\"",
            "items: \"result.nextToken\"",
            "PaginatedTrait",
        ),
        (
            "behavior-traits.txt",
            3,
            "\"gzip\"",
            "\"zip\"",
            "RequestCompressionTrait",
        ),
    ];
    for (page, place, before, after, id) in breaks {
        let examples = examples(page);
        let Some(example) = examples.get(place) else {
            assert!(examples.is_empty(), "{page} has no example {place}");
            continue;
        };
        assert!(example.contains(before), "{before} is not in {example}");
        let found = errors(&example.replace(before, after));
        let id = id.to_owned();
        let is_it = |error: &String| {
            error.starts_with(&id) || error.starts_with(&format!("SmithyWaiters.Later.{id}"))
        };
        assert!(found.iter().any(is_it), "{page}, {after}: {found:?}");
    }
}
