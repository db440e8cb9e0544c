//! Failures that a caller adds to a waiter: matchers, or values of the path that leads to success.

use serde_json::Value as Json;

use super::json::{acceptor, path_matcher};
use crate::definition::acceptor::Acceptor;
use crate::definition::matcher::{PathMatcher, Root};
use crate::definition::member::{At, wrong_type};
use crate::definition::state::State;
use crate::error::DefinitionError;
use crate::jmespath::Names;

/// The path whose values are the states of a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatePath<'a> {
    root: Root,
    path: &'a str,
    /// The state that leads to success.
    pub(super) goal: &'a str,
    /// `true` if the value of the path is a list of states.
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

    /// Returns the path of a matcher, or `None` if the matcher compares a boolean.
    pub(super) fn of_matcher(matcher: &'a PathMatcher) -> Option<Self> {
        Some(Self {
            root: matcher.root(),
            path: matcher.path().text(),
            goal: matcher.expected().text()?,
            is_list: matcher.expected().of_items().is_some(),
        })
    }

    pub(super) fn is_same_path(&self, other: &Self) -> bool {
        (self.root, self.path) == (other.root, other.path)
    }

    /// Returns a matcher for a state. In a list, one matching item is enough.
    pub(super) fn matcher(&self, expected: &str) -> Json {
        let comparator = if self.is_list {
            "anyStringEquals"
        } else {
            "stringEquals"
        };
        path_matcher(self.root, self.path, comparator, expected)
    }
}

/// Returns the failure acceptor of an item. A string is a value of `path`; an object is a matcher.
///
/// # Errors
///
/// - `no_state_path` for a string if `path` is `None`; `without` is the reason for the message.
/// - `wrong_type` for any other item, and the codes of invalid matchers.
pub(super) fn failure(
    index: usize,
    item: &Json,
    path: Option<StatePath<'_>>,
    without: &str,
) -> Result<Json, DefinitionError> {
    let at = At::new("fail").item(index);
    let matcher = match (item, path) {
        (Json::String(value), Some(path)) => path.matcher(value),
        (Json::String(value), None) => {
            let message =
                format!("`{value}` requires a path, but {without}: use a matcher instead");
            return Err(at.error("no_state_path", message));
        }
        (Json::Object(_), _) => item.clone(),
        _ => {
            let rule = "a string or a matcher";
            return Err(wrong_type(at.as_str(), "a failure", rule, item));
        }
    };
    validate(acceptor(State::Failure, matcher), &at).map_err(|error| DefinitionError {
        // The caller passed only the matcher, so that the path must not mention the acceptor around it.
        path: error.path.replacen("].matcher", "]", 1),
        ..error
    })
}

/// Returns the acceptor if it is valid.
pub(super) fn validate(acceptor: Json, at: &At) -> Result<Json, DefinitionError> {
    Acceptor::new(&acceptor, at, &mut Names::default())?;
    Ok(acceptor)
}
