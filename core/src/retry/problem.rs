//! Permanent errors of a wait, by what a person can do about them.

use super::failed_request::RequestFailure;
use super::transient::EXPIRED_CREDENTIALS;
use crate::error::Spelling;
use crate::evaluation::ErrorMetadata;

/// The codes by which a service denies a call.
const DENIED: [&str; 10] = [
    "403",
    "AccessDenied",
    "AccessDeniedException",
    "AuthorizationError",
    "AuthorizationErrorException",
    "Forbidden",
    "ForbiddenException",
    "NotAuthorized",
    "NotAuthorizedException",
    "UnauthorizedOperation",
];

/// The codes for invalid credentials, and the classes of a client's errors for missing ones.
const CREDENTIALS: [&str; 14] = [
    "401",
    "AuthFailure",
    "CredentialRetrievalError",
    "CredentialsProviderError",
    "InvalidAccessKeyId",
    "InvalidClientTokenId",
    "InvalidSignatureException",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "NoCredentialsError",
    "PartialCredentialsError",
    "SignatureDoesNotMatch",
    "UnauthorizedException",
    "UnrecognizedClientException",
];

/// The beginnings and the ends of codes for a missing resource.
const MISSING: [&[&str]; 2] = [
    &["404", "NoSuch"],
    &[
        "DoesNotExist",
        "NonExistentQueue",
        "NotFound",
        "NotFoundException",
        "NotFoundFault",
    ],
];

/// The HTTP status for a missing resource.
const NOT_FOUND: u16 = 404;

/// The kind of an error that ends a wait. See docs/rules.md#failures.
#[derive(Clone, Debug)]
pub(crate) enum Problem {
    Credentials,
    Denied,
    Expired,
    /// The resource is missing, according to this code of the service or to the status.
    Missing(Option<String>),
    Other,
    /// An error of the program, or an error that no option can name.
    Unnamed,
    /// A transient error, which an option does not retry.
    Transient,
}

impl Problem {
    /// Returns `true` if the error says that the resource does not exist.
    pub(crate) const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing(_))
    }

    /// Returns `true` if the error may be about some of the resources of a call, and not about the caller.
    pub(crate) const fn is_of_resource(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::Other)
    }

    pub(crate) fn of(error: Option<&ErrorMetadata<'_>>) -> Self {
        let Some(error) = error else {
            return Self::Unnamed;
        };
        let failure = RequestFailure::from(error.clone());
        let [starts, ends] = MISSING;
        let is_missing = |code: &str| {
            starts.iter().any(|start| code.starts_with(start))
                || ends.iter().any(|end| code.ends_with(end))
        };
        match failure.base_code() {
            _ if failure.has_code(&EXPIRED_CREDENTIALS) => Self::Expired,
            _ if failure.has_code(&DENIED) => Self::Denied,
            _ if failure.has_code(&CREDENTIALS) => Self::Credentials,
            Some(code) if is_missing(code) => Self::Missing(Some(code.to_owned())),
            // A service's code is more specific: AWS also answers unknown operations with this status.
            // Rule: docs/rules.md#not-found
            _ if error.http_status() == Some(NOT_FOUND) && !error.has_code() => Self::Missing(None),
            None => Self::Unnamed,
            _ if error.has_class() => Self::Unnamed,
            _ => Self::Other,
        }
    }

    /// Returns the text of an error, with the option that would keep the wait going.
    pub(crate) fn describe(&self, error: &str, spelling: Spelling) -> String {
        let (retry_errors, not_found_for) = (
            spelling.option("retryErrors"),
            spelling.option("notFoundFor"),
        );
        let unless = format!("{error} (permanent unless an acceptor or {retry_errors} names it)");
        match self {
            Self::Credentials => format!(
                "missing or invalid credentials: {error} (configure the credentials of the client)"
            ),
            Self::Denied => format!("access denied: {unless}"),
            Self::Expired => format!(
                "the credentials have expired and were not renewed: {error} (a long wait needs credentials that the client renews)"
            ),
            Self::Missing(None) => format!(
                "the resource does not exist: {error} (to keep waiting for it, set {not_found_for})"
            ),
            Self::Missing(Some(code)) => format!(
                "the resource does not exist: {error} (to keep waiting for it, set {not_found_for}, or add {code} to {retry_errors} or as an acceptor)"
            ),
            Self::Other => format!("the call failed: {unless}"),
            Self::Unnamed => format!("the call failed: {error}"),
            Self::Transient => {
                let fail = spelling.setting("transientErrors", "fail");
                format!("the call failed: {error} ({fail} does not retry it)")
            }
        }
    }
}
