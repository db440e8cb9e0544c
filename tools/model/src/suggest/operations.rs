//! The operations of a model by verb and noun, and the evidence that they give for a goal.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::vocabulary::{MemberWord, Verb, Vocabulary};
use super::words;
use crate::shapes::{Kind, Member, Model, Shape, id};

pub(super) struct Operation<'m, 'a> {
    pub(super) shape: &'m Shape<'a>,
    pub(super) input: Option<&'m Shape<'a>>,
    pub(super) output: Option<&'m Shape<'a>>,
    pub(super) verb: Verb,
    /// The words after the verb.
    pub(super) noun: Vec<String>,
    /// The noun as models write it.
    pub(super) noun_text: String,
    pub(super) key: String,
    /// `true` if the name has a word such as `Status` after the noun.
    pub(super) is_part: bool,
}

/// The operations of a model.
pub(super) struct Operations<'m, 'a> {
    pub(super) reads: Vec<Operation<'m, 'a>>,
    /// The operations that write, by class and noun.
    writes: BTreeMap<(Verb, String), &'a str>,
    /// The nouns of operations that read all of a resource, and `true` for those that read a single one.
    reads_of: FxHashSet<(String, bool)>,
}

impl<'m, 'a> Operations<'m, 'a> {
    pub(super) fn new(model: &'m Model<'a>, vocabulary: &Vocabulary) -> Self {
        let mut operations = Self {
            reads: Vec::new(),
            writes: BTreeMap::new(),
            reads_of: FxHashSet::default(),
        };
        for shape in model.of_kind(Kind::Operation) {
            if shape.has_trait("smithy.api#mixin") || has_event_stream(model, shape) {
                continue;
            }
            let name = id::name(shape.id);
            let mut noun = words::split(name);
            while noun.len() > 1
                && noun
                    .first()
                    .is_some_and(|first| vocabulary.verb(first) == Some(Verb::Prefix))
            {
                noun.remove(0);
            }
            let Some(verb) = noun.first().and_then(|first| vocabulary.verb(first)) else {
                continue;
            };
            noun.remove(0);
            let is = |list| move |word: &String| vocabulary.is_member(list, word);
            let main = |noun: &[String]| {
                let parent = noun.iter().skip(1).position(is(MemberWord::Preposition));
                let end = parent.map_or(noun.len(), |parent| parent.saturating_add(1));
                words::key(noun.get(..end).unwrap_or_default())
            };
            if !matches!(verb, Verb::Read | Verb::List) {
                operations.writes.entry((verb, main(&noun))).or_insert(name);
                continue;
            }
            let noun_text = text_of(name, &noun);
            if verb == Verb::Read {
                let is_single = words::singular(&noun_text) == noun_text;
                operations.reads_of.insert((main(&noun), is_single));
            }
            let length = noun.len();
            // `DescribeThingStatus` reads a thing.
            while noun.len() > 1 && noun.last().is_some_and(is(MemberWord::Suffix)) {
                noun.pop();
            }
            let noun_text = text_of(name, &noun);
            let key = main(&noun);
            let is_part = noun.len() < length;
            operations.reads.push(Operation {
                shape,
                input: model.input_or_output(shape, "input"),
                output: model.input_or_output(shape, "output"),
                verb,
                noun,
                noun_text,
                key,
                is_part,
            });
        }
        operations
    }

    /// Returns an operation of a class for one of the nouns, or an update of a part of one.
    pub(super) fn write(&self, verb: Verb, keys: &[String]) -> Option<&'a str> {
        let keys = keys.iter().filter(|key| !key.is_empty());
        let mut found = keys.filter_map(|key| {
            let mut from = self.writes.range((verb, key.clone())..);
            let ((found, noun), name) = from.next()?;
            let is_part = verb == Verb::Update && noun.starts_with(key.as_str());
            (*found == verb && (noun == key || is_part)).then_some(*name)
        });
        found.next()
    }

    /// Returns `true` if another operation reads a single resource of the noun, or all of the resource.
    pub(super) fn has_better_read(&self, operation: &Operation<'_, '_>, is_list: bool) -> bool {
        let has = |is_single| self.reads_of.contains(&(operation.key.clone(), is_single));
        (is_list && operation.is_plural() && has(true))
            || (operation.is_part && (has(true) || has(false)))
    }
}

impl<'a> Operation<'_, 'a> {
    pub(super) fn name(&self) -> &'a str {
        id::name(self.shape.id)
    }

    /// Returns `true` if the noun is a plural.
    pub(super) fn is_plural(&self) -> bool {
        words::singular(&self.noun_text) != self.noun_text
    }

    fn inputs(&self) -> &[Member<'a>] {
        self.input.map_or(&[], |input| input.members.as_slice())
    }

    /// Returns `true` if the input can select a resource of the noun.
    pub(super) fn has_identifier(&self, vocabulary: &Vocabulary) -> bool {
        self.inputs().iter().any(|member| {
            let mut member = words::split(member.name);
            let last = member.pop().unwrap_or_default();
            let is_identifier = vocabulary.is_member(MemberWord::Identifier, &last);
            let key = words::key(&member);
            let is_own = key.is_empty()
                || self.key.ends_with(&key)
                || key.ends_with(&self.key)
                || last.starts_with("filter");
            (is_identifier && is_own) || words::key(&[key, last]) == self.key
        })
    }

    /// Returns `true` if the input has a required member, such as the parent of a list.
    pub(super) fn has_required(&self) -> bool {
        self.inputs()
            .iter()
            .any(|member| member.has_trait("smithy.api#required"))
    }
}

/// Returns `true` if the specification forbids waiters for an operation because of its events.
fn has_event_stream(model: &Model<'_>, operation: &Shape<'_>) -> bool {
    let sides = ["input", "output"].map(|side| model.input_or_output(operation, side));
    let mut members = sides.iter().flatten().flat_map(|side| &side.members);
    members.any(|member| {
        let target = model.shape(member.target);
        target.is_some_and(|target| {
            target.kind == Kind::Union
                && (target.has_trait("smithy.api#streaming")
                    || member.has_trait("smithy.api#streaming"))
        })
    })
}

/// Returns the noun as the operation's name writes it.
fn text_of(name: &str, noun: &[String]) -> String {
    let all = words::split(name);
    let find = all
        .windows(noun.len().max(1))
        .rposition(|part| part == noun);
    let length = |words: &[String]| words.iter().map(String::len).sum::<usize>();
    let text = find.and_then(|start| {
        let before = length(all.get(..start)?);
        name.get(before..before.checked_add(length(noun))?)
    });
    // Names with separators are rare, and have no more than their words.
    text.filter(|_| name.is_ascii() && name.chars().all(char::is_alphanumeric))
        .map_or_else(
            || words::camel_case(noun.iter().map(String::as_str)),
            str::to_owned,
        )
}
