//! The values of an evaluation: borrowed host values, and computed values.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::rc::Rc;

use serde_json::Value as Json;

use crate::value::{ItemAt, Kind, Name, ReadError, Value};

/// The maximum number of members that are sorted for display.
const MAX_DISPLAYED: usize = 1_000;

/// A value during an evaluation. Clones share their data.
#[derive(Clone, Debug)]
pub(crate) enum Item<'e, V> {
    Array(Rc<Vec<Self>>),
    Boolean(bool),
    /// An unchanged value of the host.
    Host(V),
    /// A literal of the expression.
    Literal(&'e Json),
    Null,
    Number(f64),
    Object(Rc<Vec<(Rc<str>, Self)>>),
    String(Rc<str>),
}

impl<'e, V: Value> Item<'e, V> {
    pub(crate) fn kind(&self) -> Result<Kind, ReadError> {
        let kind = match self {
            Self::Array(_) => Kind::Array,
            Self::Boolean(value) => Kind::Boolean(*value),
            Self::Host(value) => value.kind()?,
            Self::Literal(json) => json.kind()?,
            Self::Null => Kind::Null,
            Self::Number(number) => Kind::Number(*number),
            Self::Object(_) => Kind::Object,
            Self::String(_) => Kind::String,
        };
        // NaN and the infinities are not numbers of JSON.
        Ok(match kind {
            Kind::Number(number) if !number.is_finite() => Kind::Null,
            kind => kind,
        })
    }

    pub(crate) fn is_null(&self) -> Result<bool, ReadError> {
        Ok(self.kind()? == Kind::Null)
    }

    pub(crate) fn is_truthy(&self) -> Result<bool, ReadError> {
        Ok(match self.kind()? {
            Kind::Null => false,
            Kind::Boolean(value) => value,
            // In JMESPath 0 is true, unlike in the hosts.
            Kind::Number(_) => true,
            // One code point is enough, because a host may have to copy the whole text.
            Kind::String => !self.text_start(1)?.is_empty(),
            Kind::Array | Kind::Object => self.len()? > 0,
        })
    }

    /// Returns the whole text. Use [`Evaluator::text`](super::Evaluator::text) in an evaluation, which counts the work.
    pub(crate) fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Host(value) => value.text(),
            Self::Literal(json) => Ok(Cow::Borrowed(json.as_str().unwrap_or_default())),
            Self::String(text) => Ok(Cow::Borrowed(text)),
            _ => Ok(Cow::Borrowed("")),
        }
    }

    /// Returns the size of the text. See [`Value::text_len`].
    pub(crate) fn text_len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Host(value) => value.text_len(),
            _ => Ok(self.text()?.len()),
        }
    }

    /// Returns the start of the text. See [`Value::text_start`].
    pub(crate) fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Host(value) => value.text_start(code_points),
            _ => self.text(),
        }
    }

    pub(crate) fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        match self {
            Self::Host(value) => value.text_is(expected),
            _ => Ok(self.text()? == expected.as_str()),
        }
    }

    pub(crate) fn len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Array(items) => Ok(items.len()),
            Self::Host(value) => value.len(),
            Self::Literal(json) => json.len(),
            Self::Object(members) => Ok(members.len()),
            _ => Ok(0),
        }
    }

    /// Returns the item at an index, or null if it is out of bounds. A negative index counts from the end.
    pub(crate) fn item(&self, index: i64) -> Result<Self, ReadError> {
        if self.kind()? != Kind::Array {
            return Ok(Self::Null);
        }
        let from_end = || {
            Ok(i64::try_from(self.len()?)
                .unwrap_or(i64::MAX)
                .saturating_add(index))
        };
        let index = if index < 0 { from_end()? } else { index };
        let Ok(index) = usize::try_from(index) else {
            return Ok(Self::Null);
        };
        let item = match self {
            Self::Array(items) => items.get(index).cloned(),
            Self::Host(value) => value.item(index)?.map(Self::Host),
            Self::Literal(json) => json.get(index).map(Self::Literal),
            _ => None,
        };
        Ok(item.unwrap_or(Self::Null))
    }

    /// Returns the value at the end of a path of members, or null if one of them is not set.
    pub(crate) fn member_at(&self, path: &[Name]) -> Result<Self, ReadError> {
        let found = match self {
            Self::Host(value) => value.member_at(path)?.map(Self::Host),
            Self::Literal(json) => json.member_at(path)?.map(Self::Literal),
            Self::Object(members) => match path.split_first() {
                Some((name, rest)) => {
                    let member = members.iter().find(|(key, _)| **key == *name.as_str());
                    return member.map_or(Ok(Self::Null), |(_, member)| member.member_at(rest));
                }
                None => Some(self.clone()),
            },
            _ if path.is_empty() => Some(self.clone()),
            _ => None,
        };
        Ok(found.unwrap_or(Self::Null))
    }

    /// Visits the items of an array, in order, until `visit` breaks.
    pub(crate) fn items(
        &self,
        visit: &mut dyn FnMut(Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Array(items) => {
                let _ = items.iter().try_for_each(|item| visit(item.clone()));
                Ok(())
            }
            Self::Host(value) => value.items(&mut |item| visit(Self::Host(item))),
            Self::Literal(json) => json.items(&mut |item| visit(Self::Literal(item))),
            _ => Ok(()),
        }
    }

    /// Visits the value at the end of a path for every item of an array. See [`Value::items_at`].
    pub(crate) fn items_at(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<(Self, bool), ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Host(value) => value.items_at(path, keep_arrays, &mut |item| {
                visit(item.map(|item| match item {
                    ItemAt::Array(item) => (Self::Host(item), true),
                    ItemAt::Value(value) => (value.map_or(Self::Null, Self::Host), false),
                }))
            }),
            _ => self.items(&mut |item| {
                let is_array = keep_arrays && matches!(item.kind(), Ok(Kind::Array));
                visit(if is_array {
                    Ok((item, true))
                } else {
                    item.member_at(path).map(|value| (value, false))
                })
            }),
        }
    }

    /// Returns the members of an object for display, sorted by name. Of a large object, only the first
    /// [`MAX_DISPLAYED`] in the host's order are returned.
    pub(crate) fn first_members(&self) -> Result<Vec<(Rc<str>, Self)>, ReadError> {
        let mut members: Vec<(Rc<str>, Self)> = Vec::new();
        self.members(&mut |name, member| {
            members.push((Rc::from(name), member));
            if members.len() < MAX_DISPLAYED {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        // Hosts differ in the order of members, and messages must not.
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(members)
    }

    /// Visits the members of an object, in the host's order, until `visit` breaks.
    pub(crate) fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Object(members) => {
                let _ = members
                    .iter()
                    .try_for_each(|(name, member)| visit(name, member.clone()));
                Ok(())
            }
            Self::Host(value) => value.members(&mut |name, member| visit(name, Self::Host(member))),
            Self::Literal(json) => {
                json.members(&mut |name, member| visit(name, Self::Literal(member)))
            }
            _ => Ok(()),
        }
    }
}

impl<V> From<bool> for Item<'_, V> {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}
