//! Paths without filters or functions, as data that a host can walk by itself.

use super::Name;

/// A test that a host may make in one crossing: a path of members and projections, and the string that is wanted at its
/// end.
///
/// The [`index`](Self::index) is dense over the waiter's [`path_tests`](crate::Waiter::path_tests).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathTest {
    index: u32,
    steps: Box<[PathStep]>,
    wanted: Wanted,
    expected: Name,
}

/// One step of a path.
///
/// Members before the first projection lead to one value; a projection of what is no array (for [`Values`](Self::Values):
/// no object) is null. From then on each item goes its own way: an item that is null at the end, or on the way, is
/// dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathStep {
    /// Every item, and in its place the items of one that is an array itself: `[]`.
    Flatten,
    /// Every item: `[*]`.
    Items,
    /// A member: `.name`.
    Member(Name),
    /// The value of every member: `.*`.
    Values,
}

/// Which part of what a path gives must be the expected string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// At least one item of the array: `anyStringEquals`.
    Any,
    /// Every item of the array, of which there is at least one: `allStringEquals`.
    Every,
    /// The value itself: `stringEquals`.
    Value,
}

impl PathTest {
    /// The most items that a walk goes through.
    pub const MAX_ITEMS: u32 = 100_000;

    pub(crate) const fn new(
        index: u32,
        steps: Box<[PathStep]>,
        wanted: Wanted,
        expected: Name,
    ) -> Self {
        Self {
            index,
            steps,
            wanted,
            expected,
        }
    }

    /// Its place among the waiter's tests.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index as usize
    }

    /// The path.
    #[must_use]
    pub const fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// Which part of what the path gives must be the expected string.
    #[must_use]
    pub const fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// The expected string.
    #[must_use]
    pub const fn expected(&self) -> &Name {
        &self.expected
    }
}
