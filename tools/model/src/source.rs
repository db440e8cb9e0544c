//! The texts of a model, and positions in them.

mod file;
mod place;
mod prelude;

use bumpalo::Bump;

use crate::severity::SeverityRule;
pub(crate) use file::File;
pub use place::{At, Position};

/// The texts of a model. The model and everything in it borrow from here.
///
/// # Example: the position of a shape
///
/// ```
/// use smithy_waiters_model::Sources;
///
/// let mut sources = Sources::default();
/// sources.add("a.smithy", "$version: \"2\"\nnamespace example\nstring Name\n");
/// let model = smithy_waiters_model::read(&sources);
/// let shape = model.shape("example#Name").unwrap();
/// let position = sources.position(shape.at).unwrap();
/// assert_eq!((position.file, position.line, position.column), ("a.smithy", 3, 1));
/// ```
#[derive(Debug)]
pub struct Sources {
    /// Data that the texts don't contain literally: decoded strings and absolute ids.
    arena: Bump,
    files: Vec<File>,
    /// The prelude, which every model can refer to. Its positions are all [`At::NONE`].
    prelude: [File; 2],
    /// The total length of all texts, with one byte between each two.
    length: u32,
    /// The suppressions and severity overrides of texts that are not among these.
    rules: Vec<SeverityRule>,
    /// `true` if the documentation of the model is not used.
    ignores_documentation: bool,
    /// `true` if models include the traits of protocols.
    uses_protocols: bool,
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            arena: Bump::new(),
            files: Vec::new(),
            prelude: prelude::TEXTS.map(File::prelude),
            length: 0,
            rules: Vec::new(),
            ignores_documentation: false,
            uses_protocols: false,
        }
    }
}

impl Sources {
    /// Creates an empty collection for models whose documentation is not used.
    ///
    /// If it contains a single JSON text, documentation strings keep their escape sequences. This saves much of the
    /// memory of a model.
    #[must_use]
    pub fn without_documentation() -> Self {
        Self {
            ignores_documentation: true,
            ..Self::default()
        }
    }

    /// Includes the protocols of services in botocore's format: the traits of services, operations and members that
    /// decide how a response travels, and minimum lengths. Smithy models always include them.
    #[must_use]
    pub fn with_protocols(self) -> Self {
        Self {
            uses_protocols: true,
            ..self
        }
    }

    /// Returns `true` if models include the protocols of another format.
    pub(crate) const fn uses_protocols(&self) -> bool {
        self.uses_protocols
    }

    /// Returns `true` if documentation strings keep their escape sequences. With several texts they are decoded,
    /// because merging compares the documentation of duplicate shapes.
    pub(crate) const fn has_raw_documentation(&self) -> bool {
        self.ignores_documentation && self.files.len() == 1
    }

    /// Returns `true` if models include documentation that is translated from another format.
    pub(crate) const fn uses_documentation(&self) -> bool {
        !self.ignores_documentation
    }

