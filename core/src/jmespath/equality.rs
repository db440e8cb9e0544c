//! `==`: equal values, whichever host or literal they come from.

use std::ops::ControlFlow;

use super::evaluate::{EvaluationError, Evaluator};
use super::item::Item;
use crate::value::{Kind, Value};

/// How deep two values are compared.
const MAX_DEPTH: usize = 128;

/// Whether two values are the same JSON.
pub(super) fn equal<V: Value>(
    evaluator: &Evaluator,
    left: &Item<'_, V>,
    right: &Item<'_, V>,
    depth: usize,
) -> Result<bool, EvaluationError> {
    evaluator.spend(1)?;
    if depth > MAX_DEPTH {
        return Err(EvaluationError::limit(format!(
            "a comparison goes deeper than {MAX_DEPTH} levels"
        )));
    }
    Ok(match (left.kind()?, right.kind()?) {
        (Kind::String, Kind::String) => evaluator.text(left)? == evaluator.text(right)?,
        (Kind::Array, Kind::Array) => arrays(evaluator, left, right, depth)?,
        (Kind::Object, Kind::Object) => objects(evaluator, left, right, depth)?,
        (left, right) => left == right,
    })
}

fn arrays<V: Value>(
    evaluator: &Evaluator,
    left: &Item<'_, V>,
    right: &Item<'_, V>,
    depth: usize,
) -> Result<bool, EvaluationError> {
    if !are_as_long(evaluator, left, right)? {
        return Ok(false);
    }
    let (left, right) = (items(left)?, items(right)?);
    for (left, right) in left.iter().zip(&right) {
        if !equal(evaluator, left, right, depth.saturating_add(1))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn objects<V: Value>(
    evaluator: &Evaluator,
    left: &Item<'_, V>,
    right: &Item<'_, V>,
    depth: usize,
) -> Result<bool, EvaluationError> {
    if !are_as_long(evaluator, left, right)? {
        return Ok(false);
    }
    let (left, right) = (left.sorted_members()?, right.sorted_members()?);
    for ((left_name, left), (right_name, right)) in left.iter().zip(&right) {
        if left_name != right_name || !equal(evaluator, left, right, depth.saturating_add(1))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether both have as many items. Then these are paid for before they are held.
fn are_as_long<V: Value>(
    evaluator: &Evaluator,
    left: &Item<'_, V>,
    right: &Item<'_, V>,
) -> Result<bool, EvaluationError> {
    let length = left.len()?;
    if length != right.len()? {
        return Ok(false);
    }
    evaluator.spend(u64::try_from(length).unwrap_or(u64::MAX))?;
    Ok(true)
}

fn items<'e, V: Value>(array: &Item<'e, V>) -> Result<Vec<Item<'e, V>>, EvaluationError> {
    let mut items = Vec::new();
    array.items(&mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    })?;
    Ok(items)
}
