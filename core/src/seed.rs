//! Seeds of the jitter: drawn at the edges, by the driver and the bindings.

use crate::error::{OptionsError, option};
use crate::options::Seeded;

/// Returns the seed of the options, or a random one of 53 bits, which the numbers of every language hold exactly.
///
/// # Errors
///
/// `missing_option` if there is no random number to be had.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place at which a seed is drawn"
)]
pub fn seed(options: &impl Seeded) -> Result<u64, OptionsError> {
    match options.seed_option() {
        Some(seed) => Ok(seed),
        None => getrandom::u64().map(|drawn| drawn >> 11).map_err(|error| {
            let problem = format!(" is missing and none can be drawn: {error}");
            OptionsError::new("missing_option", "seed", [option("seed"), problem.into()])
        }),
    }
}
