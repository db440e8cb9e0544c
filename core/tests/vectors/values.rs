//! Values in vectors: JSON with markers for values that JSON cannot represent and for host values (`tests/README.md`).
//!
//! Rust does not have date or set types for responses. Their markers are resolved to the values that hosts convert them
//! to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use serde_json::Value as Json;
use smithy_waiters::response::{Members, Visitor};
use smithy_waiters::value::{Kind, ReadError, Value};
use smithy_waiters::{Response, View};

/// A value of the host: as JSON, and the numbers that JSON has not.
#[derive(Clone, Debug)]
pub(crate) enum HostValue {
    Array(Vec<Self>),
    /// Bytes, encoded as base64.
    Blob(String),
    Boolean(bool),
    /// A reference to the root of the value.
    Cycle(Root),
    /// A number as its digits, with the name of its type in results.
    Digits(&'static str, String),
    Null,
    Number(f64),
    Object(BTreeMap<String, Self>),
    String(String),
}

/// The root of a cyclic value.
type Root = &'static OnceLock<&'static HostValue>;

impl HostValue {
    /// Creates a value that is never freed, because it may be cyclic.
    pub(crate) fn new(json: &Json) -> &'static Self {
        let root: Root = Box::leak(Box::default());
        let value = Box::leak(Box::new(Self::part(json, root)));
        root.get_or_init(|| value)
    }

    fn part(json: &Json, root: Root) -> Self {
        if let Some(value) = marked(json, root) {
            return value;
        }
        match plain_top(json) {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Boolean(value),
            Json::Number(number) => Self::Number(number.as_f64().unwrap()),
            Json::String(text) => Self::String(text),
            Json::Array(items) => Self::array(&items, root),
            Json::Object(members) => Self::object(&members, root),
        }
    }

    fn array(items: &[Json], root: Root) -> Self {
        Self::Array(items.iter().map(|item| Self::part(item, root)).collect())
    }

    fn object<'a>(members: impl IntoIterator<Item = (&'a String, &'a Json)>, root: Root) -> Self {
        let members = members.into_iter();
        Self::Object(
            members
                .map(|(name, value)| (name.clone(), Self::part(value, root)))
                .collect(),
        )
    }

    /// Returns the value, or the root if this is a reference to it.
    fn here(&self) -> &Self {
        match self {
            Self::Cycle(root) => root.get().unwrap(),
            value => value,
        }
    }

    pub(crate) fn to_json(&self) -> Json {
        match self {
            Self::Array(items) => items.iter().map(Self::to_json).collect(),
            Self::Boolean(value) => (*value).into(),
            Self::Cycle(_) => serde_json::json!({"$cycle": true}),
            Self::Digits(_, digits) => number_to_json(parsed(digits)),
            Self::Null => Json::Null,
            Self::Number(number) => number_to_json(*number),
            Self::Object(members) => members
                .iter()
                .map(|(name, value)| (name.clone(), value.to_json()))
                .collect(),
            Self::Blob(text) | Self::String(text) => text.clone().into(),
        }
    }

    /// Converts the value to JSON. Numbers that doubles cannot represent become their digits.
    pub(crate) fn to_exact_json(&self) -> Json {
        match self {
            Self::Digits(kind, digits) => serde_json::json!({*kind: digits}),
            Self::Object(members) => members
                .iter()
                .map(|(name, value)| (name.clone(), value.to_exact_json()))
                .collect(),
            other => other.to_json(),
        }
    }

    pub(crate) fn as_f64(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Digits(_, digits) => parsed(digits),
            other => panic!("{other:?} is not a number"),
        }
    }
}

/// Resolves the markers in JSON: repeated texts are expanded, and missing values and NaN become null.
pub(crate) fn plain(json: &Json) -> Json {
    if let Some(digits) = json.get("$bigint").and_then(Json::as_str) {
        return digits.parse::<i64>().unwrap().into();
    }
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

/// Returns a text, which may be repeated.
fn part(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        repeated => {
            let times = usize::try_from(repeated[1].as_u64().unwrap()).unwrap();
            repeated[0].as_str().unwrap().repeat(times)
        }
    }
}

/// Parses digits as a double.
fn parsed(digits: &str) -> f64 {
    digits.parse().unwrap()
}

pub(crate) fn number_to_json(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return (number as i64).into();
    }
    number.into()
}

