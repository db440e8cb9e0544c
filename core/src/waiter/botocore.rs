//! Waiters in botocore's format, `waiters-2.json`.
//!
//! The translation is exact for responses and errors that boto3 returns: a response has its status as
//! `ResponseMetadata.HTTPStatusCode`, and an error has the names that [`error_names`] returns.

use std::time::Duration;

use serde_json::{Map, Value as Json};

use super::failure::validate;
use super::json::{acceptor, error_type, path_matcher};
use crate::definition::acceptor::state;
use crate::definition::matcher::Root;
use crate::definition::member::{At, json_of, missing, wrong_type};
use crate::error::{DefinitionError, letters, listed, nearest};
use crate::options::Defaults;
use crate::waiter::Waiter;

/// The version of the format that this module reads.
const VERSION: u64 = 2;

const MATCHERS: &str = "`path`, `pathAll`, `pathAny`, `status` or `error`";

/// The name of every error of a service. No error code contains `=`.
const ANY_ERROR: &str = "ClientError=any";

/// A waiter of a file, translated.
#[derive(Debug)]
pub struct BotocoreWaiter {
    /// The name of the operation, such as `DescribeInstances`.
    pub operation: String,
    /// The waiter, which has the delay as its minimum and maximum delays if the specification allows it. Its defaults are
    /// the delay and the number of attempts in the file, and a late last poll.
    pub waiter: Waiter,
}

/// Returns the names of an error with this service code and HTTP status, which the translated acceptors match.
#[must_use]
pub fn error_names(code: &str, status: Option<u16>) -> Vec<String> {
    let status = status.map(status_name);
    let names = [Some(code.to_owned()), status, Some(ANY_ERROR.to_owned())];
    names.into_iter().flatten().collect()
}

fn status_name(status: u16) -> String {
    format!("HTTPStatusCode={status}")
}

/// Returns the names of a file's waiters in alphabetical order.
///
/// # Errors
///
/// Returns a [`DefinitionError`] if the text is not a file in botocore's format, or of another version.
pub fn names(file: &str) -> Result<Vec<String>, DefinitionError> {
    let file = json_of("waiters file", file)?;
    let mut names: Vec<String> = waiters(&file)?.keys().cloned().collect();
    names.sort_unstable();
    Ok(names)
}

/// Translates the waiter with this name, which may be written as `InstanceRunning` or `instance_running`.
///
/// # Errors
///
/// Returns the errors of [`names`], `unknown_waiter` with the available names, and any error of the waiter with its path
/// in the file.
pub fn waiter(file: &str, name: &str) -> Result<BotocoreWaiter, DefinitionError> {
    let file = json_of("waiters file", file)?;
    let (name, waiter) = find_in(waiters(&file)?, name)?;
    let at = At::new("waiters").member(name);
    let members = at.object(&format!("`{name}`"), waiter)?;
    let (delay, max_attempts) = limits(members, &at)?;
    let definition = definition(members, delay, &at)?;
    let place = |error: DefinitionError| DefinitionError {
        path: at.member(&error.path).as_str().to_owned(),
        ..error
    };
    let waiter = Waiter::from_value(&definition, Some(&camel_case(name))).map_err(place)?;
    Ok(BotocoreWaiter {
        waiter: waiter.with_defaults(Defaults::botocore(delay, max_attempts)),
        operation: at.required_string(members, "operation")?.to_owned(),
    })
}

/// Returns the name of the waiter as the file has it.
///
/// # Errors
///
/// Returns the errors of [`names`], and `unknown_waiter` with the available names.
pub fn find(file: &str, name: &str) -> Result<String, DefinitionError> {
    let file = json_of("waiters file", file)?;
    let (name, _) = find_in(waiters(&file)?, name)?;
    Ok(name.clone())
}

