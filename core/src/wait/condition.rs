//! Conditions on a success beside a waiter's definition: whose it is, after which change, and for how long.
//! See docs/rules.md#conditions-on-a-success.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::report::FailureKind;
use super::snapshot::hash_of;
use crate::definition::State;
use crate::evaluation::{ConditionValue, ReasonCode, Verdict};
use crate::millis::seconds;
use crate::options::{Compared, Conditions, LeftElse, is_default};
use crate::text::quote;
use crate::value::{display_number, is_text_of};

/// The values before ours that are known as stale. A list that grew with each answer would not fit a saved wait.
const MAX_STALE: usize = 16;

/// The length of a value of which only the hash is kept, as JSON.
const MAX_STALE_BYTES: usize = 1_000;

/// The time for which the value from before a change may be stale after ours was seen, in milliseconds. Later, two such
/// responses in a row are a rollback.
const STALE_MS: u64 = 20_000;

/// What the responses of a wait have shown of its conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seen {
    /// The start of the first call that got a response.
    #[serde(default, skip_serializing_if = "is_default")]
    since: Option<u64>,
    /// The start of the latest call whose response had the value of `same`.
    #[serde(default, skip_serializing_if = "is_default")]
    same: Option<u64>,
    /// The values of the path of `same` before.
    #[serde(default, skip_serializing_if = "is_default")]
    stale: Vec<Json>,
    /// The latest response showed a stale value although the value of `same` was seen before.
    #[serde(default, skip_serializing_if = "is_default")]
    is_back: bool,
    /// The value of `left` was left.
    #[serde(default, skip_serializing_if = "is_default")]
    left: bool,
    /// The failure acceptor that has matched each response so far, unless the value of `left` was left meanwhile.
    #[serde(default, skip_serializing_if = "is_default")]
    failure: Option<usize>,
    /// The number of successes in a row.
    #[serde(default, skip_serializing_if = "is_default")]
    successes: u64,
    /// The end of the call that returned the first of them.
    #[serde(default, skip_serializing_if = "is_default")]
    success_since: Option<u64>,
}

/// The times of a response.
#[derive(Clone, Copy)]
struct Times {
    /// The start of the call.
    started: u64,
    /// `true` for the first response of the wait.
    first: bool,
    /// `true` if the time of `leftWithin` is over.
    is_over: bool,
}

/// What follows from a response.
pub(super) enum Judgement {
    /// The verdict counts.
    Counts,
    /// The response is a success for this reason, as if the first success acceptor matched.
    Success(String),
    /// The verdict does not count yet.
    Held(ReasonCode, String),
    /// The verdict does not count, and the wait fails.
    Ended(FailureKind, ReasonCode, String),
}

impl Conditions {
    /// Returns the end of the time in which a value must be seen or left, if the wait still waits for that.
    pub(super) fn window_end(&self, seen: &Seen) -> Option<u64> {
        let needs_same = self.expects_value() && seen.same.is_none();
        let needs_left = self.left.is_some() && (!seen.left || seen.failure.is_some());
        let since = seen.since.filter(|_| needs_same || needs_left)?;
        Some(since.saturating_add(self.left_within))
    }

    /// Returns the delay before the next attempt while successes are counted. `min` is the minimum delay.
    pub(super) fn delay(&self, seen: &Seen, now: u64, min: u64) -> Option<u64> {
        let since = seen.success_since?;
        let rest = since.saturating_add(self.stable_for).saturating_sub(now);
        // Successes may be missing although the time is over.
        Some(if rest == 0 { min } else { rest.min(min) })
    }

