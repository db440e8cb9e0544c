//! Comparisons of acceptors with each other and with the advice of the specification.

use crate::{findings, messages, of_condition, of_matcher};

#[test]
fn acceptors_that_cannot_be_reached_are_found() {
    let any = |expected: &str| of_matcher("things[].state", "anyStringEquals", expected);
    let acceptor = |matcher: &str| format!("{{state: \"success\", matcher: {matcher}}}");
    let [success, error] = ["{success: true}", "{success: false}"].map(acceptor);
    let [gone, absolute] =
        ["NotFound", "ns#NotFound"].map(|code| acceptor(&format!("{{errorType: \"{code}\"}}")));
    let (ready, failed) = (any("ready"), any("failed"));
    for (acceptors, expected) in [
        (&[&success, &ready][..], &["UnreachableAcceptor.1"][..]),
        (&[&ready, &success], &[]),
        (&[&ready, &failed, &ready], &["UnreachableAcceptor.2"]),
        (&[&gone, &absolute], &["UnreachableAcceptor.1"]),
        (&[&error, &gone], &["UnreachableAcceptor.1"]),
        (&[&error, &success], &[]),
    ] {
        let acceptors: String = acceptors.iter().map(|text| text.as_str()).collect();
        let mut found = findings("ThingsReady", &acceptors);
        found.retain(|id| id.starts_with("Unreachable"));
        assert_eq!(found, expected, "{acceptors}");
    }
}

#[test]
fn errors_are_known_by_the_service_that_has_them() {
    let waiter = |error: &str| {
        format!(
            "Gone: {{acceptors: [{{state: \"success\", matcher: {{errorType: \"{error}\"}}}}]}}"
        )
    };
    let service = "$version: \"2\"\nnamespace ns\nservice One { operations: [GetThings], errors: [Throttled] }\nservice Two { operations: [Other] }\n@error(\"client\") structure Throttled {}\n";
    let unknown = |error: &str| {
        let found = crate::events(&waiter(error), &[("service.smithy", service)]);
        let of_ours = |id: &str| id.starts_with("SmithyWaiters.UnknownErrorType");
        let mut found = found.into_iter().filter(|event| of_ours(&event.id));
        found.next().map(|event| event.message)
    };
    for known in ["NotFound", "ns#NotFound", "Throttled"] {
        assert_eq!(unknown(known), None, "{known}");
    }
    assert_eq!(
        unknown("Elsewhere").unwrap(),
        "waiter `Gone`, acceptor 0: no operation of `ns#One` has the error `Elsewhere`"
    );
    // Without a service, the errors of the namespace are known.
    let found = crate::with_shapes(&waiter("Elsewhere"), &[]);
    assert_eq!(found, [""; 0]);
    let alone = crate::events(&waiter("NotFond"), &[]);
    assert_eq!(
        alone[1].message,
        "waiter `Gone`, acceptor 0: the namespace `ns` does not define the error `NotFond`: did you mean `NotFound`?"
    );
}

