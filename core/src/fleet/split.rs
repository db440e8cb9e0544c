//! The search for the identifiers that make a whole call fail.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;

/// The identifiers of a call.
pub(super) type Ids = Vec<Arc<str>>;

/// The calls that search for the identifiers of failed calls.
///
/// A failed call is repeated without the identifiers that its error names, and then for them; or in two halves. Where
/// one part succeeds, the other one is divided in turn. Where both fail, the search ends, because its calls would grow
/// with the number of unknown identifiers.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    waiting: VecDeque<Part>,
    splits: BTreeMap<u64, Split>,
    next: u64,
}

/// A part of a failed call.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) ids: Ids,
    split: u64,
}

/// A failed call whose parts are being called.
#[derive(Clone, Debug, Default)]
struct Split {
    ended: usize,
    /// `true` if an identifier was forgotten, which may have made the whole fail.
    is_reduced: bool,
    failed: Vec<Failed>,
    /// The identifiers that errors named, which are called after a call of the others has succeeded.
    named: Option<Named>,
}

#[derive(Clone, Debug)]
struct Named {
    /// The messages that named them.
    failed: Failed,
    /// The number of calls for the others.
    calls: usize,
}

/// The most calls for the identifiers that an error did not name: with the whole, a round takes three calls, of which
/// each may find another unknown identifier.
const OTHERS: usize = 2;

/// A part that failed, with the message of the error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failed {
    /// The identifiers, without those for which nobody waits any more.
    pub(super) ids: Ids,
    /// The number of identifiers of the call. The error of a call for one is its answer.
    size: usize,
    message: String,
}

impl Failed {
    /// Returns `true` if the error names the identifier.
    pub(super) fn names(&self, id: &str) -> bool {
        words(&self.message).any(|word| word == id)
    }
}

/// The outcome of a part.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    /// Both parts failed.
    BothFailed([Failed; 2]),
    /// Both parts succeeded, although the whole had failed.
    BothSucceeded,
    /// The search goes on.
    GoesOn,
}

impl Search {
    /// Returns the next part to call.
    pub(super) fn next_part(&mut self) -> Option<Part> {
        self.waiting.pop_front()
    }

    pub(super) fn has_part(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Divides a failed call: `is_known` identifiers and those that the error names from the others, or in halves.
    /// `round` varies the halves, so that two unknown identifiers are in the same half sooner or later.
    pub(super) fn divide(
        &mut self,
        ids: Ids,
        message: &str,
        round: u64,
        is_known: impl Fn(&Arc<str>) -> bool,
    ) {
        let split = self.next;
        self.next = split.saturating_add(1);
        if ids.len() < 2 {
            // The others were forgotten, so that there is no other part.
            if !ids.is_empty() {
                self.waiting.push_back(Part { ids, split });
            }
            return;
        }
        let (named, others) = partition(ids, message, is_known);
        let mut entry = Split::default();
        if named.is_empty() || others.is_empty() {
            // The message divides nothing. `halves` sorts, so that the order here does not matter.
            let parts = halves([named, others].concat(), round);
            let parts = parts.into_iter().map(|ids| Part { ids, split });
            self.waiting.extend(parts);
        } else {
            let failed = Failed {
                size: named.len(),
                ids: named,
                message: message.to_owned(),
            };
            entry.named = Some(Named { failed, calls: 1 });
            self.waiting.push_back(Part { ids: others, split });
        }
        self.splits.insert(split, entry);
    }

    /// Removes an identifier for which nobody waits any more.
    pub(super) fn forget(&mut self, id: &Arc<str>) {
        for part in &mut self.waiting {
            part.ids.retain(|other| other != id);
        }
        for split in self.splits.values_mut() {
            split.is_reduced = true;
            let named = split.named.iter_mut().map(|named| &mut named.failed);
            for failed in split.failed.iter_mut().chain(named) {
                failed.ids.retain(|other| other != id);
            }
        }
    }

    /// Notes that a part succeeded. The other part is divided if it failed.
    pub(super) fn succeed(&mut self, part: &Part, round: u64) -> Outcome {
        self.end(part.split, None, round)
    }

    /// Notes that a part failed, and which of its identifiers are left. A part of one identifier has its answer by that.
    pub(super) fn fail(&mut self, part: &Part, ids: Ids, message: &str, round: u64) -> Outcome {
        let failed = Failed {
            ids,
            size: part.ids.len(),
            message: message.to_owned(),
        };
        self.end(part.split, Some(failed), round)
    }

    fn end(&mut self, split: u64, failed: Option<Failed>, round: u64) -> Outcome {
        let Some(entry) = self.splits.get_mut(&split) else {
            return Outcome::GoesOn;
        };
        if let Some(mut named) = entry.named.take() {
            // The failure of a single identifier is an answer, too.
            let Some(failed) = failed.filter(|failed| failed.size > 1) else {
                entry.ended = 1;
                let ids = named.failed.ids;
                self.waiting.push_front(Part { ids, split });
                return Outcome::GoesOn;
            };
            let (also, others) = partition(failed.ids.clone(), &failed.message, |_| false);
            if named.calls == OTHERS || also.is_empty() || others.is_empty() {
                self.splits.remove(&split);
                return Outcome::BothFailed([named.failed, failed]);
            }
            // The message named more: those join the others that are known to fail, and the rest is tried again.
            named.calls = named.calls.saturating_add(1);
            named.failed.ids.extend(also);
            named.failed.message = [named.failed.message, failed.message].join(" ");
            entry.named = Some(named);
            self.waiting.push_front(Part { ids: others, split });
            return Outcome::GoesOn;
        }
        entry.ended = entry.ended.saturating_add(1);
        entry.failed.extend(failed);
        if entry.ended < 2 {
            return Outcome::GoesOn;
        }
        let ended = self.splits.remove(&split).unwrap_or_default();
        let (mut failed, is_reduced) = (ended.failed, ended.is_reduced);
        match (failed.pop(), failed.pop()) {
            (Some(last), Some(first)) => Outcome::BothFailed([first, last]),
            (Some(Failed { ids, size, message }), None) if size > 1 => {
                self.divide(ids, &message, round, |_| false);
                Outcome::GoesOn
            }
            (None, _) if !is_reduced => Outcome::BothSucceeded,
            _ => Outcome::GoesOn,
        }
    }
}

/// Returns the identifiers that a message names or that are known to fail, and the others.
fn partition(ids: Ids, message: &str, is_known: impl Fn(&Arc<str>) -> bool) -> (Ids, Ids) {
    let named: BTreeSet<&str> = words(message).collect();
    ids.into_iter()
        .partition(|id| named.contains(&**id) || is_known(id))
}

/// Returns the words of a message that can be identifiers.
fn words(message: &str) -> impl Iterator<Item = &str> {
    let is_inside = |letter: char| letter.is_alphanumeric() || "-_.:/".contains(letter);
    let words = message.split(move |letter| !is_inside(letter));
    words.map(|word| word.trim_end_matches(['.', ':']))
}

fn halves(mut ids: Ids, round: u64) -> [Ids; 2] {
    // The order of the rounds differs, and is the same in every language.
    ids.sort_by_cached_key(|id| (hash(id, round), Arc::clone(id)));
    let rest = ids.split_off(ids.len() / 2);
    [ids, rest]
}

fn hash(id: &str, round: u64) -> u64 {
    let mut hasher = FnvHasher::with_key(FnvHasher::default().finish() ^ round);
    hasher.write(id.as_bytes());
    hasher.write(&round.to_le_bytes());
    hasher.finish()
}
