//! Answers of fleets' calls: the part that a resource sees, and answers that cannot be read.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::internal::{FromHost, Identifiers, ItemAt, View};
use smithy_waiters::retry::Transient;
use smithy_waiters::value::{Kind, ReadError, Value};
use smithy_waiters::{
    AttemptResult, ErrorMetadata, FailureKind, Fleet, FleetError, FleetOptions, FleetStep,
    RateLimit, Until, WaitOptions, Waiter,
};

/// Returns a waiter that any response ends.
fn any() -> Waiter {
    let any = json!({"acceptors": [{"state": "success", "matcher": {"success": true}}]});
    Waiter::from_value(&any, None).unwrap()
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(60))
}

/// Starts the call of a fleet.
fn call(fleet: &mut Fleet, now: u64) -> (u64, Vec<Arc<str>>) {
    let mut limit = RateLimit::new(1_000.0).unwrap();
    loop {
        match fleet.poll(now, &mut limit) {
            FleetStep::Call { call, ids, .. } => return (call, ids.to_vec()),
            FleetStep::Ended { .. } => {}
            step => panic!("no call at {now}: {step:?}"),
        }
    }
}

/// Returns the values of paths in the part of an answer that the resource `a` sees. The call asks for `a` and `b`.
fn seen<const N: usize>(options: &FleetOptions, page: &Json, paths: [&str; N]) -> [String; N] {
    let mut fleet = any().fleet(options).unwrap();
    let show = self::options().show(paths);
    fleet.join_each(&["a", "b"], &show, 1, 0).unwrap();
    let (call, _) = call(&mut fleet, 100);
    let ends = fleet.respond(call, &[page], 110).unwrap();
    let values = &ends[0].report.history[0].values;
    std::array::from_fn(|index| values[index].text.clone())
}

