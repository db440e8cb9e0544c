//! The JSON of an ended wait: one list of members for outcomes, failures and stored reports, in every language.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

use super::report::{AttemptRecord, AttemptResult, FailureKind, WaitReport};
use crate::error::StateError;
use crate::evaluation::Redaction;
use crate::millis::millis_of_seconds;
use crate::value::number_of;

/// The response and the errors that a host adds to the JSON of a report.
///
/// # Example: the JSON of a failure with its response
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{EndValues, Event, Step, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
/// wait.poll(0);
/// let response = json!({"Status": "FAILED"});
/// let Step::Done(report) = wait.handle(Event::response(&response), 40)? else { panic!() };
///
/// let json = report.to_json(&EndValues { response, ..EndValues::default() });
/// assert!(json.starts_with(r#"{"name":"WaiterFailed","message":"Ready failed after 0.04 s and 1 attempt"#));
/// assert!(json.contains(r#""elapsed":0.04,"noticedWithin":null,"response":{"Status":"FAILED"},"error":null"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "hosts create it")]
pub struct EndValues {
    /// The latest response of all attempts; null if there is none.
    pub response: Json,
    /// The latest error of all attempts, as an object with `name` and `message`; null if there is none.
    pub error: Json,
    /// The reason of a cancellation; null if the host has none.
    pub reason: Json,
}

/// The members of the JSON, in their order. All of them are always present.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Members<'a> {
    name: Option<&'static str>,
    message: &'a str,
    code: Option<FailureKind>,
    waiter: Option<&'a str>,
    label: Option<&'a str>,
    result: Option<AttemptResult>,
    acceptor: Option<usize>,
    acceptor_text: Option<&'a str>,
    attempts: u64,
    #[serde(serialize_with = "seconds")]
    elapsed: u64,
    #[serde(serialize_with = "optional_seconds")]
    noticed_within: Option<u64>,
    response: &'a Json,
    error: &'a Json,
    cause: &'a Json,
    history: &'a [AttemptRecord],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    redact: &'a [String],
}

/// The same members as read. A later release may add more.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadMembers {
    // Without a default: a failure whose code was lost would be a success.
    #[serde(deserialize_with = "Option::deserialize")]
    name: Option<String>,
    message: String,
    #[serde(deserialize_with = "Option::deserialize")]
    code: Option<FailureKind>,
    waiter: Option<String>,
    label: Option<String>,
    result: Option<AttemptResult>,
    acceptor: Option<usize>,
    acceptor_text: Option<String>,
    attempts: u64,
    elapsed: f64,
    noticed_within: Option<f64>,
    response: Json,
    error: Json,
    cause: Json,
    history: Vec<AttemptRecord>,
    #[serde(default)]
    redact: Vec<String>,
}

impl WaitReport {
    /// Returns the end of the wait as JSON text, with the same text in every language.
    ///
    /// It is for logs: the values of redacted members are omitted. The members are `name` (the class of the failure: `WaiterTimeout`), `message`, `code`, `waiter`, `label`, `result`
    /// (of the last attempt), `acceptor`, `acceptorText`, `attempts`, `elapsed` and `noticedWithin` in seconds,
    /// `response`, `error`, `cause` and `history`, and `redact` (the paths of omitted members) if there are any. Absent values are null. The members of the host's values are sorted by
    /// name, and integral numbers have no fraction. See [docs/rules.md#json-of-reports](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#json-of-reports).
    #[must_use]
    pub fn to_json(&self, values: &EndValues) -> String {
        self.text(&self.without_redacted(values))
    }

    /// Parses the text of [`to_json`](Self::to_json). Unknown members are ignored.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for any other text.
    pub fn from_json(text: &str) -> Result<(Self, EndValues), StateError> {
        let read: ReadMembers = serde_json::from_str(text).map_err(|_| StateError::Damaged)?;
        read.into_report().ok_or(StateError::Damaged)
    }

