//! Verdicts as integers: the state and the acceptor as the result, the reasons' codes noted with the kernel.

use smithy_waiters::{ReasonCode, State, Verdict};

use crate::kernel;

/// The states by number, as `npm/src/verdict.ts` has them too.
const STATES: [State; 3] = [State::Success, State::Failure, State::Retry];
const STATE_BITS: u32 = 2;

/// Codes to a word, and bits to a code.
const CODES: usize = 8;
const CODE_BITS: u32 = 4;

/// The state in the lower two bits, above them 0 or the acceptor's index plus 1.
pub(crate) fn pack(verdict: &Verdict) -> u32 {
    verdict.codes().chunks(CODES).for_each(note);
    // A definition that fits into the memory of the wasm has fewer than 2^30 acceptors.
    let acceptor = verdict
        .acceptor()
        .and_then(|index| u32::try_from(index).ok())
        .map_or(0, |index| index.saturating_add(1));
    verdict.state() as u32 | (acceptor << STATE_BITS)
}

/// The verdict of which `packed` and the noted words tell.
pub(crate) fn unpack(packed: u32, words: &[u32]) -> Verdict {
    let state = STATES.get((packed & ((1 << STATE_BITS) - 1)) as usize);
    let acceptor = (packed >> STATE_BITS).checked_sub(1);
    Verdict::from_parts(
        state.copied().unwrap_or(State::Retry),
        acceptor.map(|index| index as usize),
        words.iter().flat_map(|word| codes(*word)),
    )
}

/// Notes up to eight codes, each as its number plus 1.
fn note(codes: &[ReasonCode]) {
    let word = codes.iter().rev().fold(0, |word, code| {
        (word << CODE_BITS) | (*code as u32).saturating_add(1)
    });
    kernel::note_codes(word);
}

fn codes(mut word: u32) -> impl Iterator<Item = ReasonCode> {
    std::iter::from_fn(move || {
        let number = (word & ((1 << CODE_BITS) - 1)).checked_sub(1)?;
        word >>= CODE_BITS;
        ReasonCode::ALL.get(number as usize).copied()
    })
}
