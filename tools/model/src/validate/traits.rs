//! Reports unknown traits. A misspelled name or a missing `use` leaves a shape without its waiters.
//!
//! Traits in a namespace without any shape are accepted, because their library is not among the texts.
//!
//! Clause: [applying traits](https://smithy.io/2.0/spec/model.html#applying-traits).

use std::collections::{BTreeMap, BTreeSet};

use crate::event::{Event, Fix, Severity};
use crate::messages;
use crate::shapes::{Model, Trait, id};

const UNKNOWN_TRAIT: &str = "SmithyWaiters.UnknownTrait";
const API: &str = "smithy.api";

/// The maximum number of suggestions. With thousands of unknown traits, a whole file is missing.
const SUGGESTED: usize = 100;

/// Reports applied traits that do not exist.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    if !model.is_complete() {
        return Vec::new();
    }
    let known = TraitNames::new(model);
    let mut events = Vec::new();
    for shape in model.shapes() {
        let unknown = shape.traits.iter().filter(|applied| known.reports(applied));
        for applied in unknown {
            events.push(known.event(applied, shape.id, events.len()));
        }
        for member in &shape.members {
            let unknown = member
                .traits
                .iter()
                .filter(|applied| known.reports(applied));
            let owner = || format!("{}${}", shape.id, member.name);
            for applied in unknown {
                events.push(known.event(applied, &owner(), events.len()));
            }
        }
    }
    events
}

/// Returns the model with the `use` statements that fix the events of [`check`], or `None` if there are none.
pub(super) fn with_missing_uses<'a>(model: &Model<'a>, events: &[Event]) -> Option<Model<'a>> {
    events.iter().find(|event| event.fix.is_some())?;
    let known = TraitNames::new(model);
    let mut complete = model.clone();
    for shape in &mut complete.shapes {
        let members = shape.members.iter_mut();
        let of_members = members.flat_map(|member| &mut member.traits);
        for applied in shape.traits.iter_mut().chain(of_members) {
            if known.lacks(applied.id)
                && let Some(id) = known.in_other_namespace(applied.id)
            {
                applied.id = id;
            }
        }
    }
    Some(complete)
}

/// The traits that a model defines.
#[derive(Debug)]
struct TraitNames<'m, 'a> {
    model: &'m Model<'a>,
    /// The namespaces that the texts define completely.
    namespaces: BTreeSet<&'a str>,
    /// The ids of the defined traits by name.
    traits: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'m, 'a> TraitNames<'m, 'a> {
    fn new(model: &'m Model<'a>) -> Self {
        let shapes = model.shapes().iter();
        let namespaces = shapes.map(|shape| id::namespace(shape.id));
        // A built model contains only those traits of Smithy's libraries that it uses, so these namespaces are
        // incomplete.
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

    /// Returns `true` for an unknown trait that is not inherited from a mixin, where it is reported.
    fn reports(&self, applied: &Trait<'a>) -> bool {
        !applied.inherited && self.lacks(applied.id)
    }

    fn lacks(&self, id: &str) -> bool {
        let namespace = id::namespace(id);
        let is_known =
            [API, "smithy.waiters"].contains(&namespace) || self.namespaces.contains(namespace);
        is_known && self.model.shape(id).is_none()
    }

    fn event(&self, applied: &Trait<'a>, owner: &str, before: usize) -> Event {
        let in_other_namespace = self.in_other_namespace(applied.id);
        let near = match in_other_namespace {
            Some(id) => format!(": is `use {id}` missing?"),
            None if before < SUGGESTED => self.suggest(applied.id),
            None => String::new(),
        };
        let message = format!("`{owner}` has the unknown trait `{}`{near}", applied.id);
        let mut event = Event::error(UNKNOWN_TRAIT, message)
            .at(applied.at)
            .on(owner);
        event.fix = in_other_namespace.map(|id| Fix::Use(id.to_owned()));
        // A later version of Smithy may define it.
        if id::namespace(applied.id) == API {
            event.severity = Severity::Warning;
        }
        event
    }

    /// Returns the trait with the same name in another namespace, if there is exactly one.
    fn in_other_namespace(&self, id: &str) -> Option<&'a str> {
        match self.traits.get(id::name(id))?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns a suggestion for a misspelled trait.
    fn suggest(&self, id: &str) -> String {
        let near = messages::nearest(id::name(id), self.traits.keys().copied());
        let id = near.and_then(|near| self.traits.get(near)?.first());
        id.map_or_else(String::new, |id| format!(": did you mean `{id}`?"))
    }
}
