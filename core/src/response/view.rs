//! Responses, and handles to their parts: what an author of a response implements.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use serde_json::Value as Json;

use crate::jmespath::{Item, render};
use crate::value::ReadError;

/// How much of a value is shown to those who debug, in code points.
const SHOWN: usize = 1_000;

/// What a waiter can look at: a response, or a value inside of one.
///
/// `#[derive(Response)]` writes it (feature `derive`); by hand it takes a line, and [`Members`] for a structure.
///
/// # Example: derived
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
/// # Example: by hand
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
    message = "a waiter cannot look at `{Self}`",
    label = "not a response that a waiter's paths can look at",
    note = "a type of your own: add `#[derive(smithy_waiters::Response)]` (feature `derive`), or implement `Response` by hand",
    note = "a type that implements `serde::Serialize`: give `Ok(Serialized::new(response))`",
    note = "any other: show what the waiter's paths look at, `Ok(Viewed::new(response, |response| json!({{…}})))`"
)]
pub trait Response {
    /// A handle to the value; nothing is converted.
    fn view(&self) -> View<'_>;
}

/// What a [`Response`] shows of itself: one value of the data model, borrowed.
///
/// It is a [`Value`](crate::Value), and so what [`Waiter::evaluate`](crate::Waiter::evaluate) and [`Wait::handle`](crate::Wait::handle)
/// take.
///
/// # Example: what Rust's values are read as
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
    /// A blob: a string, its base64.
    Blob(&'a [u8]),
    /// A boolean.
    Boolean(bool),
    /// A number without a fraction, which is one as well where no double holds it.
    Integer(i128),
    /// Parsed JSON.
    Json(&'a Json),
    /// Nothing: a member that is not set.
    #[default]
    Null,
    /// A number; a timestamp is its epoch seconds, with their fraction.
    Number(f64),
    /// An object: a structure, a union, a map.
    Object(&'a dyn Members),
    /// A string, also of an enum.
    String(Cow<'a, str>),
    /// A value that could not be read: no path matches it, and the verdict's reasons say why.
    Unreadable(ReadError),
}

impl<'a> View<'a> {
    /// An object without members: of the member of a union that has no value of its own.
    pub fn empty() -> Self {
        static EMPTY: BTreeMap<String, Json> = BTreeMap::new();
        Self::Object(&EMPTY)
    }

    /// Whether it is nothing: a member that is, is not set.
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

/// As JSON, cut where it gets long.
impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(&Item::Host(self.clone()), SHOWN))
    }
}

/// What has members: a structure, a union, a map.
///
/// [`members`](Self::members) is all that is needed; [`member`](Self::member) may be quicker than going through all.
///
/// # Example: a union by hand
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
    /// Shows every member, until the visitor breaks.
    fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()>;

    /// The member of a name; `None` where it is not set.
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

    /// The number of members that are set.
    fn len(&self) -> usize {
        let mut len: usize = 0;
        let _ = self.members(&mut Visitor::new(&mut |_, _| {
            len = len.saturating_add(1);
            ControlFlow::Continue(())
        }));
        len
    }

    /// Whether no member is set.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What has items: an array, a list, a set.
///
/// # Example: a list of one's own
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
    /// The number of items.
    fn len(&self) -> usize;

    /// The item at `index` from 0, `None` past the end.
    fn item(&self, index: usize) -> Option<View<'_>>;

    /// Shows every item, in order, until `visit` breaks.
    fn items<'a>(&'a self, visit: &mut dyn FnMut(View<'a>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut items = (0..self.len()).map_while(|index| self.item(index));
        items.try_for_each(visit)
    }

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// To whom [`Members`] are shown: [`member`](Visitor::member) takes those of a structure, [`entry`](Visitor::entry) those of
/// a map.
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

    /// Shows a member of a structure; one that is null is not set, and passed over.
    ///
    /// Breaks when nobody wants to see more: `?` goes on or stops.
    pub fn member(&mut self, name: &str, member: &'a (impl Response + ?Sized)) -> ControlFlow<()> {
        self.view(name, member.view())
    }

    /// The same for a view of it.
    pub fn view(&mut self, name: &str, member: View<'a>) -> ControlFlow<()> {
        if member.is_null() {
            return ControlFlow::Continue(());
        }
        (self.visit)(name, member)
    }

    /// Shows an entry of a map: one that is null is there all the same.
    pub fn entry(&mut self, key: &str, value: &'a (impl Response + ?Sized)) -> ControlFlow<()> {
        (self.visit)(key, value.view())
    }
}

impl fmt::Debug for Visitor<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visitor").finish_non_exhaustive()
    }
}