    /// Updates what was seen, and decides whether a verdict counts. `values` are those of the paths; `None` after an error.
    pub(super) fn judge(
        &self,
        seen: &mut Seen,
        values: Option<&[ConditionValue]>,
        verdict: Verdict,
        (started, now): (u64, u64),
    ) -> Judgement {
        let judgement = match values {
            Some(values) => {
                let first = seen.since.is_none();
                let since = *seen.since.get_or_insert(started);
                let is_over = now >= since.saturating_add(self.left_within);
                let times = Times {
                    started,
                    first,
                    is_over,
                };
                let judged = self.judge_values(seen, values, verdict, times);
                judged.unwrap_or(Judgement::Counts)
            }
            None => {
                // A resource that does not exist has left every state.
                if verdict.acceptor().is_some() {
                    (seen.left, seen.failure) = (true, None);
                }
                Judgement::Counts
            }
        };
        let is_success = match &judgement {
            Judgement::Counts => verdict.state() == State::Success,
            Judgement::Success(_) => true,
            Judgement::Held(..) | Judgement::Ended(..) => false,
        };
        if is_success {
            self.count(seen, now).unwrap_or(judgement)
        } else {
            (seen.successes, seen.success_since) = (0, None);
            judgement
        }
    }

    fn expects_value(&self) -> bool {
        self.same.as_ref().is_some_and(|same| same.value.is_some())
    }

    /// Returns `None` if the verdict counts.
    fn judge_values(
        &self,
        seen: &mut Seen,
        values: &[ConditionValue],
        verdict: Verdict,
        times: Times,
    ) -> Option<Judgement> {
        let mut values = values.iter();
        if let Some(same) = &self.same
            && let Some(judgement) = self.judge_same(seen, same, values.next()?, times)
        {
            return Some(judgement);
        }
        if let Some(left) = &self.left
            && let Some(judgement) = self.judge_left(seen, left, values.next()?, verdict, times)
        {
            return Some(judgement);
        }
        let mut small = self
            .at_least
            .iter()
            .zip(values)
            .filter(|((_, least), read)| {
                let numbers = read.value.as_f64().zip(least.as_f64());
                match verdict.state() {
                    State::Success => !numbers.is_some_and(|(value, least)| value >= least),
                    // A failure with a smaller number is one from before the change. One without a number counts, because
                    // it would be told only at the deadline.
                    State::Failure => numbers.is_some_and(|(value, least)| value < least),
                    State::Retry => false,
                }
            });
        let ((path, least), read) = small.next()?;
        let text = format!("{path} gave {}, expected at least {least}", read.excerpt);
        Some(Judgement::Held(ReasonCode::TooSmall, text))
    }

    fn judge_same(
        &self,
        seen: &mut Seen,
        same: &Compared,
        read: &ConditionValue,
        times: Times,
    ) -> Option<Judgement> {
        let path = &same.path;
        let Some(expected) = &same.value else {
            return judge_identity(seen, path, read);
        };
        let expected_text = display(expected, read.is_redacted);
        if is_equal(&read.value, expected, same.text) {
            (seen.same, seen.is_back) = (Some(times.started), false);
            return None;
        }
        let text = format!("{path} gave {}, expected {expected_text}", read.excerpt);
        let Some(latest) = seen.same else {
            if times.is_over {
                let within = seconds(self.left_within);
                let text = format!(
                    "{path} was never {expected_text} in {within}: it gave {}",
                    read.excerpt
                );
                return Some(Judgement::Ended(
                    FailureKind::NeverSeen,
                    ReasonCode::Other,
                    text,
                ));
            }
            let value = kept(&read.value);
            if !value.is_null() && seen.stale.len() < MAX_STALE && !seen.stale.contains(&value) {
                seen.stale.push(value);
            }
            return Some(Judgement::Held(ReasonCode::Other, text));
        };
        let is_stale = read.value.is_null() || seen.stale.contains(&kept(&read.value));
        let is_late = times.started.saturating_sub(latest) >= STALE_MS;
        if !is_stale || (is_late && seen.is_back && !read.value.is_null()) {
            let text = format!(
                "{path} gave {}, no longer {expected_text}: rolled back or overtaken?",
                read.excerpt
            );
            return Some(Judgement::Ended(
                FailureKind::Replaced,
                ReasonCode::Other,
                text,
            ));
        }
        seen.is_back = !read.value.is_null();
        Some(Judgement::Held(ReasonCode::Other, text))
    }

