//! Fleets against a service that the tests play.

#![expect(clippy::expect_used, clippy::panic, reason = "a panic fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::{
    EndValues, ErrorMetadata, Event, FailureKind, Fleet, FleetOptions, FleetSnapshot, FleetStep,
    OptionsError, RateLimit, Step, WaitOptions, WaitReport, Waiter,
};

/// The facts of a service about a volume.
type States = BTreeMap<String, fn(u64) -> &'static str>;

/// A service that answers at once, and that fails a whole call for an identifier that it does not know.
struct Service {
    states: States,
    /// Omits unknown identifiers instead of failing.
    omits: bool,
    calls: Vec<(u64, usize)>,
}

impl Service {
    fn new(states: States) -> Self {
        Self {
            states,
            omits: false,
            calls: Vec::new(),
        }
    }

    fn answer(&mut self, ids: &[Arc<str>], now: u64) -> Result<Value, String> {
        self.calls.push((now, ids.len()));
        let mut volumes = Vec::new();
        for id in ids {
            match self.states.get(&**id).map_or("", |state| state(now)) {
                "" if self.omits => {}
                "" => return Err(format!("The volume '{id}' does not exist.")),
                state => volumes.push(json!({"VolumeId": **id, "State": state})),
            }
        }
        Ok(json!({"Volumes": volumes}))
    }
}

fn waiter() -> Waiter {
    let definition = json!({"minDelay": 10, "maxDelay": 10, "acceptors": [
        {"state": "success", "matcher": {"output": {
            "path": "Volumes[].State", "comparator": "allStringEquals", "expected": "available"}}},
        {"state": "failure", "matcher": {"output": {
            "path": "Volumes[].State", "comparator": "anyStringEquals", "expected": "error"}}}]});
    Waiter::from_value(&definition, Some("VolumeAvailable")).expect("a definition")
}

fn fleet(waiter: &Waiter) -> Fleet {
    let options = FleetOptions::new("Volumes[]", "VolumeId").batch(200);
    waiter.fleet(&options).expect("the options")
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(600)).not_found_for(Duration::from_secs(100))
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("vol-{index:04}")).collect()
}

/// Runs a fleet to its end, and returns the reports in the order of the tickets with their times.
fn run(
    fleet: &mut Fleet,
    service: &mut Service,
    rate: f64,
) -> BTreeMap<u64, (u64, Arc<WaitReport>)> {
    run_until(fleet, service, rate, (0, u64::MAX))
}

/// Runs a fleet from a time to another or to its end.
fn run_until(
    fleet: &mut Fleet,
    service: &mut Service,
    rate: f64,
    (mut now, end): (u64, u64),
) -> BTreeMap<u64, (u64, Arc<WaitReport>)> {
    let mut limit = RateLimit::new(rate).expect("a rate");
    let mut ended = BTreeMap::new();
    while !fleet.is_empty() && now < end {
        match fleet.poll(now, &mut limit) {
            FleetStep::Call { call, ids, .. } => match service.answer(&ids, now) {
                Ok(answer) => {
                    for end in fleet.respond(call, &[&answer], now).expect("an answer") {
                        ended.insert(end.ticket, (now, end.report));
                    }
                }
                Err(message) => {
                    let error = ErrorMetadata::of_code("InvalidVolume.NotFound").message(message);
                    fleet
                        .fail(call, &error, None, now, &mut limit)
                        .expect("an error");
                }
            },
            FleetStep::Ended { ticket, report } => {
                ended.insert(ticket, (now, report));
            }
            FleetStep::Sleep { until_ms } => {
                assert!(until_ms > now, "a sleep that does not advance");
                now = until_ms;
            }
            FleetStep::Idle => panic!("idle with callers"),
        }
        assert!(service.calls.len() < 100_000, "no end");
    }
    ended
}

/// Starts the call of a fleet that is due.
fn start_call(fleet: &mut Fleet, limit: &mut RateLimit, now: u64) -> u64 {
    let FleetStep::Call { call, .. } = fleet.poll(now, limit) else {
        panic!("no call");
    };
    call
}

fn join(fleet: &mut Fleet, ids: &[String]) {
    fleet.join_each(ids, &options(), 7, 0).expect("to join");
}

/// The states of a volume that becomes available after a minute.
fn creating(now: u64) -> &'static str {
    if now < 60_000 {
        "creating"
    } else {
        "available"
    }
}

fn all(ids: &[String], state: fn(u64) -> &'static str) -> States {
    ids.iter().map(|id| (id.clone(), state)).collect()
}

