//! The sizes that the wasm and the npm package may have.

use anyhow::{Result, bail};

use super::compile;
use crate::report;

/// A size that was measured with the reproducible build (`compile::is_reproducible`); a tenth more is allowed.
pub(crate) struct Size {
    name: &'static str,
    measured: usize,
}

impl Size {
    pub(crate) const fn of(name: &'static str, measured: usize) -> Self {
        Self { name, measured }
    }

    /// Checks a size of this build. Another compiler's wasm has another size, which says nothing about our code: there it is only
    /// a note.
    ///
    /// # Errors
    ///
    /// When the reproducible build is too large.
    pub(crate) fn check(&self, bytes: usize) -> Result<()> {
        let Some(excess) = self.excess(bytes) else {
            return Ok(());
        };
        if compile::is_reproducible()? {
            bail!(excess);
        }
        report::note(&format!(
            "note: {excess} with {}; this build used another compiler",
            compile::REPRODUCIBLE
        ));
        Ok(())
    }

    fn excess(&self, bytes: usize) -> Option<String> {
        let most = self.measured.saturating_add(self.measured.div_ceil(10));
        (bytes > most).then(|| {
            format!(
                "{} has {} bytes, at most {} are allowed",
                self.name,
                report::thousands(bytes),
                report::thousands(most)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn a_tenth_more_is_allowed() {
        let size = Size::of("the wasm", 1_000);
        assert_eq!(size.excess(1_100), None);
        assert_eq!(
            size.excess(1_101).as_deref(),
            Some("the wasm has 1,101 bytes, at most 1,100 are allowed")
        );
    }
}
