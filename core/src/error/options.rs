//! Errors of options. Names are stored separately from the text, so that each host can display its own spelling.

use std::borrow::Cow;
use std::fmt;

use super::nearest;
use crate::text::cut;

/// Error returned when an option is missing, unknown, of the wrong type, out of range, or in conflict with another.
///
/// # Example: conflicting delays
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{WaitOptions, Waiter};
///
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}], "maxDelay": 5}"#)?;
/// let options = WaitOptions::new(Duration::from_secs(60)).min_delay(Duration::from_secs(10));
/// let error = ready.start(&options, 1).unwrap_err();
/// assert_eq!((error.code, &*error.option), ("conflicting_options", "minDelay"));
/// assert_eq!(error.to_string(), "`min_delay` 10 s (option) is above `max_delay` 5 s (definition)");
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionsError {
    /// The stable code, for programs: `missing_option`, `invalid_option`, `unknown_option`, `conflicting_options`.
    pub code: &'static str,
    /// The culprit's name in camel case: `minDelay`.
    pub option: String,
    parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The camel-case name of an option.
    Option(Cow<'static, str>),
    Text(Cow<'static, str>),
}

/// The maximum number of characters of a value in a message.
const LONGEST_VALUE: usize = 200;

/// Returns a rule, and the beginning of the value that violates it.
fn but_got(rule: &str, got: &str) -> Part {
    format!(" {rule}, got {}", cut(got, LONGEST_VALUE)).into()
}

pub(crate) const fn option(name: &'static str) -> Part {
    Part::Option(Cow::Borrowed(name))
}

impl From<&'static str> for Part {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl OptionsError {
    pub(crate) fn new(
        code: &'static str,
        option: impl Into<String>,
        parts: impl Into<Vec<Part>>,
    ) -> Self {
        Self {
            code,
            option: option.into(),
            parts: parts.into(),
        }
    }

    /// Creates an error for the value of an option that only a host can check, such as a function. `rule` is the name of
    /// a rule that hosts share, or the text of another rule, such as `a clock or a function`.
    #[doc(hidden)]
    #[must_use]
    pub fn must_be(name: &str, rule: &str, got: &str) -> Self {
        let shared = HOST_RULES.iter().find(|(shared, _)| *shared == rule);
        let rule = shared.map_or_else(|| format!("must be {rule}"), |(_, text)| (*text).to_owned());
        let option = Part::Option(name.to_owned().into());
        let parts = [option, but_got(&rule, got)];
        Self::new("invalid_option", name, parts)
    }

    pub(crate) fn missing(name: &'static str) -> Self {
        Self::new("missing_option", name, [option(name), " is missing".into()])
    }

    pub(crate) fn invalid(name: &'static str, rule: &'static str, got: &str) -> Self {
        let parts = [option(name), but_got(rule, got)];
        Self::new("invalid_option", name, parts)
    }

    /// Creates an error for a part of an option, such as `show[1]`.
    pub(crate) fn at(name: &'static str, place: String, problem: String) -> Self {
        let parts = [Part::Option(place.into()), problem.into()];
        Self::new("invalid_option", name, parts)
    }

    /// Creates an error for an option whose value is invalid because of another error.
    pub(crate) fn from_cause(name: &'static str, problem: &dyn fmt::Display) -> Self {
        let parts = [option(name), format!(": {problem}").into()];
        Self::new("invalid_option", name, parts)
    }

    pub(crate) fn conflict(name: &'static str, parts: impl Into<Vec<Part>>) -> Self {
        Self::new("conflicting_options", name, parts)
    }

    /// Creates an error for an unknown option. With the feature `hints`, the message suggests a similar known name.
    /// Without a suggestion, `otherwise` is appended.
    pub(crate) fn unknown(name: &str, known: &[&str], otherwise: &str) -> Self {
        let named = |name: &str| Part::Option(name.to_owned().into());
        let mut parts = vec![named(name), " is not an option".into()];
        match nearest(name, known) {
            Some(near) => parts.extend([", did you mean ".into(), named(near), "?".into()]),
            None => parts.push(otherwise.to_owned().into()),
        }
        Self::new("unknown_option", name, parts)
    }

    /// Returns the message with the names of options in backticks. `spell` converts a camel-case name such as `maxWait`
    /// to the host's spelling.
    pub fn message(&self, spell: impl Fn(&str) -> String) -> String {
        render(&self.parts, spell)
    }
}

/// Joins the parts of a message, with the names of options in backticks.
pub(crate) fn render(parts: &[Part], spell: impl Fn(&str) -> String) -> String {
    let text = |part: &Part| match part {
        Part::Option(name) => format!("`{}`", spell(name)),
        Part::Text(text) => text.to_string(),
    };
    parts.iter().map(text).collect()
}

/// The rules for options that hosts check.
const HOST_RULES: [(&str, &str); 10] = [
    ("boolean", "must be a boolean"),
    ("compression", "must be a `RequestCompression`"),
    ("count", "must be an integer from 0 to 2^53 - 1"),
    ("function", "must be a function"),
    ("operation", "must be an `Operation`"),
    ("quota", "must be a `RetryQuota`"),
    ("settings", "must be a `CompressionSettings`"),
    ("source", "must return a string"),
    ("strategy", "must be a retry strategy"),
    ("waiter", "must be a `Waiter`"),
];

/// Formats the message with the names of Rust's options.
impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(snake_case))
    }
}

// Includes the message, because `main` prints the debug form of an error that it returns.
impl fmt::Debug for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptionsError")
            .field("code", &self.code)
            .field("option", &self.option)
            .field("message", &self.to_string())
            .finish()
    }
}

impl std::error::Error for OptionsError {}

/// Returns the snake-case name of an option, as used in Rust and Python: `max_wait` for `maxWait`.
#[must_use]
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
