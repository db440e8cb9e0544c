//! What is wrong with an option: data until somebody displays it, in the spelling of a host.

use std::borrow::Cow;
use std::fmt;

/// An option that is missing, of the wrong type, or out of its range.
///
/// # Example: delays that contradict each other
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
    /// The option to blame, as vectors write it: `minDelay`.
    pub option: String,
    parts: Vec<Part>,
}

/// A part of what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// An option, by its name in vectors.
    Option(Cow<'static, str>),
    Text(Cow<'static, str>),
}

/// The part that names an option.
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

    /// A value that an option cannot have: `rule` says what it must be.
    pub(crate) fn invalid(name: &'static str, rule: &'static str, got: &str) -> Self {
        let parts = [option(name), format!(" {rule}, got {got}").into()];
        Self::new("invalid_option", name, parts)
    }

    /// A value that cannot be taken, for a reason that has words of its own.
    pub(crate) fn refused(name: &'static str, problem: &dyn fmt::Display) -> Self {
        let parts = [option(name), format!(": {problem}").into()];
        Self::new("invalid_option", name, parts)
    }

    pub(crate) fn conflict(name: &'static str, parts: impl Into<Vec<Part>>) -> Self {
        Self::new("conflicting_options", name, parts)
    }

    /// An option that is none of those known; with the feature `hints`, the message names the one that it may stand for.
    pub(crate) fn unknown(name: &str, known: &[&'static str]) -> Self {
        let named = Part::Option(name.to_owned().into());
        let mut parts = vec![named, " is not an option".into()];
        parts.extend(meant(name, known));
        Self::new("unknown_option", name, parts)
    }

    /// What is wrong, for people, with each option in backticks and as `spell` has its name in vectors (`maxWait`).
    pub fn message(&self, spell: impl Fn(&str) -> String) -> String {
        let mut message = String::new();
        for part in &self.parts {
            match part {
                Part::Option(name) => {
                    message.push('`');
                    message.push_str(&spell(name));
                    message.push('`');
                }
                Part::Text(text) => message.push_str(text),
            }
        }
        message
    }
}

#[cfg(feature = "hints")]
fn meant(name: &str, known: &[&'static str]) -> Vec<Part> {
    crate::hint::nearest(name, known).map_or_else(Vec::new, |near| {
        vec![", did you mean ".into(), option(near), "?".into()]
    })
}

#[cfg(not(feature = "hints"))]
const fn meant(_: &str, _: &[&'static str]) -> [Part; 0] {
    []
}

/// In Rust's own spelling.
impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(snake_case))
    }
}

/// The message, not its parts: it is what `main` prints of an error that it returns.
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

/// `max_wait` for `maxWait`: an option's name in Rust and Python.
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
