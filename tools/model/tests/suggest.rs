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
    assert_eq!(of("The status."), [""; 0]);
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
fn a_member_with_a_part_of_the_noun_is_the_resource() {
    for (member, confidence) in [
        ("dbCluster", "0.9"),
        ("dbClusterGroup", "0.5"),
        ("newDbCluster", "0.9"),
        ("db", "0.9"),
        ("cluster", "0.9"),
        ("clusterDescription", "0.9"),
        ("group", "0.5"),
    ] {
        let found = proposals(&format!(
            "operation CreateDbCluster {{}}
             operation GetDbCluster {{ output := {{ {member}: Inner, other: String, more: More }} }}
             structure Inner {{ status: Status }}
             structure More {{ name: String }}
             enum Status {{ CREATING, ACTIVE }}"
        ));
        assert_eq!(found[0].confidence.to_string(), confidence, "{member}");
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
    let found = proposals(
        "operation CreateThing {}
         operation DeleteThing {}
         operation DescribeThings { input := { thingId: String }, output := { things: Things }, errors: [ThingNotFound] }
         list Things { member: Thing }
         structure Thing { thingStatus: String }
         @error(\"client\") structure ThingNotFound {}
         /// The thing is not in the <i>available</i> state.
         @error(\"client\") structure InvalidThingStateFault {}",
    );
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
