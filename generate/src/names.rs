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
    /// Of what each name is; nothing for those that generated code uses itself.
    taken: BTreeMap<String, Option<String>>,
}

impl Scope {
    /// A scope in which generated code uses some names itself, in another sense.
    pub fn new<'n>(language: &'static str, own: impl IntoIterator<Item = &'n str>) -> Self {
        let own = own.into_iter();
        let taken = own.map(|name| (name.to_owned(), None)).collect();
        Self { language, taken }
    }

    /// Takes a name for something of the model, by which errors call it: with the suffix where generated code uses the name
    /// itself.
    ///
    /// # Errors
    ///
    /// [`GenerateError::Collision`] where something else of the model has it.
    pub fn take(&mut self, name: &str, suffix: &str, of: &str) -> Result<String, GenerateError> {
        let mut name = name.to_owned();
        while self.taken.get(&name).is_some_and(Option::is_none) {
            name.push_str(suffix);
        }
        match self.taken.insert(name.clone(), Some(of.to_owned())) {
            Some(Some(earlier)) => Err(GenerateError::Collision {
                one: earlier,
                other: of.to_owned(),
                name,
                language: self.language,
            }),
            _ => Ok(name),
        }
    }

    /// Takes a name that nobody is told: with a number where it is taken.
    pub fn free(&mut self, name: &str) -> String {
        let numbered = (2_usize..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| !self.taken.contains_key(name));
        let free = free.unwrap_or_default();
        self.taken.insert(free.clone(), None);
        free
    }
}
