//! Whether the traits that are applied are there: a name that is misspelt, or a `use` that is forgotten, leaves a shape
//! without its waiters, and nothing else would say so.
//!
//! A namespace that the model knows nothing of is that of a library that was not given, and is taken as it is.
//!
//! Clause: [applying traits](https://smithy.io/2.0/spec/model.html#applying-traits).

use std::collections::BTreeSet;

use crate::event::{Event, Severity};
use crate::id;
use crate::model::Model;
use crate::prelude;
use crate::shape::{Shape, Trait};
use crate::suggest;
use crate::validate::is_read;

const UNKNOWN_TRAIT: &str = "SmithyWaiters.UnknownTrait";
const API: &str = "smithy.api";

/// Finds applied traits that are not there.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    if !is_read(model) {
        return Vec::new();
    }
    let known = Known::of(model);
    let mut events = Vec::new();
    for shape in model.shapes() {
        let unknown = shape.traits.iter().filter(|applied| known.lacks(applied));
        events.extend(unknown.map(|applied| known.event(applied, shape.id)));
        for member in &shape.members {
            let unknown = member.traits.iter().filter(|applied| known.lacks(applied));
            let owner = || format!("{}${}", shape.id, member.name);
            events.extend(unknown.map(|applied| known.event(applied, &owner())));
        }
    }
    events
}

/// What a model knows of traits.
#[derive(Debug)]
struct Known<'m, 'a> {
    model: &'m Model<'a>,
    /// Those of the files themselves.
    namespaces: BTreeSet<&'a str>,
}

impl<'m, 'a> Known<'m, 'a> {
    fn of(model: &'m Model<'a>) -> Self {
        let shapes = model.shapes().iter();
        let namespaces = shapes.map(|shape| id::namespace(shape.id)).collect();
        Self { model, namespaces }
    }

    fn lacks(&self, applied: &Trait<'a>) -> bool {
        let namespace = id::namespace(applied.id);
        if namespace == API {
            return !prelude::has(id::name(applied.id)) && self.model.shape(applied.id).is_none();
        }
        let is_ours = namespace == "smithy.waiters" || self.namespaces.contains(namespace);
        is_ours && !applied.inherited && self.model.shape(applied.id).is_none()
    }

    fn event(&self, applied: &Trait<'a>, owner: &str) -> Event {
        let near = self.near(applied.id);
        let message = format!(
            "`{owner}` has the trait `{}`, which the model does not have{near}",
            applied.id
        );
        let mut event = Event::error(UNKNOWN_TRAIT, message)
            .at(applied.at)
            .on(owner);
        // A later release of Smithy may have it.
        if id::namespace(applied.id) == API {
            event.severity = Severity::Warning;
        }
        event
    }

    /// The trait that was meant.
    fn near(&self, id: &str) -> String {
        let name = id::name(id);
        let traits = || self.model.all().iter().filter(|shape| is_trait(shape));
        let elsewhere = traits().find(|shape| id::name(shape.id) == name);
        if let Some(elsewhere) = elsewhere {
            return format!(": is `use {}` missing?", elsewhere.id);
        }
        let others = prelude::traits().map(|name| format!("{API}#{name}"));
        let ids: Vec<String> = traits()
            .map(|shape| shape.id.to_owned())
            .chain(others)
            .collect();
        let near = suggest::nearest(name, ids.iter().map(|id| id::name(id)));
        let of_name = |near| ids.iter().find(|id| id::name(id) == near);
        near.and_then(of_name)
            .map_or_else(String::new, |id| format!(": did you mean `{id}`?"))
    }
}

fn is_trait(shape: &Shape<'_>) -> bool {
    shape.has_trait("smithy.api#trait")
}
