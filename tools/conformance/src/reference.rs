//! The verdict that the specification requires, written from its text.
//!
//! This is not the engine. Expectations must not follow from the code that they test, so this module evaluates typed
//! trees of paths by the plainest means, and tests compare it with the engine and with jmespath.py. It has the functions
//! that published waiters use and a few others; a path with another function has no expectation.

use std::cmp::Ordering;

use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::typed::{Comparison, Expression, Function, Op};

/// The reason that a path has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The path has an error of types in JMESPath on this value, such as `length(null)`.
    Type(String),
    /// This module doesn't have the function.
    Unknown(&'static str),
}

type Found = Result<Json, Problem>;

/// Evaluates a path.
pub(crate) fn evaluate(expression: &Expression<'_>, current: &Json) -> Found {
    Ok(match &expression.op {
        Op::And(pair) => {
            let [left, right] = &**pair;
            let left = evaluate(left, current)?;
            if is_truthy(&left) {
                evaluate(right, current)?
            } else {
                left
            }
        }
        Op::Or(pair) => {
            let [left, right] = &**pair;
            let left = evaluate(left, current)?;
            if is_truthy(&left) {
                left
            } else {
                evaluate(right, current)?
            }
        }
        Op::Not(operand) => (!is_truthy(&evaluate(operand, current)?)).into(),
        Op::Compare(comparison, pair) => {
            let [left, right] = &**pair;
            compare(
                *comparison,
                &evaluate(left, current)?,
                &evaluate(right, current)?,
            )
        }
        Op::Current => current.clone(),
        Op::Literal(value) => value.clone(),
        Op::Member(of, name) => evaluate(of, current)?
            .get(name)
            .cloned()
            .unwrap_or_default(),
        Op::Index(of, index) => element(&evaluate(of, current)?, *index),
        Op::Then(pair) => {
            let [left, right] = &**pair;
            evaluate(right, &evaluate(left, current)?)?
        }
        Op::Each { of, when, each } => project(&evaluate(of, current)?, when.as_deref(), each)?,
        Op::Flatten(of) => flatten(evaluate(of, current)?),
        Op::Values(of) => match evaluate(of, current)? {
            Json::Object(members) => members.into_iter().map(|(_, value)| value).collect(),
            _ => Json::Null,
        },
        Op::Slice {
            of,
            start,
            stop,
            step,
        } => slice(&evaluate(of, current)?, *start, *stop, *step),
        Op::List(_) | Op::Record(_) if current.is_null() => Json::Null,
        Op::List(items) => {
            let items = items.iter().map(|item| evaluate(item, current));
            Json::Array(items.collect::<Result<_, _>>()?)
        }
        Op::Record(members) => {
            let members = members.iter();
            let members =
                members.map(|(name, value)| Ok((name.clone(), evaluate(value, current)?)));
            Json::Object(members.collect::<Result<Map<_, _>, _>>()?)
        }
        Op::Call(function, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(argument, current));
            call(*function, &values.collect::<Result<Vec<_>, _>>()?)?
        }
        Op::Reference(_) => return Err(Problem::Unknown("&")),
    })
}

/// Returns the first function in a path that this module lacks.
pub(crate) fn unknown_function(expression: &Expression<'_>) -> Option<&'static str> {
    match &expression.op {
        Op::Call(function, _) if !is_known(*function) => Some(function.name()),
        _ => expression.children().into_iter().find_map(unknown_function),
    }
}

const fn is_known(function: Function) -> bool {
    matches!(
        function,
        Function::Contains
            | Function::EndsWith
            | Function::Keys
            | Function::Length
            | Function::NotNull
            | Function::StartsWith
            | Function::ToArray
            | Function::Type
            | Function::Values
    )
}

/// Returns `false` for null, `false`, and empty strings, arrays and objects.
pub(crate) fn is_truthy(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(value) => *value,
        Json::Number(_) => true,
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(members) => !members.is_empty(),
    }
}

fn compare(comparison: Comparison, left: &Json, right: &Json) -> Json {
    let order = left.as_f64().zip(right.as_f64());
    let order = order.and_then(|(left, right)| left.partial_cmp(&right));
    let ordered =
        |accepts: fn(Ordering) -> bool| order.map_or(Json::Null, |order| accepts(order).into());
    match comparison {
        Comparison::Equal => is_equal(left, right).into(),
        Comparison::NotEqual => (!is_equal(left, right)).into(),
        Comparison::Less => ordered(Ordering::is_lt),
        Comparison::LessOrEqual => ordered(Ordering::is_le),
        Comparison::Greater => ordered(Ordering::is_gt),
        Comparison::GreaterOrEqual => ordered(Ordering::is_ge),
    }
}

fn is_equal(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(_), Json::Number(_)) => left.as_f64() == right.as_f64(),
        (Json::Array(one), Json::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| is_equal(one, two))
        }
        (Json::Object(one), Json::Object(two)) => {
            let same = |(name, value): (&String, &Json)| {
                two.get(name).is_some_and(|other| is_equal(value, other))
            };
            one.len() == two.len() && one.iter().all(same)
        }
        _ => left == right,
    }
}

