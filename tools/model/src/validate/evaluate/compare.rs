//! Compares samples as Smithy's validator does.

use smithy_waiters::internal::jmespath::Comparator;

use super::Evaluator;
use super::runs::Runs;
use super::sample::{Sample, Type};

/// The maximum depth to which values are compared. Expressions do not reach deeper values.
const MAX_DEPTH: usize = 128;

impl<'m, 'a> Evaluator<'m, 'a> {
    pub(super) fn compare(
        &mut self,
        offset: usize,
        comparator: &Comparator,
        left: &Sample<'m, 'a>,
        right: &Sample<'m, 'a>,
    ) -> Sample<'m, 'a> {
        if left.kind() == Type::Any {
            return Sample::Boolean(true);
        }
        if left.kind() != right.kind() {
            return Sample::Boolean(false);
        }
        let order = |test: fn(f64, f64) -> bool| match (left, right) {
            (Sample::Number(left), Sample::Number(right)) => Some(test(*left, *right)),
            _ => None,
        };
        let result = match comparator {
            Comparator::Equal | Comparator::NotEqual if left.kind() == Type::Expression => None,
            Comparator::Equal => Some(self.is_equal(left, right)),
            Comparator::NotEqual => Some(!self.is_equal(left, right)),
            Comparator::GreaterThan => order(|left, right| left > right),
            Comparator::GreaterThanEqual => order(|left, right| left >= right),
            Comparator::LessThan => order(|left, right| left < right),
            Comparator::LessThanEqual => order(|left, right| left <= right),
        };
        result.map_or_else(
            || {
                let kind = left.kind().name();
                self.warning(
                    offset,
                    format!("{kind}s can only be compared with `==` and `!=`"),
                );
                Sample::Null
            },
            Sample::Boolean,
        )
    }

    fn is_equal(&mut self, left: &Sample<'m, 'a>, right: &Sample<'m, 'a>) -> bool {
        self.is_equal_within(MAX_DEPTH, left, right)
    }

    /// Compares two values. Values beyond the limits of depth and work are considered equal.
    fn is_equal_within(
        &mut self,
        depth: usize,
        left: &Sample<'m, 'a>,
        right: &Sample<'m, 'a>,
    ) -> bool {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.spend_work()) else {
            return true;
        };
        match (left, right) {
            (Sample::Any, Sample::Any) | (Sample::Null, Sample::Null) => true,
            (Sample::Boolean(left), Sample::Boolean(right)) => left == right,
            (Sample::Number(left), Sample::Number(right)) => left == right,
            (Sample::String(left), Sample::String(right)) => left == right,
            (Sample::Structure(left), Sample::Structure(right)) => left.shape.id == right.shape.id,
            _ => {
                let arrays = left.elements(self.model).zip(right.elements(self.model));
                if let Some((left, right)) = arrays {
                    return self.are_equal(depth, &left, &right);
                }
                let are_objects = left.kind() == Type::Object && right.kind() == Type::Object;
                are_objects && self.has_equal_members(depth, left, right)
            }
        }
    }

    fn are_equal(
        &mut self,
        depth: usize,
        left: &Runs<Sample<'m, 'a>>,
        right: &Runs<Sample<'m, 'a>>,
    ) -> bool {
        if left.len() != right.len() {
            return false;
        }
        let (mut ones, mut others) = (left.iter(), right.iter());
        let (mut one, mut other) = (ones.next(), others.next());
        let (mut of_one, mut of_other) = (0_usize, 0_usize);
        while let (Some(left), Some(right)) = (one, other) {
            if !self.is_equal_within(depth, &left.value, &right.value) {
                return false;
            }
            let left_rest = left.count.saturating_sub(of_one);
            let right_rest = right.count.saturating_sub(of_other);
            let both = left_rest.min(right_rest);
            (of_one, of_other) = (of_one.saturating_add(both), of_other.saturating_add(both));
            if left_rest == both {
                (one, of_one) = (ones.next(), 0);
            }
            if right_rest == both {
                (other, of_other) = (others.next(), 0);
            }
        }
        true
    }

    fn has_equal_members(
        &mut self,
        depth: usize,
        left: &Sample<'m, 'a>,
        right: &Sample<'m, 'a>,
    ) -> bool {
        let model = self.model;
        let names = left.names(model);
        names.len() == right.names(model).len()
            && names.into_iter().all(|name| {
                let pair = left.member(model, &name).zip(right.member(model, &name));
                pair.is_some_and(|(left, right)| self.is_equal_within(depth, &left, &right))
            })
    }
}
