//! Options of retries, quotas and rates: their presets, their limits and their texts in hosts.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::{
    Backoff, FailureInfo, RefreshError, RetryInfo, RetryOptions, RetryQuota, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, StandardRetryStrategy, StandardRetryToken,
};
use smithy_waiters::{
    Defaults, Event, FinalPoll, Goal, Left, LeftElse, OptionsError, Pace, RateLimit, Same, Step,
    TransientErrors, Until, WaitOptions, Waiter,
};

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn failure(throttle: bool, retry_after: Option<f64>) -> FailureInfo {
    let retry = RetryInfo {
        throttle,
        retry_after: retry_after.map(seconds),
        ..RetryInfo::new(RetrySafety::Yes)
    };
    FailureInfo {
        retry: Some(retry),
        fault: None,
    }
}

fn strategy(options: &RetryOptions) -> StandardRetryStrategy {
    StandardRetryStrategy::new(options, 7).unwrap()
}

/// Refreshes the token of the first attempt.
fn first_retry(
    options: &RetryOptions,
    failure: &FailureInfo,
) -> Result<StandardRetryToken, RefreshError> {
    let strategy = strategy(options);
    strategy.refresh_retry_token(strategy.acquire_initial_token().unwrap(), failure)
}

/// Returns the code, the option and the text of an error.
fn problem<T>(result: Result<T, OptionsError>) -> (&'static str, String, String) {
    let error = result.err().unwrap();
    (error.code, error.option.clone(), error.to_string())
}

#[test]
fn the_number_of_retries_is_that_of_the_preset_or_the_option() {
    for (options, retries) in [
        (RetryOptions::default(), 5),
        (RetryOptions::aws(), 2),
        (RetryOptions::aws().max_retries(0), 0),
        (RetryOptions::aws().max_retries(7), 7),
        (RetryOptions::aws().max_attempts(1), 0),
        (RetryOptions::aws().max_attempts(4), 3),
    ] {
        let strategy = strategy(&options);
        assert_eq!(strategy.max_retries(), retries);
        let mut token = strategy.acquire_initial_token().unwrap();
        for _ in 0..retries {
            token = strategy
                .refresh_retry_token(token, &failure(false, None))
                .unwrap();
        }
        let refused = strategy.refresh_retry_token(token, &failure(false, None));
        assert_eq!(
            refused.err(),
            Some(RetryRefusal::max_retries(retries).into())
        );
    }
    let both = RetryOptions::default().max_retries(1).max_attempts(2);
    let (code, option, text) = problem(StandardRetryStrategy::new(&both, 0));
    assert_eq!((code, &*option), ("conflicting_options", "maxAttempts"));
    assert_eq!(
        text,
        "`max_retries` cannot be combined with `max_attempts`: attempts include the first one"
    );
    let none = RetryOptions::default().max_attempts(0);
    let (code, option, _) = problem(StandardRetryStrategy::new(&none, 0));
    assert_eq!((code, &*option), ("invalid_option", "maxAttempts"));
}

#[test]
fn the_pause_of_a_service_has_limits() {
    let fixed = || RetryOptions::fixed_delay(seconds(2.0));
    for (options, retry_after, expected) in [
        (fixed().max_retry_after(seconds(9.0)), Some(9.0), Some(9.0)),
        (fixed().max_retry_after(seconds(9.0)), Some(9.001), None),
        (
            fixed().retry_after_excess(seconds(3.0)),
            Some(4.9),
            Some(4.9),
        ),
        (
            fixed().retry_after_excess(seconds(3.0)),
            Some(9.0),
            Some(5.0),
        ),
        (
            fixed().retry_after_excess(seconds(0.0)),
            Some(9.0),
            Some(2.0),
        ),
    ] {
        let delay = first_retry(&options, &failure(false, retry_after)).map(|token| token.delay());
        match expected {
            Some(expected) => assert_eq!(delay, Ok(seconds(expected))),
            None => assert_eq!(
                delay.unwrap_err().to_string(),
                "the service requested a pause of 9.001 s, the maximum is 9 s"
            ),
        }
    }
}

