//! Random seeds for the jitter. Only the driver and the bindings create them, so that the engine stays deterministic.

use crate::error::{OptionsError, option};
use crate::options::Seeded;

/// Returns the seed of the options, or a random one of 53 bits, which every host language can represent exactly.
///
/// # Errors
///
/// `missing_option` if the system's random number generator fails.
#[expect(clippy::disallowed_methods, reason = "the only source of random seeds")]
pub fn seed(options: &impl Seeded) -> Result<u64, OptionsError> {
    match options.seed_option() {
        Some(seed) => Ok(seed),
        None => getrandom::u64().map(|drawn| drawn >> 11).map_err(|error| {
            let problem = format!(" is missing and cannot be generated: {error}");
            OptionsError::new("missing_option", "seed", [option("seed"), problem.into()])
        }),
    }
}
