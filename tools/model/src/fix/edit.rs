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

#[cfg(test)]
mod tests {
    use super::Edit;

    #[test]
    fn edits_overlap_if_they_share_a_byte() {
        let edit = |file, start, end| Edit {
            file,
            start,
            end,
            replacement: String::new(),
        };
        let one = edit("a", 2, 4);
        for (file, start, end, expected) in [
            ("a", 2, 4, true),
            ("a", 0, 3, true),
            ("a", 3, 9, true),
            ("a", 0, 2, false),
            ("a", 4, 6, false),
            ("a", 3, 3, false),
            ("b", 2, 4, false),
        ] {
            let two = edit(file, start, end);
            assert_eq!(one.overlaps(&two), expected, "{two:?}");
            assert_eq!(two.overlaps(&one), expected, "{two:?}");
        }
    }
}
