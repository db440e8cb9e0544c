//! WIP

mod definition;
mod delay;
mod ending;
mod error;
mod expression;
mod failure;
mod matcher;
mod options;
mod verdict;
mod wait;
mod waiter;

pub mod value;

pub use delay::{Delay, DelayInput, delay};
pub use ending::{Attempt, AttemptResult, Ending, FailureKind};
pub use error::{DefinitionError, ExpressionError, OptionsError, StateError};
pub use failure::ErrorFacts;
pub use matcher::Seen;
pub use options::{FinalPoll, WaitOptions};
pub use value::Value;
pub use verdict::{Reason, ReasonCode, State, Verdict};
pub use wait::{Step, Wait};
pub use waiter::Waiter;
