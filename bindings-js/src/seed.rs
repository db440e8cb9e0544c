//! Random seeds for the jitter.

use smithy_waiters::internal::Seeded;

/// The number of seeds: those that JavaScript represents exactly.
const SEEDS: f64 = 9_007_199_254_740_992.0;

/// Returns the seed of the options, or a random one.
///
/// Jitter needs no cryptographic random numbers. The first use of `crypto` takes Node a third of the time of a first wait.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number below 2^53"
)]
pub(crate) fn seed(options: &impl Seeded) -> u64 {
    options
        .seed_option()
        .unwrap_or_else(|| (js_sys::Math::random() * SEEDS) as u64)
}
