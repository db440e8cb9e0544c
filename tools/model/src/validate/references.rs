//! Reports references to missing shapes. The types of paths through a missing shape are unknown, so problems in these
//! paths would not be found.
//!
//! Smithy validates nothing else if a referenced shape is missing.

use crate::event::ids::MODEL;
use crate::event::{Culprit, Event};
use crate::messages;
use crate::shapes::{Entry, Model, Node, Shape, Value, id};

/// The maximum number of suggestions. With thousands of missing shapes, a whole file is missing.
const SUGGESTED: usize = 100;

/// Reports references to shapes that do not exist.
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