#[test]
fn a_thousand_share_their_calls() {
    let (waiter, ids) = (waiter(), names(1_000));
    let mut fleet = fleet(&waiter);
    join(&mut fleet, &ids);
    let mut service = Service::new(all(&ids, creating));
    let ended = run(&mut fleet, &mut service, 5.0);
    assert!(ended.values().all(|(_, report)| report.kind.is_none()));
    // Five calls for each of the seven rounds; alone, they would be 7,000.
    assert!(service.calls.len() <= 40, "{} calls", service.calls.len());
    let latest = ended.values().map(|(at, _)| *at).max();
    assert!(latest <= Some(72_000), "{latest:?}");
}

#[test]
fn an_unknown_one_is_found() {
    let (waiter, ids) = (waiter(), names(1_000));
    let mut fleet = fleet(&waiter);
    join(&mut fleet, &ids);
    let mut states = all(&ids, |_| "available");
    states.remove("vol-0617");
    let mut service = Service::new(states);
    let ended = run(&mut fleet, &mut service, 100.0);
    let failed: Vec<_> = ended
        .iter()
        .filter(|(_, (_, report))| report.kind.is_some())
        .collect();
    assert_eq!(failed.len(), 1, "{:?}", ended.get(&617));
    let (ticket, (_, report)) = failed[0];
    assert_eq!((*ticket, report.kind), (617, Some(FailureKind::NeverFound)));
    let first = service.calls.iter().filter(|(at, _)| *at < 5_000).count();
    assert!(first <= 5 + 20, "{first} calls");
}

#[test]
fn unknown_ones_that_errors_name_hide_the_others_for_few_rounds() {
    let (waiter, ids) = (waiter(), names(1_000));
    let mut fleet = fleet(&waiter);
    join(&mut fleet, &ids);
    let mut states = all(&ids, |_| "available");
    for id in ids.iter().step_by(100) {
        states.remove(id);
    }
    let mut service = Service::new(states);
    let ended = run(&mut fleet, &mut service, 5.0);
    let known = ended.values().filter(|(_, report)| report.kind.is_none());
    let latest = known.map(|(at, _)| *at).max();
    assert!(latest <= Some(35_000), "{latest:?}");
}

#[test]
fn a_round_of_unknown_ones_takes_three_calls() {
    let (waiter, ids) = (waiter(), names(200));
    let mut fleet = fleet(&waiter);
    join(&mut fleet, &ids);
    let mut service = Service::new(all(&ids, |now| match now {
        0..30_000 => "",
        _ => "available",
    }));
    let ended = run(&mut fleet, &mut service, 5.0);
    assert!(ended.values().all(|(_, report)| report.kind.is_none()));
    // Rounds at 0, 10 and 20 s, and the call that answers for all.
    assert!(service.calls.len() <= 3 * 3 + 2, "{:?}", service.calls);
}

/// A month, so that the times in a saved list are long.
const MONTH: u64 = 2_592_000_000;

#[test]
fn a_list_has_one_deadline_until_its_last_wait_has_ended() {
    let (waiter, ids) = (waiter(), names(2));
    let options = WaitOptions::new(Duration::from_secs(60));
    let mut first = fleet(&waiter);
    let tickets = first.join_each(&ids, &options, 7, 5_000).expect("to join");
    first.leave(tickets[0], 6_000);
    assert_eq!(first.deadline_ms(tickets[0]), Some(65_000));
    let snapshot = first.snapshot(tickets[1], None).expect("an open wait");
    first.leave(tickets[1], 6_000);
    assert_eq!(first.deadline_ms(tickets[1]), None, "all have ended");

    let mut other = fleet(&waiter);
    let resumed = other.resume_each(snapshot, 20_000, 100).expect("to resume");
    assert_eq!(other.deadline_ms(resumed[0].0), Some(40_100));
    let options = WaitOptions::limited_by_attempts(3);
    let tickets = other.join_each(&["x".to_owned()], &options, 7, 100);
    assert_eq!(other.deadline_ms(tickets.expect("to join")[0]), None);
}

