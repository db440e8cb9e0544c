//! Applies selectors to the shapes of a model.

use std::cell::Cell;

use rustc_hash::FxHashSet;

use super::graph::{Graph, Place};
use super::syntax::{Attribute, Neighbours, Of, Relation, Selector, Step, Types};
use crate::shapes::id;

/// The maximum number of steps for all selectors, per shape of the model. Selectors beyond it are not checked.
const STEPS_PER_SHAPE: usize = 1000;
const MIN_STEPS: usize = 100_000;

/// The remaining steps of a selector, and those of the selector around it.
#[derive(Clone, Copy)]
struct Rest<'s> {
    steps: &'s [Step],
    then: Option<&'s Self>,
}

/// The direction in which steps are followed.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Backward,
    Forward,
}

/// The selectors of one model, with a common limit of steps.
#[derive(Debug)]
pub(crate) struct Selection<'g, 'm, 'a> {
    graph: &'g Graph<'m, 'a>,
    /// The number of remaining steps.
    left: Cell<usize>,
}

impl<'g, 'm, 'a> Selection<'g, 'm, 'a> {
    pub(crate) fn new(graph: &'g Graph<'m, 'a>) -> Self {
        let steps = graph.size().saturating_mul(STEPS_PER_SHAPE).max(MIN_STEPS);
        let left = Cell::new(steps);
        Self { graph, left }
    }

    /// Returns `true` if a selector selects a place, or `None` if the limit of steps is reached.
    pub(crate) fn selects(&self, selector: &Selector, place: Place<'m, 'a>) -> Option<bool> {
        let steps = &*selector.0;
        let found = self.reaches_end(place, Rest { steps, then: None }, Direction::Backward);
        (self.left.get() > 0).then_some(found)
    }

    /// Returns `true` if the steps from a place lead to their end. Forward, the place is the input of the first step.
    /// Backward, the place is the output of the last step, and the input of the first step is any shape.
    fn reaches_end(&self, place: Place<'m, 'a>, rest: Rest<'_>, direction: Direction) -> bool {
        let split = match direction {
            Direction::Backward => rest.steps.split_last(),
            Direction::Forward => rest.steps.split_first(),
        };
        let Some((step, others)) = split else {
            return rest
                .then
                .is_none_or(|then| self.reaches_end(place, *then, direction));
        };
        if !self.spend_step() {
            return false;
        }
        let others = Rest {
            steps: others,
            ..rest
        };
        match step {
            Step::Is(selectors) => selectors.iter().any(|selector| {
                let steps = &*selector.0;
                let then = Some(&others);
                self.reaches_end(place, Rest { steps, then }, direction)
            }),
            Step::Neighbours(neighbours) => {
                let next = self.neighbours(place, neighbours, direction == Direction::Backward);
                next.into_iter()
                    .any(|next| self.reaches_end(next, others, direction))
            }
            filter => self.passes(place, filter) && self.reaches_end(place, others, direction),
        }
    }

    fn passes(&self, place: Place<'m, 'a>, filter: &Step) -> bool {
        let leads = |selectors: &[Selector]| {
            selectors.iter().any(|selector| {
                let steps = &*selector.0;
                self.reaches_end(place, Rest { steps, then: None }, Direction::Forward)
            })
        };
        match filter {
            Step::Not(selectors) => !leads(selectors),
            Step::Test(selectors) => leads(selectors),
            Step::Where(attribute) => attribute.matches(place),
            Step::Of(types) => types.contains(place),
            Step::Is(_) | Step::Neighbours(_) => true,
        }
    }

    /// Returns the neighbours of a place, or with `backwards` the places whose neighbour it is.
    fn neighbours(
        &self,
        place: Place<'m, 'a>,
        neighbours: &Neighbours,
        backwards: bool,
    ) -> Vec<Place<'m, 'a>> {
        let reverse = neighbours.reverse != backwards;
        let next = |place| self.graph.neighbours(place, reverse, &neighbours.by);
        let mut found = next(place);
        if !neighbours.all {
            return found;
        }
        let mut seen: FxHashSet<_> = found.iter().map(|place| place.key()).collect();
        let mut next_index = 0;
        while let Some(place) = found.get(next_index).copied() {
            if !self.spend_step() {
                break;
            }
            let new = next(place).into_iter();
            found.extend(new.filter(|place| seen.insert(place.key())));
            next_index = next_index.saturating_add(1);
        }
        found
    }

    fn spend_step(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left > 0
    }
}

impl Types {
    fn contains(&self, place: Place<'_, '_>) -> bool {
        match self {
            Self::All => true,
            Self::Member => place.member.is_some(),
            Self::Some(kinds) => place.member.is_none() && kinds.contains(&place.shape.kind),
        }
    }
}

impl Attribute {
    fn matches(&self, place: Place<'_, '_>) -> bool {
        let found = match &self.of {
            Of::Id => Some(place.id()),
            Of::Member => place.member.map(|member| member.name.to_owned()),
            Of::Name => Some(id::name(place.shape.id).to_owned()),
            Of::Namespace => Some(id::namespace(place.shape.id).to_owned()),
            Of::Trait(id) => {
                let applied = place.traits().iter().find(|applied| applied.id == *id);
                return match &self.value {
                    None => applied.is_some(),
                    Some(_) => applied
                        .and_then(|applied| applied.value.as_str())
                        .is_some_and(|found| self.is_value(found)),
                };
            }
        };
        found.is_some_and(|found| self.is_value(&found))
    }

    fn is_value(&self, found: &str) -> bool {
        let Some((relation, wanted)) = &self.value else {
            return true;
        };
        match relation {
            Relation::Contains => found.contains(wanted),
            Relation::EndsWith => found.ends_with(wanted),
            Relation::Is => found == wanted,
            Relation::IsNot => found != wanted,
            Relation::StartsWith => found.starts_with(wanted),
        }
    }
}
