//! What a host knows of a request that failed.

use std::borrow::Cow;
use std::time::SystemTime;

use crate::evaluation::ErrorMetadata;
use crate::operation::{ModeledError, Operation};

/// What a host knows of a request that failed; [`classify`](Self::classify) says what it means for a retry.
///
/// # Example: a gateway that gave up, on a call that may be repeated
///
/// ```
/// use smithy_waiters::retry::{RequestFailure, RetrySafety};
///
/// let classified = RequestFailure::default().status(504).idempotent(true).classify();
/// let retry = classified.info.retry.ok_or("nothing known")?;
/// assert_eq!((retry.safety, retry.timeout), (RetrySafety::Yes, true));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RequestFailure<'a> {
    pub(super) code: Option<Cow<'a, str>>,
    pub(super) status: Option<u16>,
    pub(super) retry_after: Option<Cow<'a, str>>,
    pub(super) amz_retry_after: Option<Cow<'a, str>>,
    pub(super) now: Option<SystemTime>,
    pub(super) transport: Option<Transport>,
    pub(super) modeled: Option<ModeledError>,
    pub(super) idempotent: bool,
}

/// A request that got no response.
///
/// # Example: no answer in time
///
/// ```
/// use smithy_waiters::retry::{RequestFailure, Transport};
///
/// let info = RequestFailure::default().transport(Transport::Timeout).idempotent(true).classify().info;
/// assert!(info.retry.is_some_and(|retry| retry.timeout));
/// assert_eq!(Transport::from_name("connection"), Some(Transport::Connection));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// The connection failed: refused, reset, broken off.
    Connection,
    /// The host name does not resolve.
    HostNotFound,
    /// No answer came in the time that the client gives.
    Timeout,
}

impl Transport {
    /// Returns the one with the stable word for it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "connection" => Some(Self::Connection),
            "host_not_found" => Some(Self::HostNotFound),
            "timeout" => Some(Self::Timeout),
            _ => None,
        }
    }
}

/// By the first of its names.
impl<'a> From<ErrorMetadata<'a>> for RequestFailure<'a> {
    fn from(facts: ErrorMetadata<'a>) -> Self {
        Self {
            code: facts.into_name(),
            ..Self::default()
        }
    }
}

impl<'a> RequestFailure<'a> {
    /// The service's code for the error, or the host's for a failed connection: `ThrottlingException`, `ECONNRESET`. As
    /// with [`ErrorMetadata`](crate::ErrorMetadata), a namespace and what follows a `:` do not count.
    #[must_use]
    pub fn code(mut self, code: impl Into<Cow<'a, str>>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// The HTTP status of the response.
    #[must_use]
    pub const fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// The response's `Retry-After` header as it stands: seconds or an HTTP date; of several, joined by commas, the first counts.
    #[must_use]
    pub fn retry_after(mut self, header: impl Into<Cow<'a, str>>) -> Self {
        self.retry_after = Some(header.into());
        self
    }

    /// The response's `x-amz-retry-after` header as it stands: milliseconds. It wins over `Retry-After`.
    #[must_use]
    pub fn amz_retry_after(mut self, header: impl Into<Cow<'a, str>>) -> Self {
        self.amz_retry_after = Some(header.into());
        self
    }

    /// The time now, if it is known; a date in `Retry-After` means nothing without it.
    #[must_use]
    pub fn now(mut self, now: impl Into<Option<SystemTime>>) -> Self {
        self.now = now.into();
        self
    }

    /// There was no response, and this is why.
    #[must_use]
    pub const fn transport(mut self, transport: Transport) -> Self {
        self.transport = Some(transport);
        self
    }

    /// The error is modeled, with these traits.
    #[must_use]
    pub const fn modeled(mut self, modeled: ModeledError) -> Self {
        self.modeled = Some(modeled);
        self
    }

    /// The error has the traits that the operation's model gives the one of its [`code`](Self::code), where it has any.
    ///
    /// # Example: a model that says what is retryable
    ///
    /// ```
    /// use serde_json::json;
    /// use smithy_waiters::operation::Operation;
    /// use smithy_waiters::retry::{RequestFailure, RetrySafety};
    ///
    /// let model = json!({"shapes": {
    ///     "demo#Get": {"type": "operation", "errors": [{"target": "demo#Busy"}]},
    ///     "demo#Busy": {"type": "structure", "members": {}, "traits": {
    ///         "smithy.api#error": "server", "smithy.api#retryable": {}}}}});
    /// let get = Operation::from_model_value(&model, "Get", None)?;
    /// let info = RequestFailure::default().code("demo#Busy").modeled_by(&get).classify().info;
    /// assert_eq!(info.retry.map(|retry| retry.safety), Some(RetrySafety::Yes));
    /// # Ok::<(), smithy_waiters::DefinitionError>(())
    /// ```
    #[must_use]
    pub fn modeled_by(self, operation: &Operation) -> Self {
        let code = self.code.as_deref();
        match code.and_then(|code| operation.error(code)) {
            Some(modeled) => self.modeled(modeled),
            None => self,
        }
    }

    /// Whether the request may be repeated without harm. By default it may not.
    ///
    /// Clause: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    #[must_use]
    pub const fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = idempotent;
        self
    }

    /// The code, where it is known.
    #[cfg(feature = "driver")]
    pub(crate) fn known_code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}
