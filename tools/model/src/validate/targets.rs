//! Validates the shapes that traits are applied to, and conflicts between traits.
//!
//! Clauses: [trait selectors](https://smithy.io/2.0/spec/model.html#trait-selectors), [trait
//! conflicts](https://smithy.io/2.0/spec/model.html#trait-conflicts).

use rustc_hash::FxHashMap;

use crate::event::Event;
use crate::selector::{self, Graph, Place, Selection, Selector};
use crate::shapes::id::WAITABLE;
use crate::shapes::{Model, Node, Shape, Trait};

const TRAIT: &str = "smithy.api#trait";

/// Validates the application of each trait.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let graph = Graph::new(model);
    let selection = Selection::new(&graph);
    let rules = Rules::new(model);
    let mut events = Vec::new();
    for shape in model.shapes() {
        let members = shape.members.iter().map(Some);
        for member in std::iter::once(None).chain(members) {
            let place = Place { shape, member };
            if !place.traits().is_empty() {
                rules.check(place, &selection, &mut events);
            }
        }
    }
    events
}

/// The rules of traits by id. Traits without rules are not included.
struct Rules<'m>(FxHashMap<&'m str, Rule<'m>>);

/// The rules for the application of a trait.
struct Rule<'m> {
    /// The selector as text and parsed; `None` if the trait can be applied to any shape.
    selector: Option<(&'m str, Selector)>,
    conflicts: Vec<&'m str>,
}

impl<'m> Rules<'m> {
    fn new(model: &'m Model<'_>) -> Self {
        let defined = model.all().iter();
        let rules = defined.filter_map(|shape| Some((shape.id, Rule::from_shape(shape)?)));
        Self(rules.collect())
    }

    fn check<'a>(
        &self,
        place: Place<'m, 'a>,
        selection: &Selection<'_, 'm, 'a>,
        events: &mut Vec<Event>,
    ) {
        let mut conflicts = Vec::new();
        for applied in place.traits() {
            let Some(rule) = self.0.get(applied.id) else {
                continue;
            };
            if let Some((written, selector)) = &rule.selector
                && selection.selects(selector, place) == Some(false)
            {
                events.push(misplaced(place, applied, written));
            }
            let has = |id: &&&str| place.traits().iter().any(|other| other.id == **id);
            let others = rule.conflicts.iter().filter(has);
            conflicts.extend(others.map(|other| (applied.id, *other)));
        }
        if !conflicts.is_empty() {
            events.push(conflict_event(place, &conflicts));
        }
    }
}

impl<'m> Rule<'m> {
    fn from_shape(shape: &'m Shape<'_>) -> Option<Self> {
        let definition = shape.find_trait(TRAIT)?.value;
        let selector = definition.member("selector").and_then(|node| node.as_str());
        let selector = selector.and_then(|text| Some((text, selector::parse(text)?)));
        let conflicts = definition.member("conflicts");
        let conflicts = conflicts.map_or(&[][..], |conflicts| conflicts.elements());
        let conflicts: Vec<&str> = conflicts.iter().filter_map(Node::as_str).collect();
        let has_rules = selector.is_some() || !conflicts.is_empty();
        has_rules.then_some(Self {
            selector,
            conflicts,
        })
    }
}

fn misplaced(place: Place<'_, '_>, applied: &Trait<'_>, selector: &str) -> Event {
    let (name, target) = (short(applied.id), place.id());
    let reason = reason(applied.id, place, selector);
    let message = format!("trait `{name}` cannot be applied to `{target}`: {reason}");
    Event::error("TraitTarget", message)
        .at(applied.at)
        .on(&target)
}

/// Returns the reason that a trait cannot be applied to a place.
fn reason(id: &str, place: Place<'_, '_>, selector: &str) -> String {
    let is_operation = place.shape.kind == crate::shapes::Kind::Operation;
    let known = match (id, selector) {
        (WAITABLE, _) if is_operation && place.member.is_none() => {
            "an operation with an event stream cannot have waiters"
        }
        (WAITABLE, _) => "only operations can have waiters",
        ("smithy.api#paginated", _) => "only operations and services can be paginated",
        ("smithy.api#idempotencyToken", _) => {
            "only members of structures that target a string can have it"
        }
        (_, "operation") => "only operations can have it",
        (_, "service") => "only services can have it",
        (_, ":is(service, operation)") => "only services and operations can have it",
        (_, "structure") => "only structures can have it",
        (_, "structure > member") => "only members of structures can have it",
        (_, ":is(structure, union) > member") => {
            "only members of structures and unions can have it"
        }
        (_, "structure[trait|error]") => "only structures with the trait `error` can have it",
        _ => return format!("it requires the selector `{selector}`"),
    };
    known.to_owned()
}

/// Creates an event about conflicting traits of a shape.
fn conflict_event(place: Place<'_, '_>, conflicts: &[(&str, &str)]) -> Event {
    let at = place.member.map_or(place.shape.at, |member| member.at);
    let mut pairs: Vec<[&str; 2]> = Vec::new();
    for (one, two) in conflicts {
        let mut pair = [short(one), short(two)];
        pair.sort_unstable();
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let pairs = pairs
        .iter()
        .map(|[one, two]| format!("`{one}` and `{two}`"));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    let target = place.id();
    let message = format!("conflicting traits of `{target}`: {pairs}");
    Event::error("TraitConflict", message).at(at).on(&target)
}

/// Returns the id of a trait as models write it.
fn short(id: &str) -> &str {
    id.strip_prefix("smithy.api#").unwrap_or(id)
}
