//! Merges the definitions of several texts: shapes, metadata and the traits of `apply`.
//!
//! Clauses: [merging models](https://smithy.io/2.0/spec/model.html#merging-models), [trait conflict
//! resolution](https://smithy.io/2.0/spec/model.html#trait-conflict-resolution).

mod apply;
mod equality;
mod values;

use bumpalo::Bump;

use crate::event::ids::DUPLICATE;
use crate::event::ids::MODEL;
use crate::event::{Culprit, Event, Severity};
use crate::read::definitions::{Application, Definitions};
use crate::shapes::{Entry, Model, Reference, Shape};
use values::Merger;

impl<'a> Model<'a> {
    /// Merges definitions. A shape of the prelude is added only if the texts don't define its id.
    pub(super) fn merge(
        own: Vec<Definitions<'a>>,
        prelude: Vec<Definitions<'a>>,
        arena: &'a Bump,
    ) -> Self {
        let mut model = Self::default();
        let mut applications = Vec::new();
        let mut metadata = Merger::default();
        let count = own.iter().map(|definitions| definitions.shapes.len());
        let count = count.chain(prelude.iter().map(|definitions| definitions.shapes.len()));
        let count = count.fold(0, usize::saturating_add);
        model.shapes.reserve_exact(count);
        model.places.reserve(count);
        for definitions in own {
            model.events.extend(definitions.events);
            applications.extend(definitions.applications);
            for entry in definitions.metadata {
                let conflict = metadata.add(entry.key, entry);
                let event = conflict.map(|entry| conflict_event(&entry));
                model.events.extend(event);
            }
            for shape in definitions.shapes {
                model.add_shape(shape, &mut applications, arena);
            }
        }
        model.metadata = metadata.finish(arena);
        model.own = model.shapes.len();
        for shape in prelude.into_iter().flat_map(|text| text.shapes) {
            if !model.places.contains_key(shape.id) {
                model.push(shape);
            }
        }
        let inherited = model.apply(applications, arena);
        model.resolve_mixins();
        for application in model.apply(inherited, arena) {
            let message = format!(
                "`apply` refers to `{}`, which does not exist",
                application.target.id
            );
            let target = Culprit::whole(application.target.at);
            let events = application.traits.iter().map(|applied| {
                let event = Event::error(MODEL, message.clone());
                event.at(applied.at).because_of(target)
            });
            model.events.extend(events);
        }
        model
    }

    /// Adds a shape. If the shape is already defined identically, only its traits are added.
    fn add_shape(
        &mut self,
        mut shape: Shape<'a>,
        applications: &mut Vec<Application<'a>>,
        arena: &'a Bump,
    ) {
        let Some(known) = self.shape(shape.id) else {
            self.join_traits(&mut shape, arena);
            return self.push(shape);
        };
        if !equality::is_equal(known, &shape) {
            let message = format!("conflicting definitions of the shape `{}`", shape.id);
            let event = Event::error(MODEL, message).at(shape.at).on(shape.id);
            return self.events.push(event);
        }
        let message = format!(
            "duplicate definition of the shape `{}`: the traits of both are merged",
            shape.id
        );
        let event = Event::new(Severity::Note, DUPLICATE, message);
        self.events.push(event.at(shape.at).on(shape.id));
        applications.extend(traits_of(shape, arena));
    }

    fn push(&mut self, shape: Shape<'a>) {
        self.places.insert(shape.id, self.shapes.len());
        self.shapes.push(shape);
    }
}

/// Returns the traits of a shape and of its members as applications.
fn traits_of<'a>(
    shape: Shape<'a>,
    arena: &'a Bump,
) -> impl Iterator<Item = Application<'a>> + use<'a> {
    let id = shape.id;
    let own = Application {
        target: Reference { id, at: shape.at },
        traits: shape.traits,
    };
    let members = shape.members.into_iter().map(move |member| {
        let id = arena.alloc_str(&format!("{id}${}", member.name));
        Application {
            target: Reference { id, at: member.at },
            traits: member.traits,
        }
    });
    std::iter::once(own)
        .chain(members)
        .filter(|application| !application.traits.is_empty())
}

fn conflict_event(entry: &Entry<'_>) -> Event {
    let message = format!("conflicting values of the metadata `{}`", entry.key);
    Event::error(MODEL, message).at(entry.key_at)
}