#[test]
fn the_specifications_advice_is_given() {
    let success = "{state: \"success\", matcher: {success: true}}";
    assert_eq!(findings("RunThingsComplete", success), ["WaiterName"]);
    assert_eq!(findings("ThingsExist", success), Vec::<String>::new());
    let failing = format!("{{state: \"failure\", matcher: {{errorType: \"NotFound\"}}}} {success}");
    assert_eq!(findings("ThingsReady", &failing), ["ImplicitAcceptor.0"]);
    let kept = format!(
        "{{state: \"failure\", matcher: {{errorType: \"NotFound\"}}}} {{state: \"retry\", matcher: {{success: false}}}} {success}"
    );
    assert_eq!(findings("ThingsReady", &kept), Vec::<String>::new());
    // It keeps errors from an acceptor that says otherwise.
    let shadowing = "{state: \"failure\", matcher: {success: false}} {state: \"success\", matcher: {errorType: \"NotFound\"}}";
    assert_eq!(
        findings("ThingsReady", shadowing),
        ["UnreachableAcceptor.1"]
    );
    let retrying = "{state: \"success\", matcher: {errorType: \"NotFound\"}} {state: \"retry\", matcher: {success: true}}";
    assert_eq!(findings("ThingsGone", retrying), ["ImplicitAcceptor.1"]);
    let behind = "{state: \"success\", matcher: {success: true}} {state: \"retry\", matcher: {output: {path: \"name\", comparator: \"stringEquals\", expected: \"x\"}}}";
    assert_eq!(findings("ThingsReady", behind), ["UnreachableAcceptor.1"]);
    for (waiter, state, is_on_its_way) in [
        ("ThingsReady", "stopping", true),
        ("ThingsReady", "UPDATE_IN_PROGRESS", true),
        ("ThingsStopping", "stopping", false),
        ("ThingsReady", "failed", false),
        ("ThingsReady", "DELETING", false),
        ("ThingsReady", "DELETE_IN_PROGRESS", false),
        ("ThingsReady", "ROLLING_BACK", false),
        ("ThingsReady", "ROLLBACK_IN_PROGRESS", false),
        ("ThingsReady", "CANCELLING", false),
    ] {
        let failing = format!(
            "{{state: \"failure\", matcher: {{output: {{path: \"name\", comparator: \"stringEquals\", expected: \"{state}\"}}}}}}"
        );
        let expected = is_on_its_way.then_some("IntermediateFailure.0");
        assert_eq!(
            findings(waiter, &format!("{failing} {success}")),
            expected.as_slice(),
            "{state}"
        );
    }
    let long = (0..12)
        .map(|number| format!("name == 'x{number}'"))
        .collect::<Vec<_>>()
        .join(" || ");
    assert_eq!(of_condition(&long), ["ComplexPath.0"]);
    let counted = format!(
        "{{state: \"success\", matcher: {{output: {{path: \"{long} || done\", comparator: \"booleanEquals\", expected: \"true\"}}}}}}"
    );
    let said = messages("ThingsReady", &counted);
    assert!(
        said.iter()
            .any(|said| said.contains("the path has 25 names")),
        "{said:?}"
    );
}

#[test]
fn names_say_the_resource_and_the_state() {
    let named = |name: &str, expected: &[&str]| {
        let acceptors = expected.iter().map(|expected| {
            format!("{{state: \"success\", matcher: {{output: {{path: \"things[0].state\", comparator: \"stringEquals\", expected: \"{expected}\"}}}}}}")
        });
        let mut found = findings(name, &acceptors.collect::<Vec<_>>().join(" "));
        found.retain(|id| id.starts_with("WaiterName"));
        found
    };
    for path in ["name", "max_by(things, &length(tags)).state"] {
        let found = findings("ThingDone", &of_matcher(path, "stringEquals", "ready"));
        assert_eq!(found, [""; 0], "{path}");
    }
    for (name, state) in [
        ("ThingReady", "ready"),
        ("ThingReady", "READY"),
        ("ThingInService", "IN_SERVICE"),
        ("ThingRunComplete", "RUN_COMPLETE"),
        ("RunThingsComplete", "complete"),
        ("ThingRollbackComplete", "UPDATE_ROLLBACK_COMPLETE"),
        ("ThingExists", "there"),
        ("ThingNotExists", "gone"),
    ] {
        assert_eq!(
            named(name, &[state]),
            Vec::<String>::new(),
            "{name} {state}"
        );
    }
    for (name, state) in [
        ("ThingReady", "UPDATE_ROLLBACK_COMPLETE"),
        ("SnapshotRemoved", "deleted"),
        ("RunThingComplete", "running"),
        ("RunThingsDone", "running"),
    ] {
        assert_eq!(named(name, &[state]), ["WaiterName"], "{name} {state}");
    }
    assert_eq!(
        named("ThingSettled", &["ready", "failed"]),
        Vec::<String>::new()
    );
    let by_condition = |name: &str| {
        let mut found = findings(
            name,
            "{state: \"success\", matcher: {output: {path: \"done\", comparator: \"booleanEquals\", expected: \"true\"}}}",
        );
        found.retain(|id| id.starts_with("WaiterName"));
        found
    };
    assert_eq!(by_condition("ThingFine"), Vec::<String>::new());
    // The waiter is named after one of the items of `RunThings`.
    assert_eq!(by_condition("RunThingComplete"), ["WaiterName"]);
    assert_eq!(by_condition("RunThingSucceeded"), ["WaiterName"]);
}
