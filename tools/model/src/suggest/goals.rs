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
    pub(super) is_work: bool,
}

impl<'s> Lifecycle<'s> {
    pub(super) fn new(values: &'s [StateValue]) -> Self {
        let any = |is: &dyn Fn(&StateValue) -> bool| values.iter().any(is);
        let is_done = |value: &StateValue| value.class == Class::Done && value.phase.is_none();
        // `TRAINING_COMPLETED` is a step towards `RUNNING`.
        let is_plain = |value: &StateValue| is_done(value) && value.words.len() == 1;
        let is_ready = |value: &StateValue| value.class == Class::Ready;
        Self {
            values,
            is_work: any(&is_plain) || (any(&is_done) && !any(&is_ready)),
        }
    }

    /// Returns the class of a value in this lifecycle: work that is running is not ready.
    pub(super) fn class(&self, value: &StateValue) -> Class {
        match value.class {
            Class::Ready | Class::Created if self.is_work => Class::Transitional,
            class => class,
        }
    }

    /// Returns another value of the same class and phase.
    pub(super) fn variant(&self, value: &StateValue) -> Option<&'s StateValue> {
        let mut values = self.values.iter();
        values.find(|other| {
            let is_same = other.phase == value.phase || value.class == Class::Cancelled;
            other.text != value.text && other.class == value.class && is_same
        })
    }

    /// Returns a value that leads to a goal by itself, if possible in the phase of the target. Without one, the state changes
    /// immediately.
    pub(super) fn transition(
        &self,
        goal: Goal,
        target: Option<&StateValue>,
    ) -> Option<&'s StateValue> {
        let leads = |value: &&StateValue| {
            self.class(value) == Class::Transitional
                && match value.phase {
                    Some(Phase::Delete) => goal == Goal::Gone,
                    Some(Phase::Stop) => goal == Goal::Rest,
                    _ => {
                        matches!(goal, Goal::Done | Goal::Ready)
                            || (self.is_work && goal == Goal::Rest)
                    }
                }
        };
        let values = self.values.iter().filter(leads);
        let phase = |value: &StateValue| value.phase;
        values.min_by_key(|value| target.and_then(phase) != value.phase)
    }

    /// Returns the values to wait for, with the weights that their classes have.
    pub(super) fn goals(&self) -> Vec<(&'s StateValue, Goal, Weight)> {
        let any = |is: &dyn Fn(&StateValue) -> bool| self.values.iter().any(is);
        let has_ready = any(&|value| value.class == Class::Ready);
        // Without a value such as `CREATING`, `CREATED` is the first state.
        let is_creating = any(&|value| {
            value.class == Class::Transitional && matches!(value.phase, None | Some(Phase::Create))
        });
        let goal = |value: &'s StateValue| {
            let (goal, weight) = match value.class {
                Class::Done => (Goal::Done, Weight::Done),
                Class::Ready if !self.is_work => (Goal::Ready, Weight::Ready),
                Class::Created if !self.is_work && (has_ready || !is_creating) => {
                    (Goal::Ready, Weight::Created)
                }
                Class::Created if !self.is_work => (Goal::Ready, Weight::Ready),
                Class::Rest | Class::Cancelled => (Goal::Rest, Weight::Rest),
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
        let qualifier = target.and_then(qualifier_of);
        let is_deleting = self.transition(Goal::Gone, None).is_some();
        let fails = |value: &&StateValue| match goal {
            Goal::Done if qualifier.is_some() => {
                value.class == Class::Failed
                    && (value.words.len() == 1 || qualifier == qualifier_of(value))
            }
            Goal::Done => match value.class {
                Class::Failed | Class::Cancelled | Class::Partial | Class::Rest => {
                    let is_other = matches!(
                        value.phase,
                        Some(Phase::Delete | Phase::Update | Phase::Stop)
                    ) && value.class != Class::Cancelled;
                    !value.may_continue && (!is_other || value.words.len() == 1)
                }
                _ => false,
            },
            Goal::Ready => {
                value.class == Class::Failed && matches!(value.phase, None | Some(Phase::Create))
            }
            Goal::Rest => {
                value.class == Class::Failed
                    && (value.words.len() == 1 || value.phase == Some(Phase::Stop))
            }
            // A resource that is removed at once never has `DELETE_FAILED`.
            Goal::Gone => {
                is_deleting && value.class == Class::Failed && value.phase == Some(Phase::Delete)
            }
            Goal::Exists | Goal::NotExists => false,
        };
        let values = self.values.iter().filter(fails);
        values
            .filter(|value| target.is_none_or(|target| target.text != value.text))
            .collect()
    }
}

