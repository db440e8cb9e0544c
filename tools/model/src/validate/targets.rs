//! Validates the shapes that the traits of waiters and behaviours are applied to.
//!
//! Clauses: [trait selectors](https://smithy.io/2.0/spec/model.html#trait-selectors), [structurally exclusive
//! traits](https://smithy.io/2.0/spec/model.html#structurally-exclusive-traits).

use crate::event::Event;
use crate::messages;
use crate::shapes::id::{
    ERROR, IDEMPOTENCY_TOKEN, PAGINATED, REQUEST_COMPRESSION, RETRYABLE, WAITABLE,
};
use crate::shapes::{Kind, Member, Model, Shape, Trait};

const STREAMING: &str = "smithy.api#streaming";

/// Validates the application of each trait, and the number of tokens in each structure.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    for shape in model.shapes() {
        for applied in &shape.traits {
            let problem = shape_problem(model, shape, applied.id);
            events.extend(problem.map(|problem| misplaced(applied, shape.id, problem)));
        }
        for member in &shape.members {
            for applied in &member.traits {
                let problem = member_problem(model, shape, member, applied.id);
                let target = || format!("{}${}", shape.id, member.name);
                events.extend(problem.map(|problem| misplaced(applied, &target(), problem)));
            }
        }
        events.extend(several_tokens(shape));
    }
    events
}

/// Returns the reason that a trait cannot be applied to a shape.
fn shape_problem(model: &Model<'_>, shape: &Shape<'_>, id: &str) -> Option<&'static str> {
    let is_operation = shape.kind == Kind::Operation;
    match id {
        WAITABLE if is_operation && has_event_stream(model, shape) => {
            Some("an operation with an event stream cannot have waiters")
        }
        PAGINATED if shape.kind == Kind::Service => None,
        WAITABLE | PAGINATED | REQUEST_COMPRESSION if is_operation => None,
        RETRYABLE if shape.kind == Kind::Structure && shape.has_trait(ERROR) => None,
        id => requirement(id),
    }
}

/// Returns the reason that a trait cannot be applied to a member.
fn member_problem(
    model: &Model<'_>,
    shape: &Shape<'_>,
    member: &Member<'_>,
    id: &str,
) -> Option<&'static str> {
    let target = model.shape(member.target);
    let is_text = target.is_none_or(|target| matches!(target.kind, Kind::Enum | Kind::String));
    match id {
        IDEMPOTENCY_TOKEN if shape.kind == Kind::Structure && is_text => None,
        id => requirement(id),
    }
}

/// Returns the requirement of a trait on its target.
fn requirement(id: &str) -> Option<&'static str> {
    Some(match id {
        IDEMPOTENCY_TOKEN => "only members of structures that target a string can have it",
        PAGINATED => "only operations and services can be paginated",
        REQUEST_COMPRESSION => "only operations can have it",
        RETRYABLE => "only structures with the trait `error` can have it",
        WAITABLE => "only operations can have waiters",
        _ => return None,
    })
}

fn has_event_stream(model: &Model<'_>, operation: &Shape<'_>) -> bool {
    let sides = ["input", "output"].into_iter();
    let sides = sides.filter_map(|side| model.input_or_output(operation, side));
    let mut members = sides.flat_map(|side| &side.members);
    members.any(|member| {
        let target = model.shape(member.target);
        target.is_some_and(|target| target.kind == Kind::Union && target.has_trait(STREAMING))
    })
}

fn misplaced(applied: &Trait<'_>, target: &str, reason: &str) -> Event {
    let name = applied.id.strip_prefix("smithy.api#").unwrap_or(applied.id);
    let message = format!("trait `{name}` cannot be applied to `{target}`: {reason}");
    Event::error("TraitTarget", message)
        .at(applied.at)
        .on(target)
}

/// Reports a structure with several idempotency tokens.
fn several_tokens(shape: &Shape<'_>) -> Option<Event> {
    let members = shape.members.iter();
    let tokens = members.filter(|member| member.has_trait(IDEMPOTENCY_TOKEN));
    let names: Vec<&str> = tokens.map(|member| member.name).collect();
    if shape.kind != Kind::Structure || names.len() < 2 {
        return None;
    }
    let count = names.len();
    let names = messages::list(names);
    let message = format!(
        "only one member of a structure can be its idempotency token, got {count}: {names}"
    );
    let event = Event::error("ExclusiveStructureMemberTrait", message);
    Some(event.at(shape.at).on(shape.id))
}
