//! What the bindings and the tools of this project need beside the API. It may change in any release.

use crate::error::OptionsError;

pub use crate::error::snake_case;
pub use crate::millis::millis_from_host;
pub use crate::options::{FromHost, Seeded};
#[cfg(feature = "seed")]
pub use crate::seed::seed;

/// The parser of expressions, for tools that read those of models.
pub mod jmespath {
    pub use crate::jmespath::{
        Ast, Comparator, Comparison, KeyValuePair, Variable, offset, offset_mut, parse,
    };
}

/// An option that is not among the known ones. The message has the one that it may stand for, else `otherwise`.
#[must_use]
pub fn unknown_option(name: &str, known: &[&str], otherwise: &str) -> OptionsError {
    OptionsError::unknown(name, known, otherwise)
}