#[test]
fn a_saved_list_is_small_and_continues() {
    let (waiter, ids) = (waiter(), names(1_000));
    let states: [fn(u64) -> &'static str; 4] = [
        |_| "available",
        |now| ["creating", "error"][usize::from(now >= MONTH + 40_000)],
        |now| ["creating", "available"][usize::from(now >= MONTH + 60_000)],
        |now| ["", "available"][usize::from(now >= MONTH + 25_000)],
    ];
    let mut service = Service::new(
        ids.iter()
            .cloned()
            .zip(states.into_iter().cycle())
            .collect(),
    );
    service.omits = true;
    let options = WaitOptions::new(Duration::from_millis(2 * MONTH))
        .initial_delay(Duration::from_millis(MONTH))
        .not_found_for(Duration::from_secs(3_600));
    let mut fleet = fleet(&waiter);
    let tickets = fleet.join_each(&ids, &options, 7, 0).expect("to join");
    let before = run_until(&mut fleet, &mut service, 10.0, (0, MONTH + 15_000));
    assert_eq!(before.len(), 250);

    let snapshot = fleet.snapshot(tickets[0], None).expect("open waits");
    let text = snapshot.to_json();
    let names: usize = ids.iter().map(|id| id.len() + 3).sum();
    let each = (text.len() - names) / ids.len();
    assert!(each <= 64, "{each} bytes a member");

    let now = MONTH + 15_000;
    let rest = run_until(&mut fleet, &mut service, 10.0, (now, u64::MAX));
    let snapshot = FleetSnapshot::from_json(&text).expect("a snapshot");
    let (mut resumed, elapsed) = (self::fleet(&waiter), snapshot.elapsed_ms(None));
    resumed
        .resume_each(snapshot, elapsed, now)
        .expect("to resume");
    let again = run_until(&mut resumed, &mut service, 10.0, (now, u64::MAX));
    assert_eq!(again.len(), ids.len());
    for (ticket, (at, report)) in again {
        if let Some((_, first)) = before.get(&ticket) {
            assert_eq!((at, report.kind, report.attempts), (now, first.kind, 1));
            assert_eq!(report.message, first.message);
            assert_eq!(report.elapsed_ms, first.elapsed_ms);
            continue;
        }
        let (at_first, first) = &rest[&ticket];
        assert_eq!(report.kind, first.kind, "{ticket}");
        // A member joins other calls by up to a tenth of its delay, and the calls of the two fleets differ.
        assert!(
            at.abs_diff(*at_first) <= 10_000,
            "{ticket}: {at} and {at_first}"
        );
    }
}

#[test]
fn a_misspelt_key_is_named() {
    let waiter = waiter();
    let mut fleet = fleet(&waiter);
    fleet.join("vol-1", &options(), 1, 0).expect("to join");
    let mut limit = RateLimit::new(5.0).expect("a rate");
    let call = start_call(&mut fleet, &mut limit, 100);
    let misspelt = json!({"Volumes": [{"VolumeID": "vol-1"}]});
    let error = fleet.respond(call, &[&misspelt], 110);
    let error = error.expect_err("an error").to_string();
    assert!(error.contains(", did you mean `VolumeID`: name"), "{error}");
}

#[test]
fn the_first_answer_without_resources_has_a_hint() {
    for (items, answer, hint) in [
        (
            "Volume[]",
            json!({"Volumes": [{"VolumeId": "vol-3"}]}),
            Some("`items` Volume[]: the response has no member `Volume`, did you mean `Volumes`?"),
        ),
        (
            "Groups[].Task[]",
            json!({"Groups": [{"Tasks": []}]}),
            Some("`items` Groups[].Task[]: Groups has no member `Task`, did you mean `Tasks`?"),
        ),
        ("Volumes[]", json!({"Volumes": []}), None),
        ("Volumes[]", json!({"NextToken": "x"}), None),
    ] {
        let options_of_fleet = FleetOptions::new(items, "VolumeId");
        let mut fleet = waiter().fleet(&options_of_fleet).expect("the options");
        for id in ["vol-1", "vol-2"] {
            fleet.join(id, &options().label(id), 1, 0).expect("to join");
        }
        let mut limit = RateLimit::new(5.0).expect("a rate");
        let call = start_call(&mut fleet, &mut limit, 100);
        fleet.respond(call, &[&answer], 110).expect("an answer");
        let hints = |ticket| {
            let wait = fleet.wait(ticket).expect("a wait");
            let hints = wait.hints().iter();
            hints.map(ToString::to_string).collect::<Vec<_>>()
        };
        let expected = hint.map(|hint| format!("VolumeAvailable vol-1: {hint}"));
        assert_eq!(hints(0), Vec::from_iter(expected), "{items}");
        assert!(hints(1).is_empty());
    }
}

#[test]
fn a_wait_remains_until_its_end_was_returned() {
    let waiter = waiter();
    let mut fleet = fleet(&waiter);
    for (id, max_wait) in [("vol-1", 600), ("vol-2", 1), ("vol-3", 1)] {
        let options = WaitOptions::new(Duration::from_secs(max_wait));
        fleet.join(id, &options, 1, 0).expect("to join");
    }
    let mut limit = RateLimit::new(5.0).expect("a rate");
    let call = start_call(&mut fleet, &mut limit, 100);
    assert_eq!(fleet.wait(0).map(|wait| wait.attempts()), Some(1));
    let answer = json!({"Volumes": [{"VolumeId": "vol-1", "State": "available"}]});
    fleet.respond(call, &[&answer], 110).expect("an answer");
    let latest = fleet.wait(0).and_then(|wait| wait.latest());
    assert_eq!(latest.map(|record| record.attempt), Some(1));
    for ticket in [1, 2] {
        assert!(matches!(
            fleet.poll(1_000, &mut limit),
            FleetStep::Ended { .. }
        ));
        assert!(
            fleet
                .wait(ticket)
                .is_some_and(|wait| wait.report().is_some())
        );
    }
    assert_eq!(fleet.poll(1_000, &mut limit), FleetStep::Idle);
    assert!(fleet.wait(0).is_none() && fleet.wait(2).is_none());
}

