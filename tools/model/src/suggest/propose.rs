//! Builds the proposals for each operation that reads.

use rustc_hash::FxHashSet;
use smithy_waiters::State;

use super::Options;
use super::confidence::Confidence;
use super::documentation::Documentation;
use super::errors::{self, Absent};
use super::goals::{Goal, Lifecycle};
use super::names::{self, Names};
use super::operations::{Operation, Operations};
use super::proposal::{Acceptor, Matcher, Proposal};
use super::questions;
use super::states::{Search, StateMember};
use super::values::{Classifier, StateValue};
use super::vocabulary::{MemberWord, Phase, Verb, Vocabulary, Weight};
use super::words;
use crate::shapes::Model;
use crate::shapes::id::WAITABLE;

/// The most states of one operation for which waiters are proposed.
const MAX_STATES: usize = 8;

/// The lowest rank of the resource's own state.
pub(super) const OWN_RANK: f64 = -0.2;

pub(super) fn propose(model: &Model<'_>, options: &Options) -> Vec<Proposal> {
    let vocabulary = &options.vocabulary;
    let classifier = Classifier::new(vocabulary);
    let documentation = Documentation::new(model, vocabulary);
    let operations = Operations::new(model, vocabulary);
    let search = Search::new(model, &classifier, &documentation, &operations);
    let mut drafts = Vec::new();
    for operation in &operations.reads {
        let states = search.states(operation);
        let reader = Reader {
            vocabulary,
            operations: &operations,
            operation,
            absent: errors::absent(model, vocabulary, operation),
        };
        drafts.extend(reader.propose(&states, options.existence));
    }
    // The most confident proposals get the shortest names.
    drafts.sort_by(|(one, _), (two, _)| {
        let confidence = two.confidence.total_cmp(&one.confidence);
        confidence.then_with(|| one.operation.cmp(&two.operation))
    });
    let mut names = Names::new(model);
    let mut proposals = Vec::with_capacity(drafts.len());
    for (proposal, candidates) in drafts {
        if let Some(waiter) = names.reserve(candidates) {
            proposals.push(Proposal { waiter, ..proposal });
        }
    }
    proposals
}

/// A proposal, and the names that it may have.
type Draft = (Proposal, Vec<String>);

/// Proposes the waiters of one operation.
struct Reader<'d, 'm, 'a> {
    vocabulary: &'d Vocabulary,
    operations: &'d Operations<'m, 'a>,
    operation: &'d Operation<'m, 'a>,
    absent: Option<Absent>,
}

