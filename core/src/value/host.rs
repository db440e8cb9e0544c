//! Names and paths for hosts whose values are read in bulk.

use super::{Kind, ReadError, Value};

/// An item that [`Value::items_at`] visits.
///
/// # Example: an array with a nested array
///
/// ```
/// use std::ops::ControlFlow;
/// use serde_json::json;
/// use smithy_waiters::internal::ItemAt;
/// use smithy_waiters::value::Value;
///
/// let (list, mut arrays) = (json!(["a", ["b", "c"]]), 0);
/// (&list).items_at(&[], true, &mut |item| {
///     arrays += u32::from(matches!(item, Ok(ItemAt::Array(_))));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(arrays, 1);
/// # Ok::<(), smithy_waiters::value::ReadError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "hosts construct both variants")]
pub enum ItemAt<V> {
    /// An item that is an array, if `keep_arrays` is set.
    Array(V),
    /// The value at the end of the path; `None` if it is not set.
    Value(Option<V>),
}

impl<V: Value> ItemAt<V> {
    /// Follows the path from one item.
    ///
    /// # Errors
    ///
    /// Returns an error if the host cannot read the item.
    pub fn of(item: V, path: &[Name], keep_arrays: bool) -> Result<Self, ReadError> {
        if keep_arrays && item.kind()? == Kind::Array {
            return Ok(Self::Array(item));
        }
        item.member_at(path).map(Self::Value)
    }

    /// Converts the value to another type.
    pub fn map<U>(self, wrap: impl FnOnce(V) -> U) -> ItemAt<U> {
        match self {
            Self::Array(item) => ItemAt::Array(wrap(item)),
            Self::Value(value) => ItemAt::Value(value.map(wrap)),
        }
    }
}

/// An interned member name or expected string of a waiter.
///
/// The [`index`](Self::index) is the name's position in the waiter's [`names`](crate::Waiter::names). A host can
/// convert each name to its own string type once, and look it up by index on every read.
///
/// # Example: the names of a waiter
///
/// ```
/// use smithy_waiters::Waiter;
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let names: Vec<&str> = ready.names().collect();
/// assert_eq!(names, ["READY", "Status", "FAILED"]);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    text: Box<str>,
    index: u32,
}

impl Name {
    pub(crate) fn new(text: &str, index: u32) -> Self {
        Self {
            text: text.into(),
            index,
        }
    }

    /// Returns the name as a string.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the position among the waiter's names.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index as usize
    }
}