#[test]
fn an_exponential_backoff_has_one_base_for_all_errors() {
    let backoff = Backoff::exponential(seconds(0.2), seconds(3.0));
    let expected = Backoff::Exponential {
        base: seconds(0.2),
        throttling_base: seconds(0.2),
        max: seconds(3.0),
    };
    assert_eq!(backoff, expected);
}

#[test]
fn retries_without_a_quota_are_free() {
    let options = RetryOptions::default().max_retries(1_000);
    let retries = |options: &RetryOptions| {
        let strategy = strategy(options);
        let mut token = strategy.acquire_initial_token().unwrap();
        for retry in 0..1_000 {
            match strategy.refresh_retry_token(token, &failure(false, None)) {
                Ok(next) => token = next,
                Err(_) => return retry,
            }
        }
        assert!(strategy.quota().is_none());
        1_000
    };
    assert_eq!(retries(&options), 100);
    assert_eq!(retries(&options.without_quota()), 1_000);
}

#[test]
fn the_numbers_of_a_quota_have_limits() {
    let greatest = u32::MAX;
    let above = u64::from(greatest) + 1;
    for name in [
        "retryCost",
        "throttlingCost",
        "timeoutCost",
        "successRefund",
        "capacity",
    ] {
        let least = u64::from(name == "capacity");
        let read = |number: Json| RetryOptions::from_host(&json!({ name: number }));
        assert!(
            read(json!(least)).is_ok() && read(json!(greatest)).is_ok(),
            "{name}"
        );
        let expected = format!("must be an integer from {least} to 4294967295");
        for number in [json!(above), json!(1.5), json!(-1), json!("1")] {
            let (code, option, text) = problem(read(number));
            assert_eq!((code, &*option), ("invalid_option", name));
            assert!(text.contains(&expected), "{text}");
        }
    }
    let (code, option, _) = problem(RetryOptions::from_host(&json!({"capacity": 0})));
    assert_eq!((code, &*option), ("invalid_option", "capacity"));
    let quota = RetryQuota::from_host(&json!({"capacity": 3})).unwrap();
    assert_eq!(quota.capacity(), 3);
    assert_eq!(RetryQuota::from_host(&json!({})).unwrap().capacity(), 500);
}

#[test]
fn options_beside_a_strategy_are_errors() {
    for options in [json!({}), json!(null), json!({"maxRetries": null})] {
        assert_eq!(
            RetryOptions::check_no_options(&options),
            Ok(()),
            "{options}"
        );
    }
    let options = json!({"maxRetries": null, "seed": 1});
    let (code, option, text) = problem(RetryOptions::check_no_options(&options));
    assert_eq!((code, &*option), ("conflicting_options", "seed"));
    assert_eq!(
        text,
        "`seed` cannot be combined with `strategy`, which has its own limits"
    );
    let (code, ..) = problem(RetryOptions::check_no_options(&json!({"x": 1})));
    assert_eq!(code, "unknown_option");
}

#[test]
fn a_rate_of_a_host_has_limits() {
    let rate = |rate: Json| RateLimit::from_host(&json!({ "rate": rate }));
    for (number, per_second) in [
        (json!(null), 5.0),
        (json!(0.001), 0.001),
        (json!(2), 2.0),
        (json!(1_000), 1_000.0),
    ] {
        assert!((rate(number).unwrap().per_second() - per_second).abs() < 1e-9);
    }
    for number in [json!(0), json!(0.000_9), json!(1_000.1), json!("5")] {
        let (code, option, text) = problem(rate(number));
        assert_eq!((code, &*option), ("invalid_option", "rate"));
        assert!(text.contains("from 0.001 to 1000"), "{text}");
    }
}

