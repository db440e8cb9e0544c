//! [`Value`] for `&serde_json::Value`.

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde_json::{Number, Value as Json};

use super::{Kind, ReadError, Value};

impl Value for &Json {
    fn kind(&self) -> Result<Kind, ReadError> {
        Ok(match self {
            Json::Null => Kind::Null,
            Json::Bool(value) => Kind::Boolean(*value),
            Json::Number(number) => number.as_f64().map_or(Kind::Null, Kind::Number),
            Json::String(_) => Kind::String,
            Json::Array(_) => Kind::Array,
            Json::Object(_) => Kind::Object,
        })
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        Ok(Cow::Borrowed(self.as_str().unwrap_or_default()))
    }

    fn len(&self) -> Result<usize, ReadError> {
        Ok(match self {
            Json::Array(items) => items.len(),
            Json::Object(members) => members.len(),
            _ => 0,
        })
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok(self.get(index))
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(self.get(name))
    }

    fn identity(&self) -> Result<Option<String>, ReadError> {
        let integer = self.as_number().and_then(Number::as_i128);
        Ok(integer.map(|integer| integer.to_string()))
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        for item in self.as_array().into_iter().flatten() {
            if visit(item).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        for (name, value) in self.as_object().into_iter().flatten() {
            if visit(name, value).is_break() {
                break;
            }
        }
        Ok(())
    }
}
