//! Decides which values of a state are goals, and which ones fail a wait for a goal.

use super::values::{Class, StateValue};
use super::vocabulary::{Phase, Weight};

/// The kind of state that a proposed waiter waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Goal {
    /// The work is done.
    Done,
    /// The resource can be used.
    Ready,
    /// The resource is stopped, paused or disabled.
    Rest,
    /// The resource is deleted.
    Gone,
    /// The resource exists: a read succeeds.
    Exists,
    /// The resource does not exist: a read fails.
    NotExists,
}

/// A lifecycle: the values of a state.
pub(super) struct Lifecycle<'s> {
    values: &'s [StateValue],
    /// `true` if the state is that of work, which ends, rather than of a resource, which can be used.
    is_work: bool,
}

impl<'s> Lifecycle<'s> {
    pub(super) fn new(values: &'s [StateValue]) -> Self {
        let is_done = |value: &StateValue| value.class == Class::Done && value.phase.is_none();
        Self {
            values,
            is_work: values.iter().any(is_done),
        }
    }

    pub(super) fn has_transition(&self) -> bool {
        let is_step = |value: &&StateValue| {
            value.class == Class::Transitional
                || (self.is_work && matches!(value.class, Class::Ready | Class::Created))
        };
        self.values.iter().any(|value| is_step(&value))
    }

    pub(super) fn is_deleting(&self) -> bool {
        self.values
            .iter()
            .any(|value| value.class == Class::Transitional && value.phase == Some(Phase::Delete))
    }

    /// Returns the values to wait for, with the weights that their classes have.
    pub(super) fn goals(&self) -> Vec<(&'s StateValue, Goal, Weight)> {
        let has = |class| self.values.iter().any(|value| value.class == class);
        let goal = |value: &'s StateValue| {
            let (goal, weight) = match value.class {
                Class::Done => (Goal::Done, Weight::Done),
                Class::Ready if !self.is_work => (Goal::Ready, Weight::Ready),
                Class::Created if !self.is_work && has(Class::Ready) => {
                    (Goal::Ready, Weight::Created)
                }
                Class::Created if !self.is_work => (Goal::Ready, Weight::Ready),
                Class::Rest => (Goal::Rest, Weight::Rest),
                _ => return None,
            };
            Some((value, goal, weight))
        };
        self.values.iter().filter_map(goal).collect()
    }

    /// Returns the value for a deleted resource.
    pub(super) fn gone(&self) -> Option<&'s StateValue> {
        self.values.iter().find(|value| value.class == Class::Gone)
    }

    /// Returns the values after which a goal cannot be reached.
    ///
    /// A missing failure costs time until the deadline, and a wrong one breaks a wait that would succeed. So a value fails
    /// only if its phase leads to the goal.
    pub(super) fn failures(&self, goal: Goal, target: Option<&StateValue>) -> Vec<&'s StateValue> {
        let phase = target.and_then(|target| target.phase);
        let fails = |value: &&StateValue| match goal {
            Goal::Done => match (phase, value.phase) {
                (Some(phase), other) => {
                    value.class == Class::Failed
                        && (other == Some(phase) || is_rollback_of(value, target))
                }
                (None, _) if !self.is_work => false,
                (None, Some(Phase::Delete | Phase::Update)) => false,
                (None, _) => {
                    matches!(
                        value.class,
                        Class::Failed | Class::Cancelled | Class::Partial
                    ) || (value.class == Class::Rest && value.phase != Some(Phase::Rollback))
                }
            },
            Goal::Ready => {
                value.class == Class::Failed && matches!(value.phase, None | Some(Phase::Create))
            }
            Goal::Rest => {
                value.class == Class::Failed && matches!(value.phase, None | Some(Phase::Stop))
            }
            Goal::Gone => value.class == Class::Failed && value.phase == Some(Phase::Delete),
            Goal::Exists | Goal::NotExists => false,
        };
        let values = self.values.iter().filter(fails);
        values
            .filter(|value| target.is_none_or(|target| target.text != value.text))
            .collect()
    }
}

/// Returns `true` for a finished rollback of the goal's operation: `UPDATE_ROLLBACK_COMPLETE` for `UPDATE_COMPLETE`.
fn is_rollback_of(value: &StateValue, target: Option<&StateValue>) -> bool {
    let first = |value: &StateValue| value.words.first().cloned();
    target.is_some_and(|target| first(target) == first(value))
}
