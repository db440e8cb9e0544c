//! Verdicts as integers: the first codes and what stands above them in one; the others noted with the kernel.

use smithy_waiters::Verdict;

use crate::kernel;

/// How many bits of codes there are, in a verdict's own word and in the integer.
const OWN_BITS: u32 = 60;
const CODES_BITS: u32 = 28;
const CODES: u64 = (1 << CODES_BITS) - 1;
/// Set where further codes were noted: eight at once, then each by itself.
const NOTED: u64 = 1 << 31;

/// The verdict in an integer.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
pub(crate) fn pack(verdict: &Verdict) -> i32 {
    let (word, further) = verdict.to_parts();
    let above = (word >> OWN_BITS) << CODES_BITS;
    let next = (word >> CODES_BITS) as u32;
    if next == 0 {
        return ((word & CODES) | above) as i32;
    }
    kernel::note_codes(next);
    further
        .iter()
        .for_each(|code| kernel::note_codes((*code).into()));
    ((word & CODES) | above | NOTED) as i32
}

/// The verdict of which `packed` and the noted integers tell.
pub(crate) fn unpack(packed: i32, noted: &[u32]) -> Verdict {
    let packed = u64::from(packed.cast_unsigned()) & !NOTED;
    let (next, further) = noted.split_first().unwrap_or((&0, &[]));
    let codes = (packed & CODES) | (u64::from(*next) << CODES_BITS);
    let word = codes | (packed >> CODES_BITS << OWN_BITS);
    Verdict::from_parts(word, further.iter().map(|code| *code as u8).collect())
}
