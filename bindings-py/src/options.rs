//! Options: Python's names for them, and its durations.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDict, PyString};
use smithy_waiters::{OptionsError, WaitOptions};

use crate::context::Context;
use crate::error;
use crate::handle::Handle;

/// Each option, as Python and as the engine writes it; none before one that it is a part of.
const NAMES: [(&str, &str); 33] = [
    ("throttling_base_delay", "throttlingBaseDelay"),
    ("attempt_timeout", "attemptTimeout"),
    ("base_delay", "baseDelay"),
    ("capacity", "capacity"),
    ("disable_request_compression", "disableRequestCompression"),
    ("final_poll_grace", "finalPollGrace"),
    ("final_poll", "finalPoll"),
    ("fixed_delay", "fixedDelay"),
    ("history_limit", "historyLimit"),
    ("idempotent", "idempotent"),
    ("initial_delay", "initialDelay"),
    ("max_attempts", "maxAttempts"),
    ("max_backoff", "maxBackoff"),
    ("max_delay", "maxDelay"),
    ("max_retries", "maxRetries"),
    ("max_retry_after", "maxRetryAfter"),
    ("max_time", "maxTime"),
    ("max_wait", "maxWait"),
    ("min_delay", "minDelay"),
    ("preset", "preset"),
    ("redact", "redact"),
    ("refund_cost", "refundCost"),
    ("repeated_token", "repeatedToken"),
    (
        "request_min_compression_size_bytes",
        "requestMinCompressionSizeBytes",
    ),
    ("retry_after_excess", "retryAfterExcess"),
    ("retry_cost", "retryCost"),
    ("seed", "seed"),
    ("start_token", "startToken"),
    ("stop_when_not_truncated", "stopWhenNotTruncated"),
    ("success_refund", "successRefund"),
    ("throttling_cost", "throttlingCost"),
    ("timeout_cost", "timeoutCost"),
    ("unlimited", "unlimited"),
];

/// Options from keyword arguments. What they may be is for the engine to say.
pub(crate) fn read<'py, T>(
    py: Python<'py>,
    keywords: Option<&Bound<'py, PyDict>>,
    from_host: impl FnOnce(Handle<'_, 'py>) -> Result<T, OptionsError>,
) -> PyResult<T> {
    let given = in_engine(py, keywords)?;
    let context = Context::new(&[]);
    let options = from_host(Handle::new(given.into_any(), &context));
    context.finish()?;
    options.map_err(error::options)
}

/// The options of a wait.
pub(crate) fn of_keywords(
    py: Python<'_>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<WaitOptions> {
    read(py, keywords, |given| WaitOptions::from_host(given))
}

/// Keyword arguments by the engine's names, with durations in seconds.
fn in_engine<'py>(
    py: Python<'py>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let given = PyDict::new(py);
    for (keyword, value) in keywords.iter().flat_map(|keywords| keywords.iter()) {
        let keyword = keyword.cast::<PyString>()?.to_cow()?;
        given.set_item(engine_name(&keyword)?, seconds(value)?)?;
    }
    Ok(given)
}

/// Python's name of an option.
pub(crate) fn python_name(name: &str) -> &str {
    let known = NAMES.iter().find(|(_, engine)| *engine == name);
    known.map_or(name, |(python, _)| *python)
}

/// The engine's words with Python's names of the options: `max_wait` where it says "max wait".
pub(crate) fn python_words(message: &str) -> String {
    let names = NAMES.iter().map(|(python, _)| *python);
    names
        .filter(|name| name.contains('_'))
        .fold(message.to_owned(), |message, name| {
            message.replace(&name.replace('_', " "), &format!("`{name}`"))
        })
}

fn engine_name(keyword: &str) -> PyResult<&'static str> {
    let known = NAMES.iter().find(|(python, _)| *python == keyword);
    known.map(|(_, engine)| *engine).ok_or_else(|| {
        let message = format!("`{keyword}` is not an option");
        error::option_error("unknown_option", keyword, message)
    })
}

/// A `timedelta` as seconds; anything else as it is.
pub(crate) fn seconds(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if value.cast::<PyDelta>().is_ok() {
        return value.call_method0(intern!(value.py(), "total_seconds"));
    }
    Ok(value)
}
