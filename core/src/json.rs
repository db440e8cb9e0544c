//! JSON text of definitions, whose members keep their order.

use crate::jmespath::quote;

/// A value of JSON.
#[derive(Clone, Debug)]
pub(crate) enum Json<'a> {
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
pub(crate) fn object(members: &[(&str, Json<'_>)]) -> String {
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
pub(crate) fn array(items: &mut dyn Iterator<Item = Json<'_>>) -> String {
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

#[cfg(test)]
mod tests {
    use super::{Json, array, object};

    #[test]
    fn values_are_written_in_the_order_given() {
        let members = [
            ("b", true.into()),
            ("a", "x \"y\"".into()),
            ("c", Json::from(None::<&str>)),
        ];
        assert_eq!(object(&members), r#"{"b":true,"a":"x \"y\"","c":null}"#);
        let texts = &mut ["a", "b"].into_iter().map(Into::into);
        assert_eq!(array(texts), r#"["a","b"]"#);
    }
}
