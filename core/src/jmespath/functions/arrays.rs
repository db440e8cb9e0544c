//! Functions of arrays.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::Call;
use super::keys::{ITEMS, Key, Keys, VALUES, Words};
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::jmespath::node::Node;
use crate::value::{Kind, Value};

impl<'e, V: Value> Call<'_, 'e, V> {
    /// Evaluates an expression on each item. The result includes nulls.
    pub(super) fn map(&self) -> Result<Item<'e, V>, EvaluationError> {
        let expression = self.expression(0)?;
        let mut items = Vec::new();
        self.each(1, "an array", &mut |item| {
            items.push(self.evaluator.evaluate(expression, &item)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Item::Array(Rc::new(items)))
    }

    pub(super) fn max(&self) -> Result<Item<'e, V>, EvaluationError> {
        self.extreme(None, Ordering::Greater)
    }

    pub(super) fn max_by(&self) -> Result<Item<'e, V>, EvaluationError> {
        self.extreme(Some(self.expression(1)?), Ordering::Greater)
    }

    pub(super) fn min(&self) -> Result<Item<'e, V>, EvaluationError> {
        self.extreme(None, Ordering::Less)
    }

    pub(super) fn min_by(&self) -> Result<Item<'e, V>, EvaluationError> {
        self.extreme(Some(self.expression(1)?), Ordering::Less)
    }

    pub(super) fn sort(&self) -> Result<Item<'e, V>, EvaluationError> {
        self.sorted(None)
    }

    pub(super) fn sort_by(&self) -> Result<Item<'e, V>, EvaluationError> {
        self.sorted(Some(self.expression(1)?))
    }

    /// Returns an array unchanged, and wraps anything else in an array.
    pub(super) fn to_array(&self) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(0)?;
        Ok(if value.kind()? == Kind::Array {
            value
        } else {
            Item::Array(Rc::new(vec![value]))
        })
    }

    /// Returns the item with the greatest or least key, the first one of several, or null if the array is empty.
    fn extreme(
        &self,
        by: Option<&'e Node>,
        order: Ordering,
    ) -> Result<Item<'e, V>, EvaluationError> {
        let mut best: Option<(Key, Item<'e, V>)> = None;
        self.keyed(by, &mut |key, item| {
            if best
                .as_ref()
                .is_none_or(|(best, _)| key.order(best) == order)
            {
                best = Some((key, item));
            }
        })?;
        Ok(best.map_or(Item::Null, |(_, item)| item))
    }

    /// Sorts the items by their keys. The sort is stable.
    fn sorted(&self, by: Option<&'e Node>) -> Result<Item<'e, V>, EvaluationError> {
        let mut keyed = Vec::new();
        self.keyed(by, &mut |key, item| keyed.push((key, item)))?;
        // Sorting compares more often than it reads, so that the comparisons count as work.
        let comparisons = keyed
            .len()
            .saturating_mul(keyed.len().checked_ilog2().unwrap_or(0) as usize);
        self.evaluator
            .spend(u64::try_from(comparisons).unwrap_or(u64::MAX))?;
        keyed.sort_by(|(one, _), (other, _)| one.order(other));
        let items = keyed.into_iter().map(|(_, item)| item);
        Ok(Item::Array(Rc::new(items.collect())))
    }

    /// Visits every item of the array with its key, which is the item itself or the value of an expression.
    fn keyed(
        &self,
        by: Option<&'e Node>,
        visit: &mut dyn FnMut(Key, Item<'e, V>),
    ) -> Result<(), EvaluationError> {
        let mut keys = Keys::new(self);
        let (takes, words): (&str, &Words) = if by.is_some() {
            ("an array", &VALUES)
        } else {
            (ITEMS.takes, &ITEMS)
        };
        self.each(0, takes, &mut |item| {
            let key = match by {
                None => keys.read(&item, words)?,
                Some(by) => keys.read(&self.evaluator.evaluate(by, &item)?, words)?,
            };
            visit(key, item);
            Ok(ControlFlow::Continue(()))
        })
    }
}
