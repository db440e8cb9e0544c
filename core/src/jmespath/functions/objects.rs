//! Functions of objects: their names, their values, and one object of several.

use std::ops::ControlFlow;
use std::rc::Rc;

use super::Call;
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::order;
use crate::value::Value;

impl<'e, V: Value> Call<'_, 'e, V> {
    /// The names in the host's own order.
    pub(super) fn keys(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut names = Vec::new();
        self.evaluator
            .each_member(&self.object(0)?, &mut |name, _| {
                names.push(Item::String(name.into()));
                Ok(ControlFlow::Continue(()))
            })?;
        Ok(Item::Array(Rc::new(names)))
    }

    /// One object of all members; of equal names the last one counts, at the place of the first.
    pub(super) fn merge(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut members: Vec<Member<'e, V>> = Vec::new();
        for place in 0..self.arguments.len() {
            self.evaluator
                .each_member(&self.object(place)?, &mut |name, value| {
                    members.push((name.into(), value));
                    Ok(ControlFlow::Continue(()))
                })?;
        }
        Ok(Item::Object(Rc::new(merged(members))))
    }

    /// The values in the host's own order.
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

/// Each name once: the last value goes from place to place up to the first one.
fn merged<V: Clone>(mut members: Vec<Member<'_, V>>) -> Vec<Member<'_, V>> {
    let places = order::places(&members, |(one, _), (other, _)| one.cmp(other));
    let mut counts = vec![true; members.len()];
    for pair in places.windows(2).rev() {
        let [earlier, later] = *pair else { continue };
        let Some((name, value)) = members.get(later).cloned() else {
            continue;
        };
        if let (Some(member), Some(counts)) = (members.get_mut(earlier), counts.get_mut(later))
            && member.0 == name
        {
            member.1 = value;
            *counts = false;
        }
    }
    let mut counts = counts.into_iter();
    members.retain(|_| counts.next().unwrap_or(true));
    members
}
