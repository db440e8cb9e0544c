//! Validates `requestCompression`: the input of the operation, and the encodings.
//!
//! Clause: [requestCompression](https://smithy.io/2.0/spec/behavior-traits.html#requestcompression-trait).

use crate::event::Event;
use crate::messages;
use crate::shapes::id::REQUEST_COMPRESSION;
use crate::shapes::{Kind, Model, Node, Shape, Trait, UNIT};

const ID: &str = "RequestCompressionTrait";

/// The supported encodings.
const SUPPORTED: [&str; 1] = ["gzip"];

/// Validates the trait on each operation.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    for operation in model.of_kind(Kind::Operation) {
        if let Some(applied) = operation.find_trait(REQUEST_COMPRESSION) {
            check_input(model, operation, &mut events);
            events.extend(check_encodings(operation, applied));
        }
    }
    events
}

fn check_input(model: &Model<'_>, operation: &Shape<'_>, events: &mut Vec<Event>) {
    let input = model.input_or_output(operation, "input");
    let Some(input) = input else { return };
    let mut problem = |message: String| {
        events.push(Event::error(ID, message).at(operation.at).on(operation.id));
    };
    if input.id == UNIT {
        return problem(format!(
            "`requestCompression` requires an input, but `{}` has none",
            operation.id
        ));
    }
    for member in &input.members {
        let target = model.shape(member.target).filter(|target| {
            target.has_trait("smithy.api#streaming")
                && target.has_trait("smithy.api#requiresLength")
        });
        if let Some(target) = target {
            problem(format!(
                "the member `{}${}` must not target `{}`: the length that the stream requires is unknown before compression",
                input.id, member.name, target.id
            ));
        }
    }
}

fn check_encodings(operation: &Shape<'_>, applied: &Trait<'_>) -> Option<Event> {
    // A value without `encodings` is reported with the values of traits.
    let encodings = applied.value.member("encodings")?.elements();
    let supported = messages::list(SUPPORTED);
    let problem = |message: String| Some(Event::error(ID, message).at(applied.at).on(operation.id));
    if encodings.is_empty() {
        return problem(format!(
            "`encodings` must contain at least one of {supported}"
        ));
    }
    let is_unknown = |encoding: &&str| !SUPPORTED.contains(&&*encoding.to_lowercase());
    let encodings = encodings.iter().filter_map(Node::as_str);
    let unknown: Vec<&str> = encodings.filter(is_unknown).collect();
    if unknown.is_empty() {
        return None;
    }
    let near = unknown.first().map_or_else(String::new, |first| {
        messages::did_you_mean_one_of(first, SUPPORTED.into_iter())
    });
    let unknown = messages::list(unknown);
    problem(format!("unsupported encodings {unknown}{near}"))
}
