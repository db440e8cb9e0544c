//! The names by which an operation's error is matched.

use std::borrow::Cow;
use std::fmt;

use super::reason::ReasonCode;
use super::redaction::REDACTED;
use crate::definition::base_name;
use crate::text::one_line;

/// The names and the message of an error.
///
/// An error with a service code is matched only by that code. An error without one is matched by the name of its class,
/// unless the name is generic, such as `Error` or `Exception`. See [docs/rules.md#error-names](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#error-names).
///
/// # Example: an error of the service, and one of the connection
///
/// ```
/// use smithy_waiters::ErrorMetadata;
///
/// let missing = ErrorMetadata::of_code("ResourceNotFoundException").message("table not found");
/// let broken = ErrorMetadata::of_class("ConnectTimeoutError").message("connect timed out");
/// # let _ = (missing, broken);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorMetadata<'a> {
    names: ErrorNames<'a>,
    message: Cow<'a, str>,
    status: Option<u16>,
    /// Further names of its class and base classes.
    classes: Vec<Cow<'a, str>>,
}

/// The names by which an error can be matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum ErrorNames<'a> {
    /// The name of its class.
    Class(Cow<'a, str>),
    /// A class that is displayed, but not matched.
    ClassForDisplay(Cow<'a, str>),
    /// The service's code or shape ID.
    Code(Cow<'a, str>),
    /// Several codes, any of which can be matched.
    Codes(Vec<Cow<'a, str>>),
    #[default]
    Nothing,
}

/// The maximum length of a displayed message, in code points.
const MESSAGE_LENGTH: usize = 500;

/// Names of base classes, which do not identify an error.
const GENERIC_CLASSES: [&str; 4] = ["BaseException", "Error", "Exception", "Object"];

impl<'a> ErrorMetadata<'a> {
    /// Creates an error with the service's error code or shape ID.
    #[must_use]
    pub fn of_code(code: impl Into<Cow<'a, str>>) -> Self {
        Self {
            names: ErrorNames::Code(code.into()),
            ..Self::default()
        }
    }

    /// Creates an error with several codes. An `errorType` matches any of them. Without a code, it never matches.
    #[must_use]
    pub fn of_codes<C: Into<Cow<'a, str>>>(codes: impl IntoIterator<Item = C>) -> Self {
        let codes: Vec<_> = codes.into_iter().map(Into::into).collect();
        // An error without names has no code to compare: the reason is `null` and not `not_equal`.
        let names = if codes.is_empty() {
            ErrorNames::Nothing
        } else {
            ErrorNames::Codes(codes)
        };
        Self {
            names,
            ..Self::default()
        }
    }

    /// Creates an error without a service code from the name of its class in the host language.
    #[must_use]
    pub fn of_class(class: impl Into<Cow<'a, str>>) -> Self {
        Self {
            names: ErrorNames::Class(class.into()),
            ..Self::default()
        }
    }

    /// Creates an error without a name. An `errorType` never matches it.
    #[must_use]
    pub fn unnamed() -> Self {
        Self::default()
    }

    /// Sets the error's message. It is displayed, but not matched.
    #[must_use]
    pub fn message(mut self, message: impl Into<Cow<'a, str>>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the HTTP status of the response. Without a service code, an error with the status 404 counts as a missing
    /// resource. See [docs/rules.md#not-found](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#not-found).
    ///
    /// # Example: a resource that appears later
    ///
    /// ```
    /// use std::time::Duration;
    /// use smithy_waiters::{ErrorMetadata, Event, Step, WaitOptions, Waiter};
    ///
    /// let waiter = Waiter::until("state", "done").build()?;
    /// let options = WaitOptions::new(Duration::from_secs(60)).not_found_for(Duration::from_secs(20));
    /// let mut wait = waiter.start(&options, 7)?;
    /// wait.poll(0);
    /// let missing = ErrorMetadata::of_class("HttpError").status(404);
    /// assert!(matches!(wait.handle(Event::error(&missing), 10)?, Step::Sleep { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Adds names of the error's class and base classes, which an `errorType` matches even if the error has a service code.
    #[doc(hidden)]
    #[must_use]
    pub fn with_classes<C: Into<Cow<'a, str>>>(
        mut self,
        classes: impl IntoIterator<Item = C>,
    ) -> Self {
        self.classes.extend(classes.into_iter().map(Into::into));
        self
    }

    /// Sets the message if it is empty.
    #[cfg(feature = "driver")]
    pub(crate) fn or_message(self, message: impl FnOnce() -> String) -> Self {
        if self.message.is_empty() {
            return self.message(message());
        }
        self
    }

    /// Excludes the name of the class from matching, so that an `errorType` matches only service codes. The class is
    /// still displayed.
    #[must_use]
    pub fn service_errors_only(mut self) -> Self {
        if let ErrorNames::Class(class) = self.names {
            self.names = ErrorNames::ClassForDisplay(class);
        }
        self
    }

    /// Returns `true` if an `errorType` matcher with this name matches the error.
    ///
    /// # Example: codes with a namespace and a URI
    ///
    /// ```
    /// use smithy_waiters::ErrorMetadata;
    ///
    /// assert!(ErrorMetadata::of_code("aws.protocoltests#NotFound:http://example.com").is("NotFound"));
    /// assert!(!ErrorMetadata::of_code("NotFound").is("NotFoundException"));
    /// ```
    #[must_use]
    pub fn is(&self, error_type: &str) -> bool {
        matches!(
            self.check(error_type),
            ReasonCode::Matched | ReasonCode::MatchedByClass
        )
    }

    /// Compares the error with an expected type: its service code or, without one, its class. Base classes never match.
    /// See docs/rules.md#error-names.
    pub(crate) fn check(&self, expected: &str) -> ReasonCode {
        let expected = base_name(expected);
        if self.classes.iter().any(|class| class == expected) {
            return ReasonCode::MatchedByClass;
        }
        match &self.names {
            // A base class would match every error. Rule: docs/rules.md#error-names
            ErrorNames::Class(class) if GENERIC_CLASSES.contains(&base_name(class)) => {
                ReasonCode::Null
            }
            ErrorNames::Class(class) if base_name(class) == expected => ReasonCode::MatchedByClass,
            ErrorNames::Code(code) if base_name(code) == expected => ReasonCode::Matched,
            ErrorNames::Codes(codes) if codes.iter().any(|code| base_name(code) == expected) => {
                ReasonCode::Matched
            }
            ErrorNames::Class(_) | ErrorNames::Code(_) | ErrorNames::Codes(_) => {
                ReasonCode::NotEqual
            }
            ErrorNames::Nothing | ErrorNames::ClassForDisplay(_) => ReasonCode::Null,
        }
    }

    /// Returns the HTTP status, if it is set.
    pub(crate) const fn http_status(&self) -> Option<u16> {
        self.status
    }

    /// Returns `true` if the error has a code of the service.
    pub(crate) const fn has_code(&self) -> bool {
        matches!(self.names, ErrorNames::Code(_) | ErrorNames::Codes(_))
    }

    /// Returns the first name.
    pub(crate) fn into_name(self) -> Option<Cow<'a, str>> {
        match self.names {
            ErrorNames::Class(name)
            | ErrorNames::Code(name)
            | ErrorNames::ClassForDisplay(name) => Some(name),
            ErrorNames::Codes(names) => names.into_iter().next(),
            ErrorNames::Nothing => None,
        }
    }

    /// The complete message.
    pub(crate) fn own_message(&self) -> &str {
        &self.message
    }

    /// Replaces the message, if it isn't empty.
    pub(crate) fn redacted(&self) -> ErrorMetadata<'_> {
        let message = if self.message.is_empty() {
            ""
        } else {
            REDACTED
        };
        self.clone().message(message)
    }

    /// Returns `true` if the error's only name is its class.
    pub(crate) const fn has_class(&self) -> bool {
        matches!(
            self.names,
            ErrorNames::Class(_) | ErrorNames::ClassForDisplay(_)
        )
    }

    /// Returns the names by which the error can be matched.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &str> {
        let names: &[Cow<'_, str>] = match &self.names {
            ErrorNames::Class(name) | ErrorNames::Code(name) => std::slice::from_ref(name),
            ErrorNames::Codes(names) => names,
            ErrorNames::ClassForDisplay(_) | ErrorNames::Nothing => &[],
        };
        names.iter().map(|name| &**name)
    }

    /// Returns all names, for display.
    fn names(&self) -> Option<Cow<'_, str>> {
        match &self.names {
            ErrorNames::Class(name)
            | ErrorNames::Code(name)
            | ErrorNames::ClassForDisplay(name) => Some(Cow::Borrowed(name)),
            ErrorNames::Codes(names) => {
                // A name with `=` is an attribute, which only waiters of botocore match: docs/rules.md#botocore-waiters.
                let codes = names.iter().map(|name| &**name);
                let codes: Vec<&str> = codes.filter(|name| !name.contains('=')).collect();
                Some(Cow::Owned(codes.join(" or ")))
            }
            ErrorNames::Nothing => None,
        }
    }

    /// Formats the error in one line: `ResourceNotFoundException: table not found`.
    pub(crate) fn describe(&self) -> String {
        let name = self.names();
        let name = name.as_deref().unwrap_or("an unnamed error");
        // The name comes from the service, too.
        let mut line = one_line(name, MESSAGE_LENGTH);
        let message = one_line(&self.message, MESSAGE_LENGTH);
        if !message.is_empty() {
            line.push_str(": ");
            line.push_str(&message);
        }
        line
    }
}

