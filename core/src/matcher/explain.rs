//! Why a matcher did or did not match, in words: made on demand, by looking again.

use std::fmt;

use super::{Expected, Matcher, PathMatcher, Seen, input_output};
use crate::expression::{Evaluator, Item, quote, render, tame};
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
        input: Option<&V>,
        seen: &Seen<'_, V>,
    ) -> String {
        match (self, seen) {
            (Self::ErrorType(expected), Seen::Failure(error)) => {
                let mut text = format!("got {}", error.describe());
                if !code.is_match() {
                    text.push_str(", expected ");
                    text.push_str(base_name(expected));
                }
                text.push_str(match code {
                    ReasonCode::MatchedByClass => ", by its class: it has no service code",
                    // A class that is not looked at may well be called as expected.
                    ReasonCode::Null if error.has_class() => ", but it has no service code",
                    _ => "",
                });
                text
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

impl Matcher {
    /// What the matcher expects, after the reason of another one that matched a response: `, expected "ACTIVE"`. `None` if both
    /// do not look at responses by a path.
    pub(crate) fn expected_beside(&self, matched: &Self) -> Option<String> {
        let (this, other) = (self.path_matcher()?, matched.path_matcher()?);
        let expected = this.expected.describe();
        if this.path.text() == other.path.text() {
            return Some(format!(", expected {expected}"));
        }
        Some(format!(", expected of {} {expected}", this.path.text()))
    }

    const fn path_matcher(&self) -> Option<&PathMatcher> {
        match self {
            Self::InputOutput(matcher) | Self::Output(matcher) => Some(matcher),
            Self::ErrorType(_) | Self::Success(_) => None,
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
        let mut text = format!("{path} gave {}", render(&value, SHOWN));
        text.push_str(&if code.is_match() {
            self.expected.matched()
        } else {
            format!(", expected {}", self.expected.describe())
        });
        if code == ReasonCode::Null {
            // What cannot be read has nothing to say.
            let _ = astray(self.path.root().members(), root, &mut text);
        }
        // Names of members are a user's words, as values are.
        text.chars().map(tame).collect()
    }
}

/// Says where a path that gives nothing leaves the response: at a member that is misspelt, in a response that was forgotten
/// or not parsed.
fn astray<V: Value>(path: &[Name], root: &Item<'_, V>, text: &mut String) -> Result<(), ReadError> {
    let (mut value, mut place) = (root.clone(), "the response");
    for name in path {
        let member = value.walk(std::slice::from_ref(name))?;
        if !member.is_null()? {
            (value, place) = (member, name.as_str());
            continue;
        }
        text.push_str(" (");
        text.push_str(place);
        let kind = value.kind()?;
        if kind == Kind::Object {
            text.push_str(" has no value for ");
            text.push_str(name.as_str());
            push_set(&value, text)?;
        } else {
            text.push_str(" is ");
            text.push_str(&describe(kind));
        }
        text.push(')');
        break;
    }
    Ok(())
}

/// The names of the members that are set, cut where they get long.
fn push_set<V: Value>(object: &Item<'_, V>, text: &mut String) -> Result<(), ReadError> {
    let (full, mut between) = (text.len().saturating_add(SHOWN), ", only for ");
    for (name, member) in object.sorted_members()? {
        if member.is_null()? {
            continue;
        }
        text.push_str(between);
        if text.len() > full {
            text.push('…');
            break;
        }
        text.push_str(&name);
        between = ", ";
    }
    Ok(())
}

impl Expected {
    /// What it is that matched, where the value alone does not say it.
    fn matched(&self) -> String {
        let (items, expected) = match self {
            Self::AllStrings(expected) => (": every item is ", expected),
            Self::AnyString(expected) => (": an item is ", expected),
            Self::Boolean(_) | Self::String(_) => return String::new(),
        };
        items.to_owned() + &quote(expected.as_str())
    }

    fn describe(&self) -> String {
        let (items, expected) = match self {
            Self::AllStrings(expected) => ("every item of an array to be ", expected),
            Self::AnyString(expected) => ("any item of an array to be ", expected),
            Self::Boolean(expected) => return expected.to_string(),
            Self::String(expected) => ("", expected),
        };
        format!("{items}{}", quote(expected.as_str()))
    }
}
