//! Functions of objects: their names, their values, and one object of several.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::Call;
use crate::expression::evaluate::EvaluationError;
use crate::expression::item::Item;
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
        let mut merged = Merged::default();
        for place in 0..self.arguments.len() {
            self.evaluator
                .each_member(&self.object(place)?, &mut |name, value| {
                    merged.set(name, value);
                    Ok(ControlFlow::Continue(()))
                })?;
        }
        Ok(Item::Object(Rc::new(merged.members)))
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

struct Merged<'e, V> {
    places: BTreeMap<Rc<str>, usize>,
    members: Vec<(Rc<str>, Item<'e, V>)>,
}

impl<V> Default for Merged<'_, V> {
    fn default() -> Self {
        Self {
            places: BTreeMap::new(),
            members: Vec::new(),
        }
    }
}

impl<'e, V> Merged<'e, V> {
    fn set(&mut self, name: &str, value: Item<'e, V>) {
        let name: Rc<str> = name.into();
        match self.places.entry(Rc::clone(&name)) {
            Entry::Vacant(place) => {
                place.insert(self.members.len());
                self.members.push((name, value));
            }
            Entry::Occupied(place) => {
                if let Some((_, member)) = self.members.get_mut(*place.get()) {
                    *member = value;
                }
            }
        }
    }
}