/// Resolves a marker.
fn marked(json: &Json, root: Root) -> Option<HostValue> {
    let (marker, content) = json
        .as_object()
        .filter(|object| object.len() == 1)?
        .iter()
        .next()?;
    Some(match &**marker {
        "$bigint" => HostValue::Digits("integer", content.as_str().unwrap().to_owned()),
        "$decimal" => HostValue::Digits("decimal", content.as_str().unwrap().to_owned()),
        "$bytes" => HostValue::Blob(content.as_str().unwrap().to_owned()),
        "$cycle" => HostValue::Cycle(root),
        "$date" => HostValue::Number(content.as_f64().unwrap()),
        "$enum" => HostValue::part(content, root),
        "$function" => HostValue::Null,
        "$list" => list(content, root),
        "$map" => map(content, root),
        "$number" => HostValue::Number(content.as_str().unwrap().parse().unwrap()),
        "$object" => HostValue::object(content.as_object().unwrap(), root),
        "$set" => HostValue::array(content.as_array().unwrap(), root),
        "$units" => HostValue::String(units(content)),
        _ => return None,
    })
}

/// Creates a list from pairs of a value and the number of its repetitions.
fn list(parts: &Json, root: Root) -> HostValue {
    let parts = parts.as_array().unwrap().iter();
    let items = parts.flat_map(|part| {
        let times = usize::try_from(part[1].as_u64().unwrap()).unwrap();
        std::iter::repeat_n(HostValue::part(&part[0], root), times)
    });
    HostValue::Array(items.collect())
}

/// Creates a map. Keys that are not texts are not members.
fn map(entries: &Json, root: Root) -> HostValue {
    let entries = entries.as_array().unwrap().iter();
    let member = |entry: &Json| {
        Some((
            entry[0].as_str()?.to_owned(),
            HostValue::part(&entry[1], root),
        ))
    };
    HostValue::Object(entries.filter_map(member).collect())
}

/// Creates a text from UTF-16 code units. Lone surrogates become U+FFFD.
fn units(units: &Json) -> String {
    let units = units.as_array().unwrap().iter();
    let units: Vec<u16> = units
        .map(|unit| u16::try_from(unit.as_u64().unwrap()).unwrap())
        .collect();
    String::from_utf16_lossy(&units)
}

impl Response for HostValue {
    fn view(&self) -> View<'_> {
        match self.here() {
            Self::Array(items) => items.view(),
            Self::Boolean(value) => (*value).into(),
            Self::Cycle(_) | Self::Null => View::Null,
            Self::Digits(_, digits) => parsed(digits).into(),
            Self::Number(number) => (*number).into(),
            Self::Object(_) => View::Object(self),
            Self::Blob(text) | Self::String(text) => text.as_str().into(),
        }
    }
}

/// The members of a host object. A member that is null may be set.
impl Members for HostValue {
    fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
        match self.here() {
            Self::Object(members) => members.members(to),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Value for &HostValue {
    fn kind(&self) -> Result<Kind, ReadError> {
        Ok(match self.here() {
            HostValue::Array(_) => Kind::Array,
            HostValue::Boolean(value) => Kind::Boolean(*value),
            HostValue::Cycle(_) | HostValue::Null => Kind::Null,
            HostValue::Digits(_, digits) => Kind::Number(parsed(digits)),
            HostValue::Number(number) => Kind::Number(*number),
            HostValue::Object(_) => Kind::Object,
            HostValue::Blob(_) | HostValue::String(_) => Kind::String,
        })
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        Ok(match self.here() {
            HostValue::Blob(text) | HostValue::String(text) => Cow::Borrowed(text),
            _ => Cow::Borrowed(""),
        })
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        Ok(match self.here() {
            // Four characters of base64 represent three bytes, minus the padding.
            HostValue::Blob(text) => {
                let pads = text.len() - text.trim_end_matches('=').len();
                text.len() / 4 * 3 - pads
            }
            _ => self.text()?.len(),
        })
    }

    fn len(&self) -> Result<usize, ReadError> {
        Ok(match self.here() {
            HostValue::Array(items) => items.len(),
            HostValue::Object(members) => members.len(),
            _ => 0,
        })
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok(match self.here() {
            HostValue::Array(items) => items.get(index),
            _ => None,
        })
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(match self.here() {
            HostValue::Object(members) => members.get(name),
            _ => None,
        })
    }

    fn identity(&self) -> Result<Option<String>, ReadError> {
        Ok(match self.here() {
            HostValue::Digits("integer", digits) => Some(digits.clone()),
            HostValue::Digits(_, digits) => Some(digits.trim_end_matches('0').to_owned()),
            _ => None,
        })
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let HostValue::Object(members) = self.here() else {
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