impl fmt::Display for ErrorMetadata<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

impl std::error::Error for ErrorMetadata<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_matched_by_their_names() {
        let checks = [
            (ErrorMetadata::of_code("a#NotFound"), ReasonCode::Matched),
            (
                ErrorMetadata::of_codes(["Gone", "NotFound"]),
                ReasonCode::Matched,
            ),
            (
                ErrorMetadata::of_class("NotFound"),
                ReasonCode::MatchedByClass,
            ),
            (
                ErrorMetadata::of_class("NotFound").service_errors_only(),
                ReasonCode::Null,
            ),
            (ErrorMetadata::of_class("Exception"), ReasonCode::Null),
            (ErrorMetadata::of_code("Exception"), ReasonCode::NotEqual),
            (ErrorMetadata::of_codes([""; 0]), ReasonCode::Null),
        ];
        for (error, expected) in checks {
            assert_eq!(error.check("b#NotFound"), expected, "{error}");
        }
        assert_eq!(
            ErrorMetadata::of_class("Exception").check("Exception"),
            ReasonCode::Null
        );
    }

    #[test]
    fn messages_are_displayed_in_one_line() {
        let describe = |message: &str| {
            ErrorMetadata::of_code("E")
                .message(message.to_owned())
                .describe()
        };
        assert_eq!(describe("\n first \r\n\n second\n"), "E: first second");
        assert_eq!(describe(" \n"), "E");
        assert_eq!(describe("\u{1b}[31mred\u{9b}0m \u{7}"), "E: [31mred 0m");
        let page = describe(&"é".repeat(300_000));
        assert_eq!(page, format!("E: {}…", "é".repeat(500)));
        assert_eq!(describe(&"x".repeat(500)).len(), 503);
    }
}
