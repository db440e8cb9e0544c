//! Counts comparisons, and prints differences.

use std::fmt::Display;
use std::time::Duration;

use anyhow::{Result, bail};

use super::terminal::screen;

/// The number of successful and failed comparisons.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    passed: usize,
    failed: usize,
}

impl Checks {
    /// Compares a value with the expected one, and returns `true` if they are equal.
    pub(crate) fn same<T: Display + PartialEq + ?Sized>(
        &mut self,
        what: &str,
        found: &T,
        expected: &T,
    ) -> bool {
        let is_same = found == expected;
        if is_same {
            self.passed = self.passed.saturating_add(1);
        } else {
            self.failed = self.failed.saturating_add(1);
            screen::difference(&format!("{what}: {found}, expected {expected}"));
        }
        is_same
    }

    /// Prints the summary.
    ///
    /// # Errors
    ///
    /// Fails if a comparison failed, or if no comparison was made.
    pub(crate) fn close(&self, time: Duration) -> Result<()> {
        let Self { passed, failed } = self;
        let counts = format!("{passed} passed, {failed} failed");
        if *failed > 0 || *passed == 0 {
            bail!("Rust, JavaScript and Python do not agree: {counts}");
        }
        screen::success(&format!(
            "Rust, JavaScript and Python agree: {counts} in {:.1} s",
            time.as_secs_f64()
        ));
        Ok(())
    }
}
