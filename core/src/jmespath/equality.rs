//! The equality of values, which may be host values, literals or computed values.

use std::ops::ControlFlow;
use std::rc::Rc;

use super::evaluate::{EvaluationError, Evaluator};
use super::item::Item;
use crate::value::{Kind, Value};

/// The maximum depth of compared values.
const MAX_DEPTH: usize = 128;

impl Evaluator {
    /// Returns `true` if two values are the same JSON.
    pub(super) fn equal<V: Value>(
        &self,
        left: &Item<'_, V>,
        right: &Item<'_, V>,
    ) -> Result<bool, EvaluationError> {
        equal(self, left, right, 0)
    }
}

fn equal<V: Value>(
    evaluator: &Evaluator,
    left: &Item<'_, V>,
    right: &Item<'_, V>,
    depth: usize,
) -> Result<bool, EvaluationError> {
    evaluator.spend(1)?;
    if depth > MAX_DEPTH {
        return Err(EvaluationError::limit(format!(
            "the compared values are deeper than {MAX_DEPTH} levels"
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
    // A cheap check first: reading the items counts as work.
    if left.len()? != right.len()? {
        return Ok(false);
    }
    let (left, right) = (items(evaluator, left)?, items(evaluator, right)?);
    // A custom class of a host may have a length that differs from its number of items.
    if left.len() != right.len() {
        return Ok(false);
    }
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
    let (left, right) = (members(evaluator, left)?, members(evaluator, right)?);
    if left.len() != right.len() {
        return Ok(false);
    }
    for ((left_name, left), (right_name, right)) in left.iter().zip(&right) {
        if left_name != right_name || !equal(evaluator, left, right, depth.saturating_add(1))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Collects the items of an array. Each counts as work, which bounds the memory.
fn items<'e, V: Value>(
    evaluator: &Evaluator,
    array: &Item<'e, V>,
) -> Result<Vec<Item<'e, V>>, EvaluationError> {
    let mut items = Vec::new();
    evaluator.each_item(array, &mut |item| {
        items.push(item);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(items)
}

type Member<'e, V> = (Rc<str>, Item<'e, V>);

/// Collects the members of an object, sorted by name. Each counts as work, which bounds the memory.
fn members<'e, V: Value>(
    evaluator: &Evaluator,
    object: &Item<'e, V>,
) -> Result<Vec<Member<'e, V>>, EvaluationError> {
    let mut members: Vec<Member<'_, V>> = Vec::new();
    evaluator.each_member(object, &mut |name, member| {
        members.push((Rc::from(name), member));
        Ok(ControlFlow::Continue(()))
    })?;
    // The order of members does not matter for equality and differs between hosts.
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(members)
}
