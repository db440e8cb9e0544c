//! The sort keys of arrays: either all numbers or all strings.

use std::cmp::Ordering;

use super::Call;
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::value::{Kind, Value, describe};

/// The sort key of an item.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Key {
    Number(f64),
    String(Box<str>),
}

impl Key {
    /// Compares two keys. Strings are ordered by code points, which is also the order of their UTF-8 bytes.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => {
                one.partial_cmp(other).unwrap_or(Ordering::Equal)
            }
            (Self::String(one), Self::String(other)) => one.cmp(other),
            // `Keys` rejects arrays of both types, so that any order is right here.
            (Self::Number(_), Self::String(_)) => Ordering::Less,
            (Self::String(_), Self::Number(_)) => Ordering::Greater,
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Number(number) => describe(Kind::Number(*number)),
            Self::String(_) => describe(Kind::String),
        }
    }
}

/// A reader of keys, which must all have the kind of the first one.
pub(super) struct Keys<'k, 'c, 'e, V> {
    call: &'k Call<'c, 'e, V>,
    first: Option<Key>,
}

impl<'k, 'c, 'e, V: Value> Keys<'k, 'c, 'e, V> {
    pub(super) const fn new(call: &'k Call<'c, 'e, V>) -> Self {
        Self { call, first: None }
    }

    /// Converts a value to a key. `words` are parts of the message if it isn't a key, or a key of another kind.
    pub(super) fn read(
        &mut self,
        value: &Item<'e, V>,
        words: &Words,
    ) -> Result<Key, EvaluationError> {
        let key = match value.kind()? {
            Kind::Number(number) => Key::Number(number),
            // Copied once, because a sort compares each text several times.
            Kind::String => Key::String(self.call.text(value)?.into()),
            kind => return Err(self.error(words, &describe(kind))),
        };
        match &self.first {
            None => self.first = Some(key.clone()),
            Some(first) if std::mem::discriminant(first) == std::mem::discriminant(&key) => {}
            Some(first) => {
                return Err(self.error(
                    words,
                    &format!("{} and {}", first.describe(), key.describe()),
                ));
            }
        }
        Ok(key)
    }

    fn error(&self, words: &Words, got: &str) -> EvaluationError {
        self.call
            .argument_error(words.takes, words.place, &format!("{}{got}", words.holder))
    }
}

/// The parts of an error message about keys.
pub(super) struct Words {
    pub(super) takes: &'static str,
    place: usize,
    holder: &'static str,
}

/// The message parts for keys that are items of an array.
pub(super) const ITEMS: Words = Words {
    takes: "an array of numbers or an array of strings",
    place: 0,
    holder: "an array with ",
};
/// The message parts for keys that are the values of an expression.
pub(super) const VALUES: Words = Words {
    takes: "an expression that returns numbers or strings",
    place: 1,
    holder: "one that returns ",
};
