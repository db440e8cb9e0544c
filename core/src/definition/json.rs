//! The JSON of acceptors and matchers that the short forms make.

use serde_json::{Map, Value as Json};

use super::matcher::Root;
use super::state::State;

/// Returns an object of these members.
fn object(members: Vec<(&str, Json)>) -> Json {
    let mut object = Map::new();
    for (name, value) in members {
        object.insert(name.to_owned(), value);
    }
    Json::Object(object)
}

/// Returns an acceptor.
pub(super) fn acceptor(state: State, matcher: Json) -> Json {
    object(vec![("state", state.as_str().into()), ("matcher", matcher)])
}

/// Returns the matcher of an error.
pub(super) fn error_type(name: &str) -> Json {
    object(vec![("errorType", name.into())])
}

/// Returns the matcher of a path.
pub(super) fn path_matcher(root: Root, path: &str, comparator: &str, expected: &str) -> Json {
    let root = match root {
        Root::InputOutput => "inputOutput",
        Root::Output => "output",
    };
    let matcher = object(vec![
        ("path", path.into()),
        ("comparator", comparator.into()),
        ("expected", expected.into()),
    ]);
    object(vec![(root, matcher)])
}
