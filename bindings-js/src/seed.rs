//! Seeds of the jitter.

use crate::error::Refusal;

/// Returns the caller's seed, or a random one of 53 bits, which a JavaScript number holds exactly.
pub(crate) fn seed(given: Option<u64>) -> Result<u64, Refusal> {
    match given {
        Some(seed) => Ok(seed),
        None => getrandom::u64()
            .map(|drawn| drawn >> 11)
            .map_err(Refusal::of_seed),
    }
}
