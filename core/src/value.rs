//! How the engine reads a host's values: borrowed, never converted.

mod json;
mod number;

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;

pub(crate) use number::{describe, display as display_number};

/// A cheap handle to one value of a host language.
///
/// The engine walks a response through this trait, so that a verdict costs what its paths touch and not what the
/// response weighs. A handle is a reference or an index: cloning one never copies the value behind it.
///
/// Implementations follow the specification's [JMESPath data model]: timestamps are epoch seconds, blobs base64
/// strings, sets arrays, structures and unions objects of their members that are set.
///
/// # Example: the handle of a host that knows strings only
///
/// ```
/// use std::borrow::Cow;
/// use std::ops::ControlFlow;
/// use smithy_waiters::value::{Kind, Name, ReadError};
/// use smithy_waiters::{CompiledExpression, SearchResult, Value};
///
/// #[derive(Clone, Debug, PartialEq)]
/// struct Text<'a>(&'a str);
///
/// impl Value for Text<'_> {
///     fn kind(&self) -> Result<Kind, ReadError> {
///         Ok(Kind::String)
///     }
///
///     fn text(&self) -> Result<Cow<'_, str>, ReadError> {
///         Ok(Cow::Borrowed(self.0))
///     }
///
///     fn len(&self) -> Result<usize, ReadError> {
///         Ok(0)
///     }
///
///     fn item(&self, _: usize) -> Result<Option<Self>, ReadError> {
///         Ok(None)
///     }
///
///     fn member(&self, _: &Name) -> Result<Option<Self>, ReadError> {
///         Ok(None)
///     }
///
///     fn members(&self, _: &mut dyn FnMut(&str, Self) -> ControlFlow<()>) -> Result<(), ReadError> {
///         Ok(())
///     }
/// }
///
/// let length = CompiledExpression::new("length(@)")?;
/// assert_eq!(length.search(Text("four"))?, SearchResult::Number(4.0));
/// # Ok::<(), smithy_waiters::ExpressionError>(())
/// ```
///
/// [JMESPath data model]: https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model
///
/// # Errors
///
/// A read that the host cannot serve (a getter that throws) is a [`ReadError`]: no match for a path, with the error's
/// text among the verdict's reasons.
pub trait Value: Clone {
    /// What the value is; scalars other than strings come along.
    fn kind(&self) -> Result<Kind, ReadError>;

    /// The text of a [`Kind::String`], unspecified for every other kind.
    fn text(&self) -> Result<Cow<'_, str>, ReadError>;

    /// The beginning of the text of a [`Kind::String`], at least this number of code points if it has as many.
    ///
    /// A host that copies its texts copies no more.
    fn text_start(&self, _code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        self.text()
    }

    /// The size of a [`Kind::String`]: the bytes of its text in UTF-8, or of the blob that it is read from.
    ///
    /// By it the engine knows the work of reading the text before it is made.
    fn text_len(&self) -> Result<usize, ReadError> {
        Ok(self.text()?.len())
    }

