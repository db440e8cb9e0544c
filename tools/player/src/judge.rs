//! Compares what a wait did with what it must do.

use serde::Serialize;
use smithy_waiters_conformance::Basis;

use crate::case::{Constraints, Expectation, Range, Task};
use crate::play::{Observation, Request};
use crate::runner::End;

/// The tolerance of times in seconds: the machine is shared, and a request takes time.
const TOLERANCE: f64 = 0.5;

/// How much too short a delay may be, in seconds: clocks are rounded. Equal delays differ by less.
const EARLY: f64 = 0.05;

/// The number of delays that differ because they grow. Those after them differ only if they are random.
const GROWING: usize = 3;

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Outcome {
    /// As expected.
    Pass,
    /// Not as expected, with the reason.
    Fail(String),
    /// Not as any of the expectations of an open case, which counts against nobody.
    Open(String),
    /// The runner cannot play the case.
    Unsupported(String),
    /// The runner did not answer in time, and was killed.
    Hung,
    /// The runner died while it played the case.
    Died,
}

/// Returns the result of a case, and in one word what the SDK did.
pub(crate) fn judge(task: &Task, end: &End, observation: &Observation) -> (Outcome, String) {
    let requests = observation.requests.len();
    let message = end.message.as_deref().unwrap_or("no message");
    match &*end.end {
        "unsupported" => return (Outcome::Unsupported(message.to_owned()), end.end.clone()),
        "success" | "failure" | "timeout" | "cancelled" | "error" => {}
        other => {
            return (
                Outcome::Fail(format!(
                    "the runner's end is `{other}`, which does not exist"
                )),
                other.to_owned(),
            );
        }
    }
    // A wait that is cancelled in time needs no request.
    if requests == 0 && end.end != "cancelled" {
        return (
            Outcome::Fail(format!("no request was received: {message}")),
            "nothing".to_owned(),
        );
    }
    let (reason, got) = match &task.expectation {
        Expectation::Verdict(verdicts) => {
            let got = state(&end.end, requests);
            let expected: Vec<&str> = verdicts.iter().map(|verdict| &*verdict.state).collect();
            let reason = (!expected.contains(&got))
                .then(|| format!("expected {}, got {got}: {message}", expected.join(" or ")));
            (reason, got.to_owned())
        }
        Expectation::Behaviour(alternatives) => {
            let reasons: Vec<String> = alternatives
                .iter()
                .map(|one| violations(one, end, observation).join("; "))
                .collect();
            let is_met = reasons.iter().any(String::is_empty);
            ((!is_met).then(|| reasons.join(" | ")), end.end.clone())
        }
    };
    let outcome = match reason {
        None => Outcome::Pass,
        Some(reason) if task.grounds.basis == Basis::Open => Outcome::Open(reason),
        Some(reason) => Outcome::Fail(reason),
    };
    (outcome, got)
}

/// Returns the state that a wait entered after its first request.
fn state(end: &str, requests: usize) -> &str {
    match end {
        _ if requests > 1 => "retry",
        // The wait would have sent a second request.
        "timeout" | "cancelled" => "retry",
        end => end,
    }
}

