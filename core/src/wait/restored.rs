//! A saved wait, read back.
//!
//! What is not just as it was saved is damage and nothing else, so there are no words for what is wrong with it.

use serde_json::Value as Json;

use super::saved::{Body, SavedPhase};
use crate::delay::{Bounds, LastPoll};
use crate::ending::{AttemptRecord, AttemptResult, Ending, FailureKind};
use crate::options::Settings;
use crate::verdict::{Reason, ReasonCode, State};

/// What a saved wait goes on with.
pub(super) fn body(json: &Json) -> Option<Body> {
    let names = ["settings", "attempts", "elapsedMs", "phase", "history"];
    let [settings, attempts, elapsed, phase, history] = members(json, names)?;
    Some(Body {
        settings: self::settings(settings)?,
        attempts: attempts.as_u64()?,
        elapsed_ms: elapsed.as_u64()?,
        phase: self::phase(phase)?,
        history: list(history, attempt)?,
    })
}

/// The values of an object that has these members and no others.
pub(super) fn members<'j, const N: usize>(
    json: &'j Json,
    names: [&str; N],
) -> Option<[&'j Json; N]> {
    let mut values = [json; N];
    fill(json, &names, &mut values).then_some(values)
}

fn fill<'j>(json: &'j Json, names: &[&str], values: &mut [&'j Json]) -> bool {
    let object = json
        .as_object()
        .filter(|object| object.len() == names.len());
    let member = |name: &&str| object.and_then(|object| object.get(*name));
    names.iter().zip(values).all(|(name, value)| {
        let found = member(name);
        *value = found.unwrap_or(value);
        found.is_some()
    })
}

fn settings(json: &Json) -> Option<Settings> {
    let names = [
        "maxWait",
        "grace",
        "bounds",
        "maxAttempts",
        "initialDelay",
        "seed",
        "historyLimit",
        "lastPoll",
    ];
    let [
        max_wait,
        grace,
        bounds,
        max_attempts,
        initial_delay,
        seed,
        limit,
        last_poll,
    ] = members(json, names)?;
    let [min, max] = members(bounds, ["min", "max"])?;
    Some(Settings {
        max_wait: max_wait.as_u64()?,
        grace: grace.as_u64()?,
        bounds: Bounds::new(min.as_u64()?, max.as_u64()?).ok()?,
        max_attempts: optional(max_attempts, Json::as_u64)?,
        initial_delay: initial_delay.as_u64()?,
        seed: seed.as_u64()?,
        history_limit: index(limit)?,
        last_poll: coded(last_poll, LastPoll::ALL, LastPoll::as_str)?,
    })
}

fn phase(json: &Json) -> Option<SavedPhase> {
    match json.get("type")?.as_str()? {
        "done" => {
            let [_, ending] = members(json, ["type", "ending"])?;
            let ending = self::ending(ending)?;
            Some(SavedPhase::Done { ending })
        }
        "pause" => {
            let [_, until, last] = members(json, ["type", "untilMs", "last"])?;
            Some(SavedPhase::Pause {
                until_ms: until.as_u64()?,
                last: last.as_bool()?,
            })
        }
        _ => None,
    }
}

pub(super) fn ending(json: &Json) -> Option<Ending> {
    let names = [
        "waiter",
        "code",
        "message",
        "acceptor",
        "acceptorText",
        "attempts",
        "elapsedMs",
        "history",
    ];
    let [
        waiter,
        code,
        message,
        acceptor,
        acceptor_text,
        attempts,
        elapsed,
        history,
    ] = members(json, names)?;
    Some(Ending {
        waiter: optional(waiter, text)?,
        kind: optional(code, |json| {
            coded(json, FailureKind::ALL, FailureKind::code)
        })?,
        message: text(message)?,
        acceptor: optional(acceptor, index)?,
        acceptor_text: optional(acceptor_text, text)?,
        attempts: attempts.as_u64()?,
        elapsed_ms: elapsed.as_u64()?,
        history: list(history, attempt)?,
    })
}

pub(super) fn attempt(json: &Json) -> Option<AttemptRecord> {
    let names = [
        "attempt",
        "startedMs",
        "endedMs",
        "result",
        "error",
        "state",
        "acceptor",
        "reasons",
        "delayMs",
        "nextIsLast",
    ];
    let [
        attempt,
        started,
        ended,
        result,
        error,
        state,
        acceptor,
        reasons,
        delay,
        next_is_last,
    ] = members(json, names)?;
    Some(AttemptRecord {
        attempt: attempt.as_u64()?,
        started_ms: started.as_u64()?,
        ended_ms: ended.as_u64()?,
        result: coded(result, AttemptResult::ALL, AttemptResult::as_str)?,
        error: optional(error, text)?,
        state: optional(state, |json| coded(json, State::ALL, State::as_str))?,
        acceptor: optional(acceptor, index)?,
        reasons: list(reasons, reason)?,
        delay_ms: optional(delay, Json::as_u64)?,
        next_is_last: next_is_last.as_bool()?,
    })
}

fn reason(json: &Json) -> Option<Reason> {
    let [acceptor, _, code, text] = members(json, ["acceptor", "matched", "code", "text"])?;
    Some(Reason {
        acceptor: optional(acceptor, index)?,
        code: coded(code, ReasonCode::ALL, ReasonCode::as_str)?,
        text: self::text(text)?,
    })
}

/// What is null is not there; what is neither null nor readable is damage.
fn optional<T>(json: &Json, read: impl FnOnce(&Json) -> Option<T>) -> Option<Option<T>> {
    if json.is_null() {
        return Some(None);
    }
    read(json).map(Some)
}

fn list<T>(json: &Json, read: fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    let mut items = Vec::new();
    for item in json.as_array()? {
        items.push(read(item)?);
    }
    Some(items)
}

/// The one of several that has this code.
fn coded<T: Copy, const N: usize>(
    json: &Json,
    all: [T; N],
    code: impl Fn(T) -> &'static str,
) -> Option<T> {
    let place = place(json, &all.map(code))?;
    all.get(place).copied()
}

fn place(json: &Json, codes: &[&str]) -> Option<usize> {
    let wanted = json.as_str()?;
    codes.iter().position(|code| *code == wanted)
}

fn index(json: &Json) -> Option<usize> {
    usize::try_from(json.as_u64()?).ok()
}

fn text(json: &Json) -> Option<String> {
    json.as_str().map(ToOwned::to_owned)
}
