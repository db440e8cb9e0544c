//! The interface through which the engine reads values of a host language without converting them.

pub(crate) mod host;
mod json;
pub(crate) mod limits;
mod number;

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;

pub(crate) use host::{ItemAt, Name};
pub(crate) use number::{
    describe, display as display_number, is_text_of, large_integer, number_of,
};

/// A cheap handle to a value of a host language.
///
/// The engine reads responses through this trait, so that only the members on a path are read, however large the
/// response is. A handle is a reference or an index. Cloning it must not copy the value.
///
/// Implementations follow the specification's [JMESPath data model]. Timestamps are numbers (epoch seconds), blobs are
/// base64 strings, and sets are arrays. Structures and unions are objects with the members that are set. See
/// [docs/rules.md#host-values](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#host-values).
///
/// # Example: a handle to strings
///
/// ```
/// use std::borrow::Cow;
/// use std::ops::ControlFlow;
/// use smithy_waiters::value::{Kind, ReadError, Value};
/// use smithy_waiters::{CompiledExpression, SearchResult};
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
///     fn member(&self, _: &str) -> Result<Option<Self>, ReadError> {
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
/// A method returns a [`ReadError`] if the host cannot read the value, for example because a getter throws. The path
/// then does not match, and the reasons contain the message.
#[expect(
    clippy::missing_errors_doc,
    reason = "the documentation of the trait has the error of all methods"
)]
pub trait Value: Clone {
    /// Returns the kind of the value, with the value itself for booleans and numbers.
    fn kind(&self) -> Result<Kind, ReadError>;

    /// Returns the text of a [`Kind::String`]. The result for other kinds is unspecified.
    fn text(&self) -> Result<Cow<'_, str>, ReadError>;

    /// Returns the number of items of a [`Kind::Array`], or of members of a [`Kind::Object`].
    fn len(&self) -> Result<usize, ReadError>;

    /// Returns `true` if [`len`](Self::len) is 0.
    fn is_empty(&self) -> Result<bool, ReadError> {
        Ok(self.len()? == 0)
    }

    /// Returns the item of a [`Kind::Array`] at a zero-based index, or `None` if the index is out of bounds.
    fn item(&self, index: usize) -> Result<Option<Self>, ReadError>;

    /// Visits every item of a [`Kind::Array`], in order, until `visit` breaks.
    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        for index in 0..self.len()? {
            // An array may become shorter while it is read, because reading runs the host's getters.
            let Some(item) = self.item(index)? else { break };
            if visit(item).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Returns a member of an object, or `None` if it is not set or the value is not an object.
    fn member(&self, name: &str) -> Result<Option<Self>, ReadError>;

    /// Visits every member of a [`Kind::Object`], in the host's order, until `visit` breaks.
    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError>;

    // The methods below serve the bindings, whose calls into the host are expensive. They are hidden, because the
    // methods above are enough for any other value.

    /// Returns at least the first `code_points` code points of a [`Kind::String`], without a copy of all of a long
    /// text.
    #[doc(hidden)]
    fn text_start(&self, _code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        self.text()
    }

    /// Returns the size of a [`Kind::String`] in bytes: of its UTF-8 text, or of the blob that it represents.
    ///
    /// The engine calls this before it reads a text, to limit the work of an evaluation.
    #[doc(hidden)]
    fn text_len(&self) -> Result<usize, ReadError> {
        Ok(self.text()?.len())
    }

    /// Returns `true` if the text of this [`Kind::String`] is `expected`.
    #[doc(hidden)]
    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        Ok(self.text()? == expected.as_str())
    }

    /// Returns the value at the end of a path of members, or `None` if one of them is not set.
    #[doc(hidden)]
    fn member_at(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        let mut value = self.clone();
        for name in path {
            match value.member(name.as_str())? {
                Some(next) => value = next,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    /// Visits the value at the end of a path of members for every item of a [`Kind::Array`], in order, until `visit`
    /// breaks.
    ///
    /// With `keep_arrays`, an item that is an array is visited itself. If items are read ahead, the error of an item is
    /// passed to `visit` at its turn.
    #[doc(hidden)]
    fn items_at(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<ItemAt<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        self.items(&mut |item| visit(ItemAt::of(item, path, keep_arrays)))
    }

    /// Returns a text that identifies the value if the other methods lose information, such as the digits of a large
    /// integer or of a decimal, or hidden members. Used to compare continuation tokens.
    #[doc(hidden)]
    fn identity(&self) -> Result<Option<String>, ReadError> {
        Ok(None)
    }

    /// Returns a warning about a response that is likely a mistake, such as an HTTP message instead of its parsed body.
    /// Reasons quote it if the value of a path is null or has the wrong type.
    #[doc(hidden)]
    fn warning(&self) -> Option<String> {
        None
    }
}

/// The type of a value in the JMESPath data model.
///
/// # Example: kinds of parsed JSON
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::value::{Kind, Value};
///
/// assert_eq!((&json!(1.5)).kind()?, Kind::Number(1.5));
/// assert_eq!((&json!("a")).kind()?.as_str(), "string");
/// # Ok::<(), smithy_waiters::value::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Null: `null`, `None`, `undefined`, or a member that is not set.
    Null,
    /// A boolean.
    Boolean(bool),
    /// A number as a double, so that comparisons have the same result in every language. NaN and the infinities count
    /// as null.
    Number(f64),
    /// A string, or a type that the data model represents as one.
    String,
    /// An array, or a type that the data model represents as one.
    Array,
    /// An object: a structure, a union or a map.
    Object,
}

impl Kind {
    /// Returns the data model's name of the kind, such as `string`.
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

/// Error returned when a host cannot read one of its values.
///
/// # Example: the host's message
///
/// ```
/// use smithy_waiters::value::ReadError;
///
/// assert_eq!(ReadError::new("the getter failed").to_string(), "the getter failed");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
// Boxed, because every read returns a `Result`, whose size should not depend on the error.
pub struct ReadError(Box<Message>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Message(String);

impl ReadError {
    /// Creates an error with the host's message.
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

/// The value of events that have none.
impl Value for Infallible {
    fn kind(&self) -> Result<Kind, ReadError> {
        match *self {}
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        match *self {}
    }

    fn len(&self) -> Result<usize, ReadError> {
        match *self {}
    }

    fn item(&self, _: usize) -> Result<Option<Self>, ReadError> {
        match *self {}
    }

    fn member(&self, _: &str) -> Result<Option<Self>, ReadError> {
        match *self {}
    }

    fn members(&self, _: &mut dyn FnMut(&str, Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        match *self {}
    }
}
