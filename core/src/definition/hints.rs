//! What a definition was meant to be: its members that are misspelt, and other things that were given in its place.
//!
//! For definitions that people write. Those of models may be of a later version of the specification, which knows more.

use serde_json::{Map, Value as Json};

use super::member::by_name;
use crate::error::DefinitionError;
use crate::error::{letters, nearest};

/// The members of a Waiter structure.
const WAITER: [&str; 7] = [
    "acceptors",
    "deprecated",
    "documentation",
    "maxDelay",
    "minDelay",
    "redact",
    "tags",
];
const ACCEPTOR: [&str; 3] = ["matcher", "message", "state"];
const PATH_MATCHER: [&str; 3] = ["comparator", "expected", "path"];

/// Members that other libraries have in the definition of a waiter, in lower case, and the place of each here.
const FOREIGN: [(&str, &str); 7] = [
    (
        "argument",
        "the path of a response is the matcher's `output.path`",
    ),
    (
        "delay",
        "the delays are `minDelay` and `maxDelay`, in seconds",
    ),
    (
        "interval",
        "the delays are `minDelay` and `maxDelay`, in seconds",
    ),
    (
        "maxattempts",
        "the number of attempts is an option of the wait",
    ),
    ("name", "the name is given beside the definition"),
    ("operation", "the call is given to the wait"),
    ("timeout", "the time is an option of the wait"),
];

const BOTOCORES: &str = "this is botocore's form of a waiter, which is another than Smithy's";

/// How many waiters of a map are listed.
const LISTED: usize = 5;

// SPEC: D9. Unknown members are ignored; but for those that look like a known one that is not there, or are one in another style.
/// The first member that is one letter or two from a known one.
pub(crate) fn misspelt(definition: &Json) -> Option<DefinitionError> {
    let misspelt = misspelt_in(definition, "", "a waiter", &WAITER);
    misspelt.or_else(|| foreign(definition)).or_else(|| {
        let mut acceptors = definition.get("acceptors")?.as_array()?.iter().enumerate();
        acceptors.find_map(|(index, acceptor)| {
            let at = format!("acceptors[{index}].");
            misspelt_in(acceptor, &at, "an acceptor", &ACCEPTOR).or_else(|| {
                let matcher = acceptor.get("matcher")?;
                ["inputOutput", "output"].into_iter().find_map(|name| {
                    let at = format!("{at}matcher.{name}.");
                    misspelt_in(matcher.get(name)?, &at, "a path matcher", &PATH_MATCHER)
                })
            })
        })
    })
}

/// The first member that another library would read.
fn foreign(definition: &Json) -> Option<DefinitionError> {
    let members = definition.as_object()?;
    // Botocore's form is explained as a whole.
    if members.get("acceptors").is_none_or(is_botocores) {
        return None;
    }
    by_name(members).into_iter().find_map(|(name, _)| {
        let is_of = |(foreign, _): &&(&str, &str)| *foreign == letters(name);
        let (_, place) = FOREIGN.iter().find(is_of)?;
        let message = format!("a waiter has no such member: {place}");
        Some(DefinitionError::new("unknown_member", name, message))
    })
}

/// The same error, and what was given instead of a waiter, where that is known.
pub(crate) fn explained(mut error: DefinitionError, given: &Json) -> DefinitionError {
    if let Some(hint) = given.as_object().and_then(instead) {
        error.message.push_str("; ");
        error.message.push_str(&hint);
    }
    error
}

fn misspelt_in(value: &Json, at: &str, what: &str, known: &[&str]) -> Option<DefinitionError> {
    let members = value.as_object()?;
    by_name(members).into_iter().find_map(|(name, _)| {
        let meant = meant(name, members, known)?;
        let message = format!("{what} has no such member, did you mean `{meant}`?");
        Some(DefinitionError::new(
            "unknown_member",
            format!("{at}{name}"),
            message,
        ))
    })
}

/// The known member that a name may stand for, unless that is there too; the same one in another style always.
fn meant<'k>(name: &str, members: &Map<String, Json>, known: &[&'k str]) -> Option<&'k str> {
    let meant = nearest(name, known)?;
    let is_another = members.contains_key(meant) && letters(name) != letters(meant);
    (!is_another).then_some(meant)
}

/// What was given, where it is no waiter, but something else that is known.
fn instead(given: &Map<String, Json>) -> Option<String> {
    if let Some(acceptors) = given.get("acceptors") {
        return is_botocores(acceptors).then(|| BOTOCORES.to_owned());
    }
    if given.contains_key("shapes") {
        return Some("this is a model: take a waiter of it by its name".to_owned());
    }
    if given.contains_key("waiters") {
        return Some(BOTOCORES.to_owned());
    }
    let waiters = given
        .get("smithy.waiters#waitable")
        .and_then(Json::as_object);
    let names = names_of_waiters(waiters.unwrap_or(given))?;
    Some(format!(
        "this is a map of waiters ({names}): give one of them"
    ))
}

/// Whether the matchers of acceptors are words, as botocore has them.
fn is_botocores(acceptors: &Json) -> bool {
    let matcher = acceptors
        .get(0)
        .and_then(|acceptor| acceptor.get("matcher"));
    matcher.is_some_and(Json::is_string)
}

/// The names of waiters, by which they are in a map.
fn names_of_waiters(map: &Map<String, Json>) -> Option<String> {
    let is_waiter = |(_, value): &(&str, &Json)| value.get("acceptors").is_some();
    let waiters = by_name(map);
    if waiters.is_empty() || !waiters.iter().all(is_waiter) {
        return None;
    }
    let listed = waiters.iter().take(LISTED);
    let mut names: Vec<String> = listed.map(|(name, _)| format!("`{name}`")).collect();
    if waiters.len() > LISTED {
        names.push("…".to_owned());
    }
    Some(names.join(", "))
}
