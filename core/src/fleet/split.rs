//! The search for the identifiers that make a whole call fail.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The identifiers of a call.
pub(super) type Ids = Vec<Arc<str>>;

/// The calls that search for the identifiers of failed calls.
///
/// A failed call is repeated in two parts: the identifiers that the error names and the others, or two halves. Where
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
    failed: Vec<Failed>,
}

/// A part that failed, with the message of the error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failed {
    pub(super) ids: Ids,
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
        let named: BTreeSet<&str> = words(message).collect();
        let is_named = |id: &Arc<str>| named.contains(&**id) || is_known(id);
        let (named, others): (Ids, Ids) = ids.into_iter().partition(is_named);
        let parts = match (named.is_empty(), others.is_empty()) {
            (false, false) => [others, named],
            (_, true) => halves(named, round),
            _ => halves(others, round),
        };
        let split = self.next;
        self.next = split.saturating_add(1);
        self.splits.insert(split, Split::default());
        let parts = parts.into_iter().map(|ids| Part { ids, split });
        self.waiting.extend(parts);
    }

    /// Removes an identifier for which nobody waits any more.
    pub(super) fn forget(&mut self, id: &Arc<str>) {
        let failed = self.splits.values_mut().flat_map(|split| &mut split.failed);
        let parts = self.waiting.iter_mut().map(|part| &mut part.ids);
        for ids in parts.chain(failed.map(|failed| &mut failed.ids)) {
            ids.retain(|other| other != id);
        }
    }

    /// Notes that a part succeeded. The other part is divided if it failed.
    pub(super) fn succeed(&mut self, part: &Part, round: u64) -> Outcome {
        self.end(part.split, None, round)
    }

    /// Notes that a part failed. A part of one identifier has its answer by that.
    pub(super) fn fail(&mut self, part: Part, message: &str, round: u64) -> Outcome {
        let failed = Failed {
            ids: part.ids,
            message: message.to_owned(),
        };
        self.end(part.split, Some(failed), round)
    }

    fn end(&mut self, split: u64, failed: Option<Failed>, round: u64) -> Outcome {
        let Some(entry) = self.splits.get_mut(&split) else {
            return Outcome::GoesOn;
        };
        entry.ended = entry.ended.saturating_add(1);
        entry.failed.extend(failed);
        if entry.ended < 2 {
            return Outcome::GoesOn;
        }
        let mut failed = self.splits.remove(&split).unwrap_or_default().failed;
        match (failed.pop(), failed.pop()) {
            (Some(last), Some(first)) => Outcome::BothFailed([first, last]),
            (Some(Failed { ids, message }), None) if ids.len() > 1 => {
                self.divide(ids, &message, round, |_| false);
                Outcome::GoesOn
            }
            (None, _) => Outcome::BothSucceeded,
            _ => Outcome::GoesOn,
        }
    }
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

/// FNV-1a, which needs no key.
fn hash(id: &str, round: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ round;
    let bytes = id.bytes().chain(round.to_le_bytes());
    bytes.fold(start, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
