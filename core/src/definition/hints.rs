//! Hints for handwritten definitions: misspelled members, and values that are not a waiter.
//!
//! Definitions of models are not checked, because they may use members of a later version of the specification.

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
const ACCEPTOR: [&str; 4] = ["matcher", "message", "state", "unexpected"];
const PATH_MATCHER: [&str; 3] = ["comparator", "expected", "path"];

/// Members of waiter definitions in other libraries, in lower case, each with a hint to its counterpart here.
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
    ("name", "pass the name next to the definition"),
    ("operation", "pass the call to the wait"),
    ("timeout", "the time is an option of the wait"),
];

const BOTOCORE_FORMAT: &str = "this is botocore's format of a waiter, which differs from Smithy's";

/// The number of waiters that the hint for a map lists.
const LISTED: usize = 5;

/// Returns an error for the first misspelled member: a name close to a known member that is missing, a known member in
/// another style such as `min_delay`, or a member of another library. Other unknown members are ignored. See
/// docs/rules.md#definition-members.
pub(crate) fn find_misspelling(definition: &Json) -> Option<DefinitionError> {
    let error = find_misspelling_in(definition, "", "a waiter", &WAITER);
    error
        .or_else(|| find_foreign_member(definition))
        .or_else(|| {
            let acceptors = definition.get("acceptors")?;
            // Another hint describes botocore's format as a whole.
            let acceptors = Some(acceptors).filter(|acceptors| !is_botocore(acceptors));
            let mut acceptors = acceptors?.as_array()?.iter().enumerate();
            acceptors.find_map(|(index, acceptor)| {
                let at = format!("acceptors[{index}].");
                find_misspelling_in(acceptor, &at, "an acceptor", &ACCEPTOR).or_else(|| {
                    let matcher = acceptor.get("matcher")?;
                    ["inputOutput", "output"].into_iter().find_map(|name| {
                        let at = format!("{at}matcher.{name}.");
                        find_misspelling_in(
                            matcher.get(name)?,
                            &at,
                            "a path matcher",
                            &PATH_MATCHER,
                        )
                    })
                })
            })
        })
}

/// Returns an error for the first member that is from another library's format.
fn find_foreign_member(definition: &Json) -> Option<DefinitionError> {
    let members = definition.as_object()?;
    // `hint_for` returns a hint for botocore's format as a whole.
    if members.get("acceptors").is_none_or(is_botocore) {
        return None;
    }
    by_name(members).into_iter().find_map(|(name, _)| {
        let is_of = |(foreign, _): &&(&str, &str)| *foreign == letters(name);
        let (_, place) = FOREIGN.iter().find(is_of)?;
        let message = format!("a waiter has no such member: {place}");
        Some(DefinitionError::new("unknown_member", name, message))
    })
}

/// Adds a hint to an error if the value is a known format that is not a waiter.
pub(crate) fn add_hint(mut error: DefinitionError, value: &Json) -> DefinitionError {
    if let Some(hint) = value.as_object().and_then(hint_for) {
        error.message.push_str("; ");
        error.message.push_str(&hint);
    }
    error
}

fn find_misspelling_in(
    value: &Json,
    at: &str,
    what: &str,
    known: &[&str],
) -> Option<DefinitionError> {
    let members = value.as_object()?;
    by_name(members).into_iter().find_map(|(name, _)| {
        let intended = intended_member(name, members, known)?;
        let message = format!("{what} has no such member, did you mean `{intended}`?");
        Some(DefinitionError::new(
            "unknown_member",
            format!("{at}{name}"),
            message,
        ))
    })
}

/// Returns the known member that a name is a misspelling of. If that member is present too, the name only counts as
/// misspelled if it is the same one in another style.
fn intended_member<'k>(
    name: &str,
    members: &Map<String, Json>,
    known: &[&'k str],
) -> Option<&'k str> {
    let intended = nearest(name, known)?;
    // A name that differs in more than its style may be a member of a later version of the specification.
    let is_another = members.contains_key(intended) && letters(name) != letters(intended);
    (!is_another).then_some(intended)
}

/// Returns a hint if the value is botocore's format, a model or a map of waiters.
fn hint_for(value: &Map<String, Json>) -> Option<String> {
    if let Some(acceptors) = value.get("acceptors") {
        return is_botocore(acceptors).then(|| BOTOCORE_FORMAT.to_owned());
    }
    if value.contains_key("shapes") {
        return Some("this is a model: load one of its waiters by name".to_owned());
    }
    if value.contains_key("waiters") {
        return Some(BOTOCORE_FORMAT.to_owned());
    }
    let waiters = value
        .get("smithy.waiters#waitable")
        .and_then(Json::as_object);
    let names = names_of_waiters(waiters.unwrap_or(value))?;
    Some(format!(
        "this is a map of waiters ({names}): pass one of them"
    ))
}

/// Returns `true` if the matchers of the acceptors are strings, as in botocore's format.
fn is_botocore(acceptors: &Json) -> bool {
    let matcher = acceptors
        .get(0)
        .and_then(|acceptor| acceptor.get("matcher"));
    matcher.is_some_and(Json::is_string)
}

/// Returns the names of the waiters in a map, or `None` for any other object.
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