fn element(array: &Json, index: i64) -> Json {
    let Json::Array(items) = array else {
        return Json::Null;
    };
    let found = usize::try_from(index).ok();
    let from_end = || {
        items
            .len()
            .checked_sub(usize::try_from(index.unsigned_abs()).ok()?)
    };
    let found = found.or_else(from_end).and_then(|place| items.get(place));
    found.cloned().unwrap_or_default()
}

/// A projection drops nulls.
fn project(array: &Json, when: Option<&Expression<'_>>, each: &Expression<'_>) -> Found {
    let Json::Array(items) = array else {
        return Ok(Json::Null);
    };
    let mut results = Vec::new();
    for item in items {
        let is_selected = match when {
            Some(when) => is_truthy(&evaluate(when, item)?),
            None => true,
        };
        let result = if is_selected {
            evaluate(each, item)?
        } else {
            Json::Null
        };
        if !result.is_null() {
            results.push(result);
        }
    }
    Ok(Json::Array(results))
}

fn flatten(array: Json) -> Json {
    let Json::Array(items) = array else {
        return Json::Null;
    };
    let nested = items.into_iter().map(|item| match item {
        Json::Array(items) => items,
        item => vec![item],
    });
    nested.flatten().collect()
}

/// A slice as in Python.
fn slice(array: &Json, start: Option<i64>, stop: Option<i64>, step: i64) -> Json {
    let Json::Array(items) = array else {
        return Json::Null;
    };
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let is_forward = step > 0;
    let (low, high) = if is_forward {
        (0, length)
    } else {
        (-1, length.saturating_sub(1))
    };
    let bound = |bound: Option<i64>, default| match bound {
        None => default,
        Some(bound) if bound < 0 => bound.saturating_add(length).clamp(low, high),
        Some(bound) => bound.clamp(low, high),
    };
    let (start, stop) = if is_forward {
        (bound(start, low), bound(stop, high))
    } else {
        (bound(start, high), bound(stop, low))
    };
    let is_before = |place| {
        if is_forward {
            place < stop
        } else {
            place > stop
        }
    };
    let mut place = start;
    let mut taken = Vec::new();
    while is_before(place) {
        taken.push(element(array, place));
        place = place.saturating_add(step);
    }
    Json::Array(taken)
}

fn call(function: Function, arguments: &[Json]) -> Found {
    let wrong = || {
        Problem::Type(format!(
            "`{}` doesn't accept {}",
            function.name(),
            described(arguments)
        ))
    };
    Ok(match (function, arguments) {
        (Function::Length, [Json::String(text)]) => text.chars().count().into(),
        (Function::Length, [Json::Array(items)]) => items.len().into(),
        (Function::Length, [Json::Object(members)]) => members.len().into(),
        (Function::Contains, [Json::Array(items), item]) => {
            items.iter().any(|one| is_equal(one, item)).into()
        }
        (Function::Contains, [Json::String(text), Json::String(part)]) => {
            text.contains(&**part).into()
        }
        (Function::Contains, [Json::String(_), _]) => false.into(),
        (Function::StartsWith, [Json::String(text), Json::String(part)]) => {
            text.starts_with(&**part).into()
        }
        (Function::EndsWith, [Json::String(text), Json::String(part)]) => {
            text.ends_with(&**part).into()
        }
        (Function::Keys, [Json::Object(members)]) => members.keys().cloned().collect(),
        (Function::Values, [Json::Object(members)]) => members.values().cloned().collect(),
        (Function::NotNull, values) => {
            let found = values.iter().find(|value| !value.is_null());
            found.cloned().unwrap_or_default()
        }
        (Function::ToArray, [value]) if !value.is_array() => json!([value]),
        (Function::ToArray, [value]) => value.clone(),
        (Function::Type, [value]) => kind(value).into(),
        (function, _) if is_known(function) => return Err(wrong()),
        (function, _) => return Err(Problem::Unknown(function.name())),
    })
}

fn described(arguments: &[Json]) -> String {
    arguments.iter().map(kind).collect::<Vec<_>>().join(", ")
}

const fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// Compares the result of a path with the expected value of its matcher.
pub(crate) fn satisfies(comparator: &str, expected: &str, found: &Json) -> bool {
    let is_expected = |value: &Json| value.as_str() == Some(expected);
    match comparator {
        "stringEquals" => is_expected(found),
        "booleanEquals" => found
            .as_bool()
            .is_some_and(|value| value.to_string() == expected),
        "allStringEquals" => found
            .as_array()
            .is_some_and(|items| !items.is_empty() && items.iter().all(is_expected)),
        "anyStringEquals" => found
            .as_array()
            .is_some_and(|items| items.iter().any(is_expected)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use smithy_waiters_model::{Sources, read};

    use super::{Problem, evaluate, satisfies};

    /// Paths and their results on `document`, or the function that is the problem.
    const RESULTS: &str = r#"
doc.yes && doc.one => 1
doc.no_text && doc.one => ""
doc.yes || doc.one => true
doc.no_items || doc.one => 1
!(doc.no_members) => true
!(doc.no) => true
!(doc.nothing) => true
!(doc.one) => false
doc.one == `1.0` => true
doc.one == 'text' => false
doc.text == 'text' => true
doc.one != `2` => true
doc.one < `1` => false
doc.one <= `1` => true
doc.one > `1` => false
doc.one >= `1` => true
doc.text > `1` => null
doc.nested[0] == `[1.0, 2]` => true
doc.nested[0] == `[1]` => false
doc.nested[0] == `[1, 3]` => false
doc.members == `{"x": 1.0, "y": null}` => true
doc.members == `{"x": 1}` => false
doc.members == `{"x": 2, "y": null}` => false
doc.members == `{"x": 1, "z": null}` => false
doc.items[0] => 1
doc.items[-4] => 2
doc.items[9] => null
doc.items[-6] => null
doc.text[0] => null
doc.items | [1] => 2
doc.items[*] => [1,2,3,4]
doc.items[?@ > `2`] => [3,4]
doc.text[*] => null
doc.members.* => [1]
doc.text.* => null
doc.nested[] => [1,2,3,4]
doc.text[] => null
doc.items[1:3] => [2,3]
doc.items[:2] => [1,2]
doc.items[3:] => [4]
doc.items[::2] => [1,3]
doc.items[::-1] => [4,3,2,1]
doc.items[-3:-1] => [3,4]
doc.items[3:1:-1] => [4,3]
doc.items[9:] => []
doc.items[-9:2] => [1,2]
doc.items[2:-9:-1] => [3,2,1]
doc.items[9:0:-2] => [3]
doc.text[1:] => null
[doc.one, doc.text] => [1,"text"]
{a: doc.one, b: doc.nothing} => {"a":1,"b":null}
doc.nothing.[one] => null
doc.nothing.{one: one} => null
length(doc.text) => 4
length(doc.items) => 5
length(doc.members) => 2
length(doc.nothing) => `length` doesn't accept null
contains(doc.items, `2.0`) => true
contains(doc.items, `7`) => false
contains(doc.text, 'ex') => true
contains(doc.text, 'et') => false
contains(doc.text, `1`) => false
contains(doc.one, 'x') => `contains` doesn't accept number, string
starts_with(doc.text, 'te') => true
starts_with(doc.text, 'xt') => false
starts_with(doc.yes, 'true') => `starts_with` doesn't accept boolean, string
ends_with(doc.text, 'te') => false
ends_with(doc.text, 'xt') => true
keys(doc.members) => ["x","y"]
keys(doc.items) => `keys` doesn't accept array
values(doc.members) => [1,null]
values(doc.text) => `values` doesn't accept string
not_null(doc.nothing, doc.one, doc.text) => 1
not_null(doc.nothing) => null
to_array(doc.one) => [1]
to_array(doc.no_items) => []
[type(doc.one), type(doc.text), type(doc.yes), type(doc.items), type(doc.members), type(doc.nothing)] => ["number","string","boolean","array","object","null"]
abs(doc.one) => abs
sort_by(doc.items, &@) => &
"#;

    #[test]
    fn paths_have_the_results_of_the_specification() {
        let text = "$version: \"2\"\nnamespace a\noperation Get { output := { doc: Document } }";
        let mut sources = Sources::default();
        assert!(sources.add("a.smithy", text));
        let model = read(&sources);
        let operation = model.shape("a#Get").expect("the model has it");
        let document = json!({"doc": {
            "one": 1, "text": "text", "yes": true, "no": false, "nothing": null, "no_text": "", "no_items": [],
            "no_members": {}, "items": [1, 2, 3, 4, null], "members": {"x": 1, "y": null}, "nested": [[1, 2], [3], 4],
        }});
        for line in RESULTS.trim().lines() {
            let (path, expected) = line.rsplit_once(" => ").expect("two columns");
            let expression = model.output_path(operation, path).expect(path);
            let found = match evaluate(&expression, &document) {
                Ok(found) => found.to_string(),
                Err(Problem::Type(problem)) => problem,
                Err(Problem::Unknown(function)) => function.to_owned(),
            };
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn results_satisfy_comparators() {
        let satisfied = |comparator: &str, expected: &str| {
            let results =
                r#"["A", "B", true, false, null, [], ["A"], ["A", "A"], ["A", "B"], ["B"]]"#;
            let results: Vec<Json> = serde_json::from_str(results).expect("valid JSON");
            let satisfied = |result: &Json| satisfies(comparator, expected, result);
            let found = results.iter().filter(|result| satisfied(result));
            found.map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(satisfied("stringEquals", "A"), r#""A""#);
        assert_eq!(satisfied("booleanEquals", "true"), "true");
        assert_eq!(satisfied("booleanEquals", "false"), "false");
        assert_eq!(satisfied("allStringEquals", "A"), r#"["A"] ["A","A"]"#);
        assert_eq!(
            satisfied("anyStringEquals", "A"),
            r#"["A"] ["A","A"] ["A","B"]"#
        );
        assert_eq!(satisfied("other", "A"), "");
    }
}
