//! [`Value`] for `&serde_json::Value`: the native crate's own host values.

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde_json::{Number, Value as Json};

use super::{Kind, Name, ReadError, Value};

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

    fn member(&self, name: &Name) -> Result<Option<Self>, ReadError> {
        Ok(self.get(name.as_str()))
    }

    fn same(&self, other: &Self) -> Result<bool, ReadError> {
        Ok(same(self, other))
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

/// Whether both are the same, with numbers by their value: `1` is `1.0`, and integers are not rounded.
pub(crate) fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => same_number(one, other),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            let has = |(name, value): (&String, &Json)| {
                other.get(name).is_some_and(|other| same(value, other))
            };
            one.len() == other.len() && one.iter().all(has)
        }
        (one, other) => one == other,
    }
}

fn same_number(one: &Number, other: &Number) -> bool {
    match (integer(one), integer(other)) {
        (None, None) => one == other,
        (one, other) => one == other,
    }
}

/// The integer that a number is.
fn integer(number: &Number) -> Option<i128> {
    if let Some(integer) = number.as_i128() {
        return Some(integer);
    }
    // A double that has no fraction, and is not beyond all integers here.
    let double = number.as_f64()?;
    (double.fract() == 0.0 && double.abs() < 1e38).then_some(double as i128)
}
