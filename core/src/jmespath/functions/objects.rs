//! Functions of objects.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::Call;
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::value::Value;

impl<'e, V: Value> Call<'_, 'e, V> {
    /// Returns the names of the members, in the host's order.
    pub(super) fn keys(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut names = Vec::new();
        self.evaluator
            .each_member(&self.object(0)?, &mut |name, _| {
                names.push(Item::String(name.into()));
                Ok(ControlFlow::Continue(()))
            })?;
        Ok(Item::Array(Rc::new(names)))
    }

    /// Merges objects. A repeated name has its last value, at its first position.
    pub(super) fn merge(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut members: Vec<Member<'e, V>> = Vec::new();
        for place in 0..self.arguments.len() {
            self.evaluator
                .each_member(&self.object(place)?, &mut |name, value| {
                    members.push((name.into(), value));
                    Ok(ControlFlow::Continue(()))
                })?;
        }
        Ok(Item::Object(Rc::new(remove_repeated(members))))
    }

    /// Returns the values of the members, in the host's order.
    pub(super) fn values(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut values = Vec::new();
        self.evaluator
            .each_member(&self.object(0)?, &mut |_, value| {
                values.push(value);
                Ok(ControlFlow::Continue(()))
            })?;
        Ok(Item::Array(Rc::new(values)))
    }
}

type Member<'e, V> = (Rc<str>, Item<'e, V>);

/// Removes repeated names. Each name has its last value, at its first position.
fn remove_repeated<V>(members: Vec<Member<'_, V>>) -> Vec<Member<'_, V>> {
    let mut merged: Vec<Member<'_, V>> = Vec::new();
    let mut places: BTreeMap<Rc<str>, usize> = BTreeMap::new();
    for (name, value) in members {
        let place = *places.entry(Rc::clone(&name)).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(member) => member.1 = value,
            None => merged.push((name, value)),
        }
    }
    merged
}
