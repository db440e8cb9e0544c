//! The texts that a model is read from, and places in them.

use std::cell::OnceCell;

use bumpalo::Bump;

use crate::prelude;
use crate::separate::{GivenRule, Outline};

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
    /// What texts say of events that are not among these.
    rules: Vec<GivenRule>,
    /// Whether documentation stays as it is written.
    undocumented: bool,
}

/// One text.
#[derive(Debug)]
pub(crate) struct File {
    name: String,
    text: String,
    start: u32,
    /// Found when the first position is asked for.
    index: OnceCell<Index>,
}

/// Where lines begin, and how many code points come before: a line may be as long as the text.
#[derive(Debug)]
struct Index {
    /// The offsets at which lines begin.
    lines: Vec<u32>,
    /// The code points before every block of bytes.
    points: Vec<u32>,
}

/// How many bytes a block has.
const BLOCK: usize = 4096;

impl Default for Sources {
    fn default() -> Self {
        Self {
            arena: Bump::new(),
            files: Vec::new(),
            prelude: prelude::TEXTS.map(File::of_prelude),
            length: 0,
            rules: Vec::new(),
            undocumented: false,
        }
    }
}

impl Sources {
    /// No texts yet, of which nobody asks for the documentation: that of a single one of JSON stays as it is written, escapes
    /// and all, which saves much of the memory of a model.
    #[must_use]
    pub fn without_documentation() -> Self {
        Self {
            undocumented: true,
            ..Self::default()
        }
    }

    /// Whether documentation stays as it is written. Where there are several texts, it may be held against another's.
    pub(crate) const fn is_undocumented(&self) -> bool {
        self.undocumented && self.files.len() == 1
    }

    /// Whether a model has documentation that is read from several texts.
    pub(crate) const fn is_documented(&self) -> bool {
        !self.undocumented
    }

    /// None of these texts, and of others the same.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            undocumented: self.undocumented,
            ..Self::default()
        }
    }

    /// Adds a text. One whose name ends in `.smithy` is read as Smithy IDL, one that is named as botocore names its files,
    /// `service-2.json`, is read as botocore's, any other as JSON AST.
    ///
    /// `waiters-2.json` and `paginators-1.json` of the same folder belong to that service.
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
            index: OnceCell::new(),
        });
        self.length = end;
        true
    }

    /// The names and texts, in the order in which they were added.
    pub fn texts(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        let files = self.files.iter();
        files.map(|file| (&*file.name, &*file.text))
    }

    /// Takes over the suppressions and severity overrides of a text that is not among these, see
    /// [`separate`](crate::separate()).
    pub fn follow(&mut self, outline: &Outline) {
        self.rules.extend(outline.rules.iter().cloned());
    }

    pub(crate) fn rules(&self) -> &[GivenRule] {
        &self.rules
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
        let start = before
            .rfind(['\r', '\n'])
            .map_or(0, |end| end.saturating_add(1));
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
            index: OnceCell::new(),
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

    /// The text without a byte order mark.
    pub(crate) fn unmarked(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }

    /// The place of a byte offset.
    pub(crate) fn at(&self, offset: usize) -> At {
        let offset = u32::try_from(offset).unwrap_or(0);
        At(self.start.saturating_add(offset))
    }

    pub(crate) fn position(&self, offset: usize) -> Position<'_> {
        let index = self.index.get_or_init(|| Index::of(&self.text));
        let line = index
            .lines
            .partition_point(|start| as_offset(*start) <= offset);
        let start = line
            .checked_sub(1)
            .and_then(|line| index.lines.get(line))
            .map_or(0, |start| as_offset(*start));
        let before = index.points_before(&self.text, offset);
        let before = before.saturating_sub(index.points_before(&self.text, start));
        Position {
            file: &self.name,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: before.saturating_add(1),
        }
    }
}

impl Index {
    fn of(text: &str) -> Self {
        let blocks = text.as_bytes().chunks(BLOCK);
        let mut before = 0_u32;
        let points = blocks.map(|block| {
            let points = before;
            before = before.saturating_add(points_in(block));
            points
        });
        Self {
            points: points.collect(),
            lines: starts_of_lines(text),
        }
    }

    /// How many code points come before an offset.
    fn points_before(&self, text: &str, offset: usize) -> u32 {
        let block = offset.checked_div(BLOCK).unwrap_or_default();
        let start = block.saturating_mul(BLOCK);
        let rest = text.as_bytes().get(start..offset).unwrap_or_default();
        let before = self.points.get(block).copied();
        // Past the last block, at the text's end, there is nothing to count in it.
        let before = before.unwrap_or_else(|| {
            let last = text.as_bytes().chunks(BLOCK).next_back();
            let points = self.points.last().copied().unwrap_or_default();
            points.saturating_add(points_in(last.unwrap_or_default()))
        });
        before.saturating_add(points_in(rest))
    }
}

/// How many code points begin in bytes of UTF-8.
fn points_in(bytes: &[u8]) -> u32 {
    let first = bytes.iter().filter(|byte| (**byte).cast_signed() >= -64);
    u32::try_from(first.count()).unwrap_or(u32::MAX)
}

/// A line ends in a line feed, a carriage return, or both.
fn starts_of_lines(text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let mut bytes = text.bytes().zip(1_u32..).peekable();
    while let Some((byte, after)) = bytes.next() {
        let is_end = match byte {
            b'\n' => true,
            b'\r' => bytes.peek().is_none_or(|(next, _)| *next != b'\n'),
            _ => false,
        };
        if is_end {
            starts.push(after);
        }
    }
    starts
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
    fn a_line_is_given_without_its_end() {
        let mut sources = Sources::default();
        assert!(sources.add("one", "ab\ncd\n"));
        let line = |offset| sources.line(sources.files()[0].at(offset));
        assert_eq!(line(1), Some("ab"));
        assert_eq!(line(3), Some("cd"));
        assert_eq!(line(6), Some(""));
    }
}
