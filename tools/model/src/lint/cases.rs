//! Evaluates the acceptors of a waiter case by case to find unreachable acceptors and constant conditions.
//!
//! A value in a path has few cases that matter: each literal that it is compared with, and any other value. All
//! combinations are evaluated. Parts that are not analyzed can have any value, so a property of all combinations always
//! holds.

mod domain;
mod formula;
mod key;
mod literals;

use std::collections::BTreeSet;

use super::acceptors::{UNREACHABLE, unreachable};
use crate::event::{Culprit, Event, Severity};
use crate::shapes::Node;
use crate::typed::infer::CONSTANT;
use crate::waiter::Waiter;
use domain::{Cases, Domains};
use formula::{Condition, Expectation};

/// The maximum number of combinations for one acceptor.
const MAX_CASES: usize = 1024;

/// The maximum number of earlier acceptors that are considered, and that are compared with an acceptor.
const MAX_CONSIDERED: usize = 256;
const MAX_EARLIER: usize = 32;

/// Reports acceptors that always or never match, or only if an earlier one does. Skips the acceptors in `flawed`.
pub(super) fn check(waiter: &Waiter<'_, '_>, flawed: &BTreeSet<usize>, events: &mut Vec<Event>) {
    let acceptors = waiter.acceptors();
    let conditions: Vec<Option<Condition>> = acceptors
        .iter()
        .map(|acceptor| Condition::new(waiter, acceptor))
        .collect();
    for (index, acceptor) in acceptors.iter().enumerate() {
        let condition = conditions.get(index).and_then(Option::as_ref);
        let Some(condition) = condition.filter(|_| !flawed.contains(&index)) else {
            continue;
        };
        let earlier = conditions.get(..index).unwrap_or_default();
        if let Some(found) = CaseFinding::find(condition, earlier) {
            events.push(found.event(waiter, index, acceptor));
        }
    }
}

/// A finding about an acceptor.
enum CaseFinding {
    Always,
    Never,
    /// The acceptor matches only if one of these does.
    Unreachable(Vec<usize>),
}

impl CaseFinding {
    fn find(condition: &Condition, earlier: &[Option<Condition>]) -> Option<Self> {
        let mut domains = Domains::default();
        if !domains.add(&condition.variables, MAX_CASES) {
            return None;
        }
        if let (Expectation::Condition(_), true) = (&condition.expectation, condition.is_compound())
        {
            let cases = domains.cases();
            let mut matches = cases.iter().map(|case| condition.matches(&case));
            let first = matches.next()?;
            if matches.all(|other| other == first) {
                return Some(if first { Self::Always } else { Self::Never });
            }
        }
        let mut before = Vec::new();
        for (index, other) in nearest(condition, earlier) {
            if domains.add(&other.variables, MAX_CASES) {
                before.push((index, other));
            }
        }
        covering(condition, &before, &domains.cases()).map(Self::Unreachable)
    }

    fn event(&self, waiter: &Waiter<'_, '_>, index: usize, acceptor: &Node<'_>) -> Event {
        let (id, message) = match self {
            Self::Always => (
                CONSTANT,
                "always matches: the path has the same result for every response".to_owned(),
            ),
            Self::Never => (
                CONSTANT,
                "never matches: no response gives the path the expected result".to_owned(),
            ),
            Self::Unreachable(before) => (UNREACHABLE, unreachable(before)),
        };
        let event = waiter.acceptor_event(index, Severity::Warning, id, acceptor.at, &message);
        match path_of(acceptor).filter(|_| id == CONSTANT) {
            Some(path) => event.because_of(Culprit::whole(path.at)),
            None => event,
        }
    }
}

/// Returns earlier acceptors, those with the most shared values first.
fn nearest<'c>(
    condition: &Condition,
    earlier: &'c [Option<Condition>],
) -> Vec<(usize, &'c Condition)> {
    let of = |(index, other): (usize, &'c Option<Condition>)| Some((index, other.as_ref()?));
    let all = earlier.iter().enumerate().filter_map(of);
    let mut nearest: Vec<(usize, &Condition)> = all.take(MAX_CONSIDERED).collect();
    nearest.sort_by_key(|(_, other)| std::cmp::Reverse(condition.count_shared(other)));
    nearest.truncate(MAX_EARLIER);
    nearest
}

/// Returns the acceptors that match whenever `condition` does: a single one if possible, otherwise several that do so
/// together.
fn covering(
    condition: &Condition,
    before: &[(usize, &Condition)],
    cases: &Cases<'_>,
) -> Option<Vec<usize>> {
    let mut single: Vec<bool> = vec![true; before.len()];
    let mut used: Vec<bool> = vec![false; before.len()];
    let mut is_met = false;
    for case in cases.iter().filter(|case| condition.matches(case)) {
        is_met = true;
        let mut first = None;
        for (place, (_, other)) in before.iter().enumerate() {
            if other.matches(&case) {
                first = first.or(Some(place));
            } else if let Some(single) = single.get_mut(place) {
                *single = false;
            }
        }
        if let Some(used) = used.get_mut(first?) {
            *used = true;
        }
    }
    let index_of = |places: &[bool]| -> Vec<usize> {
        let indices = before.iter().zip(places).filter(|(_, is)| **is);
        let mut indices: Vec<usize> = indices.map(|((index, _), _)| *index).collect();
        indices.sort_unstable();
        indices
    };
    let found = match index_of(&single).first() {
        Some(first) => vec![*first],
        None => index_of(&used),
    };
    is_met.then_some(found)
}

fn path_of<'a>(acceptor: &Node<'a>) -> Option<Node<'a>> {
    let matcher = acceptor.member("matcher")?;
    matcher.entries().first()?.value.member("path")
}
