//! Validates waiters and behaviour traits in the same stages as Smithy.
//!
//! Smithy first validates the values and targets of traits, and validates their meaning only if these are correct. This
//! module runs all stages. It leaves out what concerns neither waiters nor behaviours, because Smithy's own build
//! reports that. Events that Smithy would not report yet have the prefix `SmithyWaiters.Later.` before
//! Smithy's id.

mod compression;
mod paginated;
mod references;
pub(crate) mod suppress;
mod targets;
mod tokens;
mod traits;
mod values;
mod waitable;

use crate::event::ids::MODEL;
use crate::event::{Event, Severity};
use crate::shapes::Model;

/// The prefix of the ids of events that Smithy reports only after other errors are fixed.
const LATER: &str = "SmithyWaiters.Later.";

/// Returns the events from reading a model and from validating its waiters and behaviour traits.
///
/// Events that the model suppresses have the severity [`Severity::Suppressed`]. If Smithy's validator differs from the
/// specification, the events follow the validator: see docs/rules.md#validator-differences.
///
/// # Example: a minimum delay above the maximum delay
///
/// ```
/// use smithy_waiters_model::{Severity, Sources, read, validate};
///
/// let mut sources = Sources::default();
/// sources.add("a.smithy", r#"
///     namespace example
///     use smithy.waiters#waitable
///     @waitable(ThingExists: {
///         minDelay: 10, maxDelay: 5
///         acceptors: [{state: "success", matcher: {success: true}}]
///     })
///     operation GetThing {}
/// "#);
/// let events = validate(&read(&sources));
/// assert_eq!((&*events[0].id, events[0].severity), ("WaitableTrait", Severity::Error));
/// ```
#[must_use]
pub fn validate(model: &Model<'_>) -> Vec<Event> {
    in_order(smithy_events(model).0)
}

/// Returns Smithy's events stage by stage. After a stage with an error, events have the prefix for later events.
///
/// If a `use` statement is missing, also returns the model with it. The later stages and the lints check that model, so
/// that a missing `use` does not hide the mistakes in the trait's value.
pub(crate) fn smithy_events<'a>(model: &Model<'a>) -> (Vec<Event>, Option<Model<'a>>) {
    let mut events = model.events().to_vec();
    events.extend(references::check(model));
    let unknown = traits::check(model);
    let complete = traits::with_missing_uses(model, &unknown);
    events.extend(unknown);
    let model = complete.as_ref().unwrap_or(model);
    events.extend(suppress::check(model));
    // Smithy cannot build a trait with these errors, so it reports them first.
    let values = values::check(model).into_iter();
    let (build_errors, values): (Vec<Event>, Vec<Event>) = values.partition(is_build_error);
    events.extend(build_errors);
    let stages = [
        run_checks(model, &[targets::check], values),
        run_checks(
            model,
            &[
                compression::check,
                paginated::check,
                tokens::check,
                waitable::check,
            ],
            Vec::new(),
        ),
    ];
    let suppressions = suppress::Suppressions::new(model);
    events
        .iter_mut()
        .for_each(|event| suppressions.apply(event));
    for mut stage in stages {
        let is_later = events.iter().any(is_error);
        for event in &mut stage {
            suppressions.apply(event);
            if is_later {
                event.id.insert_str(0, LATER);
            }
        }
        events.append(&mut stage);
    }
    (events, complete)
}

type Check = fn(&Model<'_>) -> Vec<Event>;

fn run_checks(model: &Model<'_>, checks: &[Check], mut events: Vec<Event>) -> Vec<Event> {
    events.extend(checks.iter().flat_map(|check| check(model)));
    events
}

fn is_build_error(event: &Event) -> bool {
    event.id == MODEL
}

fn is_error(event: &Event) -> bool {
    event.severity == Severity::Error
}

/// Sorts events by position.
pub(crate) fn in_order(mut events: Vec<Event>) -> Vec<Event> {
    events.sort_by(|one, two| {
        (one.at, &one.shape, &one.id, &one.message).cmp(&(
            two.at,
            &two.shape,
            &two.id,
            &two.message,
        ))
    });
    events
}
