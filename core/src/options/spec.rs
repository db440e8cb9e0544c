//! The ranges of options. Options from Rust and from host languages share them and their messages.

use std::time::Duration;

use crate::error::{OptionsError, Part};
use crate::millis::{TEN_YEARS_MS, whole_millis};
use crate::value::{Kind, describe, display_number};

/// An option's name, and its range for messages.
#[derive(Clone, Copy)]
pub(crate) struct OptionSpec {
    pub(crate) option: &'static str,
    pub(crate) range: &'static str,
}

impl OptionSpec {
    pub(crate) const fn new(option: &'static str, range: &'static str) -> Self {
        Self { option, range }
    }

    /// Returns milliseconds, rounded half up. A positive duration that rounds to zero is an error.
    pub(crate) fn millis(&self, duration: Duration) -> Result<u64, OptionsError> {
        let got = || display_number(duration.as_secs_f64());
        match whole_millis(duration.saturating_add(Duration::from_micros(500))) {
            // Rounding to 0 would turn a short delay into none, without notice.
            0 if !duration.is_zero() => {
                Err(self.invalid(&format!("{}, which rounds to 0 ms", got())))
            }
            millis if millis <= TEN_YEARS_MS => Ok(millis),
            _ => Err(self.invalid(&got())),
        }
    }

    pub(crate) fn positive_millis(&self, duration: Duration) -> Result<u64, OptionsError> {
        match self.millis(duration)? {
            0 => Err(self.invalid("0")),
            millis => Ok(millis),
        }
    }

    /// Converts seconds, from 0 to ten years, to a duration.
    pub(crate) fn duration(&self, seconds: f64) -> Result<Duration, OptionsError> {
        let fits = (0.0..=TEN_YEARS_MS as f64 / 1_000.0).contains(&seconds);
        match Duration::try_from_secs_f64(seconds) {
            Ok(duration) if fits => Ok(duration),
            _ => Err(self.invalid(&describe(Kind::Number(seconds)))),
        }
    }

    pub(crate) fn invalid(&self, got: &str) -> OptionsError {
        OptionsError::invalid(self.option, self.range, got)
    }

    pub(crate) fn conflict(&self, parts: impl Into<Vec<Part>>) -> OptionsError {
        OptionsError::conflict(self.option, parts)
    }
}

/// An integer option and its bounds.
pub(crate) struct IntegerSpec {
    pub(crate) spec: OptionSpec,
    pub(crate) least: u64,
    pub(crate) greatest: u64,
}

impl IntegerSpec {
    pub(crate) fn checked(&self, value: u64) -> Result<u64, OptionsError> {
        if (self.least..=self.greatest).contains(&value) {
            Ok(value)
        } else {
            Err(self.spec.invalid(&value.to_string()))
        }
    }
}
