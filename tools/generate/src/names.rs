//! Conversion of the model's names to a language's conventions.

mod words;

use std::collections::BTreeMap;

use crate::error::GenerateError;
pub use words::words;

/// Converts a name to snake case: `TableExists` becomes `table_exists`.
#[must_use]
pub fn snake(name: &str) -> String {
    words(name).join("_")
}

/// Converts a name to camel case: `TableExists` becomes `tableExists`.
#[must_use]
pub fn camel(name: &str) -> String {
    let words = words(name);
    let first = words.first().cloned().unwrap_or_default();
    words
        .iter()
        .skip(1)
        .fold(first, |name, word| name + &capital(word))
}

/// Converts a name to Pascal case: `table_exists` becomes `TableExists`.
#[must_use]
pub fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capital(word)).collect()
}

/// Returns the word with its first letter in upper case.
#[must_use]
pub fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// The names in use in one scope of a language. No two items get the same name.
#[derive(Debug)]
pub struct Scope {
    language: &'static str,
    /// The item of each name, or `None` if generated code uses the name for itself.
    names: BTreeMap<String, Option<String>>,
}

impl Scope {
    /// Creates a scope with the names that generated code uses for itself.
    pub fn new<'n>(language: &'static str, own: impl IntoIterator<Item = &'n str>) -> Self {
        let own = own.into_iter();
        let names = own.map(|name| (name.to_owned(), None)).collect();
        Self { language, names }
    }

    /// Reserves a name for an item of the model and returns it. Appends `suffix` while generated code uses the name for
    /// itself. `of` describes the item in errors.
    ///
    /// # Errors
    ///
    /// [`GenerateError::Collision`] if another item of the model has the name.
    pub fn take(&mut self, name: &str, suffix: &str, of: &str) -> Result<String, GenerateError> {
        let mut name = name.to_owned();
        while self.names.get(&name).is_some_and(Option::is_none) {
            name.push_str(suffix);
        }
        match self.names.insert(name.clone(), Some(of.to_owned())) {
            Some(Some(earlier)) => Err(GenerateError::Collision {
                one: earlier,
                other: of.to_owned(),
                name,
                language: self.language,
            }),
            _ => Ok(name),
        }
    }

    /// Reserves a name that is not part of the generated code's interface. Appends a number if the name is in use.
    pub fn free(&mut self, name: &str) -> String {
        let numbered = (2_usize..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| !self.names.contains_key(name));
        let free = free.unwrap_or_default();
        self.names.insert(free.clone(), None);
        free
    }
}
