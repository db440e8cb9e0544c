//! What the engine knows of an operation's error: its names.

use std::borrow::Cow;
use std::fmt;

/// What a host tells of an error.
///
/// An error with a [`code`](Self::code) is matched by that only; any other by the name of its
/// [`class`](Self::class), unless that name is a generic one such as `Error` or `Exception` (D4).
///
/// # Example: the error of an SDK, and one of a connection
///
/// ```
/// use smithy_waiters::ErrorFacts;
///
/// let missing = ErrorFacts::of_code("ResourceNotFoundException").message("table not found");
/// let broken = ErrorFacts::of_class("ConnectTimeoutError").message("connect timed out");
/// # let _ = (missing, broken);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorFacts<'a> {
    code: Option<Cow<'a, str>>,
    class: Option<Cow<'a, str>>,
    message: Cow<'a, str>,
}

/// Class names that say nothing but that something failed.
const GENERIC_CLASSES: [&str; 4] = ["BaseException", "Error", "Exception", "Object"];

impl<'a> ErrorFacts<'a> {
    /// An error that the service names: its code or shape id.
    #[must_use]
    pub fn of_code(code: impl Into<Cow<'a, str>>) -> Self {
        Self {
            code: Some(code.into()),
            ..Self::default()
        }
    }

    /// An error of the host: the name of its class.
    #[must_use]
    pub fn of_class(class: impl Into<Cow<'a, str>>) -> Self {
        Self {
            class: Some(class.into()),
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

    /// The name to match by, and whether it is that of a class; `None` where there is nothing to match by.
    pub(crate) fn name(&self) -> Option<(&str, bool)> {
        if let Some(code) = &self.code {
            return Some((base_name(code), false));
        }
        let class = base_name(self.class.as_deref()?);
        (!GENERIC_CLASSES.contains(&class)).then_some((class, true))
    }

    /// The error in one line: `ResourceNotFoundException: table not found`.
    pub(crate) fn describe(&self) -> String {
        let name = self.code.as_deref().or(self.class.as_deref());
        match (name, &*one_line(&self.message)) {
            (None, "") => "an unnamed error".to_owned(),
            (None, message) => format!("an unnamed error: {message}"),
            (Some(name), "") => name.to_owned(),
            (Some(name), message) => format!("{name}: {message}"),
        }
    }
}

impl fmt::Display for ErrorFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

impl std::error::Error for ErrorFacts<'_> {}

/// A message without line breaks: a reason is one line.
fn one_line(message: &str) -> Cow<'_, str> {
    if !message.contains(['\n', '\r']) {
        return Cow::Borrowed(message);
    }
    let lines = message.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    Cow::Owned(lines.join(" "))
}

// SPEC: D4. "If an absolute shape ID is provided, the error is matched only based on the name part of the shape ID"; on
// both sides, and without what some protocols append after a colon.
/// The part of a shape id, code or class that errors are matched by.
pub(crate) fn base_name(name: &str) -> &str {
    let (name, _) = name.split_once(':').unwrap_or((name, ""));
    name.rsplit_once('#').map_or(name, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_at_the_colon_then_after_the_number_sign() {
        for name in [
            "com.example#NotFound",
            "NotFound:http://example.com/#x",
            "a#NotFound:b",
            "NotFound",
        ] {
            assert_eq!(base_name(name), "NotFound");
        }
    }

    #[test]
    fn a_code_rules_over_a_class() {
        let facts = ErrorFacts {
            class: Some("ClientError".into()),
            ..ErrorFacts::of_code("NotFound")
        };
        assert_eq!(facts.name(), Some(("NotFound", false)));
        assert_eq!(ErrorFacts::of_class("Exception").name(), None);
    }
}