/// Returns what a wait violates.
fn violations(constraints: &Constraints, end: &End, observation: &Observation) -> Vec<String> {
    let mut violations = Vec::new();
    // A client's own error, as after a reset, ends the wait as a failure for its caller.
    let got = if end.end == "error" {
        "failure"
    } else {
        &*end.end
    };
    if constraints.end != got {
        let message = end.message.as_deref().unwrap_or("no message");
        violations.push(format!("ends as {}, got {got}: {message}", constraints.end));
    }
    let requests = &observation.requests;
    let mut check = |name: &str, range: Option<Range>, value: f64, early: f64, tolerance: f64| {
        let range = range.unwrap_or(Range {
            min: None,
            max: None,
        });
        let is_early = range.min.is_some_and(|min| value < min - early);
        let is_late = range.max.is_some_and(|max| value > max + tolerance);
        if is_early || is_late {
            violations.push(format!("{name}: {}, got {value:.2}", range.text()));
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "a number of requests is small")]
    check(
        "requests",
        constraints.requests,
        requests.len() as f64,
        0.0,
        0.0,
    );
    let elapsed = observation.elapsed.as_secs_f64();
    // The first request starts after the wait does.
    check(
        "elapsed",
        constraints.elapsed,
        elapsed,
        TOLERANCE,
        TOLERANCE,
    );
    let pairs = requests.iter().zip(requests.iter().skip(1));
    let delays: Vec<f64> = pairs.map(|(one, next)| delay(one, next)).collect();
    for (number, delay) in (1..).zip(&delays) {
        // The last range is that of all further delays.
        let ranges = &constraints.delays;
        let range = ranges.iter().take(number).next_back();
        // The last delay before the deadline is what remains.
        let is_last = end.end == "timeout" && number == delays.len();
        let range = range.map(|range| Range {
            min: range.min.filter(|_| !is_last),
            max: range.max,
        });
        check(&format!("delay {number}"), range, *delay, EARLY, TOLERANCE);
    }
    if let Some(last) = requests.last() {
        let start = last.start.as_secs_f64();
        check(
            "last request",
            constraints.last_request,
            start,
            TOLERANCE,
            TOLERANCE,
        );
    }
    if let Some(least) = constraints.distinct_delays {
        let mut sorted: Vec<f64> = delays.into_iter().skip(GROWING).collect();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup_by(|one, other| (*one - *other).abs() < EARLY);
        if sorted.len() < least {
            violations.push(format!("{least} different delays, got {}", sorted.len()));
        }
    }
    let lacks = constraints
        .carries
        .iter()
        .filter(|part| !end.carries.contains(part));
    violations.extend(lacks.map(|part| format!("the result lacks {part}")));
    violations
}

/// Returns the pause between two requests in seconds.
fn delay(one: &Request, next: &Request) -> f64 {
    next.start
        .saturating_sub(one.end.unwrap_or(one.start))
        .as_secs_f64()
}

impl Outcome {
    /// Returns the name in the file of results.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail(_) => "fail",
            Self::Open(_) => "open",
            Self::Unsupported(_) => "unsupported",
            Self::Hung => "hung",
            Self::Died => "died",
        }
    }

    pub(crate) fn reason(&self) -> Option<String> {
        match self {
            Self::Pass => None,
            Self::Fail(reason) | Self::Open(reason) | Self::Unsupported(reason) => {
                Some(reason.clone())
            }
            Self::Hung => Some("the runner did not end, and was killed".to_owned()),
            Self::Died => Some("the runner died".to_owned()),
        }
    }
}