#[test]
fn a_resource_sees_an_answer_that_holds_only_itself() {
    let page = json!({"Result": {"Other": 1, "Volumes": [
        {"Id": "b", "State": "down"},
        {"Id": "a", "State": "up", "Tags": [{"K": "x"}, {"K": "y"}], "Names": ["n"]},
    ]}});
    let options = FleetOptions::new("Result.Volumes[]", "Id");
    for (path, expected) in [
        ("Result.Volumes[*].Id", r#"["a"]"#),
        ("Result.Volumes[0].Tags[1].K", r#""y""#),
        ("Result.Volumes[0].Tags[2]", "null"),
        ("Result.Volumes[1]", "null"),
        ("Result.Volumes[].Tags[].K", r#"["x","y"]"#),
        ("Result.Volumes[0].Tags[*].K", r#"["x","y"]"#),
        ("length(Result.Volumes[0].Tags)", "2"),
        ("length(Result.Volumes)", "1"),
        ("length(Result.Volumes[0])", "4"),
        ("length(Result.Volumes[0].State)", "2"),
        ("length(Result)", "1"),
        ("length(@)", "1"),
        ("keys(@)", r#"["Result"]"#),
        ("keys(Result)", r#"["Volumes"]"#),
        (
            "sort(keys(Result.Volumes[0]))",
            r#"["Id","Names","State","Tags"]"#,
        ),
        ("values(Result.Volumes[0].Tags[0])", r#"["x"]"#),
        ("Result.Volumes[0].Id == 'a'", "true"),
        ("Result.Volumes[0].Id == 'b'", "false"),
        ("Result.Volumes == 'a'", "false"),
        ("Result.Volumes[0] == Result.Volumes[0]", "true"),
        ("Result.Other", "null"),
        ("Other.Volumes", "null"),
        ("Result[0]", "null"),
        (
            "Result",
            r#"{"Volumes":[{"Id":"a","Names":["n"],"State":"up","Tags":[{"K":"x"},{"K":"y"}]}]}"#,
        ),
    ] {
        assert_eq!(seen(&options, &page, [path]), [expected], "{path}");
    }
}

#[test]
fn a_resource_sees_the_entries_of_further_lists() {
    let page = json!({
        "services": [{"arn": "a", "status": "ACTIVE"}, {"arn": "b"}],
        "failures": [{"arn": "b", "reason": "MISSING"}, {"arn": "a", "reason": "BUSY"}],
    });
    let options = FleetOptions::new("services[]", "arn").also("failures[]", "arn");
    for (path, expected) in [
        ("services[].status", r#"["ACTIVE"]"#),
        ("failures[].reason", r#"["BUSY"]"#),
        ("length(@)", "2"),
        ("sort(keys(@))", r#"["failures","services"]"#),
        ("*[].arn", r#"["a","a"]"#),
        ("others", "null"),
        ("others[].arn", "null"),
        ("@[0]", "null"),
        ("@ == 'a'", "false"),
    ] {
        assert_eq!(seen(&options, &page, [path]), [expected], "{path}");
    }
}

#[test]
fn further_lists_may_be_beside_the_resources() {
    let page = json!({"Result": {
        "Services": [{"Arn": "a"}],
        "Failures": [{"Arn": "a", "Reason": "BUSY"}],
    }});
    let options = FleetOptions::new("Result.Services[]", "Arn").also("Result.Failures[]", "Arn");
    let paths = [
        "Result.Services[].Arn",
        "Result.Failures[].Reason",
        "keys(@)",
    ];
    let expected = [r#"["a"]"#, r#"["BUSY"]"#, r#"["Result"]"#];
    assert_eq!(seen(&options, &page, paths), expected);
    let page = json!({"R": [
        {"I": [{"Id": "b"}], "F": [{"Id": "a", "S": 1}]},
        {"I": [{"Id": "a"}], "F": [{"Id": "b", "S": 2}]},
    ]});
    let options = FleetOptions::new("R[].I[]", "Id").also("R[].F[]", "Id");
    let paths = ["R[].I[].Id", "R[].F[].S", "length(R)", "keys(R[0])"];
    let expected = [r#"["a"]"#, "[1]", "1", r#"["I","F"]"#];
    assert_eq!(seen(&options, &page, paths), expected);
    // Without a resource, the list on the way leads to its other entries.
    let page = json!({"R": [{"I": [], "F": [{"Id": "a", "S": 1}]}]});
    let expected = ["[]", "[1]", "1", r#"["I","F"]"#];
    assert_eq!(seen(&options, &page, paths), expected);
}

#[test]
fn lists_in_lists_lead_to_a_resource() {
    let page = json!({"R": [{"I": [{"Id": "b"}]}, {"I": [{"Id": "c"}, {"Id": "a", "S": 1}]}]});
    let options = FleetOptions::new("R[].I[]", "Id");
    let paths = [
        "R[].I[].Id",
        "length(R)",
        "length(R[0].I)",
        "R[0].I[0].S",
        "R[1]",
        "R[0].I[1]",
    ];
    let expected = [r#"["a"]"#, "1", "1", "1", "null", "null"];
    assert_eq!(seen(&options, &page, paths), expected);
    let page = json!([[{"Id": "b"}], [{"Id": "a"}]]);
    let options = FleetOptions::new("[][]", "Id");
    let paths = ["[0][0].Id", "length(@)", "[1]", "[].Id"];
    let expected = [r#""a""#, "1", "null", r#"["a"]"#];
    assert_eq!(seen(&options, &page, paths), expected);
}

/// Returns the error of an answer of a call for these identifiers.
fn error(items: &str, ids: &[&str], page: &Json) -> Option<FleetError> {
    let mut fleet = any().fleet(&FleetOptions::new(items, "Id")).unwrap();
    fleet.join_each(ids, &options(), 1, 0).unwrap();
    let (call, _) = call(&mut fleet, 100);
    fleet.respond(call, &[page], 110).err()
}

#[test]
fn an_answer_without_the_list_is_an_error_unless_it_is_empty() {
    for (items, page, got) in [
        ("Volumes[]", json!({}), None),
        ("Volumes[]", json!({"Volumes": null}), None),
        ("Volumes[]", json!({"volumes": null, "Volumes": []}), None),
        ("Volumes[]", json!({"Volume": []}), None),
        ("Volumes[]", json!({"Volume": [{"Id": "other"}]}), None),
        ("Volumes[]", json!({"Volume": {"Id": "a"}}), None),
        (
            "Volumes[]",
            json!({"Volume": [{"Id": "b"}]}),
            Some("an object with `Volume`"),
        ),
        (
            "Volumes[]",
            json!({"volumes": []}),
            Some("an object with `volumes`"),
        ),
        (
            "Volumes[]",
            json!({"A": 1, "VOLUMES": [], "volumes": []}),
            Some("an object with `VOLUMES`"),
        ),
        (
            "Groups[].Task[]",
            json!({"Groups": [{"Tasks": [{"Id": "a"}]}]}),
            Some("an object with `Tasks`"),
        ),
        ("Groups[].Task[]", json!({"Groups": [{"Tasks": []}]}), None),
        ("Volumes[]", json!([]), Some("array")),
        ("Volumes[]", json!("a"), Some("string")),
        (
            "Volumes[]",
            json!({"Volumes": {}}),
            Some("object in the place of a list"),
        ),
        (
            "Volumes[]",
            json!({"Volumes": "a"}),
            Some("string in the place of a list"),
        ),
        ("[]", json!([]), None),
        ("[]", json!(null), None),
        (
            "[]",
            json!({"Id": "a"}),
            Some("object in the place of a list"),
        ),
    ] {
        let expected = got.map(|got| FleetError::NoItems {
            items: items.to_owned(),
            got: got.to_owned(),
        });
        assert_eq!(
            error(items, &["a", "b"], &page),
            expected,
            "{items} of {page}"
        );
    }
    // One identifier may have an answer that is the resource itself, but not with a path that begins with a list.
    assert_eq!(error("Volumes[]", &["a"], &json!({"Id": "a"})), None);
    assert!(error("[]", &["a"], &json!({"Id": "a"})).is_some());
}

#[test]
fn an_answer_of_a_resource_has_it_at_the_end_of_the_path() {
    for (items, expected) in [
        ("[]", json!([7])),
        ("[][]", json!([[7]])),
        ("Volumes[]", json!({"Volumes": [7]})),
        ("R.I[].J[]", json!({"R": {"I": [{"J": [7]}]}})),
    ] {
        let fleet = any().fleet(&FleetOptions::new(items, "Id")).unwrap();
        assert_eq!(fleet.answer_of(json!(7)), expected);
    }
}

#[test]
fn a_function_cannot_be_the_condition_of_a_fleet() {
    let waiter = Until::from_json("{}").unwrap().build().unwrap();
    let error = waiter.fleet(&FleetOptions::new("[]", "Id")).unwrap_err();
    assert_eq!(
        (error.code, &*error.option),
        ("invalid_option", "predicate")
    );
    let message = "a fleet needs an expression instead of a function";
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn identifiers_are_a_text_or_several() {
    let read = |object: Json| {
        let read = Identifiers::from_host(&object);
        read.map(|read| read.0)
            .map_err(|error| (error.code, error.to_string()))
    };
    let texts = |texts: &[&str]| Ok(texts.iter().map(|text| (*text).to_owned()).collect());
    assert_eq!(read(json!({"id": "a"})), texts(&["a"]));
    assert_eq!(read(json!({"ids": ["a", "b"]})), texts(&["a", "b"]));
    assert_eq!(read(json!({"id": null, "ids": []})), texts(&[]));
    for (object, code, message) in [
        (json!({}), "missing_option", "`id` is missing"),
        (
            json!({"id": 1}),
            "invalid_option",
            "`id` must be a text that is not empty, got 1",
        ),
        (
            json!({"ids": "a"}),
            "invalid_option",
            "`ids` must be an array of texts, got a string",
        ),
    ] {
        assert_eq!(read(object), Err((code, message.to_owned())));
    }
}

/// A host's value that reads itself, and warns.
#[derive(Clone, Debug, PartialEq)]
struct Host(&'static str);

impl Value for Host {
    fn kind(&self) -> Result<Kind, ReadError> {
        Ok(Kind::String)
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        Ok(self.0.into())
    }

    fn len(&self) -> Result<usize, ReadError> {
        Ok(7)
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok((index == 1).then_some(Self("item")))
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok((name == "m").then_some(Self("member")))
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let _ = visit("m", Self("member"));
        Ok(())
    }

    fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        Ok(self.0.chars().take(code_points).collect())
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        Ok(70)
    }

    fn items_at(
        &self,
        _: &[smithy_waiters::internal::Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<ItemAt<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let _ = visit(Ok(ItemAt::Value(keep_arrays.then_some(Self("item")))));
        Ok(())
    }

    fn identity(&self) -> Result<Option<String>, ReadError> {
        Ok(Some("identity".to_owned()))
    }

    fn warning(&self) -> Option<String> {
        Some("warning".to_owned())
    }
}

/// A binding reads its responses through this type, too.
#[test]
fn a_view_of_one_value_reads_as_the_value_itself() {
    let view = View::Item(Host("text"));
    let is = |read: Option<View<'_, Host>>, expected: &str| matches!(read, Some(View::Item(Host(text))) if text == expected);
    assert_eq!(view.kind(), Ok(Kind::String));
    assert_eq!(view.text().unwrap(), "text");
    assert_eq!(view.len(), Ok(7));
    assert!(is(view.item(1).unwrap(), "item"));
    assert!(view.item(0).unwrap().is_none());
    assert!(is(view.member("m").unwrap(), "member"));
    assert!(view.member("n").unwrap().is_none());
    let mut names = Vec::new();
    view.members(&mut |name, member| {
        assert!(is(Some(member), "member"));
        names.push(name.to_owned());
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(names, ["m"]);
    assert_eq!(view.text_start(2).unwrap(), "te");
    assert_eq!(view.text_len(), Ok(70));
    let mut items = 0;
    for keep_arrays in [true, false] {
        view.items_at(&[], keep_arrays, &mut |item| {
            let Ok(ItemAt::Value(item)) = item else {
                panic!("a value")
            };
            assert_eq!(is(item, "item"), keep_arrays);
            items += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    }
    assert_eq!(items, 2);
    assert_eq!(view.identity().unwrap().as_deref(), Some("identity"));
    assert_eq!(view.warning().as_deref(), Some("warning"));
}

/// Joins a fleet whose call for several identifiers fails, as one of them is unknown.
fn divided(ids: &[&str]) -> (Fleet, Vec<u64>, RateLimit) {
    let mut fleet = any().fleet(&FleetOptions::new("[]", "Id")).unwrap();
    let tickets = fleet.join_each(ids, &options(), 1, 0).unwrap();
    let mut limit = RateLimit::new(1_000.0).unwrap();
    let (first, _) = call(&mut fleet, 100);
    fail(&mut fleet, first, "NotFound", &mut limit);
    (fleet, tickets, limit)
}

fn fail(fleet: &mut Fleet, call: u64, code: &str, limit: &mut RateLimit) {
    let error = ErrorMetadata::of_code(code).message("one of them");
    fleet.fail(call, &error, None, 110, limit).unwrap();
}

fn answer(ids: &[Arc<str>]) -> Json {
    ids.iter().map(|id| json!({"Id": **id})).collect()
}

/// Answers a call for these identifiers, and returns the number of waits that end.
fn respond(fleet: &mut Fleet, call: u64, ids: &[Arc<str>], now: u64) -> usize {
    fleet.respond(call, &[&answer(ids)], now).unwrap().len()
}

#[test]
fn a_part_of_a_failed_call_is_abandoned_and_the_other_one_is_called() {
    let (mut fleet, ..) = divided(&["a", "b", "c", "d"]);
    let (one, first) = call(&mut fleet, 200);
    assert_eq!(first.len(), 2);
    fleet.abandon(one, 210).unwrap();
    let (other, second) = call(&mut fleet, 220);
    assert_eq!(second.len(), 2);
    assert!(first.iter().all(|id| !second.contains(id)));
    assert_eq!(respond(&mut fleet, other, &second, 230), 2);
    assert_eq!(fleet.len(), 2);
}

#[test]
fn a_member_is_called_although_others_of_its_failed_part_have_left() {
    let ids = ["a", "b", "c", "d"];
    let (mut fleet, tickets, mut limit) = divided(&ids);
    let (one, first) = call(&mut fleet, 200);
    fail(&mut fleet, one, "NotFound", &mut limit);
    // One of the two identifiers of the failed half leaves.
    let place = ids.iter().position(|id| **id == *first[0]).unwrap();
    fleet.leave(tickets[place], 210).unwrap();
    let (other, second) = call(&mut fleet, 220);
    respond(&mut fleet, other, &second, 230);
    let (last, third) = call(&mut fleet, 60_000 / 2);
    assert_eq!(third, [Arc::clone(&first[1])]);
    assert_eq!(respond(&mut fleet, last, &third, 31_000), 1);
}

#[test]
fn a_part_that_fails_for_another_reason_is_no_answer_about_its_members() {
    let (mut fleet, _, mut limit) = divided(&["a", "b", "c", "d"]);
    let (one, first) = call(&mut fleet, 200);
    let lost = ErrorMetadata::of_class("ConnectionError");
    let transient = Some(Transient {
        not_before_ms: 0,
        answered: false,
        once: false,
    });
    fleet.fail(one, &lost, transient, 210, &mut limit).unwrap();
    assert_eq!(fleet.len(), 4);
    let (other, second) = call(&mut fleet, 220);
    assert_eq!(respond(&mut fleet, other, &second, 230), 2);
    // Those of the lost call are called again.
    let (again, third) = call(&mut fleet, 30_000);
    let sorted = |mut ids: Vec<Arc<str>>| {
        ids.sort();
        ids
    };
    assert_eq!(sorted(third.clone()), sorted(first));
    assert_eq!(respond(&mut fleet, again, &third, 30_010), 2);
}

#[test]
fn who_joins_again_needs_an_answer_to_a_later_call() {
    let ids = ["a", "b", "c", "d"];
    let (mut fleet, tickets, _) = divided(&ids);
    let (one, first) = call(&mut fleet, 200);
    // One of the other half, which has not been called yet.
    let place = ids
        .iter()
        .position(|id| !first.contains(&(*id).into()))
        .unwrap();
    fleet.leave(tickets[place], 210).unwrap();
    let again = fleet.join(ids[place], &options(), 1, 220).unwrap();
    let (other, second) = call(&mut fleet, 230);
    assert_eq!(second.len(), 1);
    assert!(*second[0] != *ids[place]);
    assert_eq!(respond(&mut fleet, one, &first, 240), 2);
    assert_eq!(respond(&mut fleet, other, &second, 250), 1);
    let (last, third) = call(&mut fleet, 1_000);
    assert_eq!(third, [ids[place].into()]);
    let page = answer(&third);
    let ends = fleet.respond(last, &[&page], 1_010).unwrap();
    assert_eq!(
        ends.iter().map(|end| end.ticket).collect::<Vec<_>>(),
        [again]
    );
}

/// Options with a fixed delay in seconds.
fn every(options: WaitOptions, seconds: u64) -> WaitOptions {
    let delay = Duration::from_secs(seconds);
    options.min_delay(delay).max_delay(delay)
}

#[test]
fn a_call_for_another_caller_spends_no_attempt_that_is_limited() {
    for (max_wait, attempts) in [(None, 1), (Some(3_600), 2)] {
        let mut fleet = Waiter::until("[].S", "up")
            .build()
            .unwrap()
            .fleet(&FleetOptions::new("[]", "Id"))
            .unwrap();
        let limited = match max_wait {
            Some(seconds) => WaitOptions::new(Duration::from_secs(seconds)),
            None => WaitOptions::limited_by_attempts(3),
        };
        let limited = every(limited, 100);
        let limited = fleet.join("a", &limited, 1, 0).unwrap();
        let other = fleet.join("a", &every(options(), 10), 1, 0).unwrap();
        let (first, _) = call(&mut fleet, 100);
        let page = json!([{"Id": "a", "S": "down"}]);
        fleet.respond(first, &[&page], 110).unwrap();
        let (second, _) = call(&mut fleet, 10_500);
        let made = |fleet: &Fleet, ticket| fleet.wait(ticket).unwrap().attempts();
        assert_eq!((made(&fleet, limited), made(&fleet, other)), (attempts, 2));
        // The call ends only the attempts that it is for.
        fleet.abandon(second, 10_600).unwrap();
        assert_eq!((made(&fleet, limited), made(&fleet, other)), (attempts, 2));
        assert_eq!(fleet.len(), 2);
    }
}

#[test]
fn a_call_that_is_abandoned_after_the_deadline_ends_the_wait() {
    for (abandoned, is_over) in [(60_000, false), (60_001, true)] {
        let mut fleet = any().fleet(&FleetOptions::new("[]", "Id")).unwrap();
        fleet.join("a", &options(), 1, 0).unwrap();
        let (first, _) = call(&mut fleet, 100);
        fleet.abandon(first, abandoned).unwrap();
        let ended = fleet.ended(abandoned);
        let report = &ended[0].1;
        assert_eq!(report.kind, Some(FailureKind::TimedOut));
        let late = report.last_result == Some(AttemptResult::Late);
        assert_eq!(late, is_over, "{report:?}");
    }
}

#[test]
fn only_a_call_whose_parts_succeed_is_too_large() {
    let ids = ["a", "b", "c", "d"];
    for (leaves, expected) in [(false, 2), (true, 4)] {
        let (mut fleet, tickets, _) = divided(&ids);
        let (one, first) = call(&mut fleet, 200);
        if leaves {
            // It may be the one that made the whole call fail.
            let place = ids.iter().position(|id| **id == *first[0]).unwrap();
            fleet.leave(tickets[place], 210).unwrap();
        }
        respond(&mut fleet, one, &first, 230);
        let (other, second) = call(&mut fleet, 240);
        respond(&mut fleet, other, &second, 250);
        assert!(fleet.is_empty());
        fleet.join_each(&ids, &options(), 1, 300).unwrap();
        let (_, third) = call(&mut fleet, 1_000);
        assert_eq!(third.len(), expected);
    }
}
