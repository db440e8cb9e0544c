//! The matchers of acceptors.
//!
//! Clauses: [Matcher](https://smithy.io/2.0/additional-specs/waiters.html#matcher-union),
//! [PathMatcher](https://smithy.io/2.0/additional-specs/waiters.html#pathmatcher-structure),
//! [PathComparator](https://smithy.io/2.0/additional-specs/waiters.html#pathcomparator-enum).

use std::fmt;

use crate::jmespath::Expression;
use crate::text::quote;
use crate::value::Name;

/// A matcher of the specification.
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    ErrorType(Box<str>),
    Path(PathMatcher),
    Success(bool),
}

/// The value on which a path is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Root {
    /// An object with the operation's `input` and `output`.
    InputOutput,
    Output,
}

/// A path and the value that it is compared with.
#[derive(Clone, Debug)]
pub(crate) struct PathMatcher {
    root: Root,
    path: Expression,
    expected: Expected,
    /// The expectations of this acceptor and of later ones with the same path, which one evaluation compares. None if an
    /// earlier one has them.
    expectations: Box<[Expectation]>,
}

/// The value that an acceptor expects of a path.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    /// The acceptor's index.
    pub(crate) acceptor: usize,
    pub(crate) expected: Expected,
}

/// A comparator and its expected value.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    AllStrings(Name),
    AnyString(Name),
    Boolean(bool),
    String(Name),
}

impl Matcher {
    /// Returns `true` if the matcher can match a failed call (`failed`) or a successful one (`!failed`).
    pub(crate) const fn applies_to(&self, failed: bool) -> bool {
        match self {
            Self::ErrorType(_) => failed,
            Self::Path(_) => !failed,
            Self::Success(expected) => *expected != failed,
        }
    }

    pub(crate) const fn is_error_type(&self) -> bool {
        matches!(self, Self::ErrorType(_))
    }

    pub(crate) const fn error_type(&self) -> Option<&str> {
        match self {
            Self::ErrorType(name) => Some(name),
            Self::Path(_) | Self::Success(_) => None,
        }
    }

    pub(crate) const fn path_matcher(&self) -> Option<&PathMatcher> {
        match self {
            Self::Path(matcher) => Some(matcher),
            Self::ErrorType(_) | Self::Success(_) => None,
        }
    }

    pub(crate) const fn path_matcher_mut(&mut self) -> Option<&mut PathMatcher> {
        match self {
            Self::Path(matcher) => Some(matcher),
            Self::ErrorType(_) | Self::Success(_) => None,
        }
    }
}

impl PathMatcher {
    pub(crate) fn new(root: Root, path: Expression, expected: Expected) -> Self {
        Self {
            root,
            path,
            expected,
            expectations: Box::default(),
        }
    }

    pub(crate) const fn root(&self) -> Root {
        self.root
    }

    pub(crate) const fn path(&self) -> &Expression {
        &self.path
    }

    pub(crate) const fn expected(&self) -> &Expected {
        &self.expected
    }

    /// The expectations of this acceptor and of later ones with the same path; none if an earlier one has them.
    pub(crate) const fn expectations(&self) -> &[Expectation] {
        &self.expectations
    }

    pub(crate) fn set_expectations(&mut self, expectations: Vec<Expectation>) {
        self.expectations = expectations.into();
    }

    /// Returns `true` if both matchers evaluate the same path on the same value.
    pub(crate) fn has_path_of(&self, other: &Self) -> bool {
        self.root == other.root && self.path.text() == other.path.text()
    }
}

impl Expected {
    /// Returns the expected text, or `None` if a boolean is expected.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::AllStrings(expected) | Self::AnyString(expected) | Self::String(expected) => {
                Some(expected.as_str())
            }
            Self::Boolean(_) => None,
        }
    }

    /// Returns the expected text of list items, and `true` if one matching item is enough.
    pub(crate) const fn of_items(&self) -> Option<(&Name, bool)> {
        match self {
            Self::AllStrings(expected) => Some((expected, false)),
            Self::AnyString(expected) => Some((expected, true)),
            Self::Boolean(_) | Self::String(_) => None,
        }
    }
}

/// Formats everything that affects the matcher's decision, in one line. The definition's fingerprint depends on it.
impl fmt::Display for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ErrorType(name) => write!(f, "errorType {}", quote(name)),
            Self::Path(matcher) => {
                let root = match matcher.root {
                    Root::InputOutput => "inputOutput",
                    Root::Output => "output",
                };
                let path = quote(matcher.path.text());
                write!(f, "{root} {path}: {}", matcher.expected)
            }
            Self::Success(expected) => write!(f, "success {expected}"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (items, expected) = match self {
            Self::AllStrings(expected) => ("every item of an array to be ", expected),
            Self::AnyString(expected) => ("any item of an array to be ", expected),
            Self::Boolean(expected) => return write!(f, "{expected}"),
            Self::String(expected) => ("", expected),
        };
        write!(f, "{items}{}", quote(expected.as_str()))
    }
}
