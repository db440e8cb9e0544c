//! Finds the members of an output that contain the state of a resource.

use std::cell::Cell;
use std::collections::VecDeque;

use super::documentation::Documentation;
use super::operations::{Operation, Operations};
use super::values::{Classifier, StateValue};
use super::vocabulary::{MemberWord, Verb, Vocabulary, Weight};
use super::words;
use crate::shapes::{Kind, Member, Model, Shape};
use crate::types;

/// The most structures between an output and its state.
const MAX_DEPTH: usize = 4;

/// The most members of an output that are searched, because shapes can be recursive. In a large model, the number is
/// smaller, so that the time is bounded.
const MAX_MEMBERS: usize = 2_000;
const MAX_MEMBERS_IN_LARGE_MODEL: usize = 50;

/// The number of searched members that makes a model large. The largest of AWS's models has a tenth.
const LARGE_MODEL: usize = 2_000_000;

/// The most levels between a resource and its state.
const MAX_DISTANCE: usize = 1;

/// A member that contains a state.
pub(super) struct StateMember {
    /// The JMESPath expression.
    pub(super) path: String,
    /// `true` if the path selects a list.
    pub(super) is_list: bool,
    pub(super) values: Vec<StateValue>,
    /// `true` if the values are from documentation.
    pub(super) is_documented: bool,
    /// `true` if neither the model nor its documentation has the values of the state.
    pub(super) is_open: bool,
    /// The sum of the weights of the member's place and name, at most zero.
    pub(super) rank: f64,
    /// The words of the member before `status`, and those of its container.
    pub(super) stem: Vec<String>,
    pub(super) container: Vec<String>,
    /// The operation that leads to the process in the member's name, such as `UpdateThing` for `UpdateStatus`.
    pub(super) process: Option<String>,
    /// The weights in `rank`, for the evidence.
    pub(super) doubts: Vec<&'static str>,
}

pub(super) struct Search<'s, 'm, 'a> {
    model: &'m Model<'a>,
    vocabulary: &'s Vocabulary,
    classifier: &'s Classifier<'s>,
    documentation: &'s Documentation<'m, 'a>,
    operations: &'s Operations<'m, 'a>,
    /// The number of members that were searched.
    searched: Cell<usize>,
}

/// A structure in an output.
struct Place<'m, 'a> {
    shape: &'m Shape<'a>,
    path: String,
    is_list: bool,
    /// The words of the members on the way, without lists' brackets.
    containers: Vec<Vec<String>>,
    /// The levels that the noun does not explain.
    distance: usize,
}

impl<'s, 'm, 'a> Search<'s, 'm, 'a> {
    pub(super) fn new(
        model: &'m Model<'a>,
        classifier: &'s Classifier<'s>,
        documentation: &'s Documentation<'m, 'a>,
        operations: &'s Operations<'m, 'a>,
    ) -> Self {
        Self {
            model,
            vocabulary: classifier.vocabulary,
            classifier,
            documentation,
            operations,
            searched: Cell::new(0),
        }
    }

    /// Returns the states of an operation's output, the most likely first.
    pub(super) fn states(&self, operation: &Operation<'m, 'a>) -> Vec<StateMember> {
        let mut states = Vec::new();
        let Some(output) = operation.output else {
            return states;
        };
        let mut rest = if self.searched.get() > LARGE_MODEL {
            MAX_MEMBERS_IN_LARGE_MODEL
        } else {
            MAX_MEMBERS
        };
        let mut open = VecDeque::from([Place {
            shape: output,
            path: String::new(),
            is_list: false,
            containers: Vec::new(),
            distance: 0,
        }]);
        while let Some(place) = open.pop_front() {
            let members = place
                .shape
                .members
                .get(..rest)
                .unwrap_or(&place.shape.members);
            rest = rest.saturating_sub(members.len());
            self.searched
                .set(self.searched.get().saturating_add(members.len()));
            let structures = members
                .iter()
                .filter(|member| self.structure(member).is_some());
            // The only structure contains the resource, unless the state is next to it.
            let is_only = structures.count() == 1
                && !members
                    .iter()
                    .any(|member| self.is_state_name(&words::split(member.name)));
            for member in members {
                states.extend(self.state(operation, &place, member));
                open.extend(self.inside(operation, &place, member, is_only));
            }
        }
        states.sort_by(|one, two| {
            let rank = two.rank.total_cmp(&one.rank);
            rank.then_with(|| one.path.len().cmp(&two.path.len()))
        });
        states
    }

