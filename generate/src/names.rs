//! Names of the model as names of a language.

mod words;

use std::collections::BTreeMap;

use crate::error::GenerateError;
pub use words::words;

/// `TableExists` as `table_exists`.
#[must_use]
pub fn snake(name: &str) -> String {
    words(name).join("_")
}

/// `TableExists` as `tableExists`.
#[must_use]
pub fn camel(name: &str) -> String {
    let words = words(name);
    let first = words.first().cloned().unwrap_or_default();
    words
        .iter()
        .skip(1)
        .fold(first, |name, word| name + &capital(word))
}

/// `table_exists` as `TableExists`.
#[must_use]
pub fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capital(word)).collect()
}

/// `TableExists` as `TABLE_EXISTS`.
#[must_use]
pub fn screaming(name: &str) -> String {
    snake(name).to_uppercase()
}

/// With a capital letter.
#[must_use]
pub fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// The names that are in use in one scope of a language: no two things get the same.
#[derive(Debug)]
pub struct Scope {
    language: &'static str,
    what: &'static str,
    taken: BTreeMap<String, String>,
}

impl Scope {
    /// An empty scope, and what has its names there, in the plural: `waiters`.
    #[must_use]
    pub const fn new(language: &'static str, what: &'static str) -> Self {
        let taken = BTreeMap::new();
        Self {
            language,
            what,
            taken,
        }
    }

    /// Takes a name for something of the model, by which errors call it.
    ///
    /// # Errors
    ///
    /// [`GenerateError::Collision`] where something else has it.
    pub fn take(&mut self, name: &str, of: &str) -> Result<(), GenerateError> {
        match self.taken.insert(name.to_owned(), of.to_owned()) {
            Some(earlier) if earlier != of => Err(GenerateError::Collision {
                what: self.what,
                one: earlier,
                other: of.to_owned(),
                name: name.to_owned(),
                language: self.language,
            }),
            _ => Ok(()),
        }
    }
}