/// Starts a wait on a host's clock, on which it started at a time that may be negative.
#[test]
fn waits_on_the_clock_of_a_host_share_its_rate() {
    let waiter = Waiter::until("S", "ready").build().unwrap();
    let mut limit = RateLimit::new(1.0).unwrap();
    let wait = || {
        let options = WaitOptions::new(seconds(60.0));
        waiter.start(&options, 1).unwrap()
    };
    let mut one = wait();
    assert!(matches!(
        one.poll_on_clock(0, &mut limit, -0.5),
        Step::Call { .. }
    ));
    // The other wait started 250 ms later: it waits for the rest of the second.
    let mut other = wait();
    let step = other.poll_on_clock(0, &mut limit, 249.9);
    assert!(
        matches!(step, Step::Sleep { until_ms: 750, .. }),
        "{step:?}"
    );
    let step = other.poll_on_clock(750, &mut limit, 249.9);
    assert!(matches!(step, Step::Call { attempt: 1, .. }), "{step:?}");
    let step = one.handle(Event::response(&json!({"S": "ready"})), 10);
    assert!(matches!(step, Ok(Step::Done(_))));
    // The first call was at -1 ms of the clock, as a start is rounded down. A third wait calls 2 s later.
    let step = wait().poll_on_clock(5_500, &mut limit, -4_000.0);
    assert!(
        matches!(
            step,
            Step::Sleep {
                until_ms: 5_999,
                ..
            }
        ),
        "{step:?}"
    );
}

#[test]
fn the_options_of_a_wait_are_those_of_a_host() {
    let max = || WaitOptions::new(seconds(60.0));
    let none = || WaitOptions::from_host(&json!({})).unwrap();
    let pairs = [
        (max(), json!({"maxWait": 60})),
        (WaitOptions::from(seconds(60.0)), json!({"maxWait": 60})),
        (
            WaitOptions::limited_by_attempts(3),
            json!({"maxAttempts": 3}),
        ),
        (
            WaitOptions::limited_by_deadline(seconds(9.0)),
            json!({"deadline": 9}),
        ),
        (
            max().deadline_in(seconds(9.0)),
            json!({"maxWait": 60, "deadline": 9}),
        ),
        (none().label("a"), json!({"label": "a"})),
        (none().show(["A", "B"]), json!({"show": ["A", "B"]})),
        (
            none().attempt_timeout(seconds(5.0)),
            json!({"attemptTimeout": 5}),
        ),
        (none().min_delay(seconds(5.0)), json!({"minDelay": 5})),
        (none().max_delay(seconds(5.0)), json!({"maxDelay": 5})),
        (none().max_attempts(5), json!({"maxAttempts": 5})),
        (
            none().initial_delay(seconds(0.5)),
            json!({"initialDelay": 0.5}),
        ),
        (none().seed(5), json!({"seed": 5})),
        (none().history_limit(0), json!({"historyLimit": 0})),
        (
            none().final_poll(FinalPoll::Late),
            json!({"finalPoll": "late"}),
        ),
        (none().pace(Pace::Doubling), json!({"pace": "doubling"})),
        (
            none().pace(Pace::Every(seconds(2.0))),
            json!({"pace": {"every": 2}}),
        ),
        (
            none().transient_errors(TransientErrors::Fail),
            json!({"transientErrors": "fail"}),
        ),
        (
            none().transient_window(seconds(7.0)),
            json!({"transientWindow": 7}),
        ),
        (
            none().not_found_for(seconds(7.0)),
            json!({"notFoundFor": 7}),
        ),
        (none().same(Same::new("A")), json!({"same": {"path": "A"}})),
        (none().same(Same::of(7)), json!({"same": 7})),
        (
            none().same(Same::new("A").is("b")),
            json!({"same": {"path": "A", "is": "b"}}),
        ),
        (
            none().same(Same::new("A").is("7").text()),
            json!({"same": {"path": "A", "is": "7", "text": true}}),
        ),
        (none().left(Left::new(true)), json!({"left": true})),
        (
            none().left(Left::new("b").path("A")),
            json!({"left": {"path": "A", "value": "b"}}),
        ),
        (
            none().left(Left::new("7").path("A").text()),
            json!({"left": {"path": "A", "value": "7", "text": true}}),
        ),
        (
            none().left_else(LeftElse::Accept),
            json!({"leftElse": "accept"}),
        ),
        (none().left_within(seconds(7.0)), json!({"leftWithin": 7})),
        (
            none().at_least("A", 7).at_least("B", 8),
            json!({"atLeast": {"A": 7, "B": 8}}),
        ),
        (none().successes(3), json!({"successes": 3})),
        (none().stable_for(seconds(7.0)), json!({"stableFor": 7})),
        (none().redact(["A"]), json!({"redact": ["A"]})),
        (none().hints(false), json!({"hints": false})),
    ];
    for (options, of_host) in pairs {
        let read = WaitOptions::from_host(&of_host).unwrap();
        assert_eq!(options, read, "{of_host}");
        assert_ne!(options, none(), "{of_host}");
    }
}

