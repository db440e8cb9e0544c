//! What the facts of a failed request mean for a retry.

use std::time::{Duration, SystemTime};

use pyo3::prelude::*;
use smithy_waiters::retry::{ErrorFault, Modeled, RequestFailure, Transport};

use crate::given::Text;

use super::info::FailureInfo;

/// What the facts of a failed request mean for a retry, and which of its headers was ignored, and why.
#[pyfunction]
#[pyo3(
    name = "_classify",
    signature = (
        *, code=None, status=None, retry_after=None, amz_retry_after=None, now=None, transport=None, fault=None,
        retryable=false, throttling=false, idempotent=false
    )
)]
#[expect(clippy::too_many_arguments, reason = "one for each fact, by its name")]
pub(crate) fn classify(
    code: Option<Text>,
    status: Option<u16>,
    retry_after: Option<Text>,
    amz_retry_after: Option<Text>,
    now: Option<f64>,
    transport: Option<Text>,
    fault: Option<Text>,
    retryable: bool,
    throttling: bool,
    idempotent: bool,
) -> (FailureInfo, Option<(&'static str, String)>, bool) {
    let mut failure = RequestFailure::default().idempotent(idempotent);
    if let Some(Text(code)) = code {
        failure = failure.code(code);
    }
    if let Some(status) = status {
        failure = failure.status(status);
    }
    if let Some(Text(header)) = retry_after {
        failure = failure.retry_after(header);
    }
    if let Some(Text(header)) = amz_retry_after {
        failure = failure.amz_retry_after(header);
    }
    if let Some(now) = now.and_then(date) {
        failure = failure.now(now);
    }
    if let Some(transport) = transport.and_then(|Text(name)| Transport::from_name(&name)) {
        failure = failure.transport(transport);
    }
    if let Some(fault) = fault.and_then(|Text(name)| ErrorFault::from_name(&name)) {
        failure = failure.modeled(Modeled {
            fault,
            retryable,
            throttling,
        });
    }
    let classified = failure.classify();
    let note = classified.note;
    let note = note.map(|note| (note.code(), note.to_string()));
    let not_idempotent = classified.not_idempotent;
    (FailureInfo::of(classified.info), note, not_idempotent)
}

/// A time in seconds since 1970.
fn date(seconds: f64) -> Option<SystemTime> {
    let since = Duration::try_from_secs_f64(seconds).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(since)
}
