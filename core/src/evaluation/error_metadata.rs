//! What the engine knows of an operation's error: its names.

use std::borrow::Cow;
use std::fmt;

use super::reason::ReasonCode;
use crate::definition::base_name;

/// What a host tells of an error.
///
/// An error that the service names is matched by that only; any other by the name of its class, unless that is a generic
/// one such as `Error` or `Exception` (D4).
///
/// # Example: the error of an SDK, and one of a connection
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
    named: Named<'a>,
    message: Cow<'a, str>,
}

/// By what an error is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Named<'a> {
    /// The name of its class.
    Class(Cow<'a, str>),
    /// The service's code or shape id.
    Code(Cow<'a, str>),
    /// All the names that the caller gives it.
    Codes(Vec<Cow<'a, str>>),
    #[default]
    Nothing,
    /// A class that is shown, but not matched by.
    Shown(Cow<'a, str>),
}

/// How much of an error's message is shown, in code points.
const MESSAGE_SHOWN: usize = 500;

/// Class names that say nothing but that something failed.
const GENERIC_CLASSES: [&str; 4] = ["BaseException", "Error", "Exception", "Object"];

impl<'a> ErrorMetadata<'a> {
    /// An error that the service names: its code or shape id.
    #[must_use]
    pub fn of_code(code: impl Into<Cow<'a, str>>) -> Self {
        Self {
            named: Named::Code(code.into()),
            ..Self::default()
        }
    }

    /// An error with several names, any of which is matched by; with none it is matched by no `errorType`.
    #[must_use]
    pub fn of_codes<C: Into<Cow<'a, str>>>(codes: impl IntoIterator<Item = C>) -> Self {
        let codes: Vec<_> = codes.into_iter().map(Into::into).collect();
        let named = if codes.is_empty() {
            Named::Nothing
        } else {
            Named::Codes(codes)
        };
        Self {
            named,
            ..Self::default()
        }
    }

    /// An error of the host: the name of its class.
    #[must_use]
    pub fn of_class(class: impl Into<Cow<'a, str>>) -> Self {
        Self {
            named: Named::Class(class.into()),
            ..Self::default()
        }
    }

    /// An error of which no name is known.
    #[must_use]
    pub fn unnamed() -> Self {
        Self::default()
    }

    /// Adds the error's message, for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<Cow<'a, str>>) -> Self {
        self.message = message.into();
        self
    }

    /// Adds a message where there is none.
    #[cfg(feature = "driver")]
    pub(crate) fn or_message(self, message: impl FnOnce() -> String) -> Self {
        if self.message.is_empty() {
            return self.message(message());
        }
        self
    }

    /// For waits that `errorType` should match by service errors only: a class is shown, but not matched by.
    #[must_use]
    pub fn service_errors_only(mut self) -> Self {
        if let Named::Class(class) = self.named {
            self.named = Named::Shown(class);
        }
        self
    }

    /// Whether it is of a type that a model names: what an `errorType` matcher asks.
    ///
    /// # Example: a code, with and without what protocols add
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

    // SPEC: D4. By the service's code where there is one, else by the name of the class; base classes never match.
    /// Whether the error is of an expected type.
    pub(crate) fn check(&self, expected: &str) -> ReasonCode {
        let expected = base_name(expected);
        match &self.named {
            Named::Class(class) if GENERIC_CLASSES.contains(&base_name(class)) => ReasonCode::Null,
            Named::Class(class) if base_name(class) == expected => ReasonCode::MatchedByClass,
            Named::Code(code) if base_name(code) == expected => ReasonCode::Matched,
            Named::Codes(codes) if codes.iter().any(|code| base_name(code) == expected) => {
                ReasonCode::Matched
            }
            Named::Class(_) | Named::Code(_) | Named::Codes(_) => ReasonCode::NotEqual,
            Named::Nothing | Named::Shown(_) => ReasonCode::Null,
        }
    }

    /// The first name it is known by.
    pub(crate) fn into_name(self) -> Option<Cow<'a, str>> {
        match self.named {
            Named::Class(name) | Named::Code(name) | Named::Shown(name) => Some(name),
            Named::Codes(names) => names.into_iter().next(),
            Named::Nothing => None,
        }
    }

    /// What it says, whole.
    #[cfg(feature = "driver")]
    pub(crate) fn own_message(&self) -> &str {
        &self.message
    }

    /// Hides the message, if there is one.
    pub(crate) fn redacted(&self) -> ErrorMetadata<'_> {
        let shown = if self.message.is_empty() {
            ""
        } else {
            "(redacted)"
        };
        self.clone().message(shown)
    }

    /// Whether all that is known is the name of its class.
    pub(crate) const fn has_class(&self) -> bool {
        matches!(self.named, Named::Class(_) | Named::Shown(_))
    }

    /// The names it is known by, for people.
    fn names(&self) -> Option<Cow<'_, str>> {
        match &self.named {
            Named::Class(name) | Named::Code(name) | Named::Shown(name) => {
                Some(Cow::Borrowed(name))
            }
            Named::Codes(names) => Some(Cow::Owned(names.join(" or "))),
            Named::Nothing => None,
        }
    }

    /// The error in one line: `ResourceNotFoundException: table not found`.
    pub(crate) fn describe(&self) -> String {
        let name = self.names();
        let name = name.as_deref().unwrap_or("an unnamed error");
        let mut line = one_line(name, MESSAGE_SHOWN);
        let message = one_line(&self.message, MESSAGE_SHOWN);
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

/// A text of a service without line breaks and what else would control a terminal, and no more of it than people read: a
/// reason is one line, and an error may be a page of HTML.
pub(crate) fn one_line(text: &str, mut room: usize) -> String {
    let mut shown = String::new();
    for line in text.split(char::is_control).map(str::trim) {
        if !line.is_empty() && !shown.is_empty() {
            shown.push(' ');
        }
        for char in line.chars() {
            if room == 0 {
                shown.push('…');
                return shown;
            }
            shown.push(char);
            room = room.saturating_sub(1);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_matched_by_what_names_them() {
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
        for (facts, expected) in checks {
            assert_eq!(facts.check("b#NotFound"), expected, "{facts}");
        }
        assert_eq!(
            ErrorMetadata::of_class("Exception").check("Exception"),
            ReasonCode::Null
        );
    }

    #[test]
    fn a_message_is_one_line_that_people_can_read() {
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
