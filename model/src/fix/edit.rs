//! A change of a text.

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Edit<'s> {
    /// The name that the text was added with.
    pub file: &'s str,
    /// Where what is replaced begins, in bytes of the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What stands there instead.
    pub replacement: String,
}

impl Edit<'_> {
    /// Returns `true` if both change the same bytes.
    pub(crate) fn overlaps(&self, other: &Edit<'_>) -> bool {
        self.file == other.file && self.start.max(other.start) < self.end.min(other.end)
    }
}
