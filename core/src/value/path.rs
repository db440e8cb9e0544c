//! Paths without filters or functions, as data that a host can walk by itself.

use super::Name;

/// A test that a host may make in one crossing: a path of members and projections, and the string that is wanted at its
/// end.
///
/// The [`index`](Self::index) is dense over the waiter's [`path_tests`](crate::Waiter::path_tests).
///
/// # Example: what an `output` matcher tests
///
/// ```
/// use smithy_waiters::Waiter;
/// use smithy_waiters::value::{PathStep, Wanted};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let test = ready.path_tests().next().unwrap();
/// assert_eq!((test.index(), test.wanted(), test.expected().as_str()), (0, Wanted::Value, "READY"));
/// assert!(matches!(test.steps(), [PathStep::Member(name)] if name.as_str() == "Status"));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
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
///
/// # Example: of a projection
///
/// ```
/// use smithy_waiters::Waiter;
/// use smithy_waiters::value::PathStep;
///
/// let all_done = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Jobs[].Status", "comparator": "allStringEquals", "expected": "DONE"}}}]}"#)?;
/// let test = all_done.path_tests().next().unwrap();
/// assert!(matches!(test.steps(), [PathStep::Member(_), PathStep::Flatten, PathStep::Member(_)]));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
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
///
/// # Example: of an array
///
/// ```
/// use smithy_waiters::Waiter;
/// use smithy_waiters::value::Wanted;
///
/// let all_done = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Jobs[].Status", "comparator": "allStringEquals", "expected": "DONE"}}}]}"#)?;
/// assert_eq!(all_done.path_tests().next().map(|test| test.wanted()), Some(Wanted::Every));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
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