    /// Returns the structure in a member or in the elements of its list, and `true` for a list.
    fn structure(&self, member: &Member<'a>) -> Option<(&'m Shape<'a>, bool)> {
        let target = self.model.shape(member.target)?;
        match target.kind {
            Kind::Structure => Some((target, false)),
            Kind::List | Kind::Set => {
                let element = self.model.shape(target.member("member")?.target)?;
                (element.kind == Kind::Structure).then_some((element, true))
            }
            _ => None,
        }
    }

    fn inside(
        &self,
        operation: &Operation<'m, 'a>,
        place: &Place<'m, 'a>,
        member: &Member<'a>,
        is_only: bool,
    ) -> Option<Place<'m, 'a>> {
        let (shape, is_list) = self.structure(member)?;
        let words = words::split(member.name);
        let depth = place.containers.len();
        // `Reservations[].Instances[]` lists instances.
        let is_own = words::key(&words) == operation.key;
        if depth >= MAX_DEPTH || (is_list && place.is_list && !is_own) {
            return None;
        }
        // The state's own structure is not a level: `State.Name`.
        let is_state = self.is_state_name(&words);
        let is_named = is_own || (depth == 0 && (is_only || self.is_noun(operation, &words)));
        let steps = usize::from(!(is_state || is_named));
        let distance = place.distance.saturating_add(steps);
        if distance > MAX_DISTANCE {
            return None;
        }
        let mut containers = place.containers.clone();
        containers.push(words);
        Some(Place {
            shape,
            path: join(&place.path, member.name, is_list),
            is_list: place.is_list || is_list,
            containers,
            distance,
        })
    }

    /// Returns `true` if a member's name is the operation's noun, apart from words such as `Description`.
    fn is_noun(&self, operation: &Operation<'m, 'a>, words: &[String]) -> bool {
        let is_container = |word: &String| self.vocabulary.is_member(MemberWord::Container, word);
        let end = words.iter().rposition(|word| !is_container(word));
        let named = words
            .get(..end.map_or(0, |end| end.saturating_add(1)))
            .unwrap_or_default();
        let key = words::key(named);
        // Each key ends with an empty one.
        operation.key.ends_with(&key)
            || key.ends_with(&operation.key)
            || operation.key.starts_with(&key)
    }

    fn is_state_name(&self, words: &[String]) -> bool {
        let last = words.last();
        last.is_some_and(|last| self.vocabulary.is_member(MemberWord::State, last))
    }