impl<'d> Reader<'d, '_, '_> {
    fn propose(&self, states: &[StateMember], existence: bool) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let mut seen = FxHashSet::default();
        let known = states.iter().filter(|state| !state.values.is_empty());
        for (place, state) in known.take(MAX_STATES).enumerate() {
            let lifecycle = Lifecycle::new(&state.values);
            for (value, goal, weight) in lifecycle.goals() {
                if seen.insert((&state.path, &value.text)) {
                    let mut confidence = self.confidence(weight, state, place);
                    self.weigh_state(&mut confidence, state, &lifecycle, goal, Some(value));
                    self.weigh_goal(&mut confidence, goal, state, value);
                    if let Some(other) = lifecycle.variant(value) {
                        let reason = format!("`{}` has the same meaning", other.text);
                        confidence.doubt(Weight::Variant, true, &reason);
                    }
                    drafts.push(self.of_value(confidence, goal, state, &lifecycle, value));
                }
            }
        }
        // `SessionStatus` is not the state of the resource that is deleted.
        let own = states.first().filter(|state| state.rank > OWN_RANK);
        drafts.extend(self.gone(own));
        if existence {
            drafts.extend(self.existence());
        }
        drafts.retain(|(proposal, _)| !self.is_published(proposal));
        drafts
    }

    /// Returns the confidence of any goal of a state.
    fn confidence(&self, goal: Weight, state: &StateMember, place: usize) -> Confidence<'d> {
        let mut confidence = Confidence::new(self.vocabulary, goal);
        for doubt in &state.doubts {
            confidence.doubts.push((*doubt).to_owned());
        }
        confidence.add_rank(state.rank);
        let has_other = place > 0 && state.process.is_none();
        confidence.doubt(
            Weight::AnotherState,
            has_other,
            "the output has another state",
        );
        self.weigh_operation(&mut confidence, state.is_list);
        confidence
    }

    fn weigh_operation(&self, confidence: &mut Confidence<'_>, is_list: bool) {
        let operation = self.operation;
        let mut doubt = |weight, is_met, reason| confidence.doubt(weight, is_met, reason);
        let lists = operation.verb == Verb::List;
        doubt(Weight::List, lists, "the operation lists resources");
        let is_history = |word: &String| self.vocabulary.is_member(MemberWord::History, word);
        let has_history = is_list && operation.noun.iter().any(is_history);
        doubt(
            Weight::History,
            has_history,
            "the operation lists a history",
        );
        let has_better = self.operations.has_better_read(operation, is_list);
        doubt(
            Weight::OtherRead,
            has_better,
            "another operation reads the resource",
        );
        let selects = operation.has_identifier(self.vocabulary)
            || (!operation.is_plural() && operation.has_required());
        doubt(
            Weight::NoIdentifier,
            is_list && !selects,
            "the input cannot select a resource",
        );
    }

    fn weigh_state(
        &self,
        confidence: &mut Confidence<'_>,
        state: &StateMember,
        lifecycle: &Lifecycle<'_>,
        goal: Goal,
        target: Option<&StateValue>,
    ) {
        if let Some(value) = lifecycle.transition(goal, target) {
            confidence.note(format!("`{}` leads to it", value.text));
        } else if state.is_documented && state.values.len() == 1 {
            let reason = "the documentation names it as the state to wait for";
            confidence.note(reason.to_owned());
        } else {
            let reason = "no transitional value leads to it";
            confidence.doubt(Weight::NoTransition, true, reason);
        }
    }

    fn weigh_goal(
        &self,
        confidence: &mut Confidence<'_>,
        goal: Goal,
        state: &StateMember,
        value: &StateValue,
    ) {
        let (verb, weight) = match goal {
            Goal::Done | Goal::Ready => {
                // `UPDATE_COMPLETE` follows an update.
                let verb = value.phase.and_then(Phase::verb);
                (verb.unwrap_or(Verb::Create), Weight::Evidence)
            }
            Goal::Rest => (Verb::Stop, Weight::EvidenceStop),
            Goal::Gone | Goal::Exists | Goal::NotExists => return,
        };
        let process = state.process.as_deref();
        let process = process.filter(|_| matches!(goal, Goal::Done | Goal::Ready));
        let leads = process.or_else(|| self.operations.write(verb, &self.nouns(Some(state))));
        confidence.add(weight, leads.map(|name| format!("`{name}` leads to it")));
    }

    /// Returns the nouns that the resource of a state may have.
    fn nouns(&self, state: Option<&StateMember>) -> Vec<String> {
        let mut nouns = vec![self.operation.key.clone()];
        if let Some(state) = state {
            nouns.extend([words::key(&state.stem), words::key(&state.container)]);
        }
        nouns
    }

    fn of_value(
        &self,
        confidence: Confidence<'_>,
        goal: Goal,
        state: &StateMember,
        lifecycle: &Lifecycle<'_>,
        value: &StateValue,
    ) -> Draft {
        let mut acceptors = vec![output(state, State::Success, &value.text)];
        let failures = lifecycle.failures(goal, Some(value));
        acceptors.extend(
            failures
                .iter()
                .map(|failure| output(state, State::Failure, &failure.text)),
        );
        self.draft(confidence, goal, Some(state), acceptors, &value.words)
    }

    /// Proposes a waiter for the deletion of the resource, by the error for an absent one and by a value of its state.
    fn gone(&self, state: Option<&StateMember>) -> Option<Draft> {
        let lifecycle = state.map(|state| Lifecycle::new(&state.values));
        let value = lifecycle.as_ref().and_then(Lifecycle::gone);
        let deleting = lifecycle.as_ref();
        let deleting = deleting.and_then(|lifecycle| lifecycle.transition(Goal::Gone, None));
        let nouns = self.nouns(state);
        let deletes = self.operations.write(Verb::Delete, &nouns);
        let (mut confidence, mut acceptors) = match (&self.absent, state, &lifecycle) {
            (Some(absent), ..) if deletes.is_some() || value.is_some() || deleting.is_some() => {
                let is_list = state.is_some_and(|state| state.is_list);
                (
                    self.gone_by_error(absent, is_list),
                    vec![absent.acceptor(State::Success)],
                )
            }
            (None, Some(state), Some(lifecycle)) if value.is_some() => {
                let mut confidence = self.confidence(Weight::Gone, state, 0);
                self.weigh_state(&mut confidence, state, lifecycle, Goal::Gone, value);
                (confidence, Vec::new())
            }
            _ => return None,
        };
        confidence.add(
            Weight::Deleting,
            deleting.map(|value| format!("`{}` leads to it", value.text)),
        );
        let is_work = lifecycle.as_ref().is_some_and(|states| states.is_work);
        confidence.doubt(Weight::Work, is_work, "work ends by itself");
        let is_open = state.is_some_and(|state| state.is_open) && deletes.is_some();
        let reason = "the state has values that the model lacks";
        confidence.add(Weight::Open, is_open.then(|| reason.to_owned()));
        let end = value.filter(|_| deleting.is_some());
        confidence.add(
            Weight::GoneValue,
            end.map(|value| format!("the state has `{}`", value.text)),
        );
        confidence.add(
            Weight::EvidenceDelete,
            deletes.map(|name| format!("`{name}` leads to it")),
        );
        if let (Some(state), Some(lifecycle)) = (state, &lifecycle) {
            acceptors.extend(value.map(|value| output(state, State::Success, &value.text)));
            let failures = lifecycle.failures(Goal::Gone, None);
            acceptors.extend(
                failures
                    .iter()
                    .map(|failure| output(state, State::Failure, &failure.text)),
            );
        }
        let name = value.map_or_else(|| vec!["deleted".to_owned()], |value| value.words.clone());
        let state = state.filter(|_| value.is_some() || acceptors.len() > 1);
        Some(self.draft(confidence, Goal::Gone, state, acceptors, &name))
    }

    fn gone_by_error(&self, absent: &Absent, is_list: bool) -> Confidence<'d> {
        let mut confidence = Confidence::new(self.vocabulary, Weight::Gone);
        let reason = format!("the error `{}` means that it is absent", absent.code);
        confidence.note(reason);
        match absent.doubt {
            Some(doubt) => confidence.doubt_value(absent.weight, doubt),
            None => confidence.add_rank(absent.weight),
        }
        self.weigh_operation(&mut confidence, is_list);
        confidence
    }

    fn existence(&self) -> Vec<Draft> {
        let Some(absent) = &self.absent else {
            return Vec::new();
        };
        let found = Acceptor {
            state: State::Success,
            matcher: Matcher::Success(true),
        };
        let exists = vec![found, absent.acceptor(State::Retry)];
        let is_absent = vec![absent.acceptor(State::Success)];
        let of = |goal, name, acceptors| {
            let mut confidence = Confidence::new(self.vocabulary, Weight::Exists);
            self.weigh_operation(&mut confidence, false);
            self.draft(confidence, goal, None, acceptors, &words::split(name))
        };
        vec![
            of(Goal::Exists, "Exists", exists),
            of(Goal::NotExists, "NotExists", is_absent),
        ]
    }

    fn draft(
        &self,
        confidence: Confidence<'_>,
        goal: Goal,
        state: Option<&StateMember>,
        acceptors: Vec<Acceptor>,
        name: &[String],
    ) -> Draft {
        let name = words::camel_case(name.iter().map(String::as_str));
        let values = state.map_or(&[][..], |state| &state.values);
        let lifecycle = Lifecycle::new(values);
        let values = values.iter();
        let values = values.map(|value| (value.text.clone(), lifecycle.class(value)));
        let is_list = self.operation.verb == Verb::List || self.operation.is_plural();
        let questions = questions::ask(goal, state, is_list, &acceptors);
        let absent = self.absent.as_ref();
        let absent = absent.filter(|_| acceptors.iter().any(has_error));
        let proposal = Proposal {
            error_shape: absent.and_then(|absent| absent.shape.clone()),
            waiter: String::new(),
            operation: self.operation.shape.id.to_owned(),
            goal,
            confidence: confidence.value(),
            path: state.map(|state| state.path.clone()),
            values: values.collect(),
            acceptors,
            evidence: confidence.evidence,
            questions: confidence.doubts.into_iter().chain(questions).collect(),
        };
        (proposal, names::candidates(self.operation, state, &name))
    }

    /// Returns `true` if the operation has a waiter that succeeds in the same way.
    fn is_published(&self, proposal: &Proposal) -> bool {
        let Some(applied) = self.operation.shape.find_trait(WAITABLE) else {
            return false;
        };
        let waiters = applied.value.entries().iter();
        let mut acceptors = waiters.flat_map(Acceptor::of_waiter).flatten();
        acceptors.any(|acceptor| {
            let mut own = proposal.acceptors.iter();
            own.any(|own| is_same_success(own, &acceptor))
        })
    }
}