#[test]
fn options_name_their_culprit() {
    let waiter = waiter();
    let error = |items: &str, key: &str| -> OptionsError {
        waiter
            .fleet(&FleetOptions::new(items, key))
            .expect_err("an error")
    };
    for items in [
        "Volumes",
        "Volumes[0]",
        "Volumes[].State",
        "a..b[]",
        "[?x][]",
    ] {
        assert_eq!(error(items, "VolumeId").option, "items", "{items}");
    }
    assert_eq!(error("Volumes[]", "").option, "key");
    let mut fleet = fleet(&waiter);
    assert_eq!(
        fleet
            .join("", &options(), 1, 0)
            .expect_err("an error")
            .option,
        "id"
    );
    let batch = waiter.fleet(&FleetOptions::new("Volumes[]", "VolumeId").batch(0));
    assert_eq!(batch.expect_err("an error").option, "batch");
}

#[test]
fn a_throttled_call_lowers_the_rate_for_a_time() {
    let mut limit = RateLimit::new(10.0).expect("a rate");
    let times = |limit: &mut RateLimit, from: u64| -> Vec<u64> {
        (0..4)
            .map(|_| limit.reserve(from).saturating_sub(from))
            .collect()
    };
    assert_eq!(times(&mut limit, 0), [0, 100, 200, 300]);
    limit.throttle(10_000);
    assert_eq!(times(&mut limit, 10_000), [143, 286, 429, 572]);
    assert_eq!(times(&mut limit, 20_000), [0, 100, 200, 300]);
    assert_eq!(RateLimit::new(0.0).expect_err("an error").option, "rate");
}

#[test]
fn polls_are_fair() {
    let (waiter, ids) = (waiter(), names(500));
    let options = FleetOptions::new("Volumes[]", "VolumeId").batch(20);
    let mut fleet = waiter.fleet(&options).expect("the options");
    join(&mut fleet, &ids);
    let mut limit = RateLimit::new(1.0).expect("a rate");
    let (mut now, mut polls) = (0, BTreeMap::new());
    let states = all(&ids, |_| "creating");
    let mut service = Service::new(states);
    while now < 300_000 {
        match fleet.poll(now, &mut limit) {
            FleetStep::Call { call, ids, .. } => {
                for id in &ids {
                    *polls.entry(Arc::clone(id)).or_insert(0_u32) += 1;
                }
                let answer = service.answer(&ids, now).expect("an answer");
                fleet.respond(call, &[&answer], now).expect("an answer");
            }
            FleetStep::Sleep { until_ms } => now = until_ms,
            step => panic!("{step:?}"),
        }
    }
    let counts: BTreeSet<u32> = polls.into_values().collect();
    let (least, most) = (
        counts.first().copied().unwrap_or(0),
        counts.last().copied().unwrap_or(0),
    );
    assert!(most <= least + 1, "{least} to {most}");
}

#[cfg(all(feature = "testing", feature = "tokio"))]
mod driver {
    //! The drivers, on a virtual clock.