    /// Returns the JSON of the end for storage, in at most `limit` bytes if possible. [`from_json`](Self::from_json) reads it.
    ///
    /// Redacted members are stored, because the program that reads the text needs its response. Texts replace a response and errors that make it too long, and then the oldest attempts are omitted.
    #[must_use]
    pub fn to_json_within(&self, values: &EndValues, limit: usize) -> String {
        let whole = self.text(values);
        if whole.len() <= limit {
            return whole;
        }
        let rule = format!(
            "<omitted: the report has {} bytes, and the limit is {limit}>",
            whole.len()
        );
        let small = values.omitted(&rule);
        // A binary search: the text gets shorter with each attempt that is omitted.
        // Values are replaced first, because the history explains a failure in less space.
        // Rule: docs/rules.md#stored-waits
        let kept = partition(self.history.len(), |kept| {
            self.with_newest(kept).text(&small).len() <= limit
        });
        self.with_newest(kept).text(&small)
    }

    /// Returns the JSON of the end: for storage in at most `limit` bytes if possible, or for logs if there is no limit.
    #[doc(hidden)]
    #[must_use]
    pub fn end_json(&self, values: &EndValues, limit: Option<usize>) -> String {
        match limit {
            Some(limit) => self.to_json_within(values, limit),
            None => self.to_json(values),
        }
    }

    fn text(&self, values: &EndValues) -> String {
        // Serializing strings, numbers and booleans never fails.
        serde_json::to_string(&self.members(&values.canonical())).unwrap_or_default()
    }

    /// Returns the values of a host without redacted members.
    fn without_redacted(&self, values: &EndValues) -> EndValues {
        let EndValues {
            response,
            error,
            reason,
        } = values.clone();
        let redaction = Redaction::new(&self.redact);
        EndValues {
            response: redaction.response(response),
            error: redaction.error(error),
            reason,
        }
    }

    fn with_newest(&self, count: usize) -> Self {
        let omitted = self.history.len().saturating_sub(count);
        Self {
            history: self.history.iter().skip(omitted).cloned().collect(),
            ..self.clone()
        }
    }

    /// Serializes the members of [`to_json`](Self::to_json).
    #[cfg(feature = "driver")]
    pub(crate) fn serialize_with<S: Serializer>(
        &self,
        values: &EndValues,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.members(&self.without_redacted(values).canonical())
            .serialize(serializer)
    }

    /// Returns the report with the values of a host that belong to its end.
    fn members<'a>(&'a self, values: &'a EndValues) -> Members<'a> {
        let by_error = self.last_result == Some(AttemptResult::Error);
        let part = |value, is_part| if is_part { value } else { &Json::Null };
        Members {
            name: self.kind.map(FailureKind::class_name),
            message: &self.message,
            code: self.kind,
            waiter: self.waiter.as_deref(),
            label: self.label.as_deref(),
            result: self.last_result,
            acceptor: self.acceptor,
            acceptor_text: self.acceptor_text.as_deref(),
            attempts: self.attempts,
            elapsed: self.elapsed_ms,
            noticed_within: self.noticed_within_ms,
            // A success has only the result that matched, and a failure the latest ones.
            response: part(&values.response, self.kind.is_some() || !by_error),
            error: part(&values.error, self.kind.is_some() || by_error),
            cause: self
                .cause(Some(&values.error), Some(&values.reason))
                .unwrap_or(&Json::Null),
            history: &self.history,
            redact: &self.redact,
        }
    }
}

/// Returns the greatest number up to `most` for which `fits` holds, or 0. It must hold for all smaller numbers, too.
pub(super) fn partition(most: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut fit, mut exceed) = (0, most.saturating_add(1));
    while exceed.saturating_sub(fit) > 1 {
        let middle = usize::midpoint(fit, exceed);
        if fits(middle) {
            fit = middle;
        } else {
            exceed = middle;
        }
    }
    fit
}

