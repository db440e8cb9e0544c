//! Tokens as numbers, for hosts that keep no object of the engine's for each request.

use std::sync::Arc;

use super::{StandardRetryStrategy, StandardRetryToken};

/// What a [`StandardRetryToken`] is made of, but for its delay.
///
/// # Example: a token that goes away and comes back
///
/// ```
/// use smithy_waiters::retry::{RetryOptions, RetryStrategy, StandardRetryStrategy};
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 42)?;
/// let parts = strategy.acquire_initial_token()?.into_parts();
/// assert_eq!(strategy.token(parts).retries(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a host that keeps them must know each"
)]
pub struct TokenParts {
    /// The number of the request, from 0.
    pub request: u64,
    /// How many retries were made.
    pub retries: u64,
    /// What the newest retry cost.
    pub paid: u32,
}

impl StandardRetryStrategy {
    /// The token with these parts; its delay is over. That it is used once only is the host's to see to.
    #[must_use]
    pub fn token(&self, parts: TokenParts) -> StandardRetryToken {
        StandardRetryToken {
            strategy: Arc::clone(&self.0),
            parts,
            delay_ms: 0,
        }
    }
}

impl StandardRetryToken {
    /// What it is made of.
    #[must_use]
    pub fn into_parts(self) -> TokenParts {
        self.parts
    }
}
