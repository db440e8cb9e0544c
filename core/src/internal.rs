//! Functions for this project's bindings and tools. They are not part of the public API and may change in any release.

use crate::error::OptionsError;

pub use crate::definition::is_waiter_name;
#[cfg(feature = "driver")]
pub use crate::driver::wait::end;
pub use crate::error::{Spelling, snake_case};
pub use crate::fleet::{Identifiers, Place, TallyOptions, View, waits_failed};
pub use crate::millis::{TEN_YEARS, has_slept, millis_from_host};
pub use crate::options::{FromHost, MaxWait, Seeded, count};
pub use crate::retry::causes::CauseChain;
pub use crate::retry::leased::LeasedRequest;
#[cfg(feature = "seed")]
pub use crate::seed::seed;
pub use crate::text::{escape_control_char, is_identifier};
pub use crate::value::host::{ItemAt, Name};
pub use crate::wait::{PollAction, PollRecord, ReportLimit, WaitRecord};
pub use crate::waiter::preset::PRESETS;

/// The reader of waiters in botocore's format, `waiters-2.json`.
#[cfg(feature = "botocore")]
pub mod botocore {
    pub use crate::waiter::botocore::{
        BotocoreWaiter, Comparison, comparison, error_names, find, names, waiter,
    };
}

/// The limits of values in reports and stored inputs.
pub mod plain {
    pub use crate::value::limits::{CIRCULAR, DEEPEST, MOST_VALUES, TOO_DEEP, TOO_LARGE};
}

/// The JMESPath parser, for tools that analyze the expressions of models.
pub mod jmespath {
    pub use crate::jmespath::{Ast, Comparison, parse};
}

/// Returns the error for an unknown option. Its message suggests a similar known name. Without a suggestion,
/// `otherwise` is appended.
#[must_use]
pub fn unknown_option(name: &str, known: &[&str], otherwise: &str) -> OptionsError {
    OptionsError::unknown(name, known, otherwise)
}
