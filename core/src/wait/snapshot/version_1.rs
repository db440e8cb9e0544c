//! The first version of saved waits: one wait without a history, whose checksum depends on the order of the members.
//! It is only read.

use std::hash::Hasher;

use fnv::FnvHasher;
use serde_json::{Map, Value as Json};

use super::{CHECKSUM, VERSION};
use crate::text::quote;

/// All members in the order in which the checksum contains them. No two objects have the same members in another order.
const ORDER: [&str; 38] = [
    "version",
    "fingerprint",
    "options",
    "maxWait",
    "hasDeadline",
    "label",
    "show",
    "attemptTimeout",
    "delay",
    "min",
    "max",
    "maxAttempts",
    "initialDelay",
    "seed",
    "historyLimit",
    "finalPoll",
    "proportional",
    "transientErrors",
    "transientWindow",
    "redact",
    "attempts",
    "elapsedMs",
    "unansweredMs",
    "slowestMs",
    "seenMs",
    "startedAtMs",
    "pending",
    "call",
    "startedMs",
    "untilMs",
    "last",
    "done",
    "code",
    "message",
    "noticedWithinMs",
    "acceptor",
    "lastResult",
    "sleep",
];

/// The members of the wait, which later versions have in a list.
const OF_WAIT: [&str; 5] = ["attempts", "unansweredMs", "slowestMs", "seenMs", "pending"];

/// Returns the saved wait in the current format, or `None` if it is damaged.
pub(super) fn upgrade(mut json: Json) -> Option<Json> {
    let members = json.as_object_mut()?;
    let stated = members.remove(CHECKSUM)?;
    let mut text = String::new();
    write(&json, &mut text)?;
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    if stated.as_str()? != format!("{:016x}", hasher.finish()) {
        return None;
    }
    let members = json.as_object_mut()?;
    let moved = OF_WAIT.map(|name| Some((name.to_owned(), members.remove(name)?)));
    let wait: Map<String, Json> = moved.into_iter().flatten().collect();
    members.insert("waits".to_owned(), vec![Json::Object(wait)].into());
    members.insert("version".to_owned(), VERSION.into());
    Some(json)
}

/// Writes a value with its members in the order of the checksum. Returns `None` for an unknown member.
fn write(json: &Json, text: &mut String) -> Option<()> {
    let Json::Object(members) = json else {
        text.push_str(&json.to_string());
        return Some(());
    };
    let mut sorted = Vec::new();
    for (name, member) in members {
        let place = ORDER.iter().position(|known| known == name)?;
        sorted.push((place, name, member));
    }
    sorted.sort_by_key(|(place, ..)| *place);
    let mut before = '{';
    for (_, name, member) in sorted {
        text.push(std::mem::replace(&mut before, ','));
        text.push_str(&quote(name));
        text.push(':');
        write(member, text)?;
    }
    text.push_str(if before == '{' { "{}" } else { "}" });
    Some(())
}
