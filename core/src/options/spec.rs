//! What an option may be, and the words for it: one place for options from Rust and from a host.

use std::time::Duration;

use crate::error::{OptionsError, Part};
use crate::millis::{TEN_YEARS_MS, whole_millis};
use crate::value::{Kind, describe, display_number};

/// An option, and the words for what it may be.
#[derive(Clone, Copy)]
pub(crate) struct OptionSpec {
    pub(crate) option: &'static str,
    pub(crate) range: &'static str,
}

impl OptionSpec {
    pub(crate) const fn new(option: &'static str, range: &'static str) -> Self {
        Self { option, range }
    }

    /// Rounds half up to milliseconds; what is not zero must not become it.
    pub(crate) fn millis(&self, duration: Duration) -> Result<u64, OptionsError> {
        let got = || display_number(duration.as_secs_f64());
        match whole_millis(duration.saturating_add(Duration::from_micros(500))) {
            0 if !duration.is_zero() => {
                Err(self.refused(&format!("{}, which rounds to 0 ms", got())))
            }
            millis if millis <= TEN_YEARS_MS => Ok(millis),
            _ => Err(self.refused(&got())),
        }
    }

    pub(crate) fn positive_millis(&self, duration: Duration) -> Result<u64, OptionsError> {
        match self.millis(duration)? {
            0 => Err(self.refused("0")),
            millis => Ok(millis),
        }
    }

    /// Returns the duration of a number of seconds from 0 to ten years.
    pub(crate) fn duration(&self, seconds: f64) -> Result<Duration, OptionsError> {
        let fits = (0.0..=TEN_YEARS_MS as f64 / 1_000.0).contains(&seconds);
        match Duration::try_from_secs_f64(seconds) {
            Ok(duration) if fits => Ok(duration),
            _ => Err(self.refused(&describe(Kind::Number(seconds)))),
        }
    }

    pub(crate) fn refused(&self, got: &str) -> OptionsError {
        OptionsError::invalid(self.option, self.range, got)
    }

    pub(crate) fn conflict(&self, parts: impl Into<Vec<Part>>) -> OptionsError {
        OptionsError::conflict(self.option, parts)
    }
}

/// An option that is an integer.
pub(crate) struct IntegerSpec {
    pub(crate) ranged: OptionSpec,
    pub(crate) least: u64,
    pub(crate) greatest: u64,
}

impl IntegerSpec {
    pub(crate) fn checked(&self, given: u64) -> Result<u64, OptionsError> {
        if (self.least..=self.greatest).contains(&given) {
            Ok(given)
        } else {
            Err(self.ranged.refused(&given.to_string()))
        }
    }
}
