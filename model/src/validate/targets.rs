//! Whether the traits of waiters and behaviours are applied to what they can be applied to.
//!
//! Clause: [trait selectors](https://smithy.io/2.0/spec/model.html#trait-selectors).

use crate::event::Event;
use crate::model::Model;
use crate::shape::{Kind, Member, Shape, Trait};

const STREAMING: &str = "smithy.api#streaming";

/// Checks what the traits are applied to.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    for shape in model.shapes() {
        for applied in &shape.traits {
            let problem = problem_on_shape(model, shape, applied);
            events.extend(problem.map(|problem| event(shape.id, applied, problem)));
        }
        for member in &shape.members {
            for applied in &member.traits {
                let target = || format!("{}${}", shape.id, member.name);
                let problem = problem_on_member(model, shape, member, applied);
                events.extend(problem.map(|problem| event(&target(), applied, problem)));
            }
        }
    }
    events
}

fn event(target: &str, applied: &Trait<'_>, problem: &str) -> Event {
    let name = applied.id.strip_prefix("smithy.api#").unwrap_or(applied.id);
    let message = format!("trait `{name}` cannot be applied to `{target}`: {problem}");
    Event::error("TraitTarget", message)
        .at(applied.at)
        .on(target)
}

/// Why a trait cannot be on a shape.
fn problem_on_shape(
    model: &Model<'_>,
    shape: &Shape<'_>,
    applied: &Trait<'_>,
) -> Option<&'static str> {
    let is_operation = shape.kind == Kind::Operation;
    match applied.id {
        "smithy.waiters#waitable" if !is_operation => Some("only operations have waiters"),
        "smithy.waiters#waitable" if has_event_stream(model, shape) => {
            Some("an operation with an event stream in its input or output has no waiters")
        }
        "smithy.api#paginated" if !is_operation && shape.kind != Kind::Service => {
            Some("only operations and services are paginated")
        }
        "smithy.api#requestCompression" | "smithy.api#idempotent" | "smithy.api#readonly"
            if !is_operation =>
        {
            Some("only operations can have it")
        }
        "smithy.api#retryable"
            if shape.kind != Kind::Structure || !shape.has_trait("smithy.api#error") =>
        {
            Some("only structures with the trait `error` can have it")
        }
        "smithy.api#idempotencyToken" => Some("only members of structures can have it"),
        _ => None,
    }
}

/// Why a trait cannot be on a member.
fn problem_on_member(
    model: &Model<'_>,
    shape: &Shape<'_>,
    member: &Member<'_>,
    applied: &Trait<'_>,
) -> Option<&'static str> {
    match applied.id {
        "smithy.api#idempotencyToken" => {
            let target = model.shape(member.target).map(|target| target.kind);
            let is_string = matches!(target, None | Some(Kind::Enum | Kind::String));
            (shape.kind != Kind::Structure || !is_string)
                .then_some("only members of structures that target a string can have it")
        }
        "smithy.waiters#waitable"
        | "smithy.api#idempotent"
        | "smithy.api#readonly"
        | "smithy.api#requestCompression" => Some("only operations can have it"),
        "smithy.api#paginated" => Some("only operations and services are paginated"),
        "smithy.api#retryable" => Some("only structures with the trait `error` can have it"),
        _ => None,
    }
}

/// Whether a member of an operation's input or output targets an event stream.
fn has_event_stream(model: &Model<'_>, operation: &Shape<'_>) -> bool {
    let structures = ["input", "output"].map(|property| model.input_or_output(operation, property));
    let mut members = structures
        .into_iter()
        .flatten()
        .flat_map(|shape| &shape.members);
    members.any(|member| {
        let target = model.shape(member.target);
        target.is_some_and(|target| target.kind == Kind::Union && target.has_trait(STREAMING))
    })
}
