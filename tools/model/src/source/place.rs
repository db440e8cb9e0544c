//! Positions in texts.

/// A position in a text of [`Sources`](crate::Sources). It takes four bytes;
/// [`Sources::position`](crate::Sources::position) converts it to a line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(pub(super) u32);

impl At {
    /// No position: for parts of a model that no text defines.
    pub const NONE: Self = Self(u32::MAX);
}

/// A position for people: the file, and the line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position<'s> {
    /// The name of the text.
    pub file: &'s str,
    /// The line, from 1.
    pub line: u32,
    /// The column, in code points from 1.
    pub column: u32,
}
