//! Classifies the values of a state.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::vocabulary::{Phase, ValueWord, Vocabulary};
use super::words;

/// The class of a state's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Class {
    /// The resource leaves the state by itself.
    Transitional,
    /// The resource can be used.
    Ready,
    /// The resource exists; weaker than [`Ready`](Self::Ready).
    Created,
    /// The work succeeded.
    Done,
    /// The work failed.
    Failed,
    /// The work was cancelled.
    Cancelled,
    /// A part of the work failed.
    Partial,
    /// The resource is switched off until a user switches it on.
    Rest,
    /// The resource is deleted.
    Gone,
    /// The resource exists, but does not work well.
    Impaired,
    /// The vocabulary does not contain the value.
    Unknown,
}

/// A classified value.
#[derive(Clone, Debug)]
pub(super) struct StateValue {
    pub(super) text: String,
    pub(super) words: Vec<String>,
    pub(super) class: Class,
    /// `true` if work in this state at rest may continue.
    pub(super) may_continue: bool,
    /// The phase in the value's name, such as `create` in `CREATE_FAILED`.
    pub(super) phase: Option<Phase>,
}

/// Classifies values by a vocabulary.
pub(crate) struct Classifier<'v> {
    pub(super) vocabulary: &'v Vocabulary,
    known: FxHashMap<&'v str, ValueWord>,
}

impl<'v> Classifier<'v> {
    pub(crate) fn new(vocabulary: &'v Vocabulary) -> Self {
        let whole = vocabulary.values().collect();
        Self {
            vocabulary,
            known: whole,
        }
    }

    /// Returns `true` if the resource leaves a state with this value by itself, and then may reach any other state: it is
    /// neither being deleted nor cancelled nor rolled back.
    pub(crate) fn is_intermediate(&self, text: &str) -> bool {
        let value = self.classify(text);
        let whole = self.vocabulary.phase(&[value.words.concat()]);
        let ends = |phase| matches!(phase, Some(Phase::Delete | Phase::Rollback));
        let is_cancelling = value.words.iter().any(|word| word.starts_with("cancel"));
        value.class == Class::Transitional
            && !(ends(value.phase) || ends(whole) || self.is_rollback(&value.words))
            && !is_cancelling
    }

    pub(super) fn classify(&self, text: &str) -> StateValue {
        let words = words::split(text);
        let phase = self.vocabulary.phase(&words);
        let class = match (self.class(&words), phase) {
            // `DELETE_COMPLETE` is the end of a deletion, not of work.
            (Class::Done, Some(Phase::Delete)) => Class::Gone,
            (Class::Done, Some(Phase::Stop)) => Class::Cancelled,
            (class, _) => class,
        };
        // The phase of `CREATED` and `Running` is the state itself.
        let phase = phase.filter(|_| words.len() > 1 || class == Class::Transitional);
        StateValue {
            text: text.to_owned(),
            class,
            phase,
            may_continue: self.may_continue(&words),
            words,
        }
    }

    fn class(&self, words: &[String]) -> Class {
        let is = |word: &String, list| self.known.get(&**word) == Some(&list);
        let any = |list| words.iter().any(|word| is(word, list));
        let end = self.end(words);
        if words.len() > 1 {
            if any(ValueWord::Pending) {
                return Class::Transitional;
            }
            if any(ValueWord::Unclear) {
                return Class::Unknown;
            }
            if any(ValueWord::Partial) {
                return Class::Partial;
            }
            // `CREATE_FAILED_CLEANUP_COMPLETE` is the end of a failure.
            if end == Class::Done && any(ValueWord::Failed) {
                return Class::Failed;
            }
            if self.is_rollback(words) && end != Class::Transitional {
                return Class::Failed;
            }
        }
        end
    }

    pub(super) fn is_rollback(&self, words: &[String]) -> bool {
        words
            .iter()
            .any(|word| self.vocabulary.phase(std::slice::from_ref(word)) == Some(Phase::Rollback))
    }

    fn may_continue(&self, words: &[String]) -> bool {
        self.known_end(words) == Some(ValueWord::Paused)
    }

