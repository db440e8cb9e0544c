//! Suggests waiters for small models and for the services of botocore, which `cargo xtask data` unpacks.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]
#![expect(clippy::indexing_slicing, reason = "a panic fails the test")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smithy_waiters::{State, Waiter};
use smithy_waiters_model::suggest::{Goal, Matcher, Options, Proposal, suggest};
use smithy_waiters_model::{Severity, Sources, lint, read};

#[expect(dead_code, reason = "the example's `main`")]
#[path = "../examples/suggest.rs"]
mod score;

/// Returns the proposals for shapes of the namespace `example`.
fn proposals(shapes: &str) -> Vec<Proposal> {
    let mut sources = Sources::default();
    sources.add(
        "a.smithy",
        format!("$version: \"2\"\nnamespace example\nuse smithy.waiters#waitable\n{shapes}"),
    );
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    suggest(&model, &Options::default())
}

/// Returns the names of likely proposals.
fn likely(shapes: &str) -> Vec<String> {
    let mut proposals = proposals(shapes);
    proposals.retain(Proposal::is_likely);
    proposals
        .into_iter()
        .map(|proposal| proposal.waiter)
        .collect()
}

/// Returns the values of a proposal's acceptors for a state.
fn expected(proposal: &Proposal, state: State) -> Vec<&str> {
    let own = proposal.acceptors.iter();
    let own = own.filter(|acceptor| acceptor.state == state);
    own.map(|acceptor| match &acceptor.matcher {
        Matcher::Output { expected, .. } => &**expected,
        Matcher::ErrorType(code) => code,
        _ => "",
    })
    .collect()
}

