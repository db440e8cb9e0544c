//! JSON text, for saved waits and for what crosses to other languages.
//!
//! One function that writes members as data: derived code for each type would be several times as large, and a wasm
//! carries all of it.

use crate::jmespath::quote;

/// A value of JSON.
///
/// # Example: of Rust's values
///
/// ```
/// use smithy_waiters::json::Json;
///
/// assert_eq!(Json::from("a \"b\"").to_text(), r#""a \"b\"""#);
/// assert_eq!(Json::from(Some(7_u64)).to_text(), "7");
/// assert_eq!(Json::Null.to_text(), "null");
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "JSON has no more kinds")]
pub enum Json<'a> {
    /// A boolean.
    Boolean(bool),
    /// Nothing.
    Null,
    /// An integer.
    Number(u64),
    /// A string.
    String(&'a str),
    /// An array or an object, written already.
    Text(String),
}

/// An object's text, its members in the order given.
///
/// # Example: two members
///
/// ```
/// use smithy_waiters::json;
///
/// assert_eq!(json::object(&[("b", true.into()), ("a", "x".into())]), r#"{"b":true,"a":"x"}"#);
/// ```
#[must_use]
pub fn object(members: &[(&str, Json<'_>)]) -> String {
    let mut text = String::from("{");
    for (name, value) in members {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&quote(name));
        text.push(':');
        value.push(&mut text);
    }
    text.push('}');
    text
}

/// An array's text.
///
/// # Example: of texts
///
/// ```
/// use smithy_waiters::json;
///
/// assert_eq!(json::array(&mut ["a", "b"].into_iter().map(Into::into)), r#"["a","b"]"#);
/// ```
#[must_use]
pub fn array(items: &mut dyn Iterator<Item = Json<'_>>) -> String {
    let mut text = String::from("[");
    for item in items {
        if text.len() > 1 {
            text.push(',');
        }
        item.push(&mut text);
    }
    text.push(']');
    text
}

impl Json<'_> {
    /// The value's text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.push(&mut text);
        text
    }

    fn push(&self, text: &mut String) {
        match self {
            Self::Boolean(value) => text.push_str(if *value { "true" } else { "false" }),
            Self::Null => text.push_str("null"),
            Self::Number(number) => text.push_str(&number.to_string()),
            Self::String(string) => text.push_str(&quote(string)),
            Self::Text(json) => text.push_str(json),
        }
    }
}

impl From<bool> for Json<'_> {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<u64> for Json<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Json<'_> {
    fn from(number: usize) -> Self {
        Self::Number(u64::try_from(number).unwrap_or(u64::MAX))
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::String(text)
    }
}

impl<'a, T: Into<Self>> From<Option<T>> for Json<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
