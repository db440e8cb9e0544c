//! The data of the reasons of an evaluation: a code for each acceptor and an excerpt for each path. Reasons are rendered
//! from it on demand.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::excerpt::{Excerpt, LONGEST_TEXT};
use super::observation::Observation;
use super::reason::{Reason, ReasonCode};
use super::redaction::Redacted;
use crate::definition::{Acceptor, CompiledGoal, Expected, Matcher, PathMatcher, base_name};
use crate::jmespath::{Expression, Item};
use crate::text::{cut, escape_control_char, quote};
use crate::value::{Kind, Name, ReadError, Value, describe};

/// The data of the reasons of one evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReasonData {
    codes: Codes,
    /// The number of acceptors up to the one that matched.
    tested: usize,
    /// The value of each path, with the first acceptor that has the path.
    data: Box<[(usize, Excerpt)]>,
    /// The error of a failed call in one line, and `true` if only its class is known.
    error: Option<(Box<str>, bool)>,
    /// The host's warning about the response. See [`Value::warning`].
    warning: Option<Box<str>>,
}

impl ReasonData {
    pub(crate) fn new<V: Value>(
        codes: Codes,
        tested: usize,
        mut data: Vec<(usize, Excerpt)>,
        seen: &Observation<'_, V>,
        redacted: &Redacted,
    ) -> Self {
        // Redacted when they are stored and not when they are displayed, so that the data never contain the values.
        for (acceptor, excerpt) in &mut data {
            let [is_redacted, _] = redacted.acceptor(*acceptor);
            if is_redacted {
                *excerpt = excerpt.redacted();
            }
        }
        let error = match seen {
            Observation::Response(_) => None,
            Observation::Error(error) => Some((redacted.describe(error).into(), error.has_class())),
        };
        let has_odd_value = (0..tested).any(|index| codes.get(index).is_some_and(is_odd));
        let warning = match seen {
            // The warning can only explain a null or an unexpected type.
            Observation::Response(response) if has_odd_value => response.warning(),
            _ => None,
        };
        Self {
            codes,
            tested,
            // Without the room that it grew by: each member of a fleet keeps the data of its latest attempt.
            data: data.into(),
            error,
            warning: warning.map(String::into),
        }
    }

    /// The error of a failed call, in one line.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_ref().map(|(line, _)| &**line)
    }

    /// Returns the reasons in the order of the acceptors, up to the one that matched.
    pub(crate) fn reasons(&self, acceptors: &[Acceptor]) -> Vec<Reason> {
        let all = acceptors;
        let acceptors = all.iter().enumerate().take(self.tested);
        let reason = |(index, acceptor): (usize, &Acceptor)| {
            let code = self.codes.get(index)?;
            Some(Reason {
                acceptor: Some(index),
                code,
                text: self.text(all, index, acceptor.matcher(), code),
            })
        };
        acceptors.filter_map(reason).collect()
    }

    fn text(
        &self,
        acceptors: &[Acceptor],
        index: usize,
        matcher: &Matcher,
        code: ReasonCode,
    ) -> String {
        match (matcher, &self.error) {
            (Matcher::ErrorType(expected), Some((error, has_class))) => {
                let mut text = format!("got {error}");
                if !code.is_match() {
                    text.push_str(", expected ");
                    text.push_str(&displayed(expected));
                }
                text.push_str(match code {
                    ReasonCode::MatchedByClass if *has_class => {
                        ", by its class: it has no service code"
                    }
                    ReasonCode::MatchedByClass => ", by its class",
                    // Explains why an error whose class has the expected name does not match.
                    ReasonCode::Null if *has_class => ", but it has no service code",
                    _ => "",
                });
                text
            }
            (Matcher::ErrorType(expected), None) => {
                let expected = displayed(expected);
                format!("errorType {expected} applies to errors only, the call succeeded")
            }
            (Matcher::Path(matcher), None) => match acceptors.get(index).map(Acceptor::goals) {
                None | Some([]) => self.text_of_path(acceptors, index, matcher, code),
                Some(goals) => self.text_of_goals(index, goals, code),
            },
            (Matcher::Path(matcher), Some(_)) => {
                let goal = acceptors.get(index).and_then(|one| one.goals().first());
                let path = goal.map_or(matcher.path(), CompiledGoal::path).text();
                format!("{path} applies to responses only, the call failed")
            }
            (Matcher::Success(_), None) => "the call succeeded".to_owned(),
            (Matcher::Success(_), Some((error, _))) => format!("the call failed: {error}"),
        }
    }

    fn text_of_path(
        &self,
        acceptors: &[Acceptor],
        index: usize,
        matcher: &PathMatcher,
        code: ReasonCode,
    ) -> String {
        let path = matcher.path().text();
        let of_path = |(first, _): &&(usize, Excerpt)| {
            let first = acceptors.get(*first);
            let first = first.and_then(|acceptor| acceptor.path_matcher());
            first.is_some_and(|first| first.has_path_of(matcher))
        };
        // The first acceptor of a path holds the excerpt for all acceptors of that path. The data is in the order of acceptors.
        let own = self
            .data
            .binary_search_by_key(&index, |(acceptor, _)| *acceptor);
        let own = own.ok().and_then(|place| self.data.get(place));
        let excerpt = own.or_else(|| self.data.iter().find(of_path));
        let text = match excerpt {
            Some((_, excerpt)) => {
                let result = describe_result(matcher.expected(), code);
                self.text_of_value(path, excerpt, index, &result, code)
            }
            None => path.to_owned(),
        };
        // Names of members come from the service, as values do, and may contain control characters.
        text.chars().map(escape_control_char).collect()
    }

    /// Describes the goals that were tested: the one that is not reached, or all of them.
    fn text_of_goals(&self, index: usize, goals: &[CompiledGoal], code: ReasonCode) -> String {
        let excerpts = self.data.iter().filter(|(acceptor, _)| *acceptor == index);
        let tested = goals.iter().zip(excerpts);
        let skipped = if code.is_match() {
            0
        } else {
            tested.clone().count().saturating_sub(1)
        };
        let texts = tested.skip(skipped).map(|(goal, (_, excerpt))| {
            let result = if code.is_match() {
                String::new()
            } else {
                let is_list = matches!(excerpt, Excerpt::List { .. });
                format!(", expected {}", goal.expected(is_list))
            };
            self.text_of_value(goal.path().text(), excerpt, index, &result, code)
        });
        let text = texts.collect::<Vec<_>>().join(" and ");
        text.chars().map(escape_control_char).collect()
    }

    fn text_of_value(
        &self,
        path: &str,
        excerpt: &Excerpt,
        index: usize,
        result: &str,
        code: ReasonCode,
    ) -> String {
        let mut text = match (excerpt, excerpt.different(index)) {
            (Excerpt::Unreadable { problem, .. }, _) if code.is_error() => {
                return format!("{path} could not be evaluated: {problem}");
            }
            (Excerpt::Unreadable { items, .. }, _) if items.is_empty() => path.to_owned(),
            (_, Some(different)) => format!("{path}: {different}"),
            (excerpt, None) => format!("{path} gave {excerpt}"),
        };
        text.push_str(result);
        match (excerpt, &self.warning) {
            // The warning of the response explains the null better than the place.
            (_, Some(warning)) if is_odd(code) => {
                // Writing to a string never fails.
                let _ = write!(text, " ({warning})");
            }
            (Excerpt::Null(place), _) => text.push_str(place),
            _ => {}
        }
        text
    }
}

