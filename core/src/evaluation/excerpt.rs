//! Bounded copies of the values of paths. Reasons store these instead of the response.

use std::fmt;

use super::redaction::REDACTED;
use crate::jmespath::{Item, render};
use crate::text::{cut, quote};
use crate::value::{Kind, Value, display_number};

/// The maximum length of a text, or of a composite value as JSON, in code points.
pub(crate) const LONGEST_TEXT: usize = 200;
/// The maximum number of stored items of a list.
pub(crate) const MOST_ITEMS: usize = 5;

/// A truncated copy of a path's value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Excerpt {
    Boolean(bool),
    /// An object, or a list inside a list, as truncated JSON.
    Json(Box<str>),
    /// The first items, the length of the list if all items were visited, and the items that differ.
    List {
        items: Box<[Self]>,
        len: Option<u64>,
        different: Box<[Different]>,
    },
    /// Null, with a description of the member at which the path ends.
    Null(Box<str>),
    Number(f64),
    /// The kind of a hidden value, such as `a string`.
    Redacted(&'static str),
    /// The start of a text, and `true` if it is truncated.
    Text {
        start: Box<str>,
        cut: bool,
    },
    /// A path that could not be evaluated, with the items before the error.
    Unreadable {
        problem: Box<str>,
        items: Box<[Self]>,
    },
}

/// The items of a list that differ from what an acceptor expects of every item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Different {
    pub(crate) acceptor: usize,
    pub(crate) count: u64,
    /// The index of the first one.
    pub(crate) index: u64,
    pub(crate) first: Excerpt,
}

impl Different {
    /// Returns what the reason says about a list of this length.
    fn of(&self, len: u64) -> String {
        let Self {
            count,
            index,
            first,
            ..
        } = self;
        match count {
            1 => format!("1 of {len} is {first}, at index {index}"),
            _ => format!("{count} of {len} differ, the first is {first}, at index {index}"),
        }
    }
}

impl Excerpt {
    /// Describes the items of a list that differ from what this acceptor expects, if the list is longer than what is
    /// displayed of it.
    pub(crate) fn different(&self, acceptor: usize) -> Option<String> {
        let Self::List {
            items,
            len: Some(len),
            different,
        } = self
        else {
            return None;
        };
        let different = different.iter().find(|one| one.acceptor == acceptor)?;
        (*len > items.len() as u64).then(|| different.of(*len))
    }

    /// Copies a value. A list becomes JSON. A text that cannot be read becomes `…`, because an error here must not
    /// affect the verdict.
    pub(crate) fn of<V: Value>(item: &Item<'_, V>, kind: Kind) -> Self {
        match kind {
            Kind::Null => Self::Null(Box::default()),
            Kind::Boolean(value) => Self::Boolean(value),
            Kind::Number(number) => Self::Number(number),
            // One more than is displayed, to see whether the text continues.
            Kind::String => match item.text_start(LONGEST_TEXT.saturating_add(1)) {
                Ok(text) => Self::of_text(&text),
                Err(_) => Self::Json("…".into()),
            },
            Kind::Array | Kind::Object => Self::Json(render(item, LONGEST_TEXT).into()),
        }
    }

    /// Removes the value, except for its kind.
    pub(crate) fn redacted(&self) -> Self {
        match self {
            Self::Boolean(_) => Self::Redacted("a boolean"),
            Self::Json(_) => Self::Redacted("an object"),
            Self::List { .. } => Self::Redacted("an array"),
            // The place of a null names the members beside it. That the value is missing is no secret.
            Self::Null(_) => Self::Null(Box::default()),
            Self::Number(_) => Self::Redacted("a number"),
            Self::Redacted(kind) => Self::Redacted(kind),
            Self::Text { .. } => Self::Redacted("a string"),
            Self::Unreadable { .. } => Self::Unreadable {
                // The text of an evaluation error can quote the value.
                problem: "the problem is redacted".into(),
                items: Box::default(),
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

/// Formats the value as JSON, with `…` in place of omitted parts.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Json(text) => f.write_str(text),
            Self::List { items, len, .. } => list(f, items, *len),
            Self::Null(_) => f.write_str("null"),
            Self::Number(number) => f.write_str(&display_number(*number)),
            Self::Redacted(kind) => write!(f, "{kind} {REDACTED}"),
            Self::Text { start, cut } => {
                f.write_str(&quote(start))?;
                f.write_str(if *cut { "…" } else { "" })
            }
            Self::Unreadable { items, .. } => list(f, items, None),
        }
    }
}

/// Writes the first items as truncated JSON, and the length if it is known and some items are omitted.
fn list(f: &mut fmt::Formatter<'_>, items: &[Excerpt], len: Option<u64>) -> fmt::Result {
    let whole = len == Some(items.len() as u64);
    let mut texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    if !whole {
        texts.push("…".to_owned());
    }
    let text = format!("[{}]", texts.join(","));
    f.write_str(&cut(&text, LONGEST_TEXT))?;
    match len {
        Some(len) if !whole => write!(f, " ({len} items)"),
        _ => Ok(()),
    }
}
