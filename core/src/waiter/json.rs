//! Constructors for the JSON of acceptors and matchers.

use serde_json::{Map, Value as Json};

use crate::definition::matcher::Root;
use crate::definition::state::State;

fn object(members: Vec<(&str, Json)>) -> Json {
    let mut object = Map::new();
    for (name, value) in members {
        object.insert(name.to_owned(), value);
    }
    Json::Object(object)
}

pub(super) fn acceptor(state: State, matcher: Json) -> Json {
    object(vec![("state", state.as_str().into()), ("matcher", matcher)])
}

pub(super) fn error_type(name: &str) -> Json {
    object(vec![("errorType", name.into())])
}

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