    fn state(
        &self,
        operation: &Operation<'m, 'a>,
        place: &Place<'m, 'a>,
        member: &Member<'a>,
    ) -> Option<StateMember> {
        let target = self.model.shape(member.target)?;
        // A list of states, such as `Statuses`, has no resource.
        if !matches!(target.kind, Kind::Enum | Kind::String) {
            return None;
        }
        let mut containers = place.containers.as_slice();
        let own = words::split(member.name);
        let mut name = own.clone();
        if !self.is_state_name(&own) {
            // `Name`, or `StatusCode`.
            let is_nested = own.split_last().is_some_and(|(last, rest)| {
                let is_state = |word: &String| self.vocabulary.is_member(MemberWord::State, word);
                self.vocabulary.is_member(MemberWord::Nested, last) && rest.iter().all(is_state)
            });
            let is_enum = target.kind == Kind::Enum
                && self.is_state_name(&words::split(crate::shapes::id::name(target.id)));
            match containers.split_last() {
                Some((last, rest)) if is_nested && self.is_state_name(last) => {
                    name.clone_from(last);
                    containers = rest;
                }
                _ if is_enum => {}
                _ => return None,
            }
        } else if own.len() == 1 {
            // `Status.State` is the state of the container of `Status`.
            if let Some((last, rest)) = containers
                .split_last()
                .filter(|(last, _)| self.is_state_name(last))
            {
                name.clone_from(last);
                containers = rest;
            }
        }
        let container = containers.last().cloned().unwrap_or_default();
        let mut stem = name;
        if self.is_state_name(&stem) {
            stem.pop();
        }
        let known = types::values(target).map(|values| {
            let values = values.iter().take(200);
            values
                .map(|value| self.classifier.classify(value))
                .collect::<Vec<_>>()
        });
        let is_documented = known.is_none();
        let documented = known
            .is_none()
            .then(|| self.documentation.values(member, self.classifier));
        let is_open = matches!(documented, Some(None));
        let doubt = self.stem_doubt(operation, &stem, &container);
        let values = known.unwrap_or_else(|| {
            let need = self.documentation.need(&operation.key);
            let need = need.filter(|_| is_open && doubt.is_none());
            let values = documented.flatten().unwrap_or_default();
            let values = values.iter().map(String::as_str).chain(need);
            values
                .map(|value| self.classifier.classify(value))
                .collect()
        });
        let mut state = StateMember {
            path: join(&place.path, member.name, false),
            is_list: place.is_list,
            values,
            is_documented,
            is_open,
            rank: 0.0,
            stem,
            container,
            process: None,
            doubts: Vec::new(),
        };
        if doubt.is_some() {
            let verb = self.process(&state.stem);
            let key = std::slice::from_ref(&operation.key);
            let write = verb.and_then(|verb| self.operations.write(verb, key));
            state.process = write.map(str::to_owned);
        }
        let weight = doubt.filter(|_| state.process.is_none());
        let mut doubt = |weight, text| {
            state.rank += self.vocabulary.weight(weight);
            state.doubts.push(text);
        };
        for _ in 0..place.distance {
            doubt(Weight::Level, "the state belongs to a part of the output");
        }
        if let Some(weight) = weight {
            doubt(
                weight,
                "the member's name differs from the operation's noun",
            );
        }
        if is_documented {
            doubt(Weight::Documented, "the values are from documentation");
        }
        Some(state)
    }

    /// Returns the class of operations for a stem such as `LastUpdate`.
    fn process(&self, stem: &[String]) -> Option<Verb> {
        let (last, rest) = stem.split_last()?;
        let is_known = |word: &String| self.vocabulary.is_member(MemberWord::Secondary, word);
        let verb = self.vocabulary.phase(std::slice::from_ref(last))?.verb();
        verb.filter(|_| rest.iter().all(is_known))
    }

    /// Returns the weight of a name before `Status` that is not the resource's.
    fn stem_doubt(
        &self,
        operation: &Operation<'m, 'a>,
        stem: &[String],
        container: &[String],
    ) -> Option<Weight> {
        if stem.is_empty() {
            return None;
        }
        let key = words::key(stem);
        let is_own = operation.key.ends_with(&key)
            || key.ends_with(&operation.key)
            || operation.key.starts_with(&key)
            || (!container.is_empty() && words::key(container) == key);
        if is_own {
            return None;
        }
        let secondary = |word: &String| self.vocabulary.is_member(MemberWord::Secondary, word);
        Some(if stem.iter().any(secondary) {
            Weight::Secondary
        } else {
            Weight::OtherStem
        })
    }
}

/// Appends a member to a path.
fn join(path: &str, member: &str, is_list: bool) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let name = if member.chars().all(is_plain) {
        member.to_owned()
    } else {
        format!("{member:?}")
    };
    let dot = if path.is_empty() { "" } else { "." };
    let brackets = if is_list { "[]" } else { "" };
    format!("{path}{dot}{name}{brackets}")
}