fn find_in<'a>(
    waiters: &'a Map<String, Json>,
    name: &str,
) -> Result<(&'a String, &'a Json), DefinitionError> {
    // boto3 names a waiter `bucket_exists` and the file `BucketExists`.
    let in_another_style = || {
        let mut waiters = waiters.iter();
        waiters.find(|(known, _)| letters(known) == letters(name))
    };
    let found = waiters.get_key_value(name).or_else(in_another_style);
    found.ok_or_else(|| unknown(name, waiters))
}

fn waiters(file: &Json) -> Result<&Map<String, Json>, DefinitionError> {
    let members = At::new("").object("the waiters file", file)?;
    match members.get("version") {
        None => return Err(missing("", "version")),
        Some(version) if version.as_u64() == Some(VERSION) => {}
        Some(version) => {
            let message = format!("botocore's format must have version {VERSION}, got {version}");
            return Err(At::new("version").error("unsupported_version", message));
        }
    }
    match members.get("waiters") {
        None => Err(missing("", "waiters")),
        Some(waiters) => At::new("waiters").object("`waiters`", waiters),
    }
}

fn unknown(name: &str, waiters: &Map<String, Json>) -> DefinitionError {
    let mut known: Vec<&str> = waiters.keys().map(String::as_str).collect();
    known.sort_unstable();
    let suggestion = nearest(name, &known).map(|near| format!("; did you mean `{near}`?"));
    let listed = listed(&known);
    let suggestion = suggestion.unwrap_or_default();
    let message = format!("no waiter `{name}`: there are {listed}{suggestion}");
    At::new("").error("unknown_waiter", message)
}

/// Returns the delay between two attempts and the maximum number of attempts.
fn limits(members: &Map<String, Json>, at: &At) -> Result<(Duration, u64), DefinitionError> {
    let delay = at.required(members, "delay")?;
    // A fraction is valid in botocore, which passes the number to `time.sleep`.
    let seconds = delay
        .as_f64()
        .and_then(|delay| Duration::try_from_secs_f64(delay).ok());
    let seconds = seconds.ok_or_else(|| {
        let at = at.member("delay");
        wrong_type(
            at.as_str(),
            "`delay`",
            "a number of seconds, at least 0",
            delay,
        )
    });
    let attempts = at.required(members, "maxAttempts")?;
    let count = attempts.as_u64().filter(|count| *count > 0).ok_or_else(|| {
        let at = at.member("maxAttempts");
        wrong_type(
            at.as_str(),
            "`maxAttempts`",
            "an integer of at least 1",
            attempts,
        )
    });
    Ok((seconds?, count?))
}

fn definition(
    members: &Map<String, Json>,
    delay: Duration,
    at: &At,
) -> Result<Json, DefinitionError> {
    let acceptors = at.required(members, "acceptors")?;
    let at = at.member("acceptors");
    let Json::Array(acceptors) = acceptors else {
        return Err(wrong_type(
            at.as_str(),
            "`acceptors`",
            "an array",
            acceptors,
        ));
    };
    let mut translated = Vec::new();
    for (index, acceptor) in acceptors.iter().enumerate() {
        translated.extend(acceptors_of(acceptor, &at.item(index))?);
    }
    let mut definition = Map::new();
    definition.insert("acceptors".to_owned(), Json::Array(translated));
    let seconds = delay.as_secs();
    // The specification allows whole seconds only. Other delays are only defaults.
    if seconds > 0 && delay.subsec_nanos() == 0 {
        definition.insert("minDelay".to_owned(), seconds.into());
        definition.insert("maxDelay".to_owned(), seconds.into());
    }
    Ok(Json::Object(definition))
}

/// Translates an acceptor. A status becomes two: one for responses and one for errors.
fn acceptors_of(json: &Json, at: &At) -> Result<Vec<Json>, DefinitionError> {
    let members = at.object("the acceptor", json)?;
    let state = state(members, at)?;
    let place = |error: DefinitionError| DefinitionError {
        path: error.path.replacen("matcher.output.path", "argument", 1),
        ..error
    };
    let matchers = matchers(members, at)?.into_iter();
    matchers
        .map(|matcher| validate(acceptor(state, matcher), at).map_err(place))
        .collect()
}

