//! Why a matcher did or did not match, in words: made on demand, by looking again.

use std::fmt;
use std::rc::Rc;

use super::{Expected, Matcher, PathMatcher, Seen, input_output};
use crate::expression::{Evaluator, Item, quote, render};
use crate::failure::base_name;
use crate::value::{Kind, Name, ReadError, Value, describe};
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
                let got = error.describe();
                match code {
                    ReasonCode::Matched => format!("got {got}"),
                    ReasonCode::MatchedByClass => {
                        format!("got {got}, by its class: it has no service code")
                    }
                    // A class that is not looked at may well be called as expected.
                    ReasonCode::Null if error.has_class() => format!(
                        "got {got}, expected {}, but it has no service code",
                        base_name(expected)
                    ),
                    _ => format!("got {got}, expected {}", base_name(expected)),
                }
            }
            (Self::ErrorType(expected), Seen::Response(_)) => {
                format!(
                    "errorType {} looks at errors only, the call succeeded",
                    base_name(expected)
                )
            }
            (Self::InputOutput(matcher), Seen::Response(output)) => {
                matcher.explain(code, &input_output(input, output))
            }
            (Self::Output(matcher), Seen::Response(output)) => {
                matcher.explain(code, &Item::Host(output.clone()))
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
    fn explain<V: Value>(&self, code: ReasonCode, root: &Item<'_, V>) -> String {
        let path = self.path.text();
        let value = match Evaluator::new().evaluate(self.path.root(), root) {
            Ok(value) => value,
            Err(error) => return format!("{path} could not be evaluated: {}", error.message()),
        };
        let gave = format!("{path} gave {}", render(&value, SHOWN));
        if code.is_match() {
            return gave + &self.expected.matched();
        }
        let astray = match value.kind() {
            Ok(Kind::Null) => astray(self.path.root().members(), root).unwrap_or_default(),
            _ => String::new(),
        };
        format!("{gave}, expected {}{astray}", self.expected.describe())
    }
}

/// Where a path that gives nothing leaves the response: at a member that is misspelt, in a response that was forgotten or
/// not parsed.
fn astray<V: Value>(path: &[Name], root: &Item<'_, V>) -> Result<String, ReadError> {
    let (mut value, mut place, mut names) = (root.clone(), "the response", path.iter());
    loop {
        let (kind, name) = (value.kind()?, names.next());
        let Some(name) = name.filter(|_| kind == Kind::Object) else {
            let is_astray = kind != Kind::Object && (name.is_some() || path.is_empty());
            return Ok(if is_astray {
                format!(" ({place} is {})", describe(kind))
            } else {
                String::new()
            });
        };
        let member = value.walk(std::slice::from_ref(name))?;
        if member.is_null()? {
            let members = value.sorted_members()?.into_iter();
            let set = members.filter(|(_, member)| matches!(member.is_null(), Ok(false)));
            let set = Item::<V>::Array(Rc::new(set.map(|(name, _)| Item::String(name)).collect()));
            let only = match render(&set, SHOWN) {
                none if none == "[]" => String::new(),
                set => format!(", only {set}"),
            };
            return Ok(format!(" ({place} has no {}{only})", name.as_str()));
        }
        (value, place) = (member, name.as_str());
    }
}

impl Expected {
    /// What it is that matched, where the value alone does not say it.
    fn matched(&self) -> String {
        match self {
            Self::AllStrings(expected) => format!(": every item is {}", quote(expected.as_str())),
            Self::AnyString(expected) => format!(": an item is {}", quote(expected.as_str())),
            Self::Boolean(_) | Self::String(_) => String::new(),
        }
    }

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