    /// Whether this [`Kind::String`] is exactly `expected`.
    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        Ok(self.text()? == expected.as_str())
    }

    /// The number of items of a [`Kind::Array`] or of members of a [`Kind::Object`].
    fn len(&self) -> Result<usize, ReadError>;

    /// Whether [`len`](Self::len) is 0.
    fn is_empty(&self) -> Result<bool, ReadError> {
        Ok(self.len()? == 0)
    }

    /// The item of a [`Kind::Array`] at `index` from 0, `None` past its end.
    fn item(&self, index: usize) -> Result<Option<Self>, ReadError>;

    /// The member of an object; `None` where it is not set, or where the value is not an object.
    fn member(&self, name: &Name) -> Result<Option<Self>, ReadError>;

    /// The value at the end of a path of members; `None` where one of them is not set.
    ///
    /// A host with dear crossings walks the whole path in one.
    fn walk(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        let mut value = self.clone();
        for name in path {
            match value.member(name)? {
                Some(next) => value = next,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    /// Shows the value at the end of a path of members for every item of a [`Kind::Array`], in order, until `visit` breaks.
    ///
    /// With `keep_arrays`, an item that is an array is shown itself. A host with dear crossings reads many items in one; an error
    /// of an item counts only once `visit` has come to it.
    fn walk_items(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<WalkedItem<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        self.items(&mut |item| visit(WalkedItem::of(item, path, keep_arrays)))
    }

    /// Returns a text that identifies the value, if the methods above lose something of it: an integer that no double holds, a
    /// decimal, members that are not shown. Continuation tokens are compared by it.
    fn exact(&self) -> Result<Option<String>, ReadError> {
        Ok(None)
    }

    /// Returns a remark for people about a response that is likely a mistake, such as a message of HTTP whose body was not read.
    /// Reasons quote it for a path that gives null or a value of the wrong type.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Shows every item of a [`Kind::Array`], in order, until `visit` breaks.
    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        for index in 0..self.len()? {
            let Some(item) = self.item(index)? else { break };
            if visit(item).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Shows every member of a [`Kind::Object`], in the host's own order, until `visit` breaks.
    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError>;
}

/// An item of an array, as [`Value::walk_items`] shows it.
///
/// # Example: with and without arrays
///
/// ```
/// use std::ops::ControlFlow;
/// use serde_json::json;
/// use smithy_waiters::Value;
/// use smithy_waiters::value::WalkedItem;
///
/// let (list, mut arrays) = (json!(["a", ["b", "c"]]), 0);
/// (&list).walk_items(&[], true, &mut |item| {
///     arrays += u32::from(matches!(item, Ok(WalkedItem::Array(_))));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(arrays, 1);
/// # Ok::<(), smithy_waiters::value::ReadError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a host makes both")]
pub enum WalkedItem<V> {
    /// The item itself, an array.
    Array(V),
    /// The value at the end of the path; `None` if it is not set.
    Value(Option<V>),
}

impl<V: Value> WalkedItem<V> {
    /// Walks one item.
    ///
    /// # Errors
    ///
    /// The host cannot read the item.
    pub fn of(item: V, path: &[Name], keep_arrays: bool) -> Result<Self, ReadError> {
        if keep_arrays && item.kind()? == Kind::Array {
            return Ok(Self::Array(item));
        }
        item.walk(path).map(Self::Value)
    }

    /// Wraps the value in another type.
    pub fn map<U>(self, wrap: impl FnOnce(V) -> U) -> WalkedItem<U> {
        match self {
            Self::Array(item) => WalkedItem::Array(wrap(item)),
            Self::Value(value) => WalkedItem::Value(value.map(wrap)),
        }
    }
}

/// What a host's value is.
///
/// # Example: of parsed JSON
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::Value;
/// use smithy_waiters::value::Kind;
///
/// assert_eq!((&json!(1.5)).kind()?, Kind::Number(1.5));
/// assert_eq!((&json!("a")).kind()?.as_str(), "string");
/// # Ok::<(), smithy_waiters::value::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Nothing: `null`, `None`, `undefined`, a member that is not set.
    Null,
    /// A boolean.
    Boolean(bool),
    /// A number, as the double that every language compares and computes with; not a number and the infinities read as
    /// null.
    Number(f64),
    /// A string, or anything the data model reads as one.
    String,
    /// An array, or anything the data model reads as one.
    Array,
    /// An object: a structure, a union, a map.
    Object,
}

impl Kind {
    /// The data model's word for the kind.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "boolean",
            Self::Number(_) => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// A member's name or an expected string, as a compiled waiter knows it.
///
/// The [`index`](Self::index) is dense over the waiter's [`names`](crate::Waiter::names): a host interns its own form
/// of each name once and finds it by index at every read.
///
/// # Example: as a waiter knows them
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

    /// The name itself.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        &self.text
    }

    /// Its place among the waiter's names.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index as usize
    }
}

/// A host could not read one of its own values.
///
/// Boxed: every read gives a `Result`, which should not be larger than what it gives.
///
/// # Example: in the words of the host
///
/// ```
/// use smithy_waiters::value::ReadError;
///
/// assert_eq!(ReadError::new("the getter failed").to_string(), "the getter failed");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(Box<Message>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Message(String);

impl ReadError {
    /// An error with the host's own words for what went wrong.
    #[cold]
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Message(message.into())))
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.0)
    }
}

impl std::error::Error for ReadError {}
