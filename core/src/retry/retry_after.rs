//! Parsing of the headers that request a pause.

use std::time::{Duration, SystemTime};

use super::failed_request::RequestFailure;
use super::note::RetryNote;
use crate::millis::TEN_YEARS_MS;

/// Returns the pause that the headers request, and a note if one of them is ignored. A valid `x-amz-retry-after` takes
/// precedence.
pub(super) fn read(failure: &RequestFailure<'_>) -> (Option<Duration>, Option<RetryNote>) {
    let amz = failure.amz_retry_after.as_deref();
    // AWS's header comes first: it has milliseconds. Rule: docs/rules.md#retry-after
    if let Some(delay) = amz.and_then(milliseconds) {
        return (Some(delay), None);
    }
    let amz_note = amz.map(|_| RetryNote::NoMilliseconds);
    let header = failure.retry_after.as_deref();
    match header.map(|header| parse_retry_after(header, failure.now)) {
        None => (None, amz_note),
        Some(Ok(delay)) => (Some(delay), amz_note),
        Some(Err(note)) => (None, Some(amz_note.unwrap_or(note))),
    }
}

// RFC 9110, section 5.3, joins repeated headers to a list, and section 10.2.3 doesn't define `Retry-After` as a list.
// The first item counts, because Node's clients expose no other. Rule: docs/rules.md#retry-after-lists
fn parse_retry_after(header: &str, now: Option<SystemTime>) -> Result<Duration, RetryNote> {
    if let Some(seconds) = seconds(header) {
        return Ok(seconds);
    }
    // A date contains a comma, so the list cannot be split at commas. The only `G` of a date starts `GMT`.
    let end = header.find('G').map(|end| end.saturating_add("GMT".len()));
    let date = end.and_then(|end| header.get(..end)).unwrap_or(header);
    let date = httpdate::parse_http_date(date.trim()).map_err(|_| RetryNote::NoSecondsOrDate)?;
    let now = now.ok_or(RetryNote::NoClock)?;
    // A date in the past means a retry without a pause.
    let pause = date.duration_since(now).unwrap_or_default();
    Ok(pause.min(Duration::from_millis(TEN_YEARS_MS)))
}

fn milliseconds(header: &str) -> Option<Duration> {
    digits(first(header)).map(Duration::from_millis)
}

/// Parses seconds. Some services send fractions, although the specification of the header allows only integers.
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
    // Further digits round up, so that the pause is never shorter than requested.
    let rest = fraction.bytes().skip(3).any(|digit| digit != b'0');
    Some(Duration::from_millis(
        millis.saturating_add(u64::from(rest)).min(TEN_YEARS_MS),
    ))
}

/// Parses decimal digits. A number that overflows is clamped to ten years.
fn digits(text: &str) -> Option<u64> {
    // `parse` would also accept a plus sign.
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Digits alone can only fail to parse because there are too many of them.
    Some(text.parse().unwrap_or(u64::MAX).min(TEN_YEARS_MS))
}

/// Returns the first item of a comma-separated list.
fn first(header: &str) -> &str {
    header.split(',').next().unwrap_or_default().trim()
}
