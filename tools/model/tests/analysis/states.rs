//! Values of a state that a waiter misses.

use smithy_waiters_model::suggest::Vocabulary;
use smithy_waiters_model::{Sources, lint, lint_with_vocabulary, read};

use crate::MISSING;

const SHAPES: &str = "
operation StartJob {}
operation GetJob { output := { status: JobStatus, note: String } }
operation ListJobs { output := { jobs: Jobs } }
list Jobs { member: Job }
structure Job { status: JobStatus }
enum JobStatus { QUEUED, RUNNING, SUCCEEDED, FAILED, CANCELLED, ODD, STRANGE, PECULIAR, CURIOUS }
operation GetThing { output := { status: ThingStatus }, errors: [ThingNotFound] }
operation DeleteThing {}
@error(\"client\") structure ThingNotFound {}
enum ThingStatus { CREATING, ACTIVE, CREATE_FAILED, DELETING, DELETE_FAILED }
";

/// The operation, the name, and the states and values of the acceptors of a waiter.
type Waiter<'w> = (&'w str, &'w str, &'w [(&'w str, &'w str)]);

/// Returns the notes about states.
fn notes(waiters: &[Waiter<'_>]) -> Vec<String> {
    let mut text = String::new();
    for (operation, name, acceptors) in waiters {
        let acceptors = acceptors.iter().map(|(state, value)| {
            let matcher = match *operation {
                _ if value.ends_with("NotFound") => format!("errorType: \"{value}\""),
                "ListJobs" => output("jobs[].status", "allStringEquals", value),
                _ => output("status", "stringEquals", value),
            };
            format!("{{ state: \"{state}\", matcher: {{ {matcher} }} }}")
        });
        let acceptors = acceptors.collect::<Vec<_>>().join(" ");
        text.push_str(&format!(
            "apply {operation} @waitable({name}: {{ acceptors: [{acceptors}] }})\n"
        ));
    }
    notes_of(&text, &Vocabulary::default())
}

/// Returns the notes about states for waiters in Smithy IDL.
fn notes_of(waiters: &str, vocabulary: &Vocabulary) -> Vec<String> {
    let mut sources = Sources::default();
    sources.add(
        "a.smithy",
        format!("$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n{SHAPES}{waiters}"),
    );
    let events = lint_with_vocabulary(&read(&sources), vocabulary).into_iter();
    let events = events.filter(|event| MISSING.iter().any(|kind| event.id.contains(kind)));
    events.map(|event| event.message).collect()
}

fn output(path: &str, comparator: &str, value: &str) -> String {
    format!("output: {{ path: \"{path}\", comparator: \"{comparator}\", expected: \"{value}\" }}")
}

#[test]
fn a_permanent_value_without_acceptor_is_noted() {
    let of = |acceptors: &[(&str, &str)]| notes(&[("GetJob", "JobSucceeded", acceptors)]);
    assert_eq!(
        of(&[("success", "SUCCEEDED")]),
        [
            "waiter `JobSucceeded`: no acceptor has `FAILED`, `CANCELLED`, permanent values of `status`: \
             the wait then lasts until its deadline"
        ]
    );
    let all = [
        ("success", "SUCCEEDED"),
        ("failure", "FAILED"),
        ("retry", "CANCELLED"),
    ];
    assert_eq!(of(&all), Vec::<String>::new());
    // A waiter for several goals only fails on what fails all of them.
    let several = [("success", "SUCCEEDED"), ("success", "CANCELLED")];
    assert_eq!(
        of(&several),
        [
            "waiter `JobSucceeded`: no acceptor has `FAILED`, a permanent value of `status`: \
             the wait then lasts until its deadline"
        ]
    );
}

#[test]
fn the_phase_of_a_failure_counts() {
    let active = notes(&[("GetThing", "ThingActive", &[("success", "ACTIVE")])]);
    assert_eq!(active.len(), 1, "{active:?}");
    assert!(
        active[0].contains("no acceptor has `CREATE_FAILED`, a"),
        "{active:?}"
    );
    let acceptors = [("success", "ThingNotFound"), ("retry", "DELETING")];
    let deleted = notes(&[("GetThing", "ThingDeleted", &acceptors)]);
    assert_eq!(deleted.len(), 1, "{deleted:?}");
    assert!(
        deleted[0].contains("no acceptor has `DELETE_FAILED`, a"),
        "{deleted:?}"
    );
}

#[test]
fn a_failure_of_another_waiter_for_the_same_value_is_noted() {
    let odd: &[(&str, &str)] = &[
        ("success", "SUCCEEDED"),
        ("failure", "FAILED"),
        ("failure", "CANCELLED"),
        ("failure", "ODD"),
    ];
    let plain = odd.get(..3).unwrap_or_default();
    let found = notes(&[("GetJob", "JobDone", odd), ("ListJobs", "JobsDone", plain)]);
    assert_eq!(
        found,
        [
            "waiter `JobsDone`: `JobDone` waits for the same value and fails on `ODD` of `jobs[].status`: \
             this waiter does not"
        ]
    );
}

#[test]
fn the_only_value_without_acceptor_is_noted() {
    let acceptors = [
        ("success", "ACTIVE"),
        ("failure", "CREATE_FAILED"),
        ("failure", "DELETE_FAILED"),
        ("retry", "CREATING"),
    ];
    let of = |acceptors| notes(&[("GetThing", "ThingActive", acceptors)]);
    assert_eq!(
        of(&acceptors),
        [
            "waiter `ThingActive`: the acceptors have all other values of `status`, \
             so `DELETING` continues the wait"
        ]
    );
    let all = [
        "QUEUED",
        "RUNNING",
        "SUCCEEDED",
        "FAILED",
        "CANCELLED",
        "ODD",
        "STRANGE",
    ];
    let state = |value| {
        if value == "SUCCEEDED" {
            "success"
        } else {
            "failure"
        }
    };
    let all = all.map(|value| (state(value), value));
    let of_job = |acceptors| notes(&[("GetJob", "JobSucceeded", acceptors)]);
    let rest = of_job(&all);
    let says = "the acceptors have all other values of `status`, so `PECULIAR`, `CURIOUS` continue the wait";
    assert!(rest.len() == 1 && rest[0].contains(says), "{rest:?}");
    assert_eq!(of_job(&all[..6]), Vec::<String>::new());
    // A value that the resource leaves by itself is not missing.
    assert_eq!(of(&acceptors[..3]), Vec::<String>::new());
}

#[test]
fn a_waiter_with_an_expression_on_the_state_is_skipped() {
    let text = "apply GetJob @waitable(JobSucceeded: { acceptors: [
        { state: \"success\", matcher: { output: { path: \"status\", comparator: \"stringEquals\", expected: \"SUCCEEDED\" } } }
        { state: \"failure\", matcher: { output: { path: \"contains(['FAILED', 'CANCELLED'], status)\", comparator: \"booleanEquals\", expected: \"true\" } } }
    ] })";
    assert_eq!(notes_of(text, &Vocabulary::default()), Vec::<String>::new());
}