fn matchers(members: &Map<String, Json>, at: &At) -> Result<Vec<Json>, DefinitionError> {
    let matcher = at.required_string(members, "matcher")?;
    let expected = at.required(members, "expected")?;
    let invalid =
        |rule: &str| wrong_type(at.member("expected").as_str(), "`expected`", rule, expected);
    match (matcher, expected) {
        ("path" | "pathAll" | "pathAny", _) => {
            let path = at.required_string(members, "argument")?;
            let comparison = comparison(matcher, path, expected);
            let comparison = comparison.ok_or_else(|| invalid("a value other than null"))?;
            Ok(vec![comparison.matcher()])
        }
        ("error", Json::String(code)) => Ok(vec![error_type(code)]),
        ("error", Json::Bool(true)) => Ok(vec![error_type(ANY_ERROR)]),
        ("error", Json::Bool(false)) => Ok(vec![serde_json::json!({"success": true})]),
        ("error", _) => Err(invalid("an error code or a boolean")),
        ("status", _) => {
            let status = expected
                .as_u64()
                .and_then(|status| u16::try_from(status).ok());
            let status = status.ok_or_else(|| invalid("an HTTP status"))?;
            let path = format!("ResponseMetadata.HTTPStatusCode == `{status}`");
            let of_response = path_matcher(Root::Output, &path, "booleanEquals", "true");
            Ok(vec![of_response, error_type(&status_name(status))])
        }
        (other, _) => {
            let message = format!("unknown matcher `{other}`: it must be {MATCHERS}");
            Err(at.member("matcher").error("unknown_matcher", message))
        }
    }
}

/// The members of a path matcher in Smithy.
#[derive(Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The JMESPath expression.
    pub path: String,
    /// The comparator, such as `allStringEquals`.
    pub comparator: &'static str,
    /// The expected value.
    pub expected: String,
}

impl Comparison {
    fn matcher(&self) -> Json {
        path_matcher(Root::Output, &self.path, self.comparator, &self.expected)
    }
}

/// Translates a matcher `path`, `pathAll` or `pathAny`. Smithy compares only strings and booleans, so other comparisons
/// become a part of the path.
///
/// Returns `None` for null in a list: a filter in JMESPath drops null, so no path can find it.
#[must_use]
pub fn comparison(matcher: &str, path: &str, expected: &Json) -> Option<Comparison> {
    let comparator = match (matcher, expected) {
        // A projection drops nulls, so that no item could equal null.
        ("pathAll" | "pathAny", Json::Null) => return None,
        ("path", Json::String(_)) => "stringEquals",
        ("pathAll", Json::String(_)) => "allStringEquals",
        ("pathAny", Json::String(_)) => "anyStringEquals",
        _ => "booleanEquals",
    };
    let literal = format!("`{}`", expected.to_string().replace('`', "\\`"));
    let (path, expected) = match (matcher, expected) {
        (_, Json::String(expected)) => (path.to_owned(), expected.clone()),
        ("path", Json::Bool(expected)) => (path.to_owned(), expected.to_string()),
        ("path", _) => (format!("({path}) == {literal}"), "true".to_owned()),
        ("pathAny", _) => (format!("!!(({path})[?@ == {literal}])"), "true".to_owned()),
        _ => {
            // Without the first condition, an empty list would match and `length` would fail on null.
            let all = format!("({path}) && length(({path})[?@ == {literal}]) == length({path})");
            (all, "true".to_owned())
        }
    };
    Some(Comparison {
        path,
        comparator,
        expected,
    })
}

