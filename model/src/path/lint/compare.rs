//! Comparisons of samples, as Smithy's validator makes them.

use jmespath::ast::Comparator;

use super::Linter;
use crate::path::sample::{Sample, Type};

impl<'m, 'a> Linter<'m, 'a> {
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
        let order = |wanted: fn(f64, f64) -> bool| match (left, right) {
            (Sample::Number(left), Sample::Number(right)) => Some(wanted(*left, *right)),
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
                    format!("{kind}s have no order: they can be compared by `==` and `!=` only"),
                );
                Sample::Null
            },
            Sample::Boolean,
        )
    }

    fn is_equal(&self, left: &Sample<'m, 'a>, right: &Sample<'m, 'a>) -> bool {
        match (left, right) {
            (Sample::Any, Sample::Any) | (Sample::Null, Sample::Null) => true,
            (Sample::Boolean(left), Sample::Boolean(right)) => left == right,
            (Sample::Number(left), Sample::Number(right)) => left == right,
            (Sample::String(left), Sample::String(right)) => left == right,
            (Sample::Array(left), Sample::Array(right)) => {
                let mut pairs = left.iter().zip(right.iter());
                left.len() == right.len() && pairs.all(|(left, right)| self.is_equal(left, right))
            }
            (Sample::Structure(left, _), Sample::Structure(right, _)) => left.id == right.id,
            (left, right) if left.kind() == Type::Object && right.kind() == Type::Object => {
                let names = left.names();
                names.len() == right.names().len()
                    && names.into_iter().all(|name| {
                        let pair = left
                            .member(self.model, name)
                            .zip(right.member(self.model, name));
                        pair.is_some_and(|(left, right)| self.is_equal(&left, &right))
                    })
            }
            _ => false,
        }
    }
}
