//! Applies selectors to the shapes of a model.

use std::cell::Cell;

use rustc_hash::FxHashSet;

use super::graph::{Graph, Place};
use super::syntax::{Attribute, Neighbours, Of, Relation, Selector, Step, Types};
use crate::shapes::id;

/// The maximum number of steps for all selectors, per shape of the model. Selectors beyond it are not checked.
const WORK: usize = 1000;
const LEAST_WORK: usize = 100_000;

/// The remaining steps of a selector, and those of the selector around it.
#[derive(Clone, Copy)]
struct Rest<'s> {
    steps: &'s [Step],
    then: Option<&'s Self>,
}

/// The direction in which steps are followed.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Back,
    On,
}

/// The selectors of one model, with a common limit of steps.
#[derive(Debug)]
pub(crate) struct Selection<'g, 'm, 'a> {
    graph: &'g Graph<'m, 'a>,
    /// The number of remaining steps.
    left: Cell<usize>,
}

impl<'g, 'm, 'a> Selection<'g, 'm, 'a> {
    pub(crate) fn over(graph: &'g Graph<'m, 'a>) -> Self {
        let work = graph.size().saturating_mul(WORK).max(LEAST_WORK);
        let left = Cell::new(work);
        Self { graph, left }
    }

    /// Returns `true` if a selector selects a place, or `None` if the limit of steps is reached.
    pub(crate) fn selects(&self, selector: &Selector, place: Place<'m, 'a>) -> Option<bool> {
        let steps = &*selector.0;
        let found = self.walks(place, Rest { steps, then: None }, Way::Back);
        (self.left.get() > 0).then_some(found)
    }

    /// Returns `true` if the steps from a place lead to their end. Forward, the place is the input of the first step.
    /// Backward, the place is the output of the last step, and the input of the first step is any shape.
    fn walks(&self, place: Place<'m, 'a>, rest: Rest<'_>, way: Way) -> bool {
        let split = match way {
            Way::Back => rest.steps.split_last(),
            Way::On => rest.steps.split_first(),
        };
        let Some((step, others)) = split else {
            return rest.then.is_none_or(|then| self.walks(place, *then, way));
        };
        if !self.takes_work() {
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
                self.walks(place, Rest { steps, then }, way)
            }),
            Step::Neighbours(neighbours) => {
                let next = self.through(place, neighbours, way == Way::Back);
                next.into_iter().any(|next| self.walks(next, others, way))
            }
            filter => self.passes(place, filter) && self.walks(place, others, way),
        }
    }

    fn passes(&self, place: Place<'m, 'a>, filter: &Step) -> bool {
        let leads = |selectors: &[Selector]| {
            selectors.iter().any(|selector| {
                let steps = &*selector.0;
                self.walks(place, Rest { steps, then: None }, Way::On)
            })
        };
        match filter {
            Step::Not(selectors) => !leads(selectors),
            Step::Test(selectors) => leads(selectors),
            Step::Where(attribute) => attribute.holds(place),
            Step::Of(types) => types.have(place),
            Step::Is(_) | Step::Neighbours(_) => true,
        }
    }

    /// Returns the neighbours of a place, or with `backward` the places whose neighbour it is.
    fn through(
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
        let mut looked_at = 0;
        while let Some(place) = found.get(looked_at).copied() {
            if !self.takes_work() {
                break;
            }
            let new = next(place).into_iter();
            found.extend(new.filter(|place| seen.insert(place.key())));
            looked_at = looked_at.saturating_add(1);
        }
        found
    }

    fn takes_work(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left > 0
    }
}

impl Types {
    fn have(&self, place: Place<'_, '_>) -> bool {
        match self {
            Self::All => true,
            Self::Member => place.member.is_some(),
            Self::Some(kinds) => place.member.is_none() && kinds.contains(&place.shape.kind),
        }
    }
}

impl Attribute {
    fn holds(&self, place: Place<'_, '_>) -> bool {
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
