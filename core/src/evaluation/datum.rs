//! A bounded copy of what a path gave: all that reasons keep of a response.

use std::fmt;

use crate::jmespath::{Item, quote, render};
use crate::value::{Kind, Value, display_number};

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
    /// What must not be shown: only its kind is known, `a string`.
    Redacted(&'static str),
    /// The beginning of a text, and whether it goes on.
    Text {
        start: Box<str>,
        cut: bool,
    },
    /// The path could not be evaluated, because of this. The items before the error decided some acceptors.
    Unreadable {
        problem: Box<str>,
        items: Vec<Self>,
    },
}

impl Datum {
    /// Copies a value; a list only as JSON, and a text that cannot be read as `…`: nothing that is read for the reasons decides.
    pub(crate) fn of<V: Value>(item: &Item<'_, V>, kind: Kind) -> Self {
        match kind {
            Kind::Null => Self::Null(Box::default()),
            Kind::Boolean(value) => Self::Boolean(value),
            Kind::Number(number) => Self::Number(number),
            Kind::String => match item.text_start(LONGEST_TEXT.saturating_add(1)) {
                Ok(text) => Self::of_text(&text),
                Err(_) => Self::Json("…".into()),
            },
            Kind::Array | Kind::Object => Self::Json(render(item, LONGEST_TEXT).into()),
        }
    }

    /// Returns the kind alone.
    pub(crate) fn redacted(&self) -> Self {
        match self {
            Self::Boolean(_) => Self::Redacted("a boolean"),
            Self::Json(_) => Self::Redacted("an object"),
            Self::List { .. } => Self::Redacted("an array"),
            Self::Null(_) => Self::Null(Box::default()),
            Self::Number(_) => Self::Redacted("a number"),
            Self::Redacted(kind) => Self::Redacted(kind),
            Self::Text { .. } => Self::Redacted("a string"),
            Self::Unreadable { .. } => Self::Unreadable {
                problem: "the problem is redacted".into(),
                items: Vec::new(),
            },
        }
    }

    fn of_text(text: &str) -> Self {
        let end = text.char_indices().nth(LONGEST_TEXT).map(|(end, _)| end);
        let start = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
        Self::Text {
            start: start.into(),
            cut: end.is_some(),
        }
    }
}

/// As JSON, with `…` where something is left out.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Json(text) => f.write_str(text),
            Self::List { items, len } => list(f, items, *len),
            Self::Null(_) => f.write_str("null"),
            Self::Number(number) => f.write_str(&display_number(*number)),
            Self::Redacted(kind) => write!(f, "{kind} (redacted)"),
            Self::Text { start, cut } => {
                f.write_str(&quote(start))?;
                f.write_str(if *cut { "…" } else { "" })
            }
            Self::Unreadable { items, .. } => list(f, items, None),
        }
    }
}

/// Writes the first items, cut as a whole, and the length if it is known and not plain to see.
fn list(f: &mut fmt::Formatter<'_>, items: &[Datum], len: Option<u64>) -> fmt::Result {
    let whole = len == Some(items.len() as u64);
    let mut texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    if !whole {
        texts.push("…".to_owned());
    }
    let text = format!("[{}]", texts.join(","));
    match text.char_indices().nth(LONGEST_TEXT) {
        None => f.write_str(&text)?,
        Some((end, _)) => write!(f, "{}…", text.get(..end).unwrap_or_default())?,
    }
    match len {
        Some(len) if !whole => write!(f, " ({len} items)"),
        _ => Ok(()),
    }
}