impl EndValues {
    /// Returns these values as every language writes them.
    fn canonical(&self) -> Self {
        let canonical = |value: &Json| {
            let mut value = value.clone();
            without_fractions(&mut value);
            // An object remembers the order of its members only if some crate of the program enables that in `serde_json`.
            value.sort_all_objects();
            value
        };
        Self {
            response: canonical(&self.response),
            error: canonical(&self.error),
            reason: canonical(&self.reason),
        }
    }

    /// Parses the JSON text of an object with the members `response`, `error` and `reason`; missing members are null.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for any other text.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        let mut json: Json = serde_json::from_str(text).map_err(|_| StateError::Damaged)?;
        let members = json.as_object_mut().ok_or(StateError::Damaged)?;
        let mut take = |name| members.remove(name).unwrap_or_default();
        Ok(Self {
            response: take("response"),
            error: take("error"),
            reason: take("reason"),
        })
    }

    fn omitted(&self, rule: &str) -> Self {
        let substitute = |value: &Json| match value {
            Json::Null => Json::Null,
            // The name remains, because programs distinguish errors by it.
            Json::Object(members) if members.get("name").is_some_and(Json::is_string) => {
                let name = members
                    .get("name")
                    .and_then(Json::as_str)
                    .unwrap_or_default();
                let name: String = name.chars().take(LONGEST_NAME).collect();
                serde_json::json!({"name": name, "message": rule})
            }
            _ => rule.into(),
        };
        Self {
            response: match &self.response {
                Json::Null => Json::Null,
                _ => rule.into(),
            },
            error: substitute(&self.error),
            reason: substitute(&self.reason),
        }
    }
}

/// Replaces numbers such as `1.0` by integers, up to 2^53.
pub(super) fn without_fractions(json: &mut Json) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(without_fractions),
        Json::Object(members) => members.values_mut().for_each(without_fractions),
        Json::Number(number) if number.is_f64() => {
            *json = number.as_f64().map_or(Json::Null, number_of);
        }
        _ => {}
    }
}

/// The maximum length of the name of an error whose data is omitted, in code points.
// The name comes from the host and must not exceed the limit again.
const LONGEST_NAME: usize = 200;

impl ReadMembers {
    /// Returns `None` if the name is not that of the code.
    fn into_report(self) -> Option<(WaitReport, EndValues)> {
        if self.name.as_deref() != self.code.map(FailureKind::class_name) {
            return None;
        }
        let report = WaitReport {
            waiter: self.waiter,
            label: self.label,
            kind: self.code,
            message: self.message,
            acceptor: self.acceptor,
            acceptor_text: self.acceptor_text,
            attempts: self.attempts,
            elapsed_ms: millis_of_seconds(self.elapsed),
            noticed_within_ms: self.noticed_within.map(millis_of_seconds),
            last_result: self.result,
            history: self.history,
            redact: self.redact,
        };
        let values = EndValues {
            response: self.response,
            error: self.error,
            reason: match report.kind {
                Some(FailureKind::Cancelled) => self.cause,
                _ => Json::Null,
            },
        };
        Some((report, values))
    }
}

/// Serializes the members of [`to_json`](WaitReport::to_json), with null for the values of the host.
impl Serialize for WaitReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.members(&EndValues::default()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WaitReport {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = ReadMembers::deserialize(deserializer)?.into_report();
        let (report, _) =
            read.ok_or_else(|| D::Error::custom("the name is not that of the code"))?;
        Ok(report)
    }
}

/// Serializes milliseconds as seconds, without a fraction if they are whole: every language then writes the same digits.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn seconds<S: Serializer>(millis: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    // Whole numbers have no fraction, as in `JSON.stringify`. The hosts compare these texts byte for byte.
    if millis.is_multiple_of(1_000) {
        serializer.serialize_u64(millis / 1_000)
    } else {
        serializer.serialize_f64(*millis as f64 / 1_000.0)
    }
}

fn optional_seconds<S: Serializer>(millis: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match millis {
        Some(millis) => seconds(millis, serializer),
        None => serializer.serialize_none(),
    }
}
