//! An edit of a text.

/// An edit of a text: replaces a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Edit<'s> {
    /// The name of the text.
    pub file: &'s str,
    /// The start of the range in bytes.
    pub start: usize,
    /// The end of the range.
    pub end: usize,
    /// The new text.
    pub replacement: String,
}

impl Edit<'_> {
    /// Returns `true` if both change the same bytes.
    pub(crate) fn overlaps(&self, other: &Edit<'_>) -> bool {
        self.file == other.file && self.start.max(other.start) < self.end.min(other.end)
    }
}
