//! The failure of a request as a host describes it.

use std::borrow::Cow;
use std::time::SystemTime;

use crate::evaluation::ErrorMetadata;
use crate::operation::{ModeledError, Operation};

/// The failure of a request as a host describes it. [`classify`](Self::classify) derives whether it can be retried.
///
/// # Example: a gateway timeout of an idempotent request
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
    pub(super) retry_safe: Option<bool>,
    pub(super) declares_throttle: bool,
    pub(super) idempotent: bool,
    pub(super) static_credentials: bool,
}

/// The reason why a request has no response.
///
/// # Example: a timeout
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
    /// The connection failed: it was refused, reset or interrupted.
    Connection,
    /// The host name does not resolve.
    HostNotFound,
    /// The client ended the request for a reason that a retry cannot fix: it was aborted, its credentials are missing, or
    /// the server's certificate is invalid.
    Permanent,
    /// No response arrived within the client's timeout.
    Timeout,
}

impl Transport {
    /// Returns the value with this stable name, or `None` for an unknown name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "connection" => Some(Self::Connection),
            "host_not_found" => Some(Self::HostNotFound),
            "permanent" => Some(Self::Permanent),
            "timeout" => Some(Self::Timeout),
            _ => None,
        }
    }
}

/// A failure with the error's first name as its code, and its status.
impl<'a> From<ErrorMetadata<'a>> for RequestFailure<'a> {
    fn from(metadata: ErrorMetadata<'a>) -> Self {
        Self {
            status: metadata.http_status(),
            code: metadata.into_name(),
            ..Self::default()
        }
    }
}

impl<'a> RequestFailure<'a> {
    /// Sets the service's code for the error, or the host's code for a failed connection, for example
    /// `ThrottlingException` or `ECONNRESET`. As in [`ErrorMetadata`](crate::ErrorMetadata), the namespace and the part
    /// after a `:` are ignored.
    #[must_use]
    pub fn code(mut self, code: impl Into<Cow<'a, str>>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// Sets the HTTP status of the response. A status below 300 does not count: such a response was interrupted.
    #[must_use]
    pub const fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the response's raw `Retry-After` header: seconds or an HTTP date. In a comma-separated list, the first item
    /// counts. See [docs/rules.md#retry-after-lists](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#retry-after-lists).
    #[must_use]
    pub fn retry_after(mut self, header: impl Into<Cow<'a, str>>) -> Self {
        self.retry_after = Some(header.into());
        self
    }

    /// Sets the response's raw `x-amz-retry-after` header in milliseconds. It takes precedence over `Retry-After`.
    #[must_use]
    pub fn amz_retry_after(mut self, header: impl Into<Cow<'a, str>>) -> Self {
        self.amz_retry_after = Some(header.into());
        self
    }

    /// Sets the current time. Without it, a date in `Retry-After` is ignored.
    #[must_use]
    pub fn now(mut self, now: impl Into<Option<SystemTime>>) -> Self {
        self.now = now.into();
        self
    }

    /// Sets the reason for the missing response. It does not count beside a [`status`](Self::status) of 300 or more.
    #[must_use]
    pub const fn transport(mut self, transport: Transport) -> Self {
        self.transport = Some(transport);
        self
    }

    /// Sets the traits of the error in the service's model.
    #[must_use]
    pub const fn modeled(mut self, modeled: ModeledError) -> Self {
        self.modeled = Some(modeled);
        self
    }

    /// Sets the traits of the error with this [`code`](Self::code) in the operation's model, if the model has one.
    ///
    /// # Example: a model with a retryable error
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

    /// Sets the declarations of an error that implements the guide's interface: `is_retry_safe`, if it has one, and
    /// `is_throttling_error`. A throttled request was not processed, so that a retry is safe.
    ///
    /// Specification: [Retryable errors](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors).
    #[doc(hidden)]
    #[must_use]
    pub fn declared(mut self, retry_safe: Option<bool>, throttle: bool) -> Self {
        self.retry_safe = retry_safe.or(throttle.then_some(true));
        self.declares_throttle = throttle;
        self
    }

    /// Sets whether the request can be repeated without side effects. By default it cannot.
    ///
    /// Specification: [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    #[must_use]
    pub const fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = idempotent;
        self
    }

    /// Sets whether the client cannot renew the credentials of the request. By default it can.
    #[must_use]
    pub const fn static_credentials(mut self, is_static: bool) -> Self {
        self.static_credentials = is_static;
        self
    }

    /// Returns the status of a failure. A response that was interrupted has the status of a success.
    #[doc(hidden)]
    #[must_use]
    pub fn error_status(&self) -> Option<u16> {
        self.status.filter(|status| *status >= 300)
    }

    /// Returns the reason for the missing response; `None` if the service responded.
    pub(super) fn lost(&self) -> Option<Transport> {
        self.transport.filter(|_| self.error_status().is_none())
    }

    /// Returns `true` if the client itself ended the request, and a retry would end in the same way.
    pub(super) fn is_permanent(&self) -> bool {
        self.transport == Some(Transport::Permanent)
    }

    /// Returns the code, if it is set.
    #[cfg(feature = "driver")]
    pub(crate) fn error_code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}
