//! Whether two objects are the same value, exactly: by this a continuation token is known that came back.

use std::ops::ControlFlow;

use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;

use super::Shape;

/// How deep two values are compared.
const DEEPEST: usize = 128;

/// Whether two values are the same: numbers by their value, whatever their class and size, texts with their lone surrogates,
/// dicts with all their keys. Of an object that shows no members only Python knows.
pub(crate) fn same(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
    same_at(one, other, 0)
}

fn same_at(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>, depth: usize) -> PyResult<bool> {
    if one.is(other) {
        return Ok(true);
    }
    if depth > DEEPEST {
        let message = format!("the token goes deeper than {DEEPEST} levels");
        return Err(PyRecursionError::new_err(message));
    }
    let depth = depth.saturating_add(1);
    match (&Shape::of(one)?, &Shape::of(other)?) {
        (Shape::Boolean(left), Shape::Boolean(right)) => Ok(left == right),
        (Shape::Text(left), Shape::Text(right)) => left.as_any().eq(right),
        (Shape::Null, Shape::Null) | (Shape::Number(_), Shape::Number(_)) => one.eq(other),
        (left @ (Shape::Blob(_) | Shape::Text(_)), right @ (Shape::Blob(_) | Shape::Text(_))) => {
            Ok(left.text()? == right.text()?)
        }
        (left @ Shape::Collection(_), right @ Shape::Collection(_)) => {
            // Sets have no order.
            Ok(one.eq(other)? || same_items(left, right, depth)?)
        }
        (left, right) if is_array(left) && is_array(right) => same_items(left, right, depth),
        (left @ Shape::Fields(_), right @ Shape::Fields(_)) => {
            Ok(one.eq(other)? || (left.len()? > 0 && same_members(left, right, depth)?))
        }
        (left, right) if is_object(left) && is_object(right) => {
            // What has keys that are no strings is not read as a whole.
            let is_whole = one.len().ok() == Some(left.names()?.len());
            Ok(same_members(left, right, depth)? && (is_whole || one.eq(other)?))
        }
        _ => Ok(false),
    }
}

const fn is_array(shape: &Shape<'_>) -> bool {
    matches!(shape, Shape::Collection(_) | Shape::Sequence(_))
}

const fn is_object(shape: &Shape<'_>) -> bool {
    matches!(shape, Shape::Dict(_) | Shape::Fields(_) | Shape::Mapping(_))
}

fn same_items(one: &Shape<'_>, other: &Shape<'_>, depth: usize) -> PyResult<bool> {
    if one.len()? != other.len()? {
        return Ok(false);
    }
    let (items, others) = (listed(one)?, listed(other)?);
    for (item, other) in items.iter().zip(&others) {
        if !same_at(item, other, depth)? {
            return Ok(false);
        }
    }
    Ok(items.len() == others.len())
}

fn listed<'py>(shape: &Shape<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut items = Vec::new();
    shape.items(&mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    })?;
    Ok(items)
}

fn same_members(one: &Shape<'_>, other: &Shape<'_>, depth: usize) -> PyResult<bool> {
    let names = one.names()?;
    if names.len() != other.names()?.len() {
        return Ok(false);
    }
    for name in &names {
        let same = match (one.member(name)?, other.member(name)?) {
            (Some(one), Some(other)) => same_at(&one, &other, depth)?,
            (None, None) => true,
            _ => false,
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}
