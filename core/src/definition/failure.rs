//! Failures that a caller adds to a waiter: values of the path that leads to success, or matchers.

use serde_json::Value as Json;

use super::acceptor::Acceptor;
use super::json::{acceptor, path_matcher};
use super::matcher::{PathMatcher, Root};
use super::member::{At, wrong_type};
use super::state::State;
use crate::error::DefinitionError;
use crate::jmespath::Names;

/// The path whose values are the states of a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatePath<'a> {
    root: Root,
    path: &'a str,
    /// The expected state.
    pub(super) goal: &'a str,
    /// `true` if the path gives a list of states.
    is_list: bool,
}

impl<'a> StatePath<'a> {
    pub(super) const fn of_output(path: &'a str, goal: &'a str, is_list: bool) -> Self {
        Self {
            root: Root::Output,
            path,
            goal,
            is_list,
        }
    }

    /// Returns the path of a matcher; `None` for one that compares a boolean.
    pub(super) fn of_matcher(matcher: &'a PathMatcher) -> Option<Self> {
        Some(Self {
            root: matcher.root(),
            path: matcher.path().text(),
            goal: matcher.expected().text()?,
            is_list: matcher.expected().of_items().is_some(),
        })
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        (self.root, self.path) == (other.root, other.path)
    }

    /// Returns the matcher of a state; of a list, one item is enough.
    pub(super) fn matcher(&self, expected: &str) -> Json {
        let comparator = if self.is_list {
            "anyStringEquals"
        } else {
            "stringEquals"
        };
        path_matcher(self.root, self.path, comparator, expected)
    }
}

/// Returns failure acceptors: of each text, which is a value of `path`, and of each matcher.
///
/// # Errors
///
/// `no_state_path` for a text if there is no path, with its cause `without`; whatever is wrong with a matcher.
pub(super) fn failures(
    fail: &[Json],
    path: Option<StatePath<'_>>,
    without: &str,
) -> Result<Vec<Json>, DefinitionError> {
    let failure = |(index, item): (usize, &Json)| {
        let at = At::new("fail").item(index);
        let matcher = match (item, path) {
            (Json::String(value), Some(path)) => path.matcher(value),
            (Json::String(value), None) => {
                let message = format!("`{value}` needs a path: {without}; give a matcher instead");
                return Err(at.error("no_state_path", message));
            }
            (Json::Object(_), _) => item.clone(),
            _ => {
                let rule = "a value of the path or a matcher";
                return Err(wrong_type(at.as_str(), "a failure", rule, item));
            }
        };
        checked(acceptor(State::Failure, matcher), &at).map_err(|error| DefinitionError {
            // The matcher is what the caller gave.
            path: error.path.replacen("].matcher", "]", 1),
            ..error
        })
    };
    fail.iter().enumerate().map(failure).collect()
}

/// Returns an acceptor that is valid.
pub(super) fn checked(acceptor: Json, at: &At) -> Result<Json, DefinitionError> {
    Acceptor::new(&acceptor, at, &mut Names::default())?;
    Ok(acceptor)
}
