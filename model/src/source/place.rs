//! Places in texts.

/// A place in a text of [`Sources`](crate::Sources): cheap to keep at every value, turned into a [`Position`] when it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(pub(super) u32);

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
