//! Finds applied traits that do not exist: a misspelt name or a forgotten `use` leaves a shape without its waiters.
//!
//! Traits of a namespace without any shapes are accepted: they are of a library that is not among the texts.
//!
//! Clause: [applying traits](https://smithy.io/2.0/spec/model.html#applying-traits).

use std::collections::{BTreeMap, BTreeSet};

use crate::event::{Event, Fix, Severity};
use crate::messages;
use crate::shapes::{Model, Trait, id};

const UNKNOWN_TRAIT: &str = "SmithyWaiters.UnknownTrait";
const API: &str = "smithy.api";

/// How many of them get a suggestion: where thousands are missing, it is a file.
const SUGGESTED: usize = 100;

/// Finds applied traits that are not there.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    if !model.is_complete() {
        return Vec::new();
    }
    let known = TraitNames::of(model);
    let mut events = Vec::new();
    for shape in model.shapes() {
        let unknown = shape.traits.iter().filter(|applied| known.lacks(applied));
        for applied in unknown {
            events.push(known.event(applied, shape.id, events.len()));
        }
        for member in &shape.members {
            let unknown = member.traits.iter().filter(|applied| known.lacks(applied));
            let owner = || format!("{}${}", shape.id, member.name);
            for applied in unknown {
                events.push(known.event(applied, &owner(), events.len()));
            }
        }
    }
    events
}

/// What a model knows of traits.
#[derive(Debug)]
struct TraitNames<'m, 'a> {
    model: &'m Model<'a>,
    /// Those of the files themselves.
    namespaces: BTreeSet<&'a str>,
    /// The ids of the traits that are there, by their names.
    traits: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'m, 'a> TraitNames<'m, 'a> {
    fn of(model: &'m Model<'a>) -> Self {
        let shapes = model.shapes().iter();
        let namespaces = shapes.map(|shape| id::namespace(shape.id));
        // What is built of a model has those traits of Smithy's own libraries that it uses: another one may use others.
        let is_whole = |namespace: &&str| {
            !["aws.", "smithy."]
                .iter()
                .any(|begin| namespace.starts_with(begin))
        };
        let namespaces = namespaces.filter(is_whole).collect();
        let mut traits: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let defined = model.all().iter();
        for shape in defined.filter(|shape| shape.has_trait("smithy.api#trait")) {
            traits.entry(id::name(shape.id)).or_default().push(shape.id);
        }
        Self {
            model,
            namespaces,
            traits,
        }
    }

    fn lacks(&self, applied: &Trait<'a>) -> bool {
        let namespace = id::namespace(applied.id);
        let is_known =
            [API, "smithy.waiters"].contains(&namespace) || self.namespaces.contains(namespace);
        is_known && !applied.inherited && self.model.shape(applied.id).is_none()
    }

    fn event(&self, applied: &Trait<'a>, owner: &str, before: usize) -> Event {
        let elsewhere = self.elsewhere(applied.id);
        let near = match elsewhere {
            Some(id) => format!(": is `use {id}` missing?"),
            None if before < SUGGESTED => self.near(applied.id),
            None => String::new(),
        };
        let message = format!(
            "`{owner}` has the trait `{}`, which the model does not have{near}",
            applied.id
        );
        let mut event = Event::error(UNKNOWN_TRAIT, message)
            .at(applied.at)
            .on(owner);
        event.fix = elsewhere.map(|id| Fix::Use(id.to_owned()));
        // A later release of Smithy may have it.
        if id::namespace(applied.id) == API {
            event.severity = Severity::Warning;
        }
        event
    }

    /// The one trait of the same name in another namespace.
    fn elsewhere(&self, id: &str) -> Option<&'a str> {
        match self.traits.get(id::name(id))?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The trait that was meant.
    fn near(&self, id: &str) -> String {
        let near = messages::nearest(id::name(id), self.traits.keys().copied());
        let id = near.and_then(|near| self.traits.get(near)?.first());
        id.map_or_else(String::new, |id| format!(": did you mean `{id}`?"))
    }
}
