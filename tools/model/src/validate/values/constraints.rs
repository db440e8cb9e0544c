//! Validates the constraint traits `length`, `pattern` and `range`.
//!
//! Clause: [constraint traits](https://smithy.io/2.0/spec/constraint-traits.html).

use regex_lite::Regex;

use crate::messages;
use crate::shapes::{Kind, Node, Value};

/// Returns a message if a number is not an integer of 32 bits.
pub(super) fn integer(kind: Kind, node: &Node<'_>) -> Option<String> {
    let Value::Number(text) = node.value else {
        return None;
    };
    if kind != Kind::Integer || text.parse::<i32>().is_ok() {
        return None;
    }
    Some(if text.contains(['.', 'e', 'E']) {
        format!("expected an integer, found `{text}`")
    } else {
        format!("expected an integer of 32 bits, found {text}")
    })
}

pub(super) fn length(node: &Node<'_>, bounds: &Node<'_>) -> Option<String> {
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

pub(super) fn range(node: &Node<'_>, bounds: &Node<'_>) -> Option<String> {
    let Value::Number(text) = node.value else {
        return None;
    };
    let (which, bound) = outside(node.as_f64()?, bounds)?;
    Some(format!("expected {which} {bound}, found {text}"))
}

pub(super) fn pattern(node: &Node<'_>, pattern: &Node<'_>) -> Option<String> {
    let (text, pattern) = (node.as_str()?, pattern.as_str()?);
    let regex = Regex::new(pattern).ok()?;
    (!regex.is_match(text)).then(|| format!("`{text}` does not match `{pattern}`"))
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