#[test]
fn the_defaults_of_a_waiter_are_read_from_their_json() {
    for defaults in [
        json!({}),
        json!({"finalPoll": "late"}),
        json!({"maxAttempts": 3, "maxDelay": 20, "minDelay": 0.5}),
        json!({"pace": "specification"}),
        json!({"pace": "doubling", "show": ["A"]}),
        json!({"pace": {"every": 2}}),
        json!({"pace": {"proportional": 0.5}, "same": {"path": "A"}}),
    ] {
        let read = Defaults::from_host(&defaults).unwrap();
        assert_eq!(Json::Object(read.to_json()), defaults);
    }
    let defaults = json!({"maxAttempts": 3, "maxDelay": 20, "minDelay": 0.5});
    let defaults = Defaults::from_host(&defaults).unwrap();
    assert_eq!(defaults.max_attempts(), Some(3));
    assert_eq!(defaults.max_delay(), Some(seconds(20.0)));
    assert_eq!(defaults.min_delay(), Some(seconds(0.5)));
    let none = Defaults::from_host(&json!(null)).unwrap();
    assert_eq!(
        (none.max_attempts(), none.max_delay(), none.min_delay()),
        (None, None, None)
    );
    for (defaults, option) in [
        (json!([]), "defaults"),
        (json!({"same": {"path": "A", "is": 1}}), "same"),
        (json!({"same": "A"}), "same"),
        (json!({"same": {"path": "A", "text": true}}), "same"),
        (json!({"maxAttempts": 0}), "maxAttempts"),
    ] {
        let (code, culprit, _) = problem(Defaults::from_host(&defaults));
        assert_eq!((code, &*culprit), ("invalid_option", option), "{defaults}");
    }
}

#[test]
fn a_short_form_in_rust_is_that_of_a_host() {
    let until = || Waiter::until("S", "a");
    let pairs = [
        (until(), json!({})),
        (until().any(), json!({"any": true})),
        (until().text(), json!({"text": true})),
        (until().fail(["b"]).fail(["c"]), json!({"fail": ["b", "c"]})),
        (
            until().fail_when(Goal::equals("T", ["b"])),
            json!({"fail": [{"path": "T", "expected": ["b"]}]}),
        ),
        (until().pending(["b", "c"]), json!({"pending": ["b", "c"]})),
        (
            until().retry_errors(["E", "F"]),
            json!({"retryErrors": ["E", "F"]}),
        ),
        (until().retry_any_error(), json!({"retryErrors": "any"})),
        (
            until().success_errors(["E"]),
            json!({"successErrors": ["E"]}),
        ),
        (until().name("Ready"), json!({"name": "Ready"})),
    ];
    let plain = until().build().unwrap().definition();
    for (until, mut members) in pairs {
        let is_plain = members == json!({}) || members.get("name").is_some();
        members["expression"] = json!("S");
        members["expected"] = json!("a");
        let read = Until::from_json(&members.to_string()).unwrap();
        let (one, other) = (until.build().unwrap(), read.build().unwrap());
        assert_eq!(one.definition(), other.definition(), "{members}");
        assert_eq!(one.name(), other.name(), "{members}");
        assert_eq!(one.definition() == plain, is_plain, "{members}");
    }
}
