//! What an ending says to people: how long it took, and what was last seen.

use super::{Phase, Wait};
use crate::ending::{AttemptRecord, AttemptResult, FailureKind};
use crate::options::seconds;
use crate::verdict::ReasonCode;

/// The message of a wait that ends in success.
pub(super) fn success(wait: &Wait) -> String {
    begin(wait, " reached its state after ")
}

/// The message of a wait that ends otherwise.
pub(super) fn failure(wait: &Wait, kind: FailureKind) -> String {
    let (verb, why) = match kind {
        FailureKind::Cancelled => (" was cancelled after ", last_seen(wait)),
        FailureKind::FailureState => (FAILED, ": ".to_owned() + &decisive(wait)),
        FailureKind::TimedOut => (
            " timed out after ",
            ": ".to_owned() + &time_is_up(wait) + &last_seen(wait),
        ),
        FailureKind::TooManyAttempts => (
            " gave up after ",
            ": no more attempts are allowed".to_owned() + &last_seen(wait),
        ),
        FailureKind::UnmatchedError => (FAILED, ": no acceptor matches ".to_owned() + &error(wait)),
    };
    begin(wait, verb) + &why
}

fn begin(wait: &Wait, verb: &str) -> String {
    spent(wait.waiter.name(), verb, wait.elapsed, wait.attempts)
}

/// What an ending says first.
pub(crate) const FAILED: &str = " failed after ";

/// `TableExists failed after 4.2 s and 3 attempts`.
pub(crate) fn spent(waiter: Option<&str>, verb: &str, elapsed: u64, attempts: u64) -> String {
    let mut text = waiter.unwrap_or("the waiter").to_owned();
    text.push_str(verb);
    text.push_str(&seconds(elapsed));
    push_number(&mut text, " and ", attempts);
    text.push_str(if attempts == 1 {
        " attempt"
    } else {
        " attempts"
    });
    text
}

/// Adds a number, by a call that takes less of the wasm than a format of its own does.
pub(crate) fn push_number(text: &mut String, before: &str, number: u64) {
    text.push_str(before);
    text.push_str(&number.to_string());
}

/// Why the time is up.
fn time_is_up(wait: &Wait) -> String {
    let max_wait = seconds(wait.settings.max_wait);
    let ended = wait
        .latest()
        .map(|attempt| (attempt.result, attempt.attempt));
    match (&wait.phase, ended) {
        (Phase::InFlight { .. }, Some((AttemptResult::Cut, attempt))) => {
            format!(
                "attempt {attempt} had no answer at the deadline ({})",
                deadline(wait)
            )
        }
        (Phase::InFlight { .. }, Some((AttemptResult::Late, attempt))) => {
            format!(
                "attempt {attempt} ended after the deadline ({}) and was not looked at",
                deadline(wait)
            )
        }
        (Phase::InFlight { .. }, _) if wait.polls_at_deadline() => {
            format!("max wait {max_wait} is over")
        }
        (Phase::InFlight { .. }, _) => {
            let min_delay = seconds(wait.settings.bounds.min());
            format!("no further poll fits into max wait {max_wait} (min delay {min_delay})")
        }
        _ => format!("max wait {max_wait} is over"),
    }
}

/// What the deadline is made of.
fn deadline(wait: &Wait) -> String {
    let max_wait = format!("max wait {}", seconds(wait.settings.max_wait));
    match wait.phase {
        Phase::InFlight { last: true, .. } if wait.settings.grace > 0 => {
            format!("{max_wait}, grace {}", seconds(wait.settings.grace))
        }
        _ => max_wait,
    }
}

/// The newest attempt that was looked at, in its most telling reason.
fn last_seen(wait: &Wait) -> String {
    let seen = wait.history.iter().rev().find_map(telling);
    seen.map_or_else(String::new, |seen| format!("; last seen: {seen}"))
}

/// Why the acceptor that decided did match.
fn decisive(wait: &Wait) -> String {
    wait.latest()
        .and_then(telling)
        .unwrap_or_else(|| "an acceptor matched".to_owned())
}

/// The error of the newest attempt, and why a retry strategy refused it, where one was asked.
fn error(wait: &Wait) -> String {
    let latest = wait.latest();
    let error = latest.and_then(|attempt| attempt.error.as_deref());
    let error = error.unwrap_or("an unnamed error");
    let said = latest.and_then(|attempt| attempt.reasons.first());
    let said = said.filter(|reason| reason.code == ReasonCode::NotRetried);
    let mut text = error.to_owned();
    if let Some(refused) = said.and_then(|reason| reason.text.strip_prefix(error)) {
        text.push_str(", and it");
        text.push_str(refused);
    }
    text
}

/// The reason of the acceptor that matched; else the first that has something to say.
fn telling(attempt: &AttemptRecord) -> Option<String> {
    let matched = attempt.reasons.iter().find(|reason| reason.code.is_match());
    let applicable = || {
        attempt
            .reasons
            .iter()
            .find(|reason| reason.code != ReasonCode::NotApplicable)
    };
    matched
        .or_else(applicable)
        .map(|reason| reason.text.clone())
}
