//! Definitions of several texts to one model: shapes, metadata and what `apply` says.
//!
//! Clauses: [merging models](https://smithy.io/2.0/spec/model.html#merging-models), [trait conflict
//! resolution](https://smithy.io/2.0/spec/model.html#trait-conflict-resolution).

use bumpalo::Bump;

use super::Model;
use crate::definitions::{Application, Definitions};
use crate::event::Event;
use crate::node::{Entry, Node, Value};
use crate::shape::{Shape, Trait};
use crate::{MODEL, id};

impl<'a> Model<'a> {
    /// Puts definitions together; those of the prelude come last, and count only where the model has none.
    pub(super) fn assemble(
        own: Vec<Definitions<'a>>,
        prelude: Vec<Definitions<'a>>,
        arena: &'a Bump,
    ) -> Self {
        let mut model = Self::default();
        let mut applications = Vec::new();
        for definitions in own {
            model.events.extend(definitions.events);
            applications.extend(definitions.applications);
            for entry in definitions.metadata {
                model.add_metadata(entry, arena);
            }
            for shape in definitions.shapes {
                model.add_shape(shape);
            }
        }
        model.own = model.shapes.len();
        for shape in prelude.into_iter().flat_map(|text| text.shapes) {
            if !model.places.contains_key(shape.id) {
                model.add_shape(shape);
            }
        }
        let inherited = model.apply(applications, arena);
        model.mix_in();
        for application in model.apply(inherited, arena) {
            let target = application.target;
            let message = format!(
                "`apply` names `{}`, which the model does not have",
                target.id
            );
            model
                .events
                .push(Event::error(MODEL, message).at(target.at));
        }
        model
    }

    fn add_shape(&mut self, shape: Shape<'a>) {
        if let Some(known) = self.shape(shape.id) {
            if !is_same(known, &shape) {
                let message = format!(
                    "the shape `{}` is defined twice, and not the same",
                    shape.id
                );
                let event = Event::error(MODEL, message).at(shape.at).on(shape.id);
                self.events.push(event);
            }
            return;
        }
        self.places.insert(shape.id, self.shapes.len());
        self.shapes.push(shape);
    }

    fn add_metadata(&mut self, entry: Entry<'a>, arena: &'a Bump) {
        let Some(known) = self
            .metadata
            .iter_mut()
            .find(|known| known.key == entry.key)
        else {
            return self.metadata.push(entry);
        };
        match merged(known.value, entry.value, arena) {
            Some(value) => known.value = value,
            None => {
                let message = format!(
                    "the metadata `{}` is there twice, and not the same",
                    entry.key
                );
                self.events
                    .push(Event::error(MODEL, message).at(entry.key_at));
            }
        }
    }

    /// Applies traits to shapes and members; answers with what is applied to members that are not there yet.
    fn apply(
        &mut self,
        applications: Vec<Application<'a>>,
        arena: &'a Bump,
    ) -> Vec<Application<'a>> {
        let mut left = Vec::new();
        for application in applications {
            let target = application.target.id;
            let shape = self.places.get(id::shape(target)).copied();
            let shape = shape.and_then(|place| self.shapes.get_mut(place));
            let traits = match (shape, id::member(target)) {
                (None, _) => None,
                (Some(shape), None) => Some(&mut shape.traits),
                (Some(shape), Some(name)) => {
                    let mut members = shape.members.iter_mut();
                    let member = members.find(|member| member.name == name);
                    member.map(|member| &mut member.traits)
                }
            };
            let Some(traits) = traits else {
                left.push(application);
                continue;
            };
            for applied in application.traits {
                self.events
                    .extend(add_trait(target, traits, applied, arena));
            }
        }
        left
    }
}

/// Adds a trait; lists join, and what a mixin gives is replaced.
fn add_trait<'a>(
    target: &str,
    traits: &mut Vec<Trait<'a>>,
    applied: Trait<'a>,
    arena: &'a Bump,
) -> Option<Event> {
    let Some(known) = traits.iter_mut().find(|known| known.id == applied.id) else {
        traits.push(applied);
        return None;
    };
    if known.inherited {
        *known = applied;
        return None;
    }
    match merged(known.value, applied.value, arena) {
        Some(value) => {
            known.value = value;
            None
        }
        None => {
            let message = format!(
                "the trait `{}` is applied twice, and not the same",
                applied.id
            );
            Some(Event::error(MODEL, message).at(applied.at).on(target))
        }
    }
}

/// Two values as one: arrays join, the same value stays; anything else is a conflict.
fn merged<'a>(one: Node<'a>, two: Node<'a>, arena: &'a Bump) -> Option<Node<'a>> {
    if let (Value::Array(first), Value::Array(second)) = (one.value, two.value) {
        let joined: Vec<Node<'a>> = first.iter().chain(second).copied().collect();
        let value = Value::Array(arena.alloc_slice_copy(&joined));
        return Some(Node { value, ..one });
    }
    (one == two).then_some(one)
}

/// Whether two definitions of a shape say the same.
fn is_same(one: &Shape<'_>, two: &Shape<'_>) -> bool {
    let same_traits = |one: &[Trait<'_>], two: &[Trait<'_>]| {
        let has = |applied: &Trait<'_>| {
            two.iter()
                .any(|other| other.id == applied.id && other.value == applied.value)
        };
        one.len() == two.len() && one.iter().all(has)
    };
    let same_members = one.members.len() == two.members.len()
        && one.members.iter().zip(&two.members).all(|(one, two)| {
            one.name == two.name
                && one.target == two.target
                && same_traits(&one.traits, &two.traits)
        });
    let same_properties = one.properties.len() == two.properties.len()
        && one
            .properties
            .iter()
            .all(|entry| two.property(entry.key) == Some(entry.value));
    let mixins = |shape: &Shape<'_>| -> Vec<String> {
        shape
            .mixins
            .iter()
            .map(|mixin| mixin.id.to_owned())
            .collect()
    };
    one.kind == two.kind
        && same_members
        && same_properties
        && same_traits(&one.traits, &two.traits)
        && mixins(one) == mixins(two)
}
