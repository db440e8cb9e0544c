//! The traits that types of responses implement, and the views that they return.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use serde_json::Value as Json;

use crate::jmespath::{Item, render};
use crate::value::ReadError;

/// The maximum length of a value's debug output, in code points.
const DEBUG_LENGTH: usize = 1_000;

/// A response, or a value inside a response, that a waiter can read.
///
/// Use `#[derive(Response)]` (feature `derive`) to implement it. A manual implementation of a structure also implements
/// [`Members`].
///
/// # Example: a derived implementation
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use serde_json::Value;
/// use smithy_waiters::{Response, Observation, State, View, Waiter};
///
/// #[derive(Response)]
/// #[waiter(rename_all = "PascalCase")]
/// struct DescribeTableOutput {
///     table: Option<Table>,
/// }
///
/// #[derive(Response)]
/// struct Table {
///     #[waiter(rename = "TableStatus")]
///     status: Status,
/// }
///
/// #[derive(Response)]
/// #[waiter(rename_all = "SCREAMING_SNAKE_CASE")]
/// enum Status {
///     Active,
///     Creating,
/// }
///
/// let table_exists = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}}}]}"#)?;
/// let state = |status| {
///     let output = DescribeTableOutput { table: Some(Table { status }) };
///     table_exists.evaluate(View::Null, Observation::Response(output.view())).state()
/// };
/// assert_eq!(state(Status::Creating), State::Retry);
/// assert_eq!(state(Status::Active), State::Success);
/// # }
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
///
/// # Example: a manual implementation
///
/// ```
/// use std::ops::ControlFlow;
/// use smithy_waiters::response::{Members, Visitor};
/// use smithy_waiters::{Response, View};
///
/// struct Bucket {
///     name: String,
///     size: Option<u64>,
/// }
///
/// impl Response for Bucket {
///     fn view(&self) -> View<'_> {
///         View::Object(self)
///     }
/// }
///
/// impl Members for Bucket {
///     fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
///         to.member("Name", &self.name)?;
///         to.member("Size", &self.size)
///     }
/// }
///
/// let bucket = Bucket { name: "logs".into(), size: None };
/// assert_eq!(format!("{:?}", bucket.view()), r#"{"Name":"logs"}"#);
/// ```
#[diagnostic::on_unimplemented(
    message = "a waiter cannot read `{Self}`",
    label = "this type does not implement `Response`",
    note = "for your own type, add `#[derive(smithy_waiters::Response)]` (feature `derive`) or implement `Response`",
    note = "for a type that implements `serde::Serialize`, return `Ok(Serialized::new(response))`",
    note = "for any other type, return `Ok(Viewed::new(response, |response| json!({{…}})))` with the members on the waiter's paths"
)]
pub trait Response {
    /// Returns a view of the value. The value must not be copied or converted.
    fn view(&self) -> View<'_>;
}

/// A borrowed value of the data model, which [`Response::view`] returns.
///
/// It implements [`Value`](crate::value::Value), so that [`Waiter::evaluate`](crate::Waiter::evaluate) and
/// [`Wait::handle`](crate::Wait::handle) accept it.
///
/// # Example: views of Rust values
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use smithy_waiters::{Response, View};
///
/// assert!(matches!(true.view(), View::Boolean(true)));
/// assert!(matches!(7_u8.view(), View::Integer(7)));
/// assert!(matches!(None::<String>.view(), View::Null));
///
/// let created = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
/// assert!(matches!(created.view(), View::Number(1.5)));
///
/// let names = vec!["a", "b"];
/// assert_eq!(format!("{:?}", names.view()), r#"["a","b"]"#);
/// assert_eq!(format!("{:?}", View::Blob(b"abc")), r#""YWJj""#);
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum View<'a> {
    /// An array.
    Array(&'a dyn Items),
    /// A blob, which is a base64 string in the data model.
    Blob(&'a [u8]),
    /// A boolean.
    Boolean(bool),
    /// An integer, including integers that a double cannot represent.
    Integer(i128),
    /// Parsed JSON.
    Json(&'a Json),
    /// Null, or a member that is not set.
    #[default]
    Null,
    /// A number, or a timestamp as epoch seconds with a fraction.
    Number(f64),
    /// An object: a structure, a union or a map.
    Object(&'a dyn Members),
    /// A string, or the value of an enum.
    String(Cow<'a, str>),
    /// A value that cannot be read. No path matches it, and the reasons contain the error.
    Unreadable(ReadError),
}

impl<'a> View<'a> {
    /// Creates an object without members, for members of unions without a value.
    pub fn empty() -> Self {
        static EMPTY: BTreeMap<String, Json> = BTreeMap::new();
        Self::Object(&EMPTY)
    }

    /// Returns `true` if the value is null. A member whose value is null is not set.
    pub(super) const fn is_null(&self) -> bool {
        matches!(self, Self::Null | Self::Json(Json::Null))
    }
}

impl Response for View<'_> {
    fn view(&self) -> View<'_> {
        self.clone()
    }
}

impl From<bool> for View<'_> {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<f64> for View<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for View<'a> {
    fn from(text: &'a str) -> Self {
        Self::String(Cow::Borrowed(text))
    }
}

impl From<String> for View<'_> {
    fn from(text: String) -> Self {
        Self::String(Cow::Owned(text))
    }
}

/// Formats the value as JSON, truncated to 1,000 characters.
impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(&Item::Host(self.clone()), DEBUG_LENGTH))
    }
}

