//! What is compared, counted; a difference is shown at once.

use std::fmt::Display;
use std::time::Duration;

use anyhow::{Result, bail};

use super::terminal::screen;

/// How many comparisons held, and how many did not.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    passed: usize,
    failed: usize,
}

impl Checks {
    /// Compares what was found with what is expected; gives whether they are the same.
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

    /// The closing line.
    ///
    /// # Errors
    ///
    /// When a comparison did not hold, or none was made.
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
