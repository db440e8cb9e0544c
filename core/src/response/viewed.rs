//! Responses of third-party types.

use std::fmt;

use super::view::{Response, View};

/// A response of any type, together with JSON of the members that a waiter reads.
///
/// Use it for typed outputs of an SDK. The JSON needs only the members on the waiter's paths. The outcome of the wait
/// contains the unchanged output.
///
/// # Example: the status of a typed output
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::{Response, Viewed};
///
/// struct DescribeTableOutput { status: Option<String> }
///
/// let output = DescribeTableOutput { status: Some("ACTIVE".into()) };
/// let response = Viewed::new(output, |output| json!({"Table": {"TableStatus": output.status}}));
/// assert_eq!(format!("{:?}", response.view()), r#"{"Table":{"TableStatus":"ACTIVE"}}"#);
/// assert_eq!(response.inner().status.as_deref(), Some("ACTIVE"));
/// ```
#[derive(Clone)]
pub struct Viewed<T> {
    inner: T,
    view: serde_json::Value,
}

impl<T> Viewed<T> {
    /// Wraps a response. `view` returns the JSON that waiters read.
    pub fn new(inner: T, view: impl FnOnce(&T) -> serde_json::Value) -> Self {
        let view = view(&inner);
        Self { inner, view }
    }

    /// Returns the wrapped response.
    pub const fn inner(&self) -> &T {
        &self.inner
    }

    /// Unwraps the response.
    pub fn into_inner(self) -> T {
        self.inner
    }
}

impl<T> Response for Viewed<T> {
    fn view(&self) -> View<'_> {
        View::Json(&self.view)
    }
}

impl<T> fmt::Debug for Viewed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Viewed")
            .field("view", &self.view)
            .finish_non_exhaustive()
    }
}
