//! Validates the constraint traits `length`, `range`, `pattern`, `uniqueItems` and `idRef`.
//!
//! Clause: [constraint traits](https://smithy.io/2.0/spec/constraint-traits.html).

use std::collections::BTreeSet;

use regex_lite::Regex;

use super::check::{Check, TRAIT_VALUE, Violation, describe};
use crate::event::Severity;
use crate::messages;
use crate::shapes::{Kind, Node, Trait, Value};

impl Check<'_, '_, '_> {
    /// Validates a value against the constraint traits of a shape (`Target`) or a member (`Member`).
    pub(super) fn constraints(
        &mut self,
        node: &Node<'_>,
        kind: Kind,
        (of, traits): (&str, &[Trait<'_>]),
    ) {
        for applied in traits {
            let problem = match applied.id {
                "smithy.api#idRef" => self.reference(node, &applied.value),
                "smithy.api#length" => length(node, &applied.value),
                "smithy.api#pattern" if matches!(kind, Kind::Enum | Kind::String) => {
                    pattern(node, &applied.value)
                }
                "smithy.api#uniqueItems" => duplicate(node),
                "smithy.api#range" if node.as_str() == Some("NaN") => {
                    matches!(kind, Kind::Double | Kind::Float)
                        .then(|| "expected a number with a range, found `NaN`".to_owned())
                }
                "smithy.api#range" => {
                    if let Some(problem) = range(node, &applied.value) {
                        let id = format!("{TRAIT_VALUE}.{of}.InvalidRange");
                        self.event(Severity::Error, id, node.at, &problem);
                    }
                    None
                }
                _ => None,
            };
            if let Some(problem) = problem {
                self.report(Violation::Rule, node.at, &problem);
            }
        }
    }
}

/// Returns a message if a number exceeds the range of its integer type.
pub(super) fn beyond(kind: Kind, node: &Node<'_>) -> Option<String> {
    let bits = match kind {
        Kind::Byte => 8,
        Kind::Short => 16,
        Kind::IntEnum | Kind::Integer => 32,
        Kind::Long => 64,
        _ => return None,
    };
    let Value::Number(text) = node.value else {
        return None;
    };
    let fits = text.parse::<i64>().is_ok_and(|number| {
        let unused = 64_u32.saturating_sub(bits);
        number.wrapping_shl(unused).wrapping_shr(unused) == number
    });
    (!fits).then(|| format!("expected an integer of {bits} bits, found {text}"))
}

fn length(node: &Node<'_>, bounds: &Node<'_>) -> Option<String> {
    let (length, unit) = match node.value {
        Value::String(text) | Value::ShapeId(text) => (text.chars().count(), "character"),
        Value::Array(elements) => (elements.len(), "element"),
        Value::Object(entries) => (entries.len(), "member"),
        _ => return None,
    };
    let found = u32::try_from(length)
        .map(f64::from)
        .unwrap_or(f64::INFINITY);
    let (which, bound) = outside(found, bounds)?;
    let bound = messages::count(bound, unit);
    Some(format!("expected {which} {bound}, found {length}"))
}

fn range(node: &Node<'_>, bounds: &Node<'_>) -> Option<String> {
    let (text, number) = match node.value {
        Value::Number(text) => (text, node.as_f64()?),
        Value::String(text @ "Infinity") => (text, f64::INFINITY),
        Value::String(text @ "-Infinity") => (text, f64::NEG_INFINITY),
        _ => return None,
    };
    let (which, bound) = outside(number, bounds)?;
    Some(format!("expected {which} {bound}, found {text}"))
}

/// Returns the bound that a number exceeds, with "at least" or "at most".
fn outside<'a>(number: f64, bounds: &Node<'a>) -> Option<(&'static str, &'a str)> {
    let bound = |name| {
        let node = bounds.member(name)?;
        match node.value {
            Value::Number(text) => Some((node.as_f64()?, text)),
            _ => None,
        }
    };
    match (bound("min"), bound("max")) {
        (Some((min, text)), _) if number < min => Some(("at least", text)),
        (_, Some((max, text))) if number > max => Some(("at most", text)),
        _ => None,
    }
}

/// Returns a message about the first duplicate element.
fn duplicate(node: &Node<'_>) -> Option<String> {
    let mut seen = BTreeSet::new();
    let again = |element: &&Node<'_>| !seen.insert(key(element));
    let element = node.elements().iter().find(again)?;
    Some(format!(
        "expected unique elements, found {} twice",
        describe(element)
    ))
}

/// Returns a text that is equal for equal values.
fn key(node: &Node<'_>) -> String {
    match node.value {
        Value::Array(elements) => {
            let keys: Vec<String> = elements.iter().map(key).collect();
            format!("[{}]", keys.join(","))
        }
        Value::Object(entries) => {
            let keys = entries.iter();
            let mut keys: Vec<String> = keys
                .map(|entry| format!("{:?}:{}", entry.key, key(&entry.value)))
                .collect();
            keys.sort_unstable();
            format!("{{{}}}", keys.join(","))
        }
        Value::Boolean(value) => value.to_string(),
        Value::Null => "null".to_owned(),
        Value::Number(text) => node
            .as_f64()
            .map_or_else(|| text.to_owned(), |number| number.to_string()),
        Value::String(text) | Value::ShapeId(text) => format!("{text:?}"),
    }
}

fn pattern(node: &Node<'_>, pattern: &Node<'_>) -> Option<String> {
    let (text, pattern) = (node.as_str()?, pattern.as_str()?);
    // Java accepts patterns that this engine rejects, so an invalid pattern is not reported.
    let regex = Regex::new(pattern).ok()?;
    (!regex.is_match(text)).then(|| format!("`{text}` does not match `{pattern}`"))
}
