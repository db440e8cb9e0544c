//! Validates references between shapes.
//!
//! Smithy validates nothing else if a referenced shape is missing.

use crate::event::ids::MODEL;
use crate::event::{Culprit, Event};
use crate::messages;
use crate::shapes::{Entry, Kind, Model, Node, Shape, Value, id};
use crate::source::At;

/// The maximum number of suggestions. With thousands of missing shapes, a whole file is missing.
const SUGGESTED: usize = 100;

/// Reports references to shapes that do not exist or have the wrong kind.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    if !model.is_complete() {
        return Vec::new();
    }
    let mut events = Vec::new();
    for shape in model.shapes() {
        for member in &shape.members {
            if !member.target.is_empty() && !is_known(model, member.target) {
                let owner = format!("{}${}", shape.id, member.name);
                let event = missing(model, &owner, member.target, events.len());
                events.push(event.at(member.at));
            }
        }
        for property in &shape.properties {
            check_property(model, shape, property, &mut events);
        }
        if shape.kind == Kind::Operation {
            events.extend(check_operation(model, shape));
        }
        events.extend(check_kinds(model, shape));
    }
    events
}

fn check_property(
    model: &Model<'_>,
    shape: &Shape<'_>,
    property: &Entry<'_>,
    events: &mut Vec<Event>,
) {
    let mut check = |node: &Node<'_>| {
        let target = node.member("target");
        if let Some((target, id)) = target.and_then(|target| Some((target, target.as_str()?)))
            && !is_known(model, id)
        {
            let event = missing(model, shape.id, id, events.len()).at(shape.at);
            events.push(event.because_of(Culprit::whole(target.at)));
        }
    };
    match property.value.value {
        Value::Array(elements) => elements.iter().for_each(&mut check),
        Value::Object(_) => {
            check(&property.value);
            let entries = property.value.entries().iter();
            entries.for_each(|entry| check(&entry.value));
        }
        _ => {}
    }
}

/// Reports references of members, services and resources to shapes of the wrong kind, and mixins without the trait
/// `mixin`.
fn check_kinds(model: &Model<'_>, shape: &Shape<'_>) -> Vec<Event> {
    let wrong = |owner: &str, at: At, expected: &str, found: &Shape<'_>| {
        let message = format!(
            "`{owner}` cannot refer to `{}` as {expected}: its type is `{}`",
            found.id,
            found.kind.name()
        );
        Event::error(MODEL, message).at(at).on(owner)
    };
    let mut events = Vec::new();
    for member in &shape.members {
        let target = model.shape(member.target);
        if let Some(target) = target.filter(|target| is_service_type(target.kind)) {
            let owner = format!("{}${}", shape.id, member.name);
            events.push(wrong(&owner, member.at, "a value", target));
        }
    }
    for (list, kind) in [
        ("operations", Kind::Operation),
        ("collectionOperations", Kind::Operation),
        ("resources", Kind::Resource),
    ] {
        let targets = shape.references(list).filter_map(|id| model.shape(id));
        let others = targets.filter(|target| target.kind != kind);
        let expected = format!("one of its `{list}`");
        events.extend(others.map(|target| wrong(shape.id, shape.at, &expected, target)));
    }
    for mixin in &shape.mixins {
        let target = model.shape(mixin.id);
        if target.is_some_and(|target| !target.has_trait("smithy.api#mixin")) {
            let message = format!("the mixin `{}` must have the trait `mixin`", mixin.id);
            let event = Event::error(MODEL, message).at(shape.at).on(shape.id);
            events.push(event.because_of(Culprit::whole(mixin.at)));
        }
    }
    events
}

const fn is_service_type(kind: Kind) -> bool {
    matches!(kind, Kind::Operation | Kind::Resource | Kind::Service)
}

/// Reports inputs, outputs and errors of the wrong kind.
fn check_operation(model: &Model<'_>, operation: &Shape<'_>) -> Vec<Event> {
    let sides = ["input", "output"].into_iter();
    let sides =
        sides.filter_map(|side| Some((side, model.input_or_output(operation, side)?, false)));
    let errors = operation
        .references("errors")
        .filter_map(|error| model.shape(error));
    let all = sides.chain(errors.map(|error| ("error", error, true)));
    let wrong = all.filter(|(_, shape, is_error)| {
        shape.kind != Kind::Structure || shape.has_trait("smithy.api#error") != *is_error
    });
    let event = |(role, shape, is_error): (&str, &Shape<'_>, bool)| {
        let expected = if is_error {
            "a structure with the trait `error`"
        } else {
            "a structure without the trait `error`"
        };
        let message = format!(
            "the {role} of an operation must be {expected}, got `{}`",
            shape.id
        );
        Event::error(MODEL, message)
            .at(operation.at)
            .on(operation.id)
    };
    wrong.map(event).collect()
}

fn is_known(model: &Model<'_>, id: &str) -> bool {
    model.shape(id).is_some()
}

fn missing(model: &Model<'_>, owner: &str, target: &str, before: usize) -> Event {
    let namespace = id::namespace(target);
    let names = model
        .shapes()
        .iter()
        .filter(|shape| id::namespace(shape.id) == namespace);
    let names = names.map(|shape| id::name(shape.id));
    let near = if before < SUGGESTED {
        messages::did_you_mean(id::name(target), names)
    } else {
        String::new()
    };
    let message = format!("`{owner}` refers to the unknown shape `{target}`{near}");
    Event::error(MODEL, message).on(owner)
}