/// A type with members: a structure, a union or a map.
///
/// Only [`members`](Self::members) is required. Override [`member`](Self::member) if there is a faster way to find a
/// member by name.
///
/// # Example: a union
///
/// ```
/// use std::ops::ControlFlow;
/// use smithy_waiters::response::{Members, Visitor};
/// use smithy_waiters::{Response, View};
///
/// enum Target {
///     Bucket(String),
///     Port(u16),
/// }
///
/// impl Response for Target {
///     fn view(&self) -> View<'_> {
///         View::Object(self)
///     }
/// }
///
/// impl Members for Target {
///     fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
///         match self {
///             Self::Bucket(name) => to.member("Bucket", name),
///             Self::Port(port) => to.member("Port", port),
///         }
///     }
/// }
///
/// assert_eq!(format!("{:?}", Target::Port(80).view()), r#"{"Port":80}"#);
/// ```
pub trait Members {
    /// Passes every member to the visitor, until it breaks.
    fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()>;

    /// Returns the member with this name, or `None` if it is not set.
    fn member(&self, name: &str) -> Option<View<'_>> {
        let mut found = None;
        let _ = self.members(&mut Visitor::new(&mut |other, member| {
            if other != name {
                return ControlFlow::Continue(());
            }
            found = Some(member);
            ControlFlow::Break(())
        }));
        found
    }

    /// Returns the number of members that are set.
    fn len(&self) -> usize {
        let mut len: usize = 0;
        let _ = self.members(&mut Visitor::new(&mut |_, _| {
            len = len.saturating_add(1);
            ControlFlow::Continue(())
        }));
        len
    }

    /// Returns `true` if no member is set.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A type with items: an array, a list or a set.
///
/// # Example: a custom list
///
/// ```
/// use smithy_waiters::response::Items;
/// use smithy_waiters::{Response, View};
///
/// struct Range(u8);
///
/// impl Response for Range {
///     fn view(&self) -> View<'_> {
///         View::Array(self)
///     }
/// }
///
/// impl Items for Range {
///     fn len(&self) -> usize {
///         self.0.into()
///     }
///
///     fn item(&self, index: usize) -> Option<View<'_>> {
///         (index < self.len()).then_some(View::Number(index as f64))
///     }
/// }
///
/// assert_eq!(format!("{:?}", Range(3).view()), "[0,1,2]");
/// ```
pub trait Items {
    /// Returns the number of items.
    fn len(&self) -> usize;

    /// Returns the item at a zero-based index, or `None` if the index is out of bounds.
    fn item(&self, index: usize) -> Option<View<'_>>;

    /// Visits every item, in order, until `visit` breaks.
    fn items<'a>(&'a self, visit: &mut dyn FnMut(View<'a>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut items = (0..self.len()).map_while(|index| self.item(index));
        items.try_for_each(visit)
    }

    /// Returns `true` if [`len`](Self::len) is 0.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The receiver of the members in [`Members::members`]. Use [`member`](Visitor::member) for the members of a structure
/// and
/// [`entry`](Visitor::entry) for those of a map.
///
/// # Example: the members of a map
///
/// ```
/// use std::collections::BTreeMap;
/// use std::ops::ControlFlow;
/// use smithy_waiters::response::{Members, Visitor};
/// use smithy_waiters::{Response, View};
///
/// struct Tags(BTreeMap<String, String>);
///
/// impl Response for Tags {
///     fn view(&self) -> View<'_> {
///         View::Object(self)
///     }
/// }
///
/// impl Members for Tags {
///     fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
///         self.0.iter().try_for_each(|(name, tag)| to.entry(name, tag))
///     }
/// }
///
/// let tags = Tags([("env".into(), "test".into())].into());
/// assert_eq!(format!("{:?}", tags.view()), r#"{"env":"test"}"#);
/// ```
pub struct Visitor<'v, 'a> {
    visit: &'v mut dyn FnMut(&str, View<'a>) -> ControlFlow<()>,
}

impl<'v, 'a> Visitor<'v, 'a> {
    pub(super) fn new(visit: &'v mut dyn FnMut(&str, View<'a>) -> ControlFlow<()>) -> Self {
        Self { visit }
    }

    /// Visits a member of a structure. A null member is not set and therefore skipped.
    ///
    /// Returns [`ControlFlow::Break`] if no further members are needed. Use `?` to return it.
    pub fn member(&mut self, name: &str, member: &'a (impl Response + ?Sized)) -> ControlFlow<()> {
        self.view(name, member.view())
    }

    /// Visits a view of a member of a structure. A null member is not set and therefore skipped.
    ///
    /// Returns [`ControlFlow::Break`] if no further members are needed.
    pub fn view(&mut self, name: &str, member: View<'a>) -> ControlFlow<()> {
        if member.is_null() {
            return ControlFlow::Continue(());
        }
        (self.visit)(name, member)
    }

    /// Visits an entry of a map. Null values are included.
    ///
    /// Returns [`ControlFlow::Break`] if no further entries are needed.
    pub fn entry(&mut self, key: &str, value: &'a (impl Response + ?Sized)) -> ControlFlow<()> {
        (self.visit)(key, value.view())
    }
}

impl fmt::Debug for Visitor<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visitor").finish_non_exhaustive()
    }
}
