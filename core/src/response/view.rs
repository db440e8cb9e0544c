//! A handle to a part of a response.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;

use super::{Items, Members, Response, Visitor};
use crate::jmespath::{Item, render};
use crate::value::{Kind, Name, ReadError, Value, WalkedItem};

/// How much of a value is shown to those who debug, in code points.
const SHOWN: usize = 1_000;

/// What a [`Response`] shows of itself: one value of the data model, borrowed.
///
/// It is a [`Value`], and so what [`Waiter::evaluate`](crate::Waiter::evaluate) and [`Wait::handle`](crate::Wait::handle)
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
    /// A blob, as the data model reads it: the base64 of its bytes.
    pub fn blob(blob: &'a (impl super::Blob + ?Sized)) -> Self {
        blob.bytes().map_or(Self::Null, Self::Blob)
    }

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

impl Value for View<'_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        match self {
            Self::Array(_) => Ok(Kind::Array),
            Self::Blob(_) | Self::String(_) => Ok(Kind::String),
            Self::Boolean(value) => Ok(Kind::Boolean(*value)),
            Self::Integer(number) => Ok(Kind::Number(*number as f64)),
            Self::Json(json) => json.kind(),
            Self::Null => Ok(Kind::Null),
            Self::Number(number) => Ok(Kind::Number(*number)),
            Self::Object(_) => Ok(Kind::Object),
            Self::Unreadable(error) => Err(error.clone()),
        }
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Blob(bytes) => Ok(Cow::Owned(STANDARD.encode(bytes))),
            Self::Json(json) => json.text(),
            Self::String(text) => Ok(Cow::Borrowed(text)),
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(Cow::Borrowed("")),
        }
    }

    fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Blob(bytes) => {
                // Three bytes are four characters.
                let enough = code_points.div_ceil(4).saturating_mul(3);
                Ok(Cow::Owned(
                    STANDARD.encode(bytes.get(..enough).unwrap_or(bytes)),
                ))
            }
            _ => self.text(),
        }
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Blob(bytes) => Ok(bytes.len()),
            _ => Ok(self.text()?.len()),
        }
    }

    fn len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Array(items) => Ok(items.len()),
            Self::Json(json) => json.len(),
            Self::Object(members) => Ok(members.len()),
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(0),
        }
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        match self {
            Self::Array(items) => Ok(items.item(index)),
            Self::Json(json) => Ok(json.item(index)?.map(Self::Json)),
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(None),
        }
    }

    fn member(&self, name: &Name) -> Result<Option<Self>, ReadError> {
        match self {
            Self::Json(json) => Ok(json.member(name)?.map(Self::Json)),
            Self::Object(members) => Ok(members
                .member(name.as_str())
                .filter(|member| !member.is_null())),
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(None),
        }
    }

    fn walk_items(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<WalkedItem<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        if let Self::Json(json) = self {
            return json.walk_items(path, keep_arrays, &mut |item| {
                visit(item.map(|item| item.map(Self::Json)))
            });
        }
        self.items(&mut |item| visit(WalkedItem::of(item, path, keep_arrays)))
    }

    fn exact(&self) -> Result<Option<String>, ReadError> {
        match self {
            Self::Integer(integer) => Ok(Some(integer.to_string())),
            Self::Json(json) => json.exact(),
            _ => Ok(None),
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        match self {
            Self::Array(items) => {
                // Whether all were shown is of no concern here.
                let _ = items.items(visit);
                Ok(())
            }
            Self::Json(json) => json.items(&mut |item| visit(Self::Json(item))),
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Json(json) => json.members(&mut |name, member| visit(name, Self::Json(member))),
            Self::Object(members) => {
                // Whether all were shown is of no concern here.
                let _ = members.members(&mut Visitor::new(visit));
                Ok(())
            }
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(()),
        }
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