const THING: &str = "
    operation CreateThing {}
    operation DeleteThing {}
    operation DescribeThing { output := { Thing: Thing }, errors: [ThingNotFound] }
    structure Thing { ThingStatus: Status, Parts: Parts }
    list Parts { member: Thing }
    @error(\"client\") structure ThingNotFound {}
    enum Status { CREATING, ACTIVE, DELETING, CREATE_FAILED, UPDATE_FAILED, DELETE_FAILED, STRANGE }
";

#[test]
fn work_does_not_fail_in_a_state_from_which_it_may_continue() {
    let found = proposals(
        "operation StartScan {}
        operation GetScan { output := { status: ScanStatus } }
        enum ScanStatus { IDLE, RUNNING, USER_PAUSED, COMPLETE, CANCELLED, error_restoring, CANCEL_FAILED }",
    );
    let done = &found[0];
    assert_eq!(expected(done, State::Success), ["COMPLETE"]);
    assert_eq!(
        expected(done, State::Failure),
        ["CANCELLED", "error_restoring"]
    );
    let asked = done
        .questions
        .iter()
        .any(|question| question.contains("fail on `IDLE`, `USER_PAUSED`"));
    assert!(asked, "{:?}", done.questions);
}

#[test]
fn a_resource_becomes_ready_and_is_deleted() {
    let found = proposals(THING);
    let [ready, gone, ..] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((&*ready.waiter, ready.goal), ("ThingActive", Goal::Ready));
    assert_eq!(ready.path.as_deref(), Some("Thing.ThingStatus"));
    assert_eq!(expected(ready, State::Success), ["ACTIVE"]);
    assert_eq!(expected(ready, State::Failure), ["CREATE_FAILED"]);
    assert!(
        ready
            .evidence
            .contains(&"`CreateThing` leads to it".to_owned())
    );
    assert!(
        ready
            .questions
            .contains(&"not classified: `STRANGE`".to_owned()),
        "{ready:?}"
    );
    assert_eq!((&*gone.waiter, gone.goal), ("ThingDeleted", Goal::Gone));
    assert_eq!(expected(gone, State::Success), ["ThingNotFound"]);
    assert_eq!(expected(gone, State::Failure), ["DELETE_FAILED"]);
}

#[test]
fn work_that_runs_is_not_done() {
    let found = proposals(
        "operation StartJob {}
         operation GetJob { output := { status: Status } }
         enum Status { CREATED, RUNNING, COMPLETED, FAILED, STOPPED, COMPLETED_WITH_WARNINGS }",
    );
    assert_eq!(found[0].waiter, "JobCompleted");
    assert_eq!(expected(&found[0], State::Failure), ["FAILED", "STOPPED"]);
    let running = found
        .iter()
        .find(|proposal| expected(proposal, State::Success) == ["RUNNING"]);
    assert_eq!(running, None);
}

/// Members of the output and of a structure, a proposal with its path and confidence, and a text that it says.
const PLACES: &str = "\
ThingDescription: Thing, Other: Thing | Status: Status | ThingActive ThingDescription.Status 0.9 | fail on `DELETING`, `UPDATE_FAILED`?
Thing: Thing | HealthStatus: Inner | ThingHealthActive Thing.HealthStatus.State 0.5 | the member's name differs
Thing: Thing | Mode: Status | ThingModeActive Thing.Mode 0.75 | `CREATING` leads to it
Thing: Thing | Status: Coded | ThingActive Thing.Status.Code 0.9 | `CREATING` leads to it
Thing: Thing, Body: Body | Status: Status | ThingActive Thing.Status 0.9 | `CreateThing` leads to it
Thing: Thing, Events: Events | Status: Status | none | none
Thing: Thing | Status: Phase | ThingUpdateComplete Thing.Status 0.95 | `UPDATE_IN_PROGRESS` leads to it
Thing: Thing | Status: Made | ThingCreated Thing.Status 0.15 | `CreateThing` leads to it
Thing: Thing | @documentation(\"Until the status is `AVAILABLE`.\") Status: String | ThingAvailable Thing.Status 0.85 | the documentation names it
Thing: Thing | @documentation(\"The status is `AVAILABLE`.\") Status: String | none | none";

#[test]
fn the_place_of_a_state_decides_how_likely_a_proposal_is() {
    for case in PLACES.lines() {
        let parts: Vec<&str> = case.split(" | ").collect();
        let [output, thing, proposal, said] = parts[..] else {
            panic!("{case}")
        };
        let found = proposals(&format!(
            "operation CreateThing {{}}
            operation UpdateThing {{}}
            operation DescribeThing {{ output := {{ {output} }} }}
            operation GetThingStatus {{ output := {{ Status: Status }} }}
            structure Thing {{ {thing} }}
            structure Inner {{ State: Status }}
            structure Coded {{ Code: Codes }}
            enum Codes {{ CREATING, ACTIVE }}
            @streaming union Events {{ thing: Thing }}
            @streaming blob Body
            enum Made {{ CREATED, DELETING }}
            enum Phase {{ CREATE_IN_PROGRESS, UPDATE_IN_PROGRESS, UPDATE_COMPLETE, UPDATE_FAILED }}
            enum Status {{ CREATING, ACTIVE, DELETING, CREATE_FAILED, UPDATE_FAILED }}"
        ));
        let (parts, wholes): (Vec<Proposal>, Vec<Proposal>) = found
            .into_iter()
            .partition(|found| found.operation == "example#GetThingStatus");
        let is_doubted = |part: &Proposal| {
            let mut questions = part.questions.iter();
            questions.any(|question| question == "another operation reads the resource")
        };
        let is_read = !output.contains("Events");
        assert_eq!(parts.iter().all(is_doubted), is_read, "{case}");
        let Some(first) = wholes.first() else {
            assert_eq!("none", proposal, "{case}");
            continue;
        };
        let path = first.path.as_deref().unwrap();
        let found = format!("{} {path} {}", first.waiter, first.confidence);
        let mut texts = first.evidence.iter().chain(&first.questions);
        assert_eq!(found, proposal, "{case}");
        assert!(texts.any(|text| text.contains(said)), "{first:?}");
    }
}

/// Returns a proposal with its confidence, the values that succeed and fail, and what is said for and against it.
fn shown(found: &Proposal) -> String {
    format!(
        "{} {} +{} -{} | {} | {}",
        found.waiter,
        found.confidence,
        expected(found, State::Success).join(","),
        expected(found, State::Failure).join(","),
        found.evidence.join("; "),
        found.questions.join("; ")
    )
}

/// The values of a state, and what is proposed for them.
const STATES: &[(&str, &[&str])] = &[
    (
        "ACTIVE",
        &[
            "ThingActive 0.35 +ACTIVE - |  | no transitional value leads to it; no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "PENDING, ONLINE, STOPPING, STOPPED, TERMINATING",
        &[
            "ThingOnline 0.8 +ONLINE - | `PENDING` leads to it | fail on `STOPPED`, `TERMINATING`?; no value is known to fail: the wait lasts until its deadline",
            "ThingStopped 0.5 +STOPPED - | `STOPPING` leads to it | fail on `TERMINATING`?; no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "RUNNING, STOPPING, CANCELLED, COMPLETED, COMPLETED_WITH_ERRORS, PAUSED",
        &[
            "ThingCompleted 0.85 +COMPLETED -CANCELLED,COMPLETED_WITH_ERRORS | `RUNNING` leads to it | fail on `PAUSED`?",
            "ThingCancelled 0.5 +CANCELLED - | `RUNNING` leads to it | accept `PAUSED` too?; fail on `COMPLETED`?; no value is known to fail: the wait lasts until its deadline",
            "ThingPaused 0.5 +PAUSED - | `RUNNING` leads to it | accept `CANCELLED` too?; fail on `COMPLETED`?; no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "GADGET_POLISHING, ACTIVE",
        &[
            "ThingActive 0.8 +ACTIVE - | `GADGET_POLISHING` leads to it | no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "CREATED, ACTIVE, FAILED",
        &[
            "ThingActive 0.35 +ACTIVE -FAILED |  | no transitional value leads to it; accept `CREATED` too?",
            "ThingCreated 0.05 +CREATED -FAILED |  | no transitional value leads to it; accept `ACTIVE` too?",
        ],
    ),
    (
        "CREATING, CREATED, DELETED",
        &[
            "ThingCreated 0.8 +CREATED - | `CREATING` leads to it | fail on `DELETED`?; no value is known to fail: the wait lasts until its deadline",
            "ThingDeleted 0.25 +DELETED - | `DeleteThing` leads to it | no transitional value leads to it",
        ],
    ),
    (
        "PENDING, STOPPED, ABORTED, STOP_FAILED, SUCCEEDED",
        &[
            "ThingSucceeded 0.85 +SUCCEEDED -STOPPED,ABORTED | `PENDING` leads to it | fail on `STOP_FAILED`?",
            "ThingStopped 0.5 +STOPPED -ABORTED,STOP_FAILED | `PENDING` leads to it | fail on `SUCCEEDED`?",
        ],
    ),
    (
        "RUNNING, SUCCEEDED, COMPLETED, FAILED, DELETING",
        &[
            "ThingSucceeded 0.75 +SUCCEEDED -FAILED | `RUNNING` leads to it | `COMPLETED` has the same meaning; accept `COMPLETED` too?; fail on `DELETING`?",
            "ThingCompleted 0.75 +COMPLETED -FAILED | `RUNNING` leads to it | `SUCCEEDED` has the same meaning; accept `SUCCEEDED` too?; fail on `DELETING`?",
        ],
    ),
    (
        "CREATE_COMPLETE, UPDATE_COMPLETE, CANCELLED, TERMINATED, RUNNING",
        &[
            "ThingCreateComplete 0.4 +CREATE_COMPLETE - |  | no transitional value leads to it; fail on `TERMINATED`?; no value is known to fail: the wait lasts until its deadline",
            "ThingUpdateComplete 0.4 +UPDATE_COMPLETE - |  | no transitional value leads to it; fail on `TERMINATED`?; no value is known to fail: the wait lasts until its deadline",
            "ThingRunning 0.35 +RUNNING - |  | no transitional value leads to it; fail on `CANCELLED`, `TERMINATED`?; no value is known to fail: the wait lasts until its deadline",
            "ThingTerminated 0.25 +TERMINATED - | `DeleteThing` leads to it | no transitional value leads to it",
            "ThingCancelled 0.05 +CANCELLED - |  | no transitional value leads to it; fail on `CREATE_COMPLETE`, `UPDATE_COMPLETE`, `TERMINATED`?; no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "CREATING, ACTIVE, Q, R, S, T, U, V, W, X, Y, Z, ZZ",
        &[
            "ThingActive 0.8 +ACTIVE - | `CREATING` leads to it | not classified: `Q`, `R`, `S`, `T`, `U`, `V`, `W`, `X`, `Y`, `Z`, 1 more; no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "SUCCEEDED, ROLLBACK_COMPLETE, CREATE_FAILED_CLEANUP_COMPLETE, PENDING_REVIEW, PARTIALLY_SUCCEEDED, FAILED_START",
        &[
            "ThingSucceeded 0.85 +SUCCEEDED -ROLLBACK_COMPLETE,CREATE_FAILED_CLEANUP_COMPLETE,PARTIALLY_SUCCEEDED,FAILED_START | `PENDING_REVIEW` leads to it | ",
        ],
    ),
    (
        "ACTIVE, INACTIVE, DEGRADED, DELETING, DELETED, FAILED",
        &[
            "ThingDeleted 0.99 +DELETED - | `DELETING` leads to it; the state has `DELETED`; `DeleteThing` leads to it | has the deletion failed with `FAILED`?",
            "ThingActive 0.35 +ACTIVE -FAILED |  | no transitional value leads to it; fail on `INACTIVE`, `DELETING`, `DELETED`?; does the resource recover from `DEGRADED`?",
            "ThingInactive 0.05 +INACTIVE -FAILED |  | no transitional value leads to it; fail on `DELETING`, `DELETED`?; does the resource recover from `DEGRADED`?",
        ],
    ),
];

#[test]
fn the_values_of_a_state_decide_what_is_proposed() {
    for (values, expected) in STATES {
        let found = proposals(&format!(
            "operation DeleteThing {{}}
            operation GetThing {{ output := {{ status: Status }} }}
            enum Status {{ {values} }}"
        ));
        let found: Vec<String> = found.iter().map(shown).collect();
        assert_eq!(found, *expected, "{values}");
    }
}

/// An operation with its shapes, and what is proposed for it.
const OPERATIONS: &[(&str, &[&str])] = &[
    (
        "DescribeThing { input := { @required color: String }, output := { things: Things } }",
        &[
            "ThingReady 0.8 +READY - | `CREATING` leads to it | pass an identifier: the acceptors compare every resource of the response; no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "DescribeThings { input := { @required color: String }, output := { things: Things }, errors: [Lost] }",
        &[
            "ThingReady 0.5 +READY - | `CREATING` leads to it | the input cannot select a resource; pass an identifier: the acceptors compare every resource of the response; no value is known to fail: the wait lasts until its deadline",
            "ThingDeleted 0 +Lost - | the error `Lost` means that it is absent; `DeleteThing` leads to it | the error may be that of a required parent; the input cannot select a resource; pass an identifier: without one, a list succeeds without an error",
        ],
    ),
    (
        "ListThings { input := { thingArn: String }, output := { things: Things }, errors: [Lost] }",
        &[
            "ThingReady 0.2 +READY - | `CREATING` leads to it | the operation lists resources; pass an identifier: the acceptors compare every resource of the response; no value is known to fail: the wait lasts until its deadline",
            "ThingDeleted 0 +Lost - | the error `Lost` means that it is absent; `DeleteThing` leads to it | the error names another noun; the operation lists resources; pass an identifier: without one, a list succeeds without an error",
        ],
    ),
    (
        "ListThings { input := { otherArn: String }, output := { things: Things }, errors: [OtherNotFound] }",
        &[
            "ThingReady 0 +READY - | `CREATING` leads to it | the operation lists resources; the input cannot select a resource; pass an identifier: the acceptors compare every resource of the response; no value is known to fail: the wait lasts until its deadline",
            "ThingDeleted 0 +OtherNotFound - | the error `OtherNotFound` means that it is absent; `DeleteThing` leads to it | the error names another noun; the operation lists resources; the input cannot select a resource; pass an identifier: without one, a list succeeds without an error",
        ],
    ),
    (
        "GetThing { output := { thing: Thing, status: Status }, errors: [NoSuchThing] }",
        &[
            "ThingReady 0.8 +READY - | `CREATING` leads to it | no value is known to fail: the wait lasts until its deadline",
            "ThingDeleted 0.7 +NoThing - | the error `NoThing` means that it is absent; `DeleteThing` leads to it | NoSuchThing",
            "GetThingReady 0.6 +READY - | `CREATING` leads to it | the output has another state; no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    ("GetThing { output := { color: Color } }", &[]),
    (
        "GetOldThing { output := { thing: Thing }, errors: [ThingNotFound, Busy] }",
        &[
            "OldThingReady 0.8 +READY - | `CREATING` leads to it | no value is known to fail: the wait lasts until its deadline",
            "OldThingDeleted 0.7 +ThingNotFound - | the error `ThingNotFound` means that it is absent; `DeleteThing` leads to it | ",
        ],
    ),
    (
        "GetThing { output := { thing: Thing }, errors: [Busy] }",
        &[
            "ThingReady 0.8 +READY - | `CREATING` leads to it | no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "GetStatus { output := { status: Status }, errors: [ThingNotFound] }",
        &[
            "StatusReady 0.8 +READY - | `CREATING` leads to it | no value is known to fail: the wait lasts until its deadline",
        ],
    ),
    (
        "GetThing { output := { thing: Documented }, errors: [Lost, ThingNotFound] }",
        &[
            "ThingDeleted 0.8 +ThingNotFound - | the error `ThingNotFound` means that it is absent; the state has values that the model lacks; `DeleteThing` leads to it | ",
        ],
    ),
];

#[test]
fn the_input_and_the_errors_of_an_operation_decide_how_likely_a_proposal_is() {
    for (operation, expected) in OPERATIONS {
        let found = proposals(&format!(
            "operation DeleteThing {{}}
            operation {operation}
            list Things {{ member: Thing }}
            structure Thing {{ status: Status }}
            structure Documented {{ @documentation(\"The state.\") status: String }}
            enum Status {{ CREATING, READY }}
            enum Color {{ CREATING, READY }}
            @error(\"client\") @httpError(404) structure Lost {{}}
            @error(\"client\") structure Busy {{}}
            @error(\"client\") structure OtherNotFound {{}}
            @error(\"client\") structure ThingNotFound {{}}
            @error(\"client\") @aws.protocols#awsQueryError(code: \"NoThing\", httpResponseCode: 404) structure NoSuchThing {{}}"
        ));
        let shown = |found: &Proposal| {
            let shape = found.error_shape.as_deref().unwrap_or_default();
            format!("{}{shape}", shown(found))
        };
        let found: Vec<String> = found.iter().map(shown).collect();
        assert_eq!(found, *expected, "{operation}");
    }
}

#[test]
fn a_list_of_one_resource_needs_an_input_that_selects_it() {
    for (member, selects) in [
        ("thing", true),
        ("thingId", true),
        ("myThingId", true),
        ("colorFilter", true),
        ("id", true),
        ("filters", true),
        ("otherId", false),
        ("color", false),
        ("thingColor", false),
    ] {
        let found = proposals(&format!(
            "operation DescribeThings {{ input := {{ {member}: String }}, output := {{ things: Things }} }}
            list Things {{ member: Thing }}
            structure Thing {{ status: Status }}
            enum Status {{ CREATING, READY }}"
        ));
        let doubt = "the input cannot select a resource".to_owned();
        assert_eq!(found[0].questions.contains(&doubt), !selects, "{member}");
    }
}

#[test]
fn a_state_or_a_member_with_the_name_of_something_else_is_less_likely() {
    for (name, of_state, of_member) in [
        ("dbCluster", "0.9", "0.9"),
        ("newDbCluster", "0.9", "0.9"),
        ("db", "0.9", "0.9"),
        ("cluster", "0.9", "0.9"),
        ("dbClusterGroup", "0.75", "0.5"),
        ("engine", "0.75", "0.5"),
    ] {
        let state = format!("{name}Status: Status");
        let member = format!("{name}: Inner, other: String, more: More");
        for (output, confidence) in [(state, of_state), (member, of_member)] {
            assert_eq!(confidence_with(&output), confidence, "{output}");
        }
    }
    assert_eq!(confidence_with("lastUpdateStatus: Status"), "0.5");
    let description = "clusterDescription: Inner, other: String, more: More";
    assert_eq!(confidence_with(description), "0.9");
}

/// Returns the confidence of the first proposal for a cluster in a database with this output.
fn confidence_with(output: &str) -> String {
    let found = proposals(&format!(
        "operation CreateDbCluster {{}}
         operation GetDbCluster {{ output := {{ {output} }} }}
         structure Inner {{ status: Status }}
         structure More {{ name: String }}
         enum Status {{ CREATING, ACTIVE }}"
    ));
    found[0].confidence.to_string()
}

#[test]
fn the_existence_of_a_resource_is_asked_for_if_it_is_wanted() {
    let text = format!("$version: \"2\"\nnamespace example\n{THING}");
    let mut sources = Sources::default();
    sources.add("a.smithy", text);
    let mut options = Options::default();
    options.existence = true;
    let mut found = suggest(&read(&sources), &options);
    found.retain(|found| matches!(found.goal, Goal::Exists | Goal::NotExists));
    let named = found.iter().map(|found| {
        (
            &*found.waiter,
            found.definition(),
            found.questions.join("; "),
        )
    });
    let outdated = "does the service return outdated results after a change?".to_owned();
    let missing = json!({"errorType": "ThingNotFound"});
    let exists = json!({"tags": ["suggested"], "acceptors": [
        {"state": "success", "matcher": {"success": true}},
        {"state": "retry", "matcher": missing},
    ]});
    let gone =
        json!({"tags": ["suggested"], "acceptors": [{"state": "success", "matcher": missing}]});
    assert_eq!(
        named.collect::<Vec<_>>(),
        [
            ("ThingExists", exists, outdated.clone()),
            ("ThingNotExists", gone, outdated)
        ]
    );
}

#[test]
fn a_value_of_a_phase_fails_in_its_phase() {
    let found = proposals(
        "operation UpdateStack {}
         operation DescribeStack { output := { status: Status } }
         enum Status { CREATE_IN_PROGRESS, CREATE_COMPLETE, CREATE_FAILED, UPDATE_COMPLETE, UPDATE_FAILED }",
    );
    let update = found
        .iter()
        .find(|proposal| proposal.waiter == "StackUpdateComplete")
        .unwrap();
    assert_eq!(expected(update, State::Failure), ["UPDATE_FAILED"]);
}

#[test]
fn all_elements_of_a_list_succeed_and_any_fails() {
    let found = proposals(
        "operation DescribeThings { input := { thingIds: Ids }, output := { things: Things } }
         list Ids { member: String }
         list Things { member: Thing }
         structure Thing { state: State }
         enum State { PENDING, AVAILABLE, FAILED }",
    );
    let thing = &found[0];
    assert_eq!(thing.waiter, "ThingAvailable");
    assert_eq!(thing.path.as_deref(), Some("things[].state"));
    let comparators = json!(thing.acceptors).to_string();
    assert!(comparators.contains("allStringEquals") && comparators.contains("anyStringEquals"));
    assert!(
        thing
            .questions
            .iter()
            .any(|question| question.starts_with("pass an identifier"))
    );
}

#[test]
fn values_of_plain_strings_are_in_their_documentation() {
    let of = |documentation: &str| {
        likely(&format!(
            "operation CreateThing {{}}
             operation GetThing {{ output := {{
                 /// {documentation}
                 status: String
             }} }}"
        ))
    };
    assert_eq!(
        of("Valid values: creating | available | failed"),
        ["ThingAvailable"]
    );
    assert_eq!(
        of("The status, <code>creating</code> or <code>available</code>."),
        ["ThingAvailable"]
    );
    for no_lifecycle in [
        "The status.",
        "Valid values: available | failed",
        "Valid values: creating | pending",
    ] {
        assert_eq!(of(no_lifecycle), [""; 0], "{no_lifecycle}");
    }
    // A member with several words in its name means the same elsewhere.
    for (member, expected) in [
        ("status", &[][..]),
        ("thingStatus", &["ThingAvailable"]),
        ("thingRunStatus", &["ThingAvailable"]),
    ] {
        let found = proposals(&format!(
            "operation CreateThing {{}}
             operation GetThing {{ output := {{ {member}: String }} }}
             structure Other {{
                 /// Valid values: creating | available | failed
                 {member}: String
             }}"
        ));
        let found: Vec<String> = found.into_iter().map(|found| found.waiter).collect();
        assert_eq!(found, expected, "{member}");
    }
}

#[test]
fn a_waiter_that_the_model_has_is_left_out() {
    let published = THING.replace(
        "operation DescribeThing",
        "@waitable(
            ThingReady: {acceptors: [{state: \"success\", matcher: {output: {
                path: \"Thing.ThingStatus\", comparator: \"stringEquals\", expected: \"ACTIVE\"
            }}}]}
            thingdeleted: {acceptors: [{state: \"success\", matcher: {success: true}}]}
        ) operation DescribeThing",
    );
    // The name in use differs only in its case.
    assert_eq!(likely(&published), ["DescribeThingThingDeleted"]);
    let of_another_value = published.replace("\"ACTIVE\"", "\"STRANGE\"");
    assert_eq!(
        likely(&of_another_value),
        ["ThingActive", "DescribeThingThingDeleted"]
    );
}

#[test]
fn a_model_without_operations_has_no_waiters() {
    assert_eq!(proposals("string Name"), []);
}

#[test]
fn the_state_of_a_process_is_evident_if_an_operation_starts_it() {
    let of = |operation: &str| {
        likely(&format!(
            "operation {operation} {{}}
             operation GetThing {{ output := {{ status: Status, lastUpdateStatus: UpdateStatus }} }}
             enum Status {{ ON, OFF }}
             enum UpdateStatus {{ IN_PROGRESS, SUCCESSFUL, FAILED }}"
        ))
    };
    let update = ["ThingLastUpdateSuccessful"];
    assert_eq!(of("UpdateThing"), update);
    assert_eq!(of("UpdateThingConfiguration"), update);
    assert_eq!(of("CreateOther"), [""; 0]);
}

#[test]
fn an_operation_on_a_part_is_no_evidence_unless_it_updates_it() {
    for (operation, is_evidence) in [
        ("CreateThing", true),
        ("CreateThingPart", false),
        ("StartThing", true),
        ("StartThingPart", false),
        ("StopThing", false),
    ] {
        let found = proposals(&format!(
            "operation {operation} {{}}
             operation GetThing {{ output := {{ status: Status }} }}
             enum Status {{ CREATING, ACTIVE }}"
        ));
        let leads = format!("`{operation}` leads to it");
        assert_eq!(found[0].evidence.contains(&leads), is_evidence, "{leads}");
    }
}

#[test]
fn a_list_of_lists_has_a_state() {
    let found = proposals(
        "operation RunThings {}
         operation DescribeThings { input := { thingIds: Ids }, output := { groups: Groups } }
         list Ids { member: String }
         list Groups { member: Group }
         structure Group { things: Things }
         list Things { member: Thing }
         structure Thing { state: State }
         enum State { PENDING, RUNNING }",
    );
    assert_eq!(found[0].path.as_deref(), Some("groups[].things[].state"));
    assert!(found[0].is_likely());
}

#[test]
fn an_error_names_the_state_that_operations_need() {
    let of = |documentation: &str| {
        proposals(&format!(
        "operation CreateThing {{}}
         operation DeleteThing {{}}
         operation DescribeThings {{ input := {{ thingId: String }}, output := {{ things: Things }}, errors: [ThingNotFound] }}
         list Things {{ member: Thing }}
         structure Thing {{ {documentation} thingStatus: String }}
         @error(\"client\") structure ThingNotFound {{}}
         /// The thing is not in the <i>available</i> state.
         @error(\"client\") structure InvalidThingStateFault {{}}"))
    };
    let found = of("");
    let [ready, gone] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(expected(ready, State::Success), ["available"]);
    assert!(gone.is_likely());
    // Without an identifier, the list is empty and there is no error.
    assert!(
        gone.questions[0].starts_with("pass an identifier"),
        "{gone:?}"
    );
    // Other values in the documentation are all that it has.
    let documented = |values: &str| of(&format!("@documentation(\"One of {values}.\")"));
    let at_rest = documented("<code>active</code>, <code>failed</code>");
    assert!(at_rest.iter().all(|found| found.goal == Goal::Gone));
    assert_eq!(
        documented("<code>creating</code>, <code>deleting</code>"),
        at_rest
    );
}

#[test]
fn a_failure_of_another_phase_does_not_end_a_deletion() {
    let gone = |values: &str| {
        let values = format!("enum Status {{ {values} }}");
        let shapes = THING.lines().filter(|line| !line.contains("enum Status"));
        let found = proposals(&format!(
            "{}\n{values}",
            shapes.collect::<Vec<_>>().join("\n")
        ));
        let gone = found.into_iter().find(|found| found.goal == Goal::Gone);
        gone.unwrap()
    };
    let slow = gone("CREATING, ACTIVE, DELETING, FAILED, DELETE_FAILED");
    assert_eq!(expected(&slow, State::Failure), ["DELETE_FAILED"]);
    assert!(slow.is_likely());
    // The record is removed at once.
    let immediate = gone("CREATING, ACTIVE, FAILED, DELETE_FAILED");
    assert_eq!(expected(&immediate, State::Failure), [""; 0]);
    assert!(!immediate.is_likely());
}

#[test]
fn a_proposal_without_evidence_is_not_likely() {
    let mut sources = Sources::default();
    sources.add(
        "a.smithy",
        "$version: \"2\"\nnamespace example
         operation GetThing { output := { status: Status } }
         enum Status { ACTIVE, BROKEN }",
    );
    let mut options = Options::default();
    let weights = "[weights]\nready = 1\nno_transition = 0";
    options.vocabulary.merge(weights).unwrap();
    let found = suggest(&read(&sources), &options);
    assert_eq!(found.len(), 1);
    assert!(
        !found[0].is_likely() && found[0].evidence.is_empty(),
        "{found:?}"
    );
}

#[test]
fn recursive_outputs_end() {
    let found = proposals(
        "operation GetNode { output := { node: Node } }
         structure Node { left: Node, right: Node, all: Nodes, status: Status }
         list Nodes { member: Node }
         enum Status { CREATING, READY }",
    );
    assert_eq!(
        (&*found[0].waiter, found[0].path.as_deref()),
        ("NodeReady", Some("node.status"))
    );
}

#[test]
fn large_models_take_bounded_time() {
    let mut shapes = String::from("structure Node { status: Status, ");
    for member in 0..200 {
        write!(shapes, "member{member}: Node, ").unwrap();
    }
    shapes.push_str("}\nenum Status { CREATING, READY }\n");
    for operation in 0..5_000 {
        writeln!(
            shapes,
            "operation GetThing{operation} {{ output: Out{operation} }}"
        )
        .unwrap();
        writeln!(shapes, "structure Out{operation} {{ node: Node }}").unwrap();
    }
    let mut sources = Sources::default();
    sources.add(
        "a.smithy",
        format!("$version: \"2\"\nnamespace example\n{shapes}"),
    );
    let model = read(&sources);
    let start = Instant::now();
    let found = suggest(&model, &Options::default());
    let time = start.elapsed();
    assert!(found.len() >= 5_000, "{}", found.len());
    assert!(time < Duration::from_secs(120), "{time:?}");
}

/// Returns the folders of botocore's services: those with waiters, or all of them after `cargo xtask suggest-score`.
fn services() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data");
    let folders = ["botocore-all", "botocore"].map(|name| data.join(name));
    let Some(services) = folders.iter().find_map(|folder| fs::read_dir(folder).ok()) else {
        let skipped = "SKIPPED: suggestions for botocore; `cargo xtask data` fetches its services";
        let mut stderr = stderr();
        writeln!(stderr, "{skipped}").unwrap();
        return Vec::new();
    };
    services.map(|service| service.unwrap().path()).collect()
}

/// `SUGGEST.md` has the figures for the services that were held out.
#[test]
fn likely_proposals_match_most_published_waiters() {
    let mut services = services();
    services.retain(|folder| {
        let waiters = fs::read_to_string(folder.join("waiters-2.json"));
        waiters.is_ok_and(|waiters| waiters.contains("acceptors"))
    });
    let (mut published, mut proposals) = (Vec::new(), Vec::new());
    for folder in &services {
        let mut line = score::compare("", &score::sources(folder).unwrap());
        let mut list = |name: &str| line[name].as_array_mut().unwrap().split_off(0);
        published.extend(list("published"));
        proposals.extend(list("proposals"));
    }
    proposals.retain(|proposal| proposal["likely"] == true && proposal["counted"] == true);
    let percent = |list: &[Value], name: &str| {
        let count = list.iter().filter(|entry| entry[name] == true).count();
        count * 100 / list.len().max(1)
    };
    if !services.is_empty() {
        let figures = (
            percent(&published, "likely"),
            percent(&proposals, "matched"),
        );
        assert!(figures.0 >= 72 && figures.1 >= 86, "{figures:?}");
    }
}

#[test]
fn every_proposal_for_a_real_service_is_valid() {
    let services = services();
    if services.is_empty() {
        return;
    }
    let count: usize = services.iter().map(|folder| check_service(folder)).sum();
    assert!(count > 1_000, "only {count} proposals");
    writeln!(stderr(), "{count} proposals are valid").unwrap();
}

/// Adds all proposals for a service to its model, and returns their number. The validator and the lints report nothing
/// above a note.
fn check_service(folder: &Path) -> usize {
    let sources = score::sources(folder).unwrap();
    let model = read(&sources);
    let mut options = Options::default();
    options.existence = true;
    let proposals = suggest(&model, &options);
    let mut ast: Value = serde_json::from_str(&model.to_ast()).unwrap();
    for proposal in &proposals {
        let definition = proposal.definition();
        Waiter::from_value(&definition, Some(&proposal.waiter)).unwrap();
        let traits = &mut ast["shapes"][&proposal.operation]["traits"];
        traits["smithy.waiters#waitable"][&proposal.waiter] = definition;
        if proposal.error_shape.is_some() {
            traits["smithy.api#suppress"] = json!(["WaitableTraitInvalidErrorType"]);
        }
    }
    let mut sources = Sources::default();
    sources.add("model.json", ast.to_string());
    let published: BTreeSet<String> = lint(&model).into_iter().map(|event| event.id).collect();
    for event in lint(&read(&sources)) {
        let is_known = event.severity <= Severity::Note || published.contains(&event.id);
        assert!(is_known, "{}: {event:?}", folder.display());
    }
    proposals.len()
}
