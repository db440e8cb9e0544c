//! Why a matcher did or did not match, in words: made on demand, by looking again.

use std::fmt;

use super::{Expected, Matcher, PathMatcher, Seen, input_output};
use crate::expression::{Evaluator, Item, quote, render};
use crate::failure::base_name;
use crate::value::{Kind, Value, describe};
use crate::verdict::ReasonCode;

/// How much of what a path gave is shown, in code points (D12).
const SHOWN: usize = 200;

impl Matcher {
    /// The reason for a code that [`check`](Self::check) gave on the same values.
    pub(crate) fn explain<V: Value>(
        &self,
        code: ReasonCode,
        input: &V,
        seen: &Seen<'_, V>,
    ) -> String {
        match (self, seen) {
            (Self::ErrorType(expected), Seen::Failure(error)) => {
                let by = match code {
                    ReasonCode::MatchedByClass => ", by its class: it has no service code",
                    // A class that is not looked at may well be called as expected.
                    ReasonCode::Null if error.has_class() => ", but it has no service code",
                    _ => "",
                };
                format!(
                    "got {}, expected {}{by}",
                    error.describe(),
                    base_name(expected)
                )
            }
            (Self::ErrorType(expected), Seen::Response(_)) => {
                format!(
                    "errorType {} looks at errors only, the call succeeded",
                    base_name(expected)
                )
            }
            (Self::InputOutput(matcher), Seen::Response(output)) => {
                matcher.explain(&input_output(input, output))
            }
            (Self::Output(matcher), Seen::Response(output)) => {
                matcher.explain(&Item::Host(output.clone()))
            }
            (Self::InputOutput(matcher) | Self::Output(matcher), Seen::Failure(_)) => {
                format!(
                    "{} looks at responses only, the call failed",
                    matcher.path.text()
                )
            }
            (Self::Success(_), Seen::Response(_)) => "the call succeeded".to_owned(),
            (Self::Success(_), Seen::Failure(error)) => {
                format!("the call failed: {}", error.describe())
            }
        }
    }
}

/// The matcher in one line, all that it decides by.
impl fmt::Display for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ErrorType(name) => write!(f, "errorType {}", quote(name)),
            Self::InputOutput(matcher) => write!(f, "inputOutput {matcher}"),
            Self::Output(matcher) => write!(f, "output {matcher}"),
            Self::Success(expected) => write!(f, "success {expected}"),
        }
    }
}

impl fmt::Display for PathMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}",
            quote(self.path.text()),
            self.expected.describe()
        )
    }
}

impl PathMatcher {
    fn explain<V: Value>(&self, root: &Item<'_, V>) -> String {
        let path = self.path.text();
        match Evaluator::new().evaluate(self.path.root(), root) {
            Ok(value) => format!(
                "{path} gave {}, expected {}{}",
                render(&value, SHOWN),
                self.expected.describe(),
                no_object(&value, root)
            ),
            Err(error) => format!("{path} could not be evaluated: {}", error.message()),
        }
    }
}

/// A path that gives nothing on what is no object: most often a response that was forgotten, or not parsed.
fn no_object<V: Value>(value: &Item<'_, V>, root: &Item<'_, V>) -> String {
    match (value.kind(), root.kind()) {
        (Ok(Kind::Null), Ok(root)) if root != Kind::Object => {
            format!(" (the response is {})", describe(root))
        }
        _ => String::new(),
    }
}

impl Expected {
    fn describe(&self) -> String {
        match self {
            Self::AllStrings(expected) => {
                format!("every item of an array to be {}", quote(expected.as_str()))
            }
            Self::AnyString(expected) => {
                format!("any item of an array to be {}", quote(expected.as_str()))
            }
            Self::Boolean(expected) => expected.to_string(),
            Self::String(expected) => quote(expected.as_str()),
        }
    }
}
