//! A bounded copy of what a path gave: all that reasons keep of a response.

use std::fmt;

use crate::jmespath::{Item, quote, render};
use crate::value::{Kind, ReadError, Value, display_number};

/// The most code points of a text, or of a composite value as JSON.
pub(crate) const LONGEST_TEXT: usize = 200;
/// The most items of a list.
pub(crate) const MOST_ITEMS: usize = 5;

/// What a path gave, cut to what people read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Datum {
    Boolean(bool),
    /// An object, or a list inside a list: JSON, cut.
    Json(Box<str>),
    /// The first items, and the number of all of them if every one was visited.
    List {
        items: Vec<Self>,
        len: Option<u64>,
    },
    /// Null, with the place at which the path leaves the response, in words.
    Null(Box<str>),
    Number(f64),
    /// The beginning of a text, and whether it goes on.
    Text {
        start: Box<str>,
        cut: bool,
    },
    /// The path could not be evaluated, because of this.
    Unreadable(Box<str>),
}

impl Datum {
    /// Copies a value; a list only as JSON.
    pub(crate) fn of<V: Value>(item: &Item<'_, V>, kind: Kind) -> Result<Self, ReadError> {
        Ok(match kind {
            Kind::Null => Self::Null(Box::default()),
            Kind::Boolean(value) => Self::Boolean(value),
            Kind::Number(number) => Self::Number(number),
            Kind::String => {
                let text = item.text_start(LONGEST_TEXT.saturating_add(1))?;
                let end = text.char_indices().nth(LONGEST_TEXT).map(|(end, _)| end);
                Self::Text {
                    start: text
                        .get(..end.unwrap_or(text.len()))
                        .unwrap_or_default()
                        .into(),
                    cut: end.is_some(),
                }
            }
            Kind::Array | Kind::Object => Self::Json(render(item, LONGEST_TEXT).into()),
        })
    }
}

/// As JSON, with `…` where something is left out.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Json(text) => f.write_str(text),
            Self::List { items, len } => {
                f.write_str("[")?;
                for (place, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if place > 0 { "," } else { "" })?;
                }
                let shown = items.len() as u64;
                match len {
                    Some(len) if *len == shown => f.write_str("]"),
                    Some(len) => write!(f, ",…] ({len} items)"),
                    None if items.is_empty() => f.write_str("…]"),
                    None => f.write_str(",…]"),
                }
            }
            Self::Null(_) => f.write_str("null"),
            Self::Number(number) => f.write_str(&display_number(*number)),
            Self::Text { start, cut } => {
                f.write_str(&quote(start))?;
                f.write_str(if *cut { "…" } else { "" })
            }
            Self::Unreadable(_) => Ok(()),
        }
    }
}
