//! The size limits of the wasm and the npm package.

use anyhow::{Result, bail};

use super::compile;
use crate::report;

/// A size limit, 10 % above the size of the reproducible build (`compile::is_reproducible`).
pub(crate) struct Size {
    name: &'static str,
    measured: usize,
}

impl Size {
    pub(crate) const fn new(name: &'static str, measured: usize) -> Self {
        Self { name, measured }
    }

    /// Checks a size of this build. With another compiler, exceeding the limit only prints a note, because the size
    /// depends on the compiler.
    ///
    /// # Errors
    ///
    /// Fails if the reproducible build exceeds the limit.
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
                "{} has {} bytes, the limit is {}",
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
        let size = Size::new("the wasm", 1_000);
        assert_eq!(size.excess(1_100), None);
        assert_eq!(
            size.excess(1_101).as_deref(),
            Some("the wasm has 1,101 bytes, the limit is 1,100")
        );
    }
}
