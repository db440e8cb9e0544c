//! The first version of saved waits: one wait without a history, whose checksum depends on the order of the members.
//! It is only read.

use std::hash::Hasher;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use super::{Body, Pending, SavedWait};
use crate::options::{ResolvedOptions, is_default};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body1 {
    version: u64,
    fingerprint: String,
    options: ResolvedOptions,
    attempts: u64,
    elapsed_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unanswered_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    slowest_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started_at_ms: Option<u64>,
    pending: Pending,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    checksum: String,
}

/// Returns the saved wait in the current format, or `None` if the text is damaged.
pub(super) fn read(text: &str) -> Option<Body> {
    let mut body: Body1 = serde_json::from_str(text).ok()?;
    // The checksum was computed over the serialized members without itself.
    let checksum = std::mem::take(&mut body.checksum);
    let mut hasher = FnvHasher::default();
    hasher.write(serde_json::to_string(&body).ok()?.as_bytes());
    if checksum != format!("{:016x}", hasher.finish()) {
        return None;
    }
    Some(Body {
        version: body.version,
        fingerprint: body.fingerprint,
        options: body.options,
        elapsed_ms: body.elapsed_ms,
        started_at_ms: body.started_at_ms,
        stored: None,
        waits: [SavedWait {
            attempts: body.attempts,
            unanswered_ms: body.unanswered_ms,
            slowest_ms: body.slowest_ms,
            seen_ms: body.seen_ms,
            pending: body.pending,
            // Version 1 was never a stored wait.
            history: Vec::new(),
            summary: None,
        }],
    })
}
