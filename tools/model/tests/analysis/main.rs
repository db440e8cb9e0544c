//! The findings of this project's own analysis of waiters, and cases without findings.

mod acceptors;
mod cases;
mod paths;
mod states;
mod values;

use smithy_waiters_model::{Event, Sources, lint, read};

const SHAPES: &str = r#"
operation GetThings {
    input := { id: String, count: Integer }
    output := {
        state: State
        name: String
        count: Integer
        @required size: Integer
        done: Boolean
        when: Timestamp
        @required things: Things
        maybe: Things
        byName: ByName
        either: Either
        anything: Document
        old: Old
        @required title: Title
        @required mode: Mode
        level: Level
        @required levels: Levels
        more: More
        @required ready: Modes
        @required percent: Percent
        @required @range(min: 1) rank: Integer
        texts: Texts
        numbers: Numbers
        byMode: ByMode
        tiny: Byte
        pair: Pair
        only: Only
        hollow: Hollow
        data: Blob
    }
    errors: [NotFound]
}
enum State {
    CREATING = "creating"
    READY = "ready"
    FAILED = "failed"
}
string Title
enum Mode {
    ON = "on"
    OFF = "of"
}
intEnum Level {
    ONE = 1
    TWO = 2
}
intEnum Only {
    ONE = 1
}
enum Hollow {
    NONE = ""
    SOME = "some"
}
list Levels { member: Level }
@length(min: 1)
list More { member: String }
@length(min: 1)
list Modes { member: Mode }
@range(min: 0, max: 100)
integer Percent
@enum([{value: "on"}, {value: "off"}])
string Old
list Things { member: Thing }
@length(min: 1)
list Texts { member: String }
list Numbers { member: Integer }
map ByMode { key: Mode, value: Integer }
@length(min: 2, max: 2)
list Pair { member: Mode }
map ByName { key: String, value: Thing }
union Either { thing: Thing, text: String }
structure Thing { state: State, @required tags: Texts, parts: Things }
@error("client")
structure NotFound {}
operation Other { errors: [Elsewhere] }
@error("client")
structure Elsewhere {}
operation RunThings {}
"#;

/// Returns the ids of our findings in a waiter, without the waiter's name.
fn findings(name: &str, acceptors: &str) -> Vec<String> {
    let found = with_shapes(&format!("{name}: {{acceptors: [{acceptors}]}}"), &[]);
    let without = |id: &String| id.replacen(&format!(".{name}"), "", 1);
    found.iter().map(without).collect()
}

/// Returns the messages of our findings in a waiter.
fn messages(name: &str, acceptors: &str) -> Vec<String> {
    let events = events(&format!("{name}: {{acceptors: [{acceptors}]}}"), &[]);
    events.into_iter().map(|event| event.message).collect()
}

/// The findings about values that no acceptor has, which `states` tests.
const MISSING: [&str; 3] = ["PermanentState", "SiblingFailure", "UnhandledValue"];

/// Returns the ids of our findings in a waiter, with additional files.
fn with_shapes(waiter: &str, others: &[(&str, &str)]) -> Vec<String> {
    let events = events(waiter, others);
    let ours = events
        .iter()
        .filter_map(|event| event.id.strip_prefix("SmithyWaiters."));
    let ours = ours.filter(|id| !MISSING.iter().any(|missing| id.starts_with(missing)));
    ours.map(str::to_owned).collect()
}

fn events(waiter: &str, others: &[(&str, &str)]) -> Vec<Event> {
    let text = format!(
        "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n{SHAPES}\napply GetThings @waitable({waiter})"
    );
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    for (name, text) in others {
        assert!(sources.add(*name, *text));
    }
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let events = lint(&model);
    let broken = events
        .iter()
        .find(|event| event.message.contains("does not parse"));
    assert_eq!(broken, None);
    events
}

/// Returns the findings for a path.
fn of_path(path: &str, comparator: &str, expected: &str) -> Vec<String> {
    let mut found = findings("ThingsReady", &of_matcher(path, comparator, expected));
    found.retain(|id| id != "WaiterName");
    found
}

/// Returns an acceptor with a path.
fn of_matcher(path: &str, comparator: &str, expected: &str) -> String {
    let matcher =
        format!("output: {{path: {path:?}, comparator: {comparator:?}, expected: {expected:?}}}");
    format!("{{state: \"success\", matcher: {{{matcher}}}}}")
}

/// Asserts that a finding about a path has a message.
fn assert_said(path: &str, comparator: &str, expected: &str, says: &str) {
    let said = messages("ThingsReady", &of_matcher(path, comparator, expected));
    assert!(
        said.iter().any(|said| said.contains(says)),
        "{path}: {said:?}"
    );
}

fn of_condition(path: &str) -> Vec<String> {
    of_path(path, "booleanEquals", "true")
}
