//! Responses that implement `serde::Serialize`.

use std::fmt;
use std::sync::OnceLock;

use serde::Serialize;

use super::view::{Response, View};
use crate::value::ReadError;

/// A response of any type that implements `Serialize`. Waiters read its JSON.
///
/// The names in the JSON are those of the `Serialize` implementation. They must match the names of the model, which a
/// waiter's paths use.
///
/// # Cost
///
/// Each attempt converts the whole response when the waiter first reads it, so that time and memory grow with the size
/// of the response. An evaluation of 5 KB takes about 11 µs, compared with 1.1 µs for a derived [`Response`]; an
/// evaluation of 1.1 MB takes 6 ms, compared with 0.2 ms (measured with `cargo xtask bench`). Both are small compared
/// with a network request.
///
/// If serde cannot convert the response to JSON, for example a map with non-string keys, no path matches. The reasons
/// contain the error.
///
/// # Example: an output that implements `Serialize`
///
/// ```
/// use serde::Serialize;
/// use serde_json::Value;
/// use smithy_waiters::{Response, Observation, Serialized, State, View, Waiter};
///
/// #[derive(Serialize)]
/// #[serde(rename_all = "PascalCase")]
/// struct Job { job_status: &'static str }
///
/// let done = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "JobStatus", "comparator": "stringEquals", "expected": "DONE"}}}]}"#)?;
/// let job = Serialized::new(Job { job_status: "DONE" });
/// let verdict = done.evaluate(View::Null, Observation::Response(job.view()));
/// assert_eq!(verdict.state(), State::Success);
/// assert_eq!(job.into_inner().job_status, "DONE");
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone)]
pub struct Serialized<T> {
    inner: T,
    json: OnceLock<Result<serde_json::Value, ReadError>>,
}

impl<T: Serialize> Serialized<T> {
    /// Wraps a response. It is converted when a waiter first reads it.
    pub const fn new(inner: T) -> Self {
        Self {
            inner,
            json: OnceLock::new(),
        }
    }
}

impl<T> Serialized<T> {
    /// Returns the wrapped response.
    pub const fn inner(&self) -> &T {
        &self.inner
    }

    /// Unwraps the response.
    pub fn into_inner(self) -> T {
        self.inner
    }
}

impl<T: Serialize> Response for Serialized<T> {
    fn view(&self) -> View<'_> {
        let json = self.json.get_or_init(|| {
            serde_json::to_value(&self.inner).map_err(|error| {
                ReadError::new(format!("the response cannot be converted to JSON: {error}"))
            })
        });
        match json {
            Ok(json) => View::Json(json),
            Err(error) => View::Unreadable(error.clone()),
        }
    }
}

/// Formats the wrapped response.
impl<T: fmt::Debug> fmt::Debug for Serialized<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Serialized").field(&self.inner).finish()
    }
}
