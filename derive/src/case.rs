//! The cases of names. As in serde, fields are `snake_case` and variants are `PascalCase`.

use syn::{Error, LitStr, Result};

/// A case for member names.
#[derive(Clone, Copy)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

static CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    pub(crate) fn read(name: &LitStr) -> Result<Self> {
        let wanted = name.value();
        let found = CASES.iter().find(|(case, _)| *case == wanted);
        found.map(|(_, case)| *case).ok_or_else(|| {
            let cases: Vec<_> = CASES.iter().map(|(name, _)| format!("`{name}`")).collect();
            let message = format!(
                "`{wanted}` is not a case: expected one of {}",
                cases.join(", ")
            );
            Error::new(name.span(), message)
        })
    }

    pub(crate) fn of_field(self, field: &str) -> String {
        match self {
            Self::Lower | Self::Snake => field.to_owned(),
            Self::Upper | Self::ScreamingSnake => field.to_ascii_uppercase(),
            Self::Pascal => field.split('_').map(capitalize).collect(),
            Self::Camel => uncapitalize(&Self::Pascal.of_field(field)),
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }

    pub(crate) fn of_variant(self, variant: &str) -> String {
        match self {
            Self::Pascal => variant.to_owned(),
            Self::Lower => variant.to_ascii_lowercase(),
            Self::Upper => variant.to_ascii_uppercase(),
            Self::Camel => uncapitalize(variant),
            Self::Snake => snake(variant),
            other => other.of_field(&snake(variant)),
        }
    }
}

fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn uncapitalize(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

fn snake(variant: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in variant.char_indices() {
        if index > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