    /// Returns the list of the longest known end.
    fn known_end(&self, words: &[String]) -> Option<ValueWord> {
        let ends = (0..words.len()).filter_map(|start| words.get(start..));
        let mut found = ends.filter_map(|end| self.known.get(&*end.concat()));
        found.next().copied()
    }

    fn end(&self, words: &[String]) -> Class {
        match self.known_end(words) {
            Some(ValueWord::Transitional | ValueWord::Pending) => Class::Transitional,
            Some(ValueWord::Ready) => Class::Ready,
            Some(ValueWord::Created) => Class::Created,
            Some(ValueWord::Done) => Class::Done,
            Some(ValueWord::Failed) => Class::Failed,
            Some(ValueWord::Cancelled) => Class::Cancelled,
            Some(ValueWord::Rest | ValueWord::Paused) => Class::Rest,
            Some(ValueWord::Gone) => Class::Gone,
            Some(ValueWord::Impaired) => Class::Impaired,
            Some(ValueWord::Partial) => Class::Partial,
            Some(ValueWord::Unclear) => Class::Unknown,
            None => self.start(words),
        }
    }

    /// Returns the class of a value with an unknown end: `Updating Deployment`, `FAILED_START`.
    fn start(&self, words: &[String]) -> Class {
        let ends_moving = |word: Option<&String>| word.is_some_and(|word| word.ends_with("ing"));
        let first = words.first().and_then(|first| self.known.get(&**first));
        match first {
            Some(ValueWord::Failed) => Class::Failed,
            _ if ends_moving(words.last()) => Class::Transitional,
            Some(ValueWord::Transitional) => Class::Transitional,
            None if ends_moving(words.first()) => Class::Transitional,
            _ => Class::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values with their classes, phases and further properties.
    const VALUES: &str = "\
CREATED: Created
CREATING: Transitional Create intermediate
CREATE_COMPLETE: Done Create
CreateInProgress: Transitional Create intermediate
DELETE_COMPLETE: Gone Delete
DELETING: Transitional Delete
STOP_COMPLETE: Cancelled Stop
STOPPING: Transitional Stop intermediate
CANCELLING: Transitional Stop
Cancel-In-Progress: Transitional Stop
ROLLING_BACK: Transitional
ROLLBACK_COMPLETE: Failed Rollback
ROLLBACK_IN_PROGRESS: Transitional Rollback
UPDATE_ROLLBACK_FAILED: Failed Update
CREATE_FAILED_CLEANUP_COMPLETE: Failed Create
CREATE_FAILED_CLEANUP_IN_PROGRESS: Transitional Create intermediate
PENDING: Transitional intermediate
PENDING_DELETION: Transitional Delete
ACTIVE_PENDING: Transitional intermediate
NOT_ACTIVE: Unknown
NOT: Unknown
COMPLETED_WITH_ERRORS: Partial
PARTIAL: Partial
Updating Deployment: Transitional Update intermediate
FAILED_START: Failed Create
IN_SERVICE: Ready
READY_TO_GO: Unknown
MYSTERY: Unknown
MYSTERY_LOADING: Transitional intermediate
LOADING_MYSTERY: Transitional intermediate
IN_PROGRESS_MORE: Unknown
QUEUED_MORE: Transitional intermediate
STANDBY: Rest may continue
USER_PAUSED: Rest Stop may continue
STOPPED: Rest
DEGRADED: Impaired
ALLOCATED: Created
CANCELED: Cancelled
TERMINATED: Gone
: Unknown";

    #[test]
    fn values_are_classified_by_their_words() {
        let vocabulary = Vocabulary::default();
        let classifier = Classifier::new(&vocabulary);
        let of = |text: &str| {
            let value = classifier.classify(text);
            let phase = value
                .phase
                .map_or_else(String::new, |phase| format!(" {phase:?}"));
            let is_intermediate = if classifier.is_intermediate(text) {
                " intermediate"
            } else {
                ""
            };
            let may_continue = if value.may_continue {
                " may continue"
            } else {
                ""
            };
            format!(
                "{text}: {:?}{phase}{is_intermediate}{may_continue}",
                value.class
            )
        };
        for line in VALUES.lines() {
            let (text, _) = line.split_once(':').unwrap();
            assert_eq!(of(text), line);
        }
    }
}
