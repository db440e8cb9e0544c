//! What vectors give: JSON with three markers for what JSON cannot say (`tests/README.md`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde_json::Value as Json;
use smithy_waiters::driver::Response;
use smithy_waiters::value::{Kind, Name, ReadError, Value};

/// A value of the host: as JSON, and the numbers that JSON has not.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Array(Vec<Self>),
    Boolean(bool),
    Null,
    Number(f64),
    Object(BTreeMap<String, Self>),
    String(String),
}

impl Given {
    pub(crate) fn new(json: &Json) -> Self {
        if let Some(number) = marked_number(json) {
            return Self::Number(number);
        }
        match plain_top(json) {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Boolean(value),
            Json::Number(number) => Self::Number(number.as_f64().unwrap()),
            Json::String(text) => Self::String(text),
            Json::Array(items) => Self::Array(items.iter().map(Self::new).collect()),
            Json::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(name, value)| (name.clone(), Self::new(value)))
                    .collect(),
            ),
        }
    }

    pub(crate) fn to_json(&self) -> Json {
        match self {
            Self::Array(items) => items.iter().map(Self::to_json).collect(),
            Self::Boolean(value) => (*value).into(),
            Self::Null => Json::Null,
            Self::Number(number) => number_to_json(*number),
            Self::Object(members) => members
                .iter()
                .map(|(name, value)| (name.clone(), value.to_json()))
                .collect(),
            Self::String(text) => text.clone().into(),
        }
    }

    pub(crate) fn as_f64(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            other => panic!("{other:?} is not a number"),
        }
    }
}

/// JSON with the markers resolved: texts written out, what is absent and what is no number as null.
pub(crate) fn plain(json: &Json) -> Json {
    match plain_top(json) {
        Json::Array(items) => items.iter().map(plain).collect(),
        Json::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), plain(value)))
            .collect(),
        other => other,
    }
}

fn plain_top(json: &Json) -> Json {
    if let Some(parts) = json.get("$text").and_then(Json::as_array) {
        return parts.iter().map(part).collect::<String>().into();
    }
    if json.get("$absent").is_some() || json.get("$number").is_some() {
        return Json::Null;
    }
    json.clone()
}

/// A text, or a text and how many times it is repeated.
fn part(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        repeated => {
            let times = usize::try_from(repeated[1].as_u64().unwrap()).unwrap();
            repeated[0].as_str().unwrap().repeat(times)
        }
    }
}

fn number_to_json(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return (number as i64).into();
    }
    number.into()
}

fn marked_number(json: &Json) -> Option<f64> {
    Some(match json.get("$number")?.as_str()? {
        "Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        _ => f64::NAN,
    })
}

impl Response for Given {
    type View<'a> = &'a Self;

    fn view(&self) -> Self::View<'_> {
        self
    }
}

impl Value for &Given {
    fn kind(&self) -> Result<Kind, ReadError> {
        Ok(match self {
            Given::Array(_) => Kind::Array,
            Given::Boolean(value) => Kind::Boolean(*value),
            Given::Null => Kind::Null,
            Given::Number(number) => Kind::Number(*number),
            Given::Object(_) => Kind::Object,
            Given::String(_) => Kind::String,
        })
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        Ok(match self {
            Given::String(text) => Cow::Borrowed(text),
            _ => Cow::Borrowed(""),
        })
    }

    fn len(&self) -> Result<usize, ReadError> {
        Ok(match self {
            Given::Array(items) => items.len(),
            Given::Object(members) => members.len(),
            _ => 0,
        })
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Given::Array(items) => items.get(index),
            _ => None,
        })
    }

    fn member(&self, name: &Name) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Given::Object(members) => members.get(name.as_str()),
            _ => None,
        })
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let Given::Object(members) = self else {
            return Ok(());
        };
        for (name, value) in members {
            if visit(name, value).is_break() {
                break;
            }
        }
        Ok(())
    }
}