/// Returns a name in the specification's grammar: `job_done` becomes `JobDone`.
fn camel_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{comparison, error_names, names, waiter};
    use crate::options::{FromHost, WaitOptions};
    use crate::{ErrorMetadata, Observation, State};

    fn file(acceptors: &Json) -> String {
        let thing =
            json!({"operation": "GetThing", "delay": 5, "maxAttempts": 3, "acceptors": acceptors});
        json!({"version": 2, "waiters": {"ThingReady": thing}}).to_string()
    }

    fn success(matcher: &str, expected: &Json) -> Json {
        json!([{"matcher": matcher, "argument": "Things[]", "expected": expected, "state": "success"}])
    }

    #[test]
    fn a_status_is_the_one_of_a_response_or_of_an_error() {
        let translated = waiter(&file(&success("status", &json!(404))), "thing_ready").unwrap();
        let response = json!({"ResponseMetadata": {"HTTPStatusCode": 404}});
        let verdict = translated
            .waiter
            .evaluate(&Json::Null, Observation::Response(&response));
        assert_eq!(verdict.state(), State::Success);
        for (status, state) in [(404, State::Success), (400, State::Failure)] {
            let names = error_names("Whatever", Some(status));
            let metadata = ErrorMetadata::of_codes(names);
            let verdict = translated
                .waiter
                .evaluate(&Json::Null, Observation::Error(&metadata));
            assert_eq!(verdict.state(), state, "{status}");
        }
    }

    #[test]
    fn a_waiter_has_an_attempt() {
        let text =
            file(&success("pathAny", &json!(1))).replace("\"maxAttempts\":3", "\"maxAttempts\":0");
        let error = waiter(&text, "ThingReady").unwrap_err().to_string();
        assert!(error.contains("an integer of at least 1"), "{error}");
    }

    #[test]
    fn lists_are_compared_with_other_values_than_strings() {
        for (matcher, expected, things, matches) in [
            ("pathAll", json!(true), json!([true, true]), true),
            ("pathAll", json!(true), json!([true, false]), false),
            ("pathAll", json!(3), json!([]), false),
            ("pathAny", json!(3), json!([1, 3]), true),
            ("pathAny", json!(3), json!(3), false),
            ("path", json!([1, 3]), json!([1, 3]), true),
        ] {
            let translated = waiter(&file(&success(matcher, &expected)), "ThingReady").unwrap();
            let response = json!({"Things": things});
            let verdict = translated
                .waiter
                .evaluate(&Json::Null, Observation::Response(&response));
            assert_eq!(
                verdict.acceptor().is_some(),
                matches,
                "{matcher} {expected} {things}"
            );
        }
        assert_eq!(comparison("pathAny", "a[]", &Json::Null), None);
    }

    #[test]
    fn the_delay_and_the_attempts_are_defaults() {
        let ready = waiter(&file(&success("error", &json!(false))), "ThingReady").unwrap();
        assert_eq!(
            (ready.operation.as_str(), ready.waiter.min_delay().as_secs()),
            ("GetThing", 5)
        );
        let options = WaitOptions::from_host(&json!({})).unwrap();
        assert!(ready.waiter.start(&options, 1).is_ok());
    }

    #[test]
    fn mistakes_name_their_place() {
        let acceptors = |json: Json| waiter(&file(&json), "ThingReady").unwrap_err().to_string();
        let cases = [
            (
                acceptors(
                    json!([{"matcher": "path", "argument": "a[", "expected": "x", "state": "success"}]),
                ),
                "waiters.ThingReady.acceptors[0].argument",
            ),
            (
                acceptors(json!([{"matcher": "paths", "expected": "x", "state": "success"}])),
                "unknown matcher `paths`",
            ),
            (
                acceptors(success("status", &json!("404"))),
                "`expected` must be an HTTP status, got a string",
            ),
            (
                waiter(&file(&json!([])), "ThingReddy")
                    .unwrap_err()
                    .to_string(),
                "no waiter `ThingReddy`: there are `ThingReady`; did you mean `ThingReady`?",
            ),
            (
                names(r#"{"version": 3, "waiters": {}}"#)
                    .unwrap_err()
                    .to_string(),
                "botocore's format must have version 2, got 3",
            ),
            (
                names("{\"version\":").unwrap_err().to_string(),
                "the waiters file is not JSON",
            ),
        ];
        for (message, part) in cases {
            assert!(message.contains(part), "{message}");
        }
    }
}
