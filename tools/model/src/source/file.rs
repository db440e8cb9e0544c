//! One text and the positions in it.

use std::cell::OnceCell;

use super::place::{At, Position};

/// One text.
#[derive(Debug)]
pub(crate) struct File {
    name: String,
    text: String,
    /// The offset of the text among all texts.
    pub(super) start: u32,
    /// Built by the first call of `position`.
    index: OnceCell<Index>,
}

/// Line starts and code point counts. The counts keep columns cheap in long lines: a line can be as long as the text.
#[derive(Debug)]
struct Index {
    /// The offsets of line starts.
    lines: Vec<u32>,
    /// The number of code points before each block of bytes.
    points: Vec<u32>,
}

/// The size of a block in bytes.
pub(super) const BLOCK: usize = 4096;

impl File {
    pub(super) const fn new(name: String, text: String, start: u32) -> Self {
        Self {
            name,
            text,
            start,
            index: OnceCell::new(),
        }
    }

    /// Creates a text of the prelude. All of its positions are [`At::NONE`].
    pub(super) fn prelude(text: &'static str) -> Self {
        Self::new("prelude.smithy".to_owned(), text.to_owned(), u32::MAX)
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

    /// Returns the text without a byte order mark.
    pub(crate) fn without_bom(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }

    /// Returns the position of a byte offset.
    pub(crate) fn at(&self, offset: usize) -> At {
        let offset = u32::try_from(offset).unwrap_or(0);
        At(self.start.saturating_add(offset))
    }

    pub(crate) fn position(&self, offset: usize) -> Position<'_> {
        let index = self.index.get_or_init(|| Index::new(&self.text));
        let line = index
            .lines
            .partition_point(|start| to_usize(*start) <= offset);
        let start = line
            .checked_sub(1)
            .and_then(|line| index.lines.get(line))
            .map_or(0, |start| to_usize(*start));
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
    fn new(text: &str) -> Self {
        let blocks = text.as_bytes().chunks(BLOCK);
        let mut before = 0_u32;
        let points = blocks.map(|block| {
            let points = before;
            before = before.saturating_add(count_code_points(block));
            points
        });
        Self {
            points: points.collect(),
            lines: line_starts(text),
        }
    }

    /// Returns the number of code points before an offset.
    fn points_before(&self, text: &str, offset: usize) -> u32 {
        let block = offset.checked_div(BLOCK).unwrap_or_default();
        let start = block.saturating_mul(BLOCK);
        let rest = text.as_bytes().get(start..offset).unwrap_or_default();
        let before = self.points.get(block).copied();
        // The end of the text can be the start of a block that does not exist.
        let before = before.unwrap_or_else(|| {
            let last = text.as_bytes().chunks(BLOCK).next_back();
            let points = self.points.last().copied().unwrap_or_default();
            points.saturating_add(count_code_points(last.unwrap_or_default()))
        });
        before.saturating_add(count_code_points(rest))
    }
}

/// Returns the number of code points that start in a slice of UTF-8.
fn count_code_points(bytes: &[u8]) -> u32 {
    let first = bytes.iter().filter(|byte| (**byte).cast_signed() >= -64);
    u32::try_from(first.count()).unwrap_or(u32::MAX)
}

/// Returns the offsets of line starts. A line ends with a line feed, a carriage return, or both.
fn line_starts(text: &str) -> Vec<u32> {
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

fn to_usize(start: u32) -> usize {
    usize::try_from(start).unwrap_or(usize::MAX)
}
