//! Verdicts as integers: the state and the codes of the reasons in one, for as many as fit; the others noted with the
//! kernel.

use smithy_waiters::{ReasonCode, State, Verdict};

use crate::kernel;

/// The states by number, as `npm/src/verdict.ts` has them too.
const STATES: [State; 3] = [State::Success, State::Failure, State::Retry];

/// Bits to a code, each the code's number plus 1; the first ones stand in the lower bits of the verdict.
const CODE_BITS: u32 = 4;
const FIRST_CODES: usize = 7;
/// Codes to a noted word.
const CODES: usize = 8;

/// Above the codes: the state, whether an acceptor leads to it, whether further codes were noted.
const STATE_SHIFT: u32 = 28;
const STATE_MASK: u32 = 3;
const BY_ACCEPTOR: u32 = 1 << 30;
const NOTED: u32 = 1 << 31;

/// The verdict in an integer. The acceptor that matched is the last one that was looked at.
pub(crate) fn pack(verdict: &Verdict) -> i32 {
    let (first, further) = verdict
        .codes()
        .split_at(FIRST_CODES.min(verdict.codes().len()));
    further
        .chunks(CODES)
        .for_each(|codes| kernel::note_codes(word(codes)));
    let by = if verdict.acceptor().is_some() {
        BY_ACCEPTOR
    } else {
        0
    };
    let noted = if further.is_empty() { 0 } else { NOTED };
    (word(first) | (verdict.state() as u32) << STATE_SHIFT | by | noted).cast_signed()
}

/// The verdict of which `packed` and the noted words tell.
pub(crate) fn unpack(packed: i32, words: &[u32]) -> Verdict {
    let packed = packed.cast_unsigned();
    let mut noted = Vec::new();
    codes(packed & ((1 << STATE_SHIFT) - 1), &mut noted);
    words.iter().for_each(|word| codes(*word, &mut noted));
    let last = noted.len().checked_sub(1);
    Verdict::from_parts(
        state((packed >> STATE_SHIFT) & STATE_MASK),
        last.filter(|_| packed & BY_ACCEPTOR != 0),
        noted,
    )
}

/// A state by its number.
pub(crate) fn state(number: u32) -> State {
    let state = STATES.get(number as usize);
    state.copied().unwrap_or(State::Retry)
}

fn word(codes: &[ReasonCode]) -> u32 {
    codes.iter().rev().fold(0, |word, code| {
        (word << CODE_BITS) | (*code as u32).saturating_add(1)
    })
}

/// Notes the codes of a word.
fn codes(mut word: u32, noted: &mut Vec<ReasonCode>) {
    while let Some(number) = (word & ((1 << CODE_BITS) - 1)).checked_sub(1) {
        noted.extend(ReasonCode::ALL.get(number as usize));
        word >>= CODE_BITS;
    }
}
