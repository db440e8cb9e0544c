//! Finds the values of plain strings in their documentation.

use std::cell::RefCell;
use std::sync::LazyLock;

use regex_lite::Regex;
use rustc_hash::FxHashMap;

use super::values::{Class, Classifier};
use super::vocabulary::{MemberWord, Vocabulary};
use super::words;
use crate::shapes::{Kind, Member, Model, Shape, Trait, id};

/// Marked-up words and elements of lists; words after `valid values` or a parenthesis, and words between bars.
static MARKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?:<(?:code|dt|i|b)>|`|"|&quot;|<li>\s*(?:<p>\s*)?)\s*([A-Za-z][A-Za-z_-]{1,39})\s*(?:</|`|"|&quot;|:|-|\.|,)"#,
    )
    .ok()
});
static LISTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:(?:valid|possible) (?:\w+ )?values?[^:.]{0,40}[:.]?\s*|\()((?:[A-Za-z_-]+,\s*)+(?:(?:and|or) )?[A-Za-z_-]+)|((?:[A-Za-z_-]+\s*\|\s*)+[A-Za-z_-]+)",
    )
    .ok()
});
static AWAITED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:when|until|once)\b[^.]*\b(?:status|state) (?:is|becomes)\b").ok()
});
static NEEDED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"not in the (?:<\w+>|["`])?([A-Za-z_-]+)(?:</\w+>|["`])? state"#).ok()
});

const DOCUMENTATION: &str = "smithy.api#documentation";

/// The documentation of the states of a model.
pub(super) struct Documentation<'m, 'a> {
    model: &'m Model<'a>,
    /// The texts of all members with a name that ends like a state.
    members: FxHashMap<&'a str, Vec<&'a str>>,
    /// The states in which operations need a resource, by its noun.
    needs: FxHashMap<String, &'a str>,
    /// The values in each text, by its address.
    words: RefCell<FxHashMap<(*const u8, usize), Vec<String>>>,
}

impl<'m, 'a> Documentation<'m, 'a> {
    pub(super) fn new(model: &'m Model<'a>, vocabulary: &Vocabulary) -> Self {
        let mut members: FxHashMap<&'a str, Vec<&'a str>> = FxHashMap::default();
        for structure in model.of_kind(Kind::Structure) {
            for member in &structure.members {
                let Some(text) = documentation(&member.traits) else {
                    continue;
                };
                let last = words::split(member.name).pop();
                if last.is_some_and(|last| vocabulary.is_member(MemberWord::State, &last)) {
                    members.entry(member.name).or_default().push(text);
                }
            }
        }
        let needs = model.of_kind(Kind::Structure).filter_map(need);
        Self {
            model,
            members,
            needs: needs.collect(),
            words: RefCell::default(),
        }
    }

    /// Returns the state in which operations need a resource: `InvalidThingState` is documented as "not in the `active` state".
    pub(super) fn need(&self, noun: &str) -> Option<&'a str> {
        self.needs.get(noun).copied()
    }

    /// Returns the values of a plain string, from the documentation of the member, of its target, or of other members with
    /// the same name. They have a transitional value and another one, or the text does not describe a lifecycle and the list
    /// is empty. `None` if no text has values.
    pub(super) fn values(
        &self,
        member: &Member<'a>,
        classifier: &Classifier<'_>,
    ) -> Option<Vec<String>> {
        let target = self.model.shape(member.target);
        let target = target.and_then(|target| documentation(&target.traits));
        let own = documentation(&member.traits);
        // A plain `status` says nothing about other members with that name.
        let is_named = words::split(member.name).len() > 1;
        let others = self.members.get(member.name).filter(|_| is_named);
        let others = others.into_iter().flatten().copied();
        let mut texts = own.into_iter().chain(target).chain(others.take(20));
        let mut has_values = false;
        let found = texts.find_map(|text| {
            let mut words = self.words.borrow_mut();
            // Many members share a long text.
            let words = words.entry((text.as_ptr(), text.len()));
            let values = words.or_insert_with(|| words_in(text, classifier)).clone();
            has_values |= !values.is_empty();
            let class = |value: &String| classifier.classify(value).class;
            let moving = values
                .iter()
                .filter(|value| class(value) == Class::Transitional)
                .count();
            // "When the status is `Deployed`, …" describes a wait.
            let is_awaited = values.len() == 1
                && AWAITED
                    .as_ref()
                    .is_some_and(|awaited| awaited.is_match(text));
            (is_awaited || (moving > 0 && moving < values.len())).then_some(values)
        });
        found.or_else(|| has_values.then(Vec::new))
    }
}

fn documentation<'a>(traits: &[Trait<'a>]) -> Option<&'a str> {
    let mut traits = traits.iter();
    let applied = traits.find(|applied| applied.id == DOCUMENTATION)?;
    applied.value.as_str()
}

/// Returns the noun of an error for a resource in the wrong state, and the state that it needs.
fn need<'a>(error: &Shape<'a>) -> Option<(String, &'a str)> {
    let mut noun = words::split(id::name(error.id));
    let end = noun.iter().rposition(|word| word == "state")?;
    noun.truncate(end);
    noun.retain(|word| word != "invalid");
    let captures = NEEDED.as_ref()?.captures(documentation(&error.traits)?)?;
    Some((words::key(&noun), captures.get(1)?.as_str()))
}

/// Returns the words of a text that the vocabulary knows as values.
fn words_in(text: &str, classifier: &Classifier<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        let word = word.trim_end_matches(['-', '_']);
        let is_known = classifier.classify(word).class != Class::Unknown;
        if is_known && found.len() < 50 && !found.iter().any(|other| other == word) {
            found.push(word.to_owned());
        }
    };
    for regex in [&MARKED, &LISTED] {
        for captures in regex.iter().flat_map(|regex| regex.captures_iter(text)) {
            let lists = captures.iter().skip(1).flatten();
            let words = lists.flat_map(|list| list.as_str().split(['|', ',', ' ']));
            words.filter(|word| !word.is_empty()).for_each(&mut add);
        }
    }
    found
}