impl Range {
    fn text(self) -> String {
        match (self.min, self.max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => "any".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value as Json, json};

    use super::violations;
    use crate::play::{Observation, Request};

    /// Returns what a wait violates, whose requests have these starts and ends.
    fn of(constraints: Json, end: &str, requests: &[(f64, Option<f64>)], elapsed: f64) -> String {
        let end = json!({"id": "a", "end": end, "carries": ["lastOutput"]});
        let requests = requests.iter().map(|(start, end)| Request {
            start: Duration::from_secs_f64(*start),
            end: end.map(Duration::from_secs_f64),
        });
        let observation = Observation {
            requests: requests.collect(),
            elapsed: Duration::from_secs_f64(elapsed),
        };
        let constraints = serde_json::from_value(constraints).unwrap();
        let end = serde_json::from_value(end).unwrap();
        violations(&constraints, &end, &observation).join("; ")
    }

    /// Returns what a wait with these times of requests violates, if its delays must be random.
    fn of_times(times: &[f64]) -> String {
        let times: Vec<_> = times.iter().map(|time| (*time, None)).collect();
        let constraints = json!({"end": "success", "distinctDelays": 2});
        of(constraints, "success", &times, 0.0)
    }

    #[test]
    fn a_wait_has_some_tolerance_but_no_more() {
        // Two requests: the first one takes 0.2 s, and the pause after it is 2 s long.
        let requests = [(0.1, Some(0.3)), (2.3, None)];
        for (constraint, end, expected) in [
            (json!({}), "success", ""),
            (
                json!({}),
                "failure",
                "ends as success, got failure: no message",
            ),
            (
                json!({}),
                "error",
                "ends as success, got failure: no message",
            ),
            (json!({"requests": {"min": 2, "max": 2}}), "success", ""),
            (
                json!({"requests": {"min": 3}}),
                "success",
                "requests: at least 3, got 2.00",
            ),
            (
                json!({"requests": {"max": 1}}),
                "success",
                "requests: at most 1, got 2.00",
            ),
            (json!({"elapsed": {"min": 3.4, "max": 3.4}}), "success", ""),
            (json!({"elapsed": {"min": 2.6, "max": 2.6}}), "success", ""),
            (
                json!({"elapsed": {"min": 3.6}}),
                "success",
                "elapsed: at least 3.6, got 3.00",
            ),
            (
                json!({"elapsed": {"min": 1, "max": 2.4}}),
                "success",
                "elapsed: 1 to 2.4, got 3.00",
            ),
            (
                json!({"delays": [{"min": 2.04, "max": 1.6}]}),
                "success",
                "",
            ),
            (
                json!({"delays": [{"min": 2.06}]}),
                "success",
                "delay 1: at least 2.06, got 2.00",
            ),
            (
                json!({"delays": [{"max": 1.4}]}),
                "success",
                "delay 1: at most 1.4, got 2.00",
            ),
            // What remains until the deadline may be short, but not long.
            (
                json!({"end": "timeout", "delays": [{"min": 9, "max": 9}]}),
                "timeout",
                "",
            ),
            (
                json!({"end": "timeout", "delays": [{"max": 1}]}),
                "timeout",
                "delay 1: at most 1, got 2.00",
            ),
            (
                json!({"lastRequest": {"min": 2.7, "max": 1.9}}),
                "success",
                "",
            ),
            (
                json!({"lastRequest": {"min": 2.9}}),
                "success",
                "last request: at least 2.9, got 2.30",
            ),
            (
                json!({"lastRequest": {"max": 1.7}}),
                "success",
                "last request: at most 1.7, got 2.30",
            ),
            (json!({"carries": ["lastOutput"]}), "success", ""),
            (
                json!({"carries": ["lastError"]}),
                "success",
                "the result lacks lastError",
            ),
        ] {
            let mut constraints = json!({"end": "success"});
            let all = constraints.as_object_mut().unwrap();
            all.extend(constraint.as_object().unwrap().clone());
            assert_eq!(
                of(constraints, end, &requests, 3.0),
                expected,
                "{constraint}"
            );
        }
        // The last range is that of all further delays, and only the last delay is what remains.
        let times = [0.0, 1.0, 3.0, 5.0, 5.5].map(|start| (start, None));
        let delays = json!({"end": "timeout", "delays": [{"max": 1}, {"min": 2.5, "max": 3}]});
        let expected = "delay 2: 2.5 to 3, got 2.00; delay 3: 2.5 to 3, got 2.00";
        assert_eq!(of(delays, "timeout", &times, 6.0), expected);
    }

    #[test]
    fn delays_that_only_grow_are_not_random() {
        let growing = [0.0, 1.0, 3.0, 7.0, 11.0, 15.02, 19.01];
        assert_eq!(of_times(&growing), "2 different delays, got 1");
        // The last two delays differ by exactly as much as they must.
        assert_eq!(of_times(&[0.0, 1.0, 3.0, 7.0, 7.0, 7.05]), "");
        let random = [0.0, 1.0, 2.7, 6.1, 9.1, 11.0, 14.8];
        assert_eq!(of_times(&random), "");
    }
}