#[test]
fn a_waiter_for_an_error_reads_the_state_of_the_resource() {
    let found = notes(&[("GetThing", "ThingDeleted", &[("success", "ThingNotFound")])]);
    assert_eq!(
        found,
        [
            "waiter `ThingDeleted`: no acceptor has `DELETE_FAILED`, a permanent value of `status`: \
             the wait then lasts until its deadline"
        ]
    );
}

#[test]
fn waiters_of_another_namespace_are_not_compared() {
    let waiter = |namespace: &str, failure: &str| {
        format!(
            "$version: \"2\"\nnamespace {namespace}\nuse smithy.waiters#waitable\n{SHAPES}
            apply GetJob @waitable(JobDone: {{ acceptors: [
                {{ state: \"success\", matcher: {{ {} }} }}
                {{ state: \"failure\", matcher: {{ {} }} }}
            ] }})",
            output("status", "stringEquals", "SUCCEEDED"),
            output("status", "stringEquals", failure)
        )
    };
    let mut sources = Sources::default();
    sources.add("a.smithy", waiter("one", "ODD"));
    sources.add("b.smithy", waiter("two", "STRANGE"));
    let events = lint(&read(&sources));
    assert!(
        !events
            .iter()
            .any(|event| event.id.contains("SiblingFailure")),
        "{events:?}"
    );
}

#[test]
fn a_vocabulary_decides_which_values_are_permanent() {
    let mut vocabulary = Vocabulary::default();
    vocabulary.merge("values.failed = ['odd']").unwrap();
    let text = "apply GetJob @waitable(JobSucceeded: { acceptors: [
        { state: \"success\", matcher: { output: { path: \"status\", comparator: \"stringEquals\", expected: \"SUCCEEDED\" } } }
    ] })";
    let found = notes_of(text, &vocabulary);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].contains("`FAILED`, `CANCELLED`, `ODD`"),
        "{found:?}"
    );
}
