//! How long a service asks to wait.

use std::time::{Duration, SystemTime};

use super::failed_request::RequestFailure;
use super::note::RetryNote;
use crate::millis::TEN_YEARS_MS;

/// What the headers ask for, and why one of them is not heard. `x-amz-retry-after` wins where it can be read.
pub(super) fn read(failure: &RequestFailure<'_>) -> (Option<Duration>, Option<RetryNote>) {
    let amz = failure.amz_retry_after.as_deref();
    if let Some(delay) = amz.and_then(milliseconds) {
        return (Some(delay), None);
    }
    let unread = amz.map(|_| RetryNote::NoMilliseconds);
    let header = failure.retry_after.as_deref();
    match header.map(|header| either_form(header, failure.now)) {
        None => (None, unread),
        Some(Ok(delay)) => (Some(delay), unread),
        Some(Err(note)) => (None, Some(unread.unwrap_or(note))),
    }
}

// SPEC: RFC 9110, 5.3, makes one list of several lines of a header, and 10.2.3 gives a list no meaning. The first one counts:
// Node's own clients show no other.
fn either_form(header: &str, now: Option<SystemTime>) -> Result<Duration, RetryNote> {
    if let Some(seconds) = seconds(header) {
        return Ok(seconds);
    }
    // A date has a comma of its own, and ends with the only `G` of it.
    let end = header.find('G').map(|end| end.saturating_add("GMT".len()));
    let date = end.and_then(|end| header.get(..end)).unwrap_or(header);
    let date = httpdate::parse_http_date(date.trim()).map_err(|_| RetryNote::NoSecondsOrDate)?;
    let now = now.ok_or(RetryNote::NoClock)?;
    // A date in the past means now.
    let pause = date.duration_since(now).unwrap_or_default();
    Ok(pause.min(Duration::from_millis(TEN_YEARS_MS)))
}

fn milliseconds(header: &str) -> Option<Duration> {
    digits(first(header)).map(Duration::from_millis)
}

/// Whole seconds, or with a fraction, as some services send them.
fn seconds(header: &str) -> Option<Duration> {
    let header = first(header);
    let (whole, fraction) = header.split_once('.').unwrap_or((header, "0"));
    let whole = digits(whole)?;
    digits(fraction)?;
    let thousandths = fraction
        .bytes()
        .chain([b'0'; 3])
        .take(3)
        .fold(0, |sum: u64, digit| {
            sum.saturating_mul(10)
                .saturating_add(u64::from(digit.saturating_sub(b'0')))
        });
    let millis = whole.saturating_mul(1_000).saturating_add(thousandths);
    // What is left of the fraction counts up: never earlier than was asked.
    let rest = fraction.bytes().skip(3).any(|digit| digit != b'0');
    Some(Duration::from_millis(
        millis.saturating_add(u64::from(rest)).min(TEN_YEARS_MS),
    ))
}

/// Decimal digits and nothing else; more of them than a number holds are as long as it gets.
fn digits(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX).min(TEN_YEARS_MS))
}

/// The first item of a list.
fn first(header: &str) -> &str {
    header.split(',').next().unwrap_or_default().trim()
}
