//! [`Value`] for [`View`].

use std::borrow::Cow;
use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::view::{View, Visitor};
use crate::value::{ItemAt, Kind, Name, ReadError, Value};

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
                // Base64 encodes three bytes in four characters.
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

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        match self {
            Self::Json(json) => Ok(json.member(name)?.map(Self::Json)),
            Self::Object(members) => Ok(members.member(name).filter(|member| !member.is_null())),
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(None),
        }
    }

    fn items_at(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<ItemAt<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        if let Self::Json(json) = self {
            return json.items_at(path, keep_arrays, &mut |item| {
                visit(item.map(|item| item.map(Self::Json)))
            });
        }
        self.items(&mut |item| visit(ItemAt::of(item, path, keep_arrays)))
    }

    fn identity(&self) -> Result<Option<String>, ReadError> {
        match self {
            Self::Integer(integer) => Ok(Some(integer.to_string())),
            Self::Json(json) => json.identity(),
            _ => Ok(None),
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        match self {
            Self::Array(items) => {
                // The result is `Break` if the visitor stopped early, which is not an error.
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
                // The result is `Break` if the visitor stopped early, which is not an error.
                let _ = members.members(&mut Visitor::new(visit));
                Ok(())
            }
            Self::Unreadable(error) => Err(error.clone()),
            _ => Ok(()),
        }
    }
}
