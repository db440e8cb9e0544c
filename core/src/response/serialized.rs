//! Responses by way of serde.

use std::fmt;
use std::sync::OnceLock;

use serde::Serialize;

use super::view::{Response, View};
use crate::value::ReadError;

/// A response of any type that serde serialises; waiters look at its JSON.
///
/// Member names are those of the `Serialize` implementation; a waiter's paths use the model's.
///
/// # Cost
///
/// The whole response is converted, once an attempt, when the waiter looks at it: time and memory grow with what the
/// response weighs, not with what the paths touch. A verdict on 5 KB takes about 11 µs instead of the 1.1 µs of a derived
/// [`Response`], one on 1.1 MB 6 ms instead of 0.2 ms (`cargo xtask bench` measures it): next to nothing beside a request
/// over a network.
///
/// A response that serde cannot turn into JSON (a map whose keys are no strings) is seen as one that no path matches; the
/// failure's reasons say why.
///
/// # Example: an output that is `Serialize` already
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
    /// Takes a response; nothing is converted yet.
    pub const fn new(inner: T) -> Self {
        Self {
            inner,
            json: OnceLock::new(),
        }
    }
}

impl<T> Serialized<T> {
    /// The response as it came.
    pub const fn inner(&self) -> &T {
        &self.inner
    }

    /// The response as it came.
    pub fn into_inner(self) -> T {
        self.inner
    }
}

impl<T: Serialize> Response for Serialized<T> {
    fn view(&self) -> View<'_> {
        let json = self.json.get_or_init(|| {
            serde_json::to_value(&self.inner)
                .map_err(|error| ReadError::new(format!("the response is no JSON: {error}")))
        });
        match json {
            Ok(json) => View::Json(json),
            Err(error) => View::Unreadable(error.clone()),
        }
    }
}

/// The response as it came.
impl<T: fmt::Debug> fmt::Debug for Serialized<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Serialized").field(&self.inner).finish()
    }
}
