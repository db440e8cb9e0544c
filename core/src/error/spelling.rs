//! The spelling of options in messages.

use super::options::snake_case;

/// The language of a host, in which messages write options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts name their own spelling")]
pub enum Spelling {
    /// `--final-poll late`, of the command
    Command,
    /// `final-poll`
    Component,
    /// `finalPoll: "late"`
    JavaScript,
    /// `final_poll="late"`
    Python,
    /// `.final_poll(FinalPoll::Late)`
    #[default]
    Rust,
}

impl Spelling {
    /// Returns the name of an option in backticks. `name` is in camel case.
    pub(crate) fn option(self, name: &str) -> String {
        format!("`{}`", self.name(name))
    }

    /// Returns the code that sets an option to a word, in backticks.
    pub(crate) fn setting(self, name: &str, word: &str) -> String {
        let option = self.name(name);
        let upper = |text: &str| {
            let mut letters = text.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        };
        match self {
            Self::Command => format!("`{option} {word}`"),
            Self::Component => format!("`{option}: {word}`"),
            Self::JavaScript => format!("`{option}: \"{word}\"`"),
            Self::Python => format!("`{option}=\"{word}\"`"),
            Self::Rust => format!("`.{option}({}::{})`", upper(name), upper(word)),
        }
    }

    /// Returns the name of an option. `name` is in camel case.
    #[must_use]
    pub fn name(self, name: &str) -> String {
        match self {
            Self::Command => match name {
                "maxWait" => "--timeout".to_owned(),
                // One option for each error.
                "retryErrors" => "--retry-error".to_owned(),
                _ => format!("--{}", kebab_case(name)),
            },
            Self::Component => kebab_case(name),
            Self::JavaScript => name.to_owned(),
            Self::Python | Self::Rust => snake_case(name),
        }
    }
}

fn kebab_case(name: &str) -> String {
    snake_case(name).replace('_', "-")
}
