//! The texts that a model is read from, and places in them.

use std::cell::OnceCell;

use bumpalo::Bump;

use crate::prelude;

/// A place in a text of [`Sources`]: cheap to keep at every value, turned into a [`Position`] when it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(u32);

impl At {
    /// Nowhere: what the model does not say itself.
    pub const NONE: Self = Self(u32::MAX);
}

/// A place as people count: the file, and line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position<'s> {
    /// The name that the text was added with.
    pub file: &'s str,
    /// The line, from 1.
    pub line: u32,
    /// The column, in code points from 1.
    pub column: u32,
}

/// The texts that a model is read from. Everything that is read borrows from here.
///
/// # Example: a place
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
    /// What the texts do not hold as it is: strings with escapes, absolute ids.
    arena: Bump,
    files: Vec<File>,
    /// What every model can name: it stands nowhere.
    prelude: [File; 2],
    /// How long all texts are.
    length: u32,
}

/// One text.
#[derive(Debug)]
pub(crate) struct File {
    name: String,
    text: String,
    start: u32,
    /// The offsets at which lines begin, found when the first position is asked for.
    lines: OnceCell<Vec<u32>>,
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            arena: Bump::new(),
            files: Vec::new(),
            prelude: prelude::TEXTS.map(File::of_prelude),
            length: 0,
        }
    }
}

impl Sources {
    /// Adds a text. One whose name ends in `.smithy` is read as Smithy IDL, any other as JSON AST.
    ///
    /// Answers whether there was room: all texts together can be 4 GiB long.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> bool {
        let text = text.into();
        let end = u32::try_from(text.len())
            .ok()
            .and_then(|length| self.length.checked_add(length)?.checked_add(1))
            .filter(|end| *end < u32::MAX);
        let Some(end) = end else { return false };
        self.files.push(File {
            name: name.into(),
            text,
            start: self.length,
            lines: OnceCell::new(),
        });
        self.length = end;
        true
    }

    /// The names and texts, in the order in which they were added.
    pub fn texts(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        let files = self.files.iter();
        files.map(|file| (&*file.name, &*file.text))
    }

    /// Where a place is, unless it is nowhere.
    #[must_use]
    pub fn position(&self, at: At) -> Option<Position<'_>> {
        let (file, offset) = self.find(at)?;
        Some(file.position(offset))
    }

    /// The line that a place is on, without its end.
    #[must_use]
    pub fn line(&self, at: At) -> Option<&str> {
        let (file, offset) = self.find(at)?;
        let (before, after) = file.text.split_at_checked(offset)?;
        let start = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let end = after
            .find(['\r', '\n'])
            .map_or(file.text.len(), |end| offset.saturating_add(end));
        file.text.get(start..end)
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
        (offset <= file.text.len()).then_some((file, offset))
    }
}

impl File {
    /// A text whose places are all [`At::NONE`].
    fn of_prelude(text: &'static str) -> Self {
        Self {
            name: "prelude.smithy".to_owned(),
            text: text.to_owned(),
            start: u32::MAX,
            lines: OnceCell::new(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_idl(&self) -> bool {
        self.name.ends_with(".smithy")
    }

    /// The place of a byte offset.
    /// The text without a byte order mark.
    pub(crate) fn unmarked(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }

    pub(crate) fn at(&self, offset: usize) -> At {
        let offset = u32::try_from(offset).unwrap_or(0);
        At(self.start.saturating_add(offset))
    }

    pub(crate) fn position(&self, offset: usize) -> Position<'_> {
        let lines = self.lines.get_or_init(|| starts_of_lines(&self.text));
        let line = lines.partition_point(|start| as_offset(*start) <= offset);
        let start = line
            .checked_sub(1)
            .and_then(|line| lines.get(line))
            .map_or(0, |start| as_offset(*start));
        let before = self.text.get(start..offset).unwrap_or_default();
        Position {
            file: &self.name,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(before.chars().count().saturating_add(1)).unwrap_or(u32::MAX),
        }
    }
}

fn starts_of_lines(text: &str) -> Vec<u32> {
    let after = text.match_indices('\n').map(|(at, _)| at.saturating_add(1));
    let starts = std::iter::once(0).chain(after);
    starts.filter_map(|at| u32::try_from(at).ok()).collect()
}

fn as_offset(start: u32) -> usize {
    usize::try_from(start).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
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
    fn a_line_is_given_without_its_end() {
        let mut sources = Sources::default();
        assert!(sources.add("one", "ab\ncd\n"));
        let line = |offset| sources.line(sources.files()[0].at(offset));
        assert_eq!(line(1), Some("ab"));
        assert_eq!(line(3), Some("cd"));
        assert_eq!(line(6), Some(""));
    }
}
