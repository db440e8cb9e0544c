//! The words and weights of suggestions, which are data.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// The words and weights of [`suggest`](super::suggest()).
///
/// The default is the file `vocabulary.toml` of this crate.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    #[serde(default)]
    values: Table<ValueWord>,
    #[serde(default)]
    phases: Table<Phase>,
    #[serde(default)]
    verbs: Table<Verb>,
    #[serde(default)]
    members: Table<MemberWord>,
    #[serde(default)]
    errors: Table<ErrorWord>,
    #[serde(default)]
    weights: BTreeMap<Weight, f64>,
}

/// Lists of words.
type Table<K> = BTreeMap<K, Vec<String>>;

const DEFAULT: &str = include_str!("vocabulary.toml");

macro_rules! names {
    ($($(#[$doc:meta])* $visibility:vis enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident,)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(rename_all = "snake_case")]
        $visibility enum $name { $($(#[$variant_doc])* $variant,)* })*
    };
}

names! {
    /// The lists of words of values.
    pub(super) enum ValueWord {
        Transitional, Ready, Created, Done, Failed, Cancelled, Rest, Paused, Gone, Impaired, Pending, Partial, Unclear,
    }

    /// A phase of a lifecycle.
    pub(super) enum Phase { Create, Update, Delete, Stop, Rollback, }

    /// The classes of operations.
    pub(super) enum Verb { Read, List, Create, Update, Delete, Stop, Prefix, }

    /// The lists of words of members.
    pub(super) enum MemberWord { State, Nested, Secondary, Container, Suffix, Preposition, History, Identifier, }

    /// The lists of words of errors.
    pub(super) enum ErrorWord { Absent, Generic, }

    pub(super) enum Weight {
        Done, Ready, Created, Gone, GoneValue, Open, Work, Rest, Exists,
        Evidence, EvidenceDelete, EvidenceStop, Deleting, NoTransition, Level, OtherStem, Secondary, AnotherState, Documented, Variant,
        List, History, NoIdentifier, OtherRead,
        GenericError, OtherError, ParentError,
    }
}

impl Phase {
    /// Returns the class of the operations that lead to the phase.
    pub(super) const fn verb(self) -> Option<Verb> {
        match self {
            Self::Create => Some(Verb::Create),
            Self::Update => Some(Verb::Update),
            Self::Delete => Some(Verb::Delete),
            Self::Stop => Some(Verb::Stop),
            Self::Rollback => None,
        }
    }
}

impl Default for Vocabulary {
    fn default() -> Self {
        // A test reads the file, so the vocabulary is never empty.
        toml::from_str(DEFAULT).unwrap_or_else(|_| Self {
            values: Table::new(),
            phases: Table::new(),
            verbs: Table::new(),
            members: Table::new(),
            errors: Table::new(),
            weights: BTreeMap::new(),
        })
    }
}

impl Vocabulary {
    /// Merges a project's file, in TOML, over this vocabulary. Its words move to the lists that it names, and its weights
    /// replace those of the same name.
    ///
    /// # Errors
    ///
    /// Returns a message with the line if the text is not TOML, has an unknown list or weight, a word with other
    /// characters than lowercase letters and digits, or a weight outside of -1 to 1.
    ///
    /// # Example: a state of a custom resource
    ///
    /// ```
    /// use smithy_waiters_model::suggest::Vocabulary;
    ///
    /// let mut vocabulary = Vocabulary::default();
    /// vocabulary.merge("values.ready = ['brewed']").unwrap();
    /// let error = vocabulary.merge("values.redy = ['brewed']").unwrap_err();
    /// assert!(error.contains("unknown variant `redy`"), "{error}");
    /// ```
    pub fn merge(&mut self, text: &str) -> Result<(), String> {
        let other: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        other.check()?;
        merge_words(&mut self.values, other.values);
        merge_words(&mut self.phases, other.phases);
        merge_words(&mut self.verbs, other.verbs);
        merge_words(&mut self.members, other.members);
        merge_words(&mut self.errors, other.errors);
        self.weights.extend(other.weights);
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        let lists = self.values.values().chain(self.phases.values());
        let lists = lists.chain(self.verbs.values());
        let lists = lists.chain(self.members.values());
        let mut words = lists.chain(self.errors.values()).flatten();
        let is_word = |word: &str| {
            let is_in = |character: char| character.is_lowercase() || character.is_ascii_digit();
            !word.is_empty() && word.chars().all(is_in)
        };
        if let Some(word) = words.find(|word| !is_word(word)) {
            return Err(format!(
                "a word must consist of lowercase letters and digits, got `{word}`"
            ));
        }
        let mut seen = BTreeSet::new();
        let mut values = self.values.values().flatten();
        if let Some(word) = values.find(|word| !seen.insert(*word)) {
            return Err(format!(
                "a word must be in one list of `values`, got `{word}` twice"
            ));
        }
        let is_weight = |weight: f64| (-1.0..=1.0).contains(&weight);
        match self.weights.iter().find(|(_, weight)| !is_weight(**weight)) {
            Some((name, weight)) => Err(format!(
                "the weight `{name:?}` must be from -1 to 1, got {weight}"
            )),
            None => Ok(()),
        }
    }

    pub(super) fn values(&self) -> impl Iterator<Item = (&str, ValueWord)> {
        words(&self.values)
    }

    /// Returns the phase of the first word that has one.
    pub(super) fn phase(&self, words: &[String]) -> Option<Phase> {
        let phase = |word: &String| {
            let mut lists = self.phases.iter();
            let list = lists.find(|(_, stems)| stems.iter().any(|stem| word.starts_with(&**stem)));
            list.map(|(phase, _)| *phase)
        };
        words.iter().find_map(phase)
    }

    pub(super) fn verb(&self, word: &str) -> Option<Verb> {
        words(&self.verbs).find_map(|(known, verb)| (known == word).then_some(verb))
    }

    pub(super) fn is_member(&self, list: MemberWord, word: &str) -> bool {
        let words = self.members.get(&list);
        words.is_some_and(|words| words.iter().any(|known| known == word))
    }

    pub(super) fn error_words(&self, list: ErrorWord) -> &[String] {
        self.errors.get(&list).map_or(&[], Vec::as_slice)
    }

    pub(super) fn weight(&self, weight: Weight) -> f64 {
        self.weights.get(&weight).copied().unwrap_or_default()
    }
}

fn words<K: Copy>(table: &Table<K>) -> impl Iterator<Item = (&str, K)> {
    let lists = table.iter();
    lists.flat_map(|(list, words)| words.iter().map(|word| (word.as_str(), *list)))
}

/// Adds words to their lists, and removes them from all other lists.
fn merge_words<K: Ord>(table: &mut Table<K>, other: Table<K>) {
    for (list, words) in other {
        for known in table.values_mut() {
            known.retain(|word| !words.contains(word));
        }
        table.entry(list).or_default().extend(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_vocabulary_is_valid() {
        let read: Vocabulary = toml::from_str(DEFAULT).unwrap();
        read.check().unwrap();
        assert!(read.weights.len() > 20);
    }

    #[test]
    fn words_of_a_project_move_to_its_lists() {
        let mut vocabulary = Vocabulary::default();
        vocabulary
            .merge("[values]\nrest = ['active']\n[weights]\nlist = 0")
            .unwrap();
        let found = vocabulary.values().filter(|(word, _)| *word == "active");
        assert_eq!(
            found.map(|(_, list)| list).collect::<Vec<_>>(),
            [ValueWord::Rest]
        );
        assert_eq!(vocabulary.weight(Weight::List), 0.0);
        let error = vocabulary
            .merge("values.rest = ['Not Active']")
            .unwrap_err();
        assert!(error.ends_with("got `Not Active`"), "{error}");
    }
}