/// Returns the first word of a value with several: `create` of `CREATE_FAILED`.
fn qualifier_of(value: &StateValue) -> Option<&str> {
    let (_, before) = value.words.split_last()?;
    before.first().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::super::values::Classifier;
    use super::super::vocabulary::Vocabulary;
    use super::*;

    /// The values of lifecycles, and the lines for their goals.
    const GOALS: &str = "\
CREATING ACTIVE UPDATING CREATE_FAILED UPDATE_FAILED DELETING DELETE_FAILED DELETED FAILED
- Ready ACTIVE (Ready) < CREATING ! CREATE_FAILED ! FAILED
- Gone DELETED < DELETING ! DELETE_FAILED
CREATED ACTIVE
- Ready CREATED (Created)
- Ready ACTIVE (Ready)
CREATED
- Ready CREATED (Created)
CREATED CREATING
- Ready CREATED (Ready) < CREATING
CREATED UPDATING
- Ready CREATED (Created) < UPDATING
STARTING RUNNING STOPPING STOPPED START_FAILED STOP_FAILED
- Ready RUNNING (Ready) < STARTING ! START_FAILED
- Rest STOPPED (Rest) < STOPPING ! STOP_FAILED
PENDING RUNNING COMPLETED FAILED CANCELLED STOPPED PAUSED PARTIAL UPDATE_FAILED
- Done COMPLETED (Done) < PENDING ! FAILED ! CANCELLED ! STOPPED ! PARTIAL
- Rest CANCELLED (Rest) < PENDING ! FAILED
- Rest STOPPED (Rest) < PENDING ! FAILED ~ PAUSED
- Rest PAUSED (Rest) < PENDING ! FAILED ~ STOPPED
RUNNING STOPPING COMPLETED STOPPED
- Done COMPLETED (Done) < RUNNING ! STOPPED
- Rest STOPPED (Rest) < RUNNING
CREATE_IN_PROGRESS CREATE_COMPLETE CREATE_FAILED UPDATE_IN_PROGRESS UPDATE_COMPLETE UPDATE_FAILED FAILED DELETE_COMPLETE DELETE_FAILED
- Done CREATE_COMPLETE (Done) < CREATE_IN_PROGRESS ! CREATE_FAILED ! FAILED
- Done UPDATE_COMPLETE (Done) < UPDATE_IN_PROGRESS ! UPDATE_FAILED ! FAILED
- Gone DELETE_COMPLETE
TRAINING_COMPLETED RUNNING
- Done TRAINING_COMPLETED (Done)
- Ready RUNNING (Ready)
TRAINING_COMPLETED CREATED
- Done TRAINING_COMPLETED (Done) < CREATED
DELETED DELETE_FAILED
- Gone DELETED
QUEUED DONE UPDATE_CANCELLED UPDATE_STOPPED
- Done DONE (Done) < QUEUED ! UPDATE_CANCELLED
- Rest UPDATE_CANCELLED (Rest) < QUEUED
- Rest UPDATE_STOPPED (Rest) < QUEUED
";

    /// Returns a line for each goal of a lifecycle: the goal, its value with the class's weight, `<` and what leads to it, `!` and
    /// what fails it, `~` and another value of the same meaning.
    fn goals_of(values: &str) -> Vec<String> {
        let vocabulary = Vocabulary::default();
        let classifier = Classifier::new(&vocabulary);
        let values: Vec<StateValue> = values
            .split(' ')
            .map(|value| classifier.classify(value))
            .collect();
        let lifecycle = Lifecycle::new(&values);
        let shown = |goal: Goal, value: Option<&StateValue>, weight: &str| {
            let text = |value: &StateValue| value.text.clone();
            let mut parts = vec![
                format!("{goal:?}"),
                value.map_or_else(String::new, text),
                weight.to_owned(),
            ];
            parts.extend(
                lifecycle
                    .transition(goal, value)
                    .map(|from| format!("< {}", from.text)),
            );
            let failures = lifecycle.failures(goal, value).into_iter();
            parts.extend(failures.map(|failure| format!("! {}", failure.text)));
            let variant = value.and_then(|value| lifecycle.variant(value));
            parts.extend(variant.map(|variant| format!("~ {}", variant.text)));
            parts.retain(|part| !part.is_empty());
            parts.join(" ")
        };
        let goals = lifecycle.goals().into_iter();
        let goals =
            goals.map(|(value, goal, weight)| shown(goal, Some(value), &format!("({weight:?})")));
        let gone = lifecycle
            .gone()
            .map(|gone| shown(Goal::Gone, Some(gone), ""));
        goals.chain(gone).collect()
    }

    #[test]
    fn a_lifecycle_has_goals_with_what_leads_to_them_and_what_fails_them() {
        let mut found = String::new();
        for values in GOALS.lines().filter(|line| !line.starts_with('-')) {
            let goals: String = goals_of(values)
                .iter()
                .map(|goal| format!("- {goal}\n"))
                .collect();
            found += &format!("{values}\n{goals}");
        }
        assert_eq!(found, GOALS);
    }
}