/// Returns `true` if the path's value has a type that the comparator never matches.
const fn is_odd(code: ReasonCode) -> bool {
    matches!(code, ReasonCode::Null | ReasonCode::WrongType)
}

/// Returns the part of a reason that follows the value.
fn describe_result(expected: &Expected, code: ReasonCode) -> String {
    let (items, text) = match expected {
        _ if !code.is_match() => return format!(", expected {expected}"),
        Expected::AllStrings(text) => (": every item is ", text),
        Expected::AnyString(text) => (": an item is ", text),
        Expected::Boolean(_) | Expected::String(_) => return String::new(),
    };
    items.to_owned() + &quote(text.as_str())
}

/// Codes by the index of the acceptor. The first 16 need no allocation, which is enough for most waiters.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Codes {
    first: [Option<ReasonCode>; 16],
    further: Vec<Option<ReasonCode>>,
}

impl Codes {
    pub(crate) fn get(&self, index: usize) -> Option<ReasonCode> {
        let further = || self.further.get(index.saturating_sub(self.first.len()));
        *self.first.get(index).or_else(further)?
    }

    pub(crate) fn set(&mut self, index: usize, code: ReasonCode) {
        if let Some(place) = self.first.get_mut(index) {
            *place = Some(code);
            return;
        }
        let index = index.saturating_sub(self.first.len());
        if self.further.len() <= index {
            self.further.resize(index.saturating_add(1), None);
        }
        if let Some(place) = self.further.get_mut(index) {
            *place = Some(code);
        }
    }
}

/// Describes the first member on a path whose value is null, to help find misspelled names and unparsed responses.
/// Returns an empty text if a value cannot be read.
pub(crate) fn place_of_null<V: Value>(path: &Expression, root: &Item<'_, V>) -> Box<str> {
    let mut text = String::new();
    match push_place(path.root().members(), root, &mut text) {
        Ok(()) => text.into(),
        // The place is an addition: a member that cannot be read must not hide the reason.
        Err(_) => Box::default(),
    }
}

fn push_place<V: Value>(
    path: &[Name],
    root: &Item<'_, V>,
    text: &mut String,
) -> Result<(), ReadError> {
    let (mut value, mut place) = (root.clone(), "the response");
    for name in path {
        let member = value.member_at(std::slice::from_ref(name))?;
        if !member.is_null()? {
            (value, place) = (member, name.as_str());
            continue;
        }
        let kind = value.kind()?;
        // Writing to a string never fails.
        if kind == Kind::Object {
            let _ = write!(
                text,
                " ({} has no value for {}",
                short(place),
                short(name.as_str())
            );
            push_names(&value, text)?;
        } else {
            let _ = write!(text, " ({} is {}", short(place), describe(kind));
        }
        text.push(')');
        break;
    }
    Ok(())
}

/// Appends the names of the members that have a value, truncated if there are many.
fn push_names<V: Value>(object: &Item<'_, V>, text: &mut String) -> Result<(), ReadError> {
    let (full, mut between) = (text.len().saturating_add(LONGEST_TEXT), ", only for ");
    for (name, member) in object.first_members()? {
        if member.is_null()? {
            continue;
        }
        text.push_str(between);
        // A response can have thousands of members.
        if text.len() > full {
            text.push('…');
            break;
        }
        text.push_str(&short(&name));
        between = ", ";
    }
    Ok(())
}

/// Returns the start of a name, which may be as long as a response.
fn short(name: &str) -> Cow<'_, str> {
    cut(name, LONGEST_TEXT)
}

/// Returns the name of an expected error. A name with `=` is an attribute of the engine or a host: `HTTPStatusCode=404`,
/// `ClientError=any`.
fn displayed(expected: &str) -> Cow<'_, str> {
    let name = base_name(expected);
    match name.split_once('=') {
        Some((attribute, "any")) => format!("any {attribute}").into(),
        Some((attribute, value)) => format!("{attribute} {value}").into(),
        None => name.into(),
    }
}