    /// Returns an empty collection with the same settings and rules.
    pub(crate) fn without_texts(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            ignores_documentation: self.ignores_documentation,
            uses_protocols: self.uses_protocols,
            ..Self::default()
        }
    }

    /// Adds a text and returns `true`, or returns `false` without adding it if all texts together would exceed 4 GiB.
    ///
    /// The name determines the format. A name with the suffix `.smithy` is read as Smithy IDL, the file names of
    /// botocore (`service-2.json`, `waiters-2.json`, `paginators-1.json`) as botocore's format, and any other name as
    /// JSON AST. The `waiters-2.json` and `paginators-1.json` of a folder belong to its `service-2.json`.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> bool {
        let text = text.into();
        let end = u32::try_from(text.len())
            .ok()
            .and_then(|length| self.length.checked_add(length)?.checked_add(1))
            .filter(|end| *end < u32::MAX);
        let Some(end) = end else { return false };
        self.files.push(File::new(name.into(), text, self.length));
        self.length = end;
        true
    }

    /// Returns the names and texts in the order in which they were added.
    pub fn texts(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        let files = self.files.iter();
        files.map(|file| (file.name(), file.text()))
    }

    /// Adds suppressions and severity overrides of texts that are not among these.
    pub(crate) fn extend_rules(&mut self, rules: &[SeverityRule]) {
        self.rules.extend_from_slice(rules);
    }

    pub(crate) fn rules(&self) -> &[SeverityRule] {
        &self.rules
    }

    /// Returns the file, line and column of a position, or `None` for [`At::NONE`].
    #[must_use]
    pub fn position(&self, at: At) -> Option<Position<'_>> {
        let (file, offset) = self.find(at)?;
        Some(file.position(offset))
    }

    /// Returns the line of a position without its line break, or `None` for [`At::NONE`].
    #[must_use]
    pub fn line(&self, at: At) -> Option<&str> {
        let (file, offset) = self.find(at)?;
        let (before, after) = file.text().split_at_checked(offset)?;
        let start = before
            .rfind(['\r', '\n'])
            .map_or(0, |end| end.saturating_add(1));
        let end = after
            .find(['\r', '\n'])
            .map_or(file.text().len(), |end| offset.saturating_add(end));
        file.text().get(start..end)
    }

    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    pub(crate) const fn prelude(&self) -> &[File] {
        &self.prelude
    }

    pub(crate) const fn arena(&self) -> &Bump {
        &self.arena
    }

    pub(crate) fn find(&self, at: At) -> Option<(&File, usize)> {
        let after = self.files.partition_point(|file| file.start <= at.0);
        let file = self.files.get(after.checked_sub(1)?)?;
        let offset = usize::try_from(at.0.checked_sub(file.start)?).ok()?;
        (offset <= file.text().len()).then_some((file, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::file::BLOCK;
    use super::*;

    #[test]
    fn positions_count_code_points_from_1_in_each_file() {
        let mut sources = Sources::default();
        assert!(sources.add("one", "ab\ncd"));
        assert!(sources.add("two", "é\u{1f600}x"));
        let files = sources.files();
        let place = |file: usize, offset| {
            let position = sources.position(files[file].at(offset)).unwrap();
            (position.file, position.line, position.column)
        };
        assert_eq!(place(0, 0), ("one", 1, 1));
        assert_eq!(place(0, 4), ("one", 2, 2));
        assert_eq!(place(0, 5), ("one", 2, 3));
        assert_eq!(place(1, 0), ("two", 1, 1));
        assert_eq!(place(1, 6), ("two", 1, 3));
        assert_eq!(sources.position(At::NONE), None);
    }

    #[test]
    fn lines_end_in_line_feeds_and_carriage_returns() {
        let mut sources = Sources::default();
        assert!(sources.add("one", "a\rb\r\nc\n\nd\r"));
        let place = |offset| {
            let position = sources.position(sources.files()[0].at(offset)).unwrap();
            (position.line, position.column)
        };
        let places: Vec<(u32, u32)> = (0..=9).map(place).collect();
        let expected = [
            (1, 1),
            (1, 2),
            (2, 1),
            (2, 2),
            (2, 3),
            (3, 1),
            (3, 2),
            (4, 1),
            (5, 1),
            (5, 2),
        ];
        assert_eq!(places, expected);
        assert_eq!(sources.line(sources.files()[0].at(2)), Some("b"));
    }

    #[test]
    fn columns_of_long_lines_are_right_at_the_edges_of_blocks() {
        let mut sources = Sources::default();
        let text = format!("\n{}", "aé\u{1f600}".repeat(3000));
        assert!(sources.add("one", &*text));
        for (count, (offset, _)) in (0_u32..).zip(text.char_indices()).skip(1) {
            let position = sources.position(sources.files()[0].at(offset)).unwrap();
            assert_eq!((position.line, position.column), (2, count));
        }
        for length in [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
            let mut sources = Sources::default();
            assert!(sources.add("one", "a".repeat(length)));
            let end = sources.position(sources.files()[0].at(length)).unwrap();
            assert_eq!(end.column as usize, length + 1);
        }
    }

    #[test]
    fn a_line_has_no_line_break() {
        let mut sources = Sources::default();
        assert!(sources.add("one", "ab\ncd\n"));
        let line = |offset| sources.line(sources.files()[0].at(offset));
        assert_eq!(line(1), Some("ab"));
        assert_eq!(line(3), Some("cd"));
        assert_eq!(line(6), Some(""));
    }
}