    fn judge_left(
        &self,
        seen: &mut Seen,
        left: &Compared,
        read: &ConditionValue,
        verdict: Verdict,
        Times { first, is_over, .. }: Times,
    ) -> Option<Judgement> {
        let value = left.value.as_ref()?;
        let has = match &read.value {
            Json::Array(items) => items.iter().any(|item| is_equal(item, value, left.text)),
            other => is_equal(other, value, left.text),
        };
        let failure = verdict
            .acceptor()
            .filter(|_| verdict.state() == State::Failure);
        // A failure that was not there before the change belongs to it, and so does one that is still there after it.
        let is_left_now = !has && !seen.left && !first;
        let is_first = first && !seen.left;
        seen.failure = failure.filter(|_| !is_left_now && (is_first || failure == seen.failure));
        seen.left |= !has;
        let is_old = match verdict.state() {
            State::Success => !seen.left,
            State::Failure => seen.failure.is_some(),
            State::Retry => false,
        };
        let waits = !seen.left && is_over && self.left_else == LeftElse::Fail;
        let (path, value) = (&left.path, display(value, read.is_redacted));
        if waits {
            let within = seconds(self.left_within);
            let text = format!("{path} never left {value} in {within}: did the change start?");
            return Some(Judgement::Ended(
                FailureKind::NeverLeft,
                ReasonCode::Unchanged,
                text,
            ));
        }
        (is_old && !is_over).then(|| {
            let text = if seen.left {
                format!("the failure is there since the first response, and {path} did not leave {value}")
            } else {
                format!("{path} has not left {value} since the start")
            };
            Judgement::Held(ReasonCode::Unchanged, text)
        })
    }

    /// Counts a success. Returns `None` if there are enough.
    fn count(&self, seen: &mut Seen, now: u64) -> Option<Judgement> {
        seen.successes = seen.successes.saturating_add(1);
        // The end of the first success: the resource was in this state at least since then.
        let since = *seen.success_since.get_or_insert(now);
        let stable = now.saturating_sub(since);
        let text = if seen.successes < self.successes {
            format!(
                "{} of {} successes in a row",
                seen.successes, self.successes
            )
        } else if stable < self.stable_for {
            format!(
                "a success for {} of {}",
                seconds(stable),
                seconds(self.stable_for)
            )
        } else {
            return None;
        };
        Some(Judgement::Held(ReasonCode::Unstable, text))
    }
}

/// Decides for a deletion: another value than the first one belongs to another resource with the same name.
fn judge_identity(seen: &mut Seen, path: &str, read: &ConditionValue) -> Option<Judgement> {
    if read.value.is_null() {
        return None;
    }
    let value = kept(&read.value);
    match seen.stale.first() {
        None => {
            seen.stale.push(value);
            None
        }
        Some(first) if *first == value => None,
        Some(first) => {
            let first = display(first, read.is_redacted);
            let text = format!(
                "{path} gave {}, first {first}: another resource has the name",
                read.excerpt
            );
            Some(Judgement::Success(text))
        }
    }
}

/// Returns a value as the state of the wait keeps it: a long one as its hash.
fn kept(value: &Json) -> Json {
    if value.to_string().len() > MAX_STALE_BYTES {
        format!("<hash {}>", hash_of(value)).into()
    } else {
        value.clone()
    }
}

/// Compares numbers by value: `7` equals `7.0`, and an integer above 2^53 equals its nearest double.
fn is_equal(value: &Json, expected: &Json, by_text: bool) -> bool {
    match (value, expected) {
        (Json::Number(value), Json::Number(expected)) => value.as_f64() == expected.as_f64(),
        (Json::Number(number), Json::String(text)) if by_text => number
            .as_f64()
            .is_some_and(|number| is_text_of(number, text)),
        (Json::Bool(boolean), Json::String(text)) if by_text => boolean.to_string() == *text,
        _ => value == expected,
    }
}

fn display(value: &Json, is_redacted: bool) -> String {
    match value {
        _ if is_redacted => "<redacted>".to_owned(),
        Json::String(text) => quote(text),
        Json::Number(number) => display_number(number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    }
}
