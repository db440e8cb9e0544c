//! Detection of failed connections and timeouts in an error's chain.

use std::error::Error;
use std::{io, iter};

use super::causes::CauseChain;
use super::{RequestFailure, Transport};

/// The messages of private error types. The chains of hyper 1, hyper-util, reqwest 0.12 and tokio 1 contain no other
/// indication. Other clients' messages are not recognized; their users can set the [`Transport`].
const TEXTS: [(&str, Transport); 3] = [
    (
        "connection closed before message completed",
        Transport::Connection,
    ),
    ("deadline has elapsed", Transport::Timeout),
    ("operation timed out", Transport::Timeout),
];

impl RequestFailure<'_> {
    /// Creates a failure from an error's chain.
    ///
    /// It detects an [`io::Error`] for a failed connection or a timeout, and the messages that hyper, reqwest and tokio
    /// use for them. If a client reports more, set it explicitly, for example `failure.transport(Transport::Timeout)`
    /// for reqwest's `is_timeout()`.
    ///
    /// # Example: a reset connection in the chain of a client's error
    ///
    /// ```
    /// use std::{fmt, io};
    /// use std::error::Error;
    /// use smithy_waiters::retry::{RequestFailure, RetrySafety};
    ///
    /// #[derive(Debug)]
    /// struct ClientError(io::Error);
    /// # impl fmt::Display for ClientError {
    /// #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str("the request failed") }
    /// # }
    /// impl Error for ClientError {
    ///     fn source(&self) -> Option<&(dyn Error + 'static)> {
    ///         Some(&self.0)
    ///     }
    /// }
    ///
    /// let error = ClientError(io::ErrorKind::ConnectionReset.into());
    /// let info = RequestFailure::of_error(&error).idempotent(true).classify().info;
    /// assert_eq!(info.retry.map(|retry| retry.safety), Some(RetrySafety::Yes));
    /// ```
    #[must_use]
    pub fn of_error(error: &(dyn Error + 'static)) -> Self {
        let links = chain(error).map(|link| Self {
            transport: transport_of(link),
            ..Self::default()
        });
        let causes: CauseChain<'_> = links.collect();
        causes.into_failure().unwrap_or_default()
    }

    /// Creates a failure from an error of the SDK's connection class, which also contains unresolved host names and
    /// invalid certificates.
    #[cfg(feature = "aws-sdk")]
    pub(crate) fn of_connection_error(error: &(dyn Error + 'static)) -> Self {
        let failure = Self::of_error(error);
        if failure.transport.is_some() || has_invalid_certificate(error) {
            return failure;
        }
        failure.transport(Transport::Connection)
    }
}

impl<'a> RequestFailure<'a> {
    /// Creates a failure from a response with an error status: the status and the headers that request a pause.
    ///
    /// `header` returns the value of a header by its name in lower case.
    ///
    /// # Example: the headers of any HTTP client
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use smithy_waiters::retry::RequestFailure;
    ///
    /// let headers = HashMap::from([("retry-after", "120")]);
    /// let failure = RequestFailure::of_response(503, |name| headers.get(name).copied());
    /// let retry = failure.classify().info.retry.ok_or("nothing known")?;
    /// assert_eq!(retry.retry_after.map(|pause| pause.as_secs()), Some(120));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of_response(status: u16, header: impl Fn(&str) -> Option<&'a str>) -> Self {
        let mut failure = Self::default().status(status);
        if let Some(value) = header("retry-after") {
            failure = failure.retry_after(value);
        }
        if let Some(value) = header("x-amz-retry-after") {
            failure = failure.amz_retry_after(value);
        }
        failure
    }
}

fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    iter::successors(Some(error), |error| (**error).source())
}

fn transport_of(error: &(dyn Error + 'static)) -> Option<Transport> {
    let io = error.downcast_ref::<io::Error>();
    io.and_then(transport_of_kind)
        .or_else(|| transport_of_text(error))
        .or_else(|| resolution_failure(error))
}

fn transport_of_text(error: &dyn Error) -> Option<Transport> {
    let text = error.to_string();
    let found = TEXTS.iter().find(|(message, _)| *message == text);
    found.map(|(_, transport)| *transport)
}

/// The message of hyper-util for a host name that doesn't resolve, and the start of the standard library's.
const DNS: [&str; 2] = ["dns error", "failed to lookup address information"];

/// The messages of operating systems for a resolver that doesn't respond (`EAI_AGAIN`).
const NO_RESOLVER: [&str; 2] = ["Temporary failure in name resolution", "Try again"];

/// Returns the transport for a failed name resolution.
fn resolution_failure(error: &(dyn Error + 'static)) -> Option<Transport> {
    let text = error.to_string();
    if !DNS.iter().any(|dns| text.starts_with(dns)) {
        return None;
    }
    let has_no_resolver = chain(error).any(|error| {
        let text = error.to_string();
        NO_RESOLVER.iter().any(|words| text.contains(words))
    });
    Some(if has_no_resolver {
        Transport::Connection
    } else {
        Transport::HostNotFound
    })
}

/// Searches for the message of rustls, which the errors around it include.
#[cfg(feature = "aws-sdk")]
fn has_invalid_certificate(error: &(dyn Error + 'static)) -> bool {
    chain(error).any(|error| error.to_string().starts_with("invalid peer certificate"))
}

fn transport_of_kind(error: &io::Error) -> Option<Transport> {
    match error.kind() {
        io::ErrorKind::TimedOut => Some(Transport::Timeout),
        io::ErrorKind::BrokenPipe
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::ConnectionRefused
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkDown
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::NotConnected
        | io::ErrorKind::UnexpectedEof => Some(Transport::Connection),
        _ => None,
    }
}