    use std::future::{Future, pending, ready};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::pin::{Pin, pin};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, mpsc};
    use std::task::{Context, Waker};
    use std::thread;

    use smithy_waiters::Driver;
    use smithy_waiters::driver::{
        BlockingFleet, BlockingRuntime, CancelToken, EachOptions, FleetWaitError, Reports, Runtime,
        SharedFleet, SharedRateLimit, TokioRuntime, WaitersError,
    };
    use smithy_waiters::testing::FakeClock;

    use super::*;

    type Answer = Result<Value, ErrorMetadata<'static>>;

    fn shape() -> FleetOptions {
        FleetOptions::new("Volumes[]", "VolumeId").batch(200)
    }

    fn millis(clock: &FakeClock) -> u64 {
        u64::try_from(Runtime::now(clock).as_millis()).expect("a time")
    }

    /// Returns an answer in which all volumes have a state.
    fn answer(ids: &[String], state: &str) -> Answer {
        let volume = |id: &String| json!({"VolumeId": id, "State": state});
        Ok(json!({"Volumes": ids.iter().map(volume).collect::<Vec<_>>()}))
    }

    fn shared<C, F>(clock: &FakeClock, call: C) -> SharedFleet<FakeClock, C, F>
    where
        C: FnMut(Vec<String>) -> F,
        F: Future<Output = Answer>,
    {
        let driver = Driver::new(clock.clone());
        driver.fleet(&waiter(), &shape(), call).expect("a fleet")
    }

    fn blocking<C>(
        clock: &FakeClock,
        call: C,
    ) -> BlockingFleet<FakeClock, C, Value, ErrorMetadata<'static>>
    where
        C: FnMut(Vec<String>) -> Answer,
    {
        let driver = Driver::new(clock.clone());
        let fleet = driver.fleet_blocking(&waiter(), &shape(), call);
        fleet.expect("a fleet")
    }

    /// Polls a future once, which must not end.
    fn start(future: &mut Pin<&mut impl Future>) {
        let mut context = Context::from_waker(Waker::noop());
        assert!(future.as_mut().poll(&mut context).is_pending());
    }

    fn each(ended: Result<Reports, WaitersError>) -> (Vec<String>, Vec<String>) {
        let names = |reports: Reports| reports.names().map(str::to_owned).collect();
        match ended {
            Ok(outcomes) => (names(outcomes), Vec::new()),
            Err(WaitersError::Failed { failures, outcomes }) => (names(outcomes), names(failures)),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn each_ends() {
        let (clock, ids) = (FakeClock::new(), names(500));
        let mut service = Service::new(all(&ids, creating));
        let call = |ids: Vec<String>| {
            let ids: Vec<Arc<str>> = ids.iter().map(|id| (&**id).into()).collect();
            let answer = service.answer(&ids, millis(&clock));
            answer.map_err(|_| ErrorMetadata::unnamed())
        };
        let fleet = blocking(&clock, call);
        let reports = fleet.wait_each(ids, &options(), EachOptions::new());
        assert_eq!(reports.expect("success").len(), 500);
        drop(fleet);
        assert!(service.calls.len() <= 25, "{} calls", service.calls.len());
    }

    #[tokio::test(start_paused = true)]
    async fn callers_join_on_tokio() {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let call = {
            let calls = Arc::clone(&calls);
            move |ids: Vec<String>| {
                let mut calls = calls.lock().expect("no panic");
                calls.push(ids.clone());
                let state = if calls.len() > 2 {
                    "available"
                } else {
                    "creating"
                };
                ready(answer(&ids, state))
            }
        };
        let driver = Driver::new(TokioRuntime::new());
        let fleet = driver.fleet(&waiter(), &shape(), call).expect("a fleet");
        let mut tasks = Vec::new();
        for id in ["vol-1", "vol-2", "vol-1"] {
            let fleet = fleet.clone();
            tasks.push(tokio::spawn(
                async move { fleet.wait(id, &options()).await },
            ));
        }
        for task in tasks {
            let report = task.await.expect("no panic").expect("success");
            assert_eq!(report.attempts, 3);
        }
        assert_eq!(*calls.lock().expect("no panic"), [["vol-1", "vol-2"]; 3]);
    }

    #[tokio::test]
    async fn another_caller_goes_on_with_the_call_of_one_that_is_dropped() {
        let (clock, calls) = (FakeClock::new(), AtomicUsize::new(0));
        let call = |ids: Vec<String>| {
            calls.fetch_add(1, Ordering::Relaxed);
            let clock = clock.clone();
            async move {
                clock.sleep(Duration::from_secs(2)).await;
                answer(&ids, "available")
            }
        };
        let fleet = shared(&clock, call);
        let other = {
            let options = options();
            let mut first = pin!(fleet.wait("vol-1", &options));
            let mut other = Box::pin(async { fleet.wait("vol-1", &self::options()).await });
            start(&mut first);
            start(&mut other.as_mut());
            clock.advance(Duration::from_millis(100));
            start(&mut first);
            assert_eq!(calls.load(Ordering::Relaxed), 1);
            other
        };
        assert_eq!(other.await.expect("success").attempts, 1);
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }

    /// A call in progress.
    type Call = Pin<Box<dyn Future<Output = Answer> + Send>>;

    /// A fleet on tokio's clock, whose calls take a time and show volumes as available from another one.
    fn on_tokio(
        takes_ms: u64,
        from_ms: u64,
    ) -> SharedFleet<TokioRuntime, impl FnMut(Vec<String>) -> Call, Call> {
        let started = tokio::time::Instant::now();
        let call = move |ids: Vec<String>| -> Call {
            Box::pin(async move {
                tokio::time::sleep(Duration::from_millis(takes_ms)).await;
                let is_available = started.elapsed() >= Duration::from_millis(from_ms);
                answer(
                    &ids,
                    if is_available {
                        "available"
                    } else {
                        "creating"
                    },
                )
            })
        };
        let driver = Driver::new(TokioRuntime::new());
        driver.fleet(&waiter(), &shape(), call).expect("a fleet")
    }

    /// Polls a future for a time, after which it is held and not polled.
    async fn hold(future: &mut Pin<&mut impl Future>, millis: u64) {
        let time = Duration::from_millis(millis);
        assert!(tokio::time::timeout(time, future).await.is_err(), "ended");
    }

    /// Returns the output of a future, which must not take longer than an hour.
    async fn in_time<F: Future>(future: F) -> F::Output {
        let time = Duration::from_secs(3_600);
        tokio::time::timeout(time, future).await.expect("an end")
    }

    fn seconds(seconds: u64) -> WaitOptions {
        WaitOptions::new(Duration::from_secs(seconds))
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_is_held_stops_no_other_one() {
        let fleet = on_tokio(0, 25_000);
        let long = seconds(600);
        let mut held = pin!(fleet.wait("vol-1", &long));
        hold(&mut held, 300).await;
        // A deadline is kept, and the time before it is used.
        let started = tokio::time::Instant::now();
        let late = in_time(fleet.wait("vol-2", &seconds(1))).await;
        let Err(FleetWaitError::Failed(report)) = late else {
            panic!("{late:?}");
        };
        assert_eq!(report.kind, Some(FailureKind::TimedOut));
        assert!(report.attempts > 0, "{report:?}");
        assert!(started.elapsed() <= Duration::from_millis(1_010));
        let report = in_time(fleet.wait("vol-2", &long)).await;
        let report = report.expect("success");
        assert!(report.elapsed_ms < 34_000, "{report:?}");
        let report = in_time(held).await.expect("success");
        assert_eq!(report.kind, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_of_a_caller_that_is_held_goes_on() {
        let fleet = on_tokio(3_000, 0);
        let long = seconds(600);
        let mut held = pin!(fleet.wait("vol-1", &long));
        hold(&mut held, 300).await;
        let other = fleet.clone();
        // In a task of its own, which the call of the other one does not wake.
        let other = tokio::spawn(async move { other.wait("vol-1", &seconds(20)).await });
        let report = in_time(other).await.expect("no panic").expect("success");
        // Its own call follows the one that was in flight.
        assert!(report.elapsed_ms <= 5_800, "{report:?}");
        assert_eq!(in_time(held).await.expect("success").attempts, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn several_callers_that_are_held_stop_no_other_one() {
        let fleet = on_tokio(500, 25_000);
        let long = seconds(600);
        let mut held: Vec<_> = (0..20)
            .map(|_| Box::pin(fleet.wait("vol-1", &long)))
            .collect();
        for (index, held) in held.iter_mut().enumerate() {
            hold(&mut held.as_mut(), 40 * (index as u64 % 5)).await;
        }
        let report = in_time(fleet.wait("vol-2", &seconds(60))).await;
        let report = report.expect("success");
        assert!(report.elapsed_ms < 45_000, "{report:?}");
        for (index, held) in held.into_iter().enumerate() {
            assert!(in_time(held).await.is_ok(), "{index}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn callers_that_are_held_in_turn_end() {
        let fleet = on_tokio(700, 60_000);
        let long = seconds(600);
        let mut first = pin!(fleet.wait("vol-1", &long));
        let mut second = pin!(fleet.wait("vol-2", &long));
        for _ in 0..8 {
            hold(&mut first, 3_000).await;
            hold(&mut second, 4_000).await;
        }
        let (first, second) = in_time(async { tokio::join!(first, second) }).await;
        for report in [first.expect("success"), second.expect("success")] {
            assert!(report.elapsed_ms < 75_000, "{report:?}");
        }
    }

    #[test]
    fn the_last_caller_drops_the_calls() {
        let (clock, call) = (FakeClock::new(), Arc::new(()));
        let fleet = shared(&clock, |_| {
            let call = Arc::clone(&call);
            async move {
                let _call = call;
                pending::<Answer>().await
            }
        });
        let token = CancelToken::new();
        {
            let (options, fleet) = (options(), fleet.cancelled_by(&token));
            let mut one = pin!(fleet.wait("vol-1", &options));
            start(&mut one);
            clock.advance(Duration::from_millis(100));
            start(&mut one);
            assert_eq!(Arc::strong_count(&call), 2);
            token.cancel();
            let ended = one.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            let std::task::Poll::Ready(Err(FleetWaitError::Failed(report))) = ended else {
                panic!("{ended:?}");
            };
            assert_eq!(report.kind, Some(FailureKind::Cancelled));
        }
        assert_eq!(Arc::strong_count(&call), 1);
    }

    #[tokio::test]
    async fn a_call_that_hangs_is_dropped_at_the_last_deadline() {
        let clock = FakeClock::new();
        let fleet = shared(&clock, |_| {
            clock.advance(Duration::from_secs(700));
            pending::<Answer>()
        });
        let options = options();
        let (one, other) =
            tokio::join!(fleet.wait("vol-1", &options), fleet.wait("vol-2", &options));
        for ended in [one, other] {
            let Err(FleetWaitError::Failed(report)) = ended else {
                panic!("{ended:?}");
            };
            assert_eq!(report.kind, Some(FailureKind::TimedOut));
        }
    }

    #[test]
    fn the_future_of_a_wait_can_be_sent() {
        fn sent<T: Send>(_: &T) {}
        let clock = FakeClock::new();
        let fleet = shared(&clock, |ids: Vec<String>| ready(answer(&ids, "available")));
        sent(&fleet.wait("vol-1", &options()));
        sent(&fleet.wait_each(["vol-1"], &options(), EachOptions::new()));
    }

    #[test]
    fn threads_share_their_calls() {
        let (clock, asked) = (FakeClock::new(), Mutex::new(BTreeSet::new()));
        let fleet = blocking(&clock, |ids| {
            asked.lock().expect("no panic").extend(ids.iter().cloned());
            answer(&ids, creating(millis(&clock)))
        });
        thread::scope(|threads| {
            for id in names(8) {
                let fleet = fleet.clone();
                threads.spawn(move || fleet.wait(id, &options()).expect("success"));
            }
        });
        assert_eq!(asked.into_inner().expect("no panic").len(), 8);
    }

    /// A clock that stands still, so that only a wake-up ends a sleep. It reports each one.
    struct Still(mpsc::Sender<()>);

    impl BlockingRuntime for Still {
        fn now(&self) -> Duration {
            Duration::ZERO
        }

        fn sleep(&self, _: Duration) {
            panic!("a sleep that nothing ends");
        }

        fn sleep_unless(&self, _: Duration, cancelled: &CancelToken) {
            self.0.send(()).expect("a receiver");
            assert!(cancelled.wait_timeout(Duration::MAX));
        }
    }

    #[test]
    fn a_token_wakes_the_thread_that_polls() {
        let (token, (asleep, sleeps)) = (CancelToken::new(), mpsc::channel());
        let call = |ids: Vec<String>| answer(&ids, "available");
        let fleet = Driver::new(Still(asleep)).cancelled_by(&token);
        let fleet = fleet.fleet_blocking(&waiter(), &shape(), call);
        let fleet = fleet.expect("a fleet");
        let ended = thread::scope(|threads| {
            let waits = [(); 3].map(|()| threads.spawn(|| fleet.wait("vol-1", &options())));
            sleeps.recv().expect("a sleep");
            token.cancel();
            waits.map(|wait| wait.join().expect("no panic"))
        });
        for error in ended.map(|ended| ended.expect_err("a failure")) {
            assert_eq!(error.code(), "cancelled");
        }
    }

    #[test]
    fn a_panic_of_the_call_is_that_of_its_caller() {
        let (clock, mut calls) = (FakeClock::new(), 0);
        let fleet = blocking(&clock, |ids: Vec<String>| {
            calls += 1;
            assert!(calls > 1, "the first call panics");
            answer(&ids, "available")
        });
        let first = catch_unwind(AssertUnwindSafe(|| fleet.wait("vol-1", &options())));
        assert!(first.is_err());
        assert!(fleet.wait("vol-1", &options()).is_ok());
    }

    #[test]
    fn a_wait_and_a_fleet_share_a_limit() {
        let clock = FakeClock::new();
        let limit = SharedRateLimit::new(0.1).expect("a rate");
        let driver = || Driver::new(clock.clone()).rate_limit(&limit);
        let call = |ids: Vec<String>| answer(&ids, "available");
        let fleet = driver()
            .fleet_blocking(&waiter(), &shape(), call)
            .expect("a fleet");
        assert!(fleet.wait("vol-1", &options()).is_ok());
        assert_eq!(millis(&clock), 100);
        let calls = Mutex::new(Vec::new());
        let call = |attempt: smithy_waiters::Attempt| {
            calls.lock().expect("no panic").push(millis(&clock));
            match attempt.number {
                1 => Err(ErrorMetadata::of_code("ThrottlingException")),
                _ => answer(&[String::new()], "available"),
            }
        };
        let ended = driver().wait_blocking(&waiter(), call, options());
        assert!(ended.is_ok());
        assert!(fleet.wait("vol-1", &options()).is_ok());
        let calls = calls.into_inner().expect("no panic");
        // The throttled call lowers the rate at once: the next free time is 10 s / 0.7 later.
        assert_eq!(calls, [10_100, 24_386]);
    }

    #[test]
    fn failures_quorum_and_mistakes() {
        let call = |ids: Vec<String>| {
            let state = |id: &str| match id {
                "vol-0001" => "error",
                _ => "available",
            };
            let volume = |id: &String| json!({"VolumeId": id, "State": state(id)});
            Ok(json!({"Volumes": ids.iter().map(volume).collect::<Vec<_>>()}))
        };
        let fleet = blocking(&FakeClock::new(), call);
        let run = |ids: Vec<String>, each| fleet.wait_each(ids, &options(), each);
        let (outcomes, failures) = each(run(names(3), EachOptions::new()));
        assert_eq!((outcomes.len(), failures), (2, vec!["vol-0001".to_owned()]));
        let (outcomes, failures) = each(run(names(3), EachOptions::new().quorum(2)));
        assert_eq!((outcomes.len(), failures.len()), (2, 0));
        assert!(run(names(3), EachOptions::new().fail_fast(true)).is_err());
        assert_eq!(
            run(Vec::new(), EachOptions::new()).expect("success").len(),
            0
        );
        let one = fleet.wait("vol-0001", &options()).expect_err("a failure");
        assert_eq!(one.code(), "failure_state");
        let token = CancelToken::new();
        token.cancel();
        let cancelled = fleet.cancelled_by(&token);
        let cancelled = cancelled.wait_each(names(2), &options(), EachOptions::new());
        let message = cancelled.expect_err("an error").to_string();
        assert!(message.starts_with("2 of 2 waits failed:\n  vol-0000: "));
        let twice = run(vec!["a".into(), "a".into()], EachOptions::new());
        assert_eq!(
            twice.expect_err("an error").to_string(),
            "`ids` must not repeat an identifier, got `a` twice"
        );
        let quorum = run(names(1), EachOptions::new().quorum(2));
        assert!(matches!(quorum, Err(WaitersError::Options(_))));
        assert_eq!(
            fleet.wait("", &options()).expect_err("an error").code(),
            "invalid_option"
        );
    }

    #[tokio::test]
    async fn an_answer_that_cannot_be_read_ends_all_waits() {
        let clock = FakeClock::new();
        let fleet = shared(&clock, |_| ready(Ok(json!({"Volumes": [{"Id": "vol-1"}]}))));
        let options = options();
        let (one, others) = tokio::join!(
            fleet.wait("vol-1", &options),
            fleet.wait_each(["vol-2"], &options, EachOptions::new())
        );
        assert_eq!(one.expect_err("an error").code(), "invalid_answer");
        assert!(matches!(others, Err(WaitersError::Answer(_))));
    }
}

#[test]
fn waits_share_a_limit_fairly() {
    let waiter = waiter();
    let mut limit = RateLimit::new(2.0).expect("a rate");
    let mut waits: Vec<_> = (0..10)
        .map(|seed| waiter.start(&options(), seed).expect("a wait"))
        .collect();
    let (mut polls, mut starts) = ([0_u32; 10], Vec::new());
    for now in (0..60_000).step_by(10) {
        for (wait, polls) in waits.iter_mut().zip(&mut polls) {
            if let Step::Call { .. } = wait.poll_within(now, &mut limit, now) {
                *polls += 1;
                starts.push(now);
                let event = if starts.len() == 1 {
                    let throttled = ErrorMetadata::of_code("ThrottlingException");
                    wait.handle(Event::error(&throttled), now)
                } else {
                    wait.handle(
                        Event::response(&json!({"Volumes": [{"State": "creating"}]})),
                        now,
                    )
                };
                event.expect("an event");
            }
        }
    }
    assert!(
        starts.windows(2).all(|pair| pair[1] - pair[0] >= 490),
        "{starts:?}"
    );
    let (least, most) = (polls.iter().min(), polls.iter().max());
    assert!(most <= least.map(|least| least + 1).as_ref(), "{polls:?}");
}

#[test]
fn the_answer_of_a_call_before_a_caller_joined_does_not_count() {
    let waiter = waiter();
    let mut fleet = fleet(&waiter);
    let mut limit = RateLimit::new(100.0).expect("a rate");
    let first = fleet.join("vol-1", &options(), 1, 0).expect("to join");
    let call = start_call(&mut fleet, &mut limit, 100);
    fleet.leave(first, 200);
    fleet.join("vol-1", &options(), 2, 300).expect("to join");
    let later = start_call(&mut fleet, &mut limit, 400);
    let available = json!({"Volumes": [{"VolumeId": "vol-1", "State": "available"}]});
    assert!(
        fleet
            .respond(call, &[&available], 500)
            .expect("an answer")
            .is_empty()
    );
    assert_eq!(
        fleet
            .respond(later, &[&available], 600)
            .expect("an answer")
            .len(),
        1
    );
}

#[test]
fn the_json_of_a_report_omits_what_is_redacted_in_the_answer() {
    let (mut fleet, mut limit) = (fleet(&waiter()), RateLimit::new(5.0).expect("a rate"));
    let options = options().redact(["Volumes[].KeyId"]);
    fleet.join("vol-1", &options, 1, 0).expect("the options");
    fleet.poll(0, &mut limit);
    let call = start_call(&mut fleet, &mut limit, 100);
    let item = json!({"VolumeId": "vol-1", "State": "available", "KeyId": "hunter2"});
    let answer = json!({"Volumes": [item]});
    let ended = fleet.respond(call, &[&answer], 200);
    let ended = ended.expect("the call").pop().expect("the end");
    let response = EndValues {
        response: item,
        ..EndValues::default()
    };
    let text = ended.report.to_json(&response);
    assert!(
        text.contains("a string (redacted)") && !text.contains("hunter2"),
        "{text}"
    );
}