impl Absent {
    fn acceptor(&self, state: State) -> Acceptor {
        Acceptor {
            state,
            matcher: Matcher::ErrorType(self.code.clone()),
        }
    }
}

/// Returns `true` if both acceptors succeed for the same value or error, with any comparator.
fn is_same_success(one: &Acceptor, other: &Acceptor) -> bool {
    let is_same = match (&one.matcher, &other.matcher) {
        (
            Matcher::Output { path, expected, .. },
            Matcher::Output {
                path: other_path,
                expected: other_expected,
                ..
            },
        ) => path == other_path && expected == other_expected,
        (one, other) => one == other,
    };
    is_same && one.state == State::Success && other.state == State::Success
}

const fn has_error(acceptor: &Acceptor) -> bool {
    matches!(acceptor.matcher, Matcher::ErrorType(_))
}

/// Returns an acceptor for a value. In a list, all elements succeed and any element fails.
fn output(state: &StateMember, to: State, expected: &str) -> Acceptor {
    let comparator = match (state.is_list, to) {
        (false, _) => "stringEquals",
        (true, State::Success) => "allStringEquals",
        (true, _) => "anyStringEquals",
    };
    Acceptor {
        state: to,
        matcher: Matcher::Output {
            path: state.path.clone(),
            expected: expected.to_owned(),
            comparator: comparator.to_owned(),
        },
    }
}
