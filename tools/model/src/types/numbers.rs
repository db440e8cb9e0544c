//! The possible values of a number.

use std::rc::Rc;

use crate::shapes::{Kind, Shape};
use smithy_waiters::internal::jmespath::Comparison;

/// A set of numbers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Numbers {
    /// A list of values.
    Among(Rc<[f64]>),
    /// All numbers between two bounds, inclusive.
    Between(f64, f64),
    /// All integers between two bounds, inclusive.
    Integers(f64, f64),
}

/// Returns the values of an integer enum.
pub(super) fn of_enum(shape: &Shape<'_>) -> Numbers {
    let values = shape.members.iter().map(|member| {
        let value = member.find_trait("smithy.api#enumValue")?;
        value.value.as_f64()
    });
    let values: Option<Rc<[f64]>> = values.collect();
    values.map_or(Numbers::ANY, Numbers::Among)
}

impl Numbers {
    /// Returns the numbers that a simple shape can have.
    pub(super) fn of(kind: Kind) -> Self {
        let within = |min: i32, max: i32| Self::Integers(min.into(), max.into());
        match kind {
            Kind::Byte => within(i8::MIN.into(), i8::MAX.into()),
            Kind::Short => within(i16::MIN.into(), i16::MAX.into()),
            Kind::Integer => within(i32::MIN, i32::MAX),
            Kind::BigInteger | Kind::Long => Self::INTEGERS,
            _ => Self::ANY,
        }
    }

    pub(crate) const ANY: Self = Self::Between(f64::NEG_INFINITY, f64::INFINITY);
    pub(crate) const INTEGERS: Self = Self::Integers(f64::NEG_INFINITY, f64::INFINITY);

    /// The possible numbers of items.
    pub(crate) const COUNTS: Self = Self::Integers(0.0, f64::INFINITY);

    /// Creates the set of one number.
    pub(crate) fn one(number: f64) -> Self {
        Self::Among([number].into())
    }

    /// Returns the integers from 0 to the maximum of this set.
    pub(crate) fn or_fewer(&self) -> Self {
        Self::Integers(0.0, self.bounds().1)
    }

    /// Returns the possible totals of as many items as this set has, with `each` as the number per item.
    pub(crate) fn times(&self, each: &Self) -> Self {
        let ((min, max), (of_min, of_max)) = (self.bounds(), each.bounds());
        let most = if max == 0.0 { 0.0 } else { max * of_max };
        Self::Integers(min * of_min, if most.is_nan() { 0.0 } else { most })
    }

    /// Returns the numbers of this set within bounds.
    pub(super) fn clamp(&self, min: Option<f64>, max: Option<f64>) -> Self {
        match self {
            Self::Between(least, most) => Self::Between(
                min.map_or(*least, |min| least.max(min)),
                max.map_or(*most, |max| most.min(max)),
            ),
            Self::Integers(least, most) => Self::Integers(
                min.map_or(*least, |min| least.max(min.ceil())),
                max.map_or(*most, |max| most.min(max.floor())),
            ),
            some @ Self::Among(_) => some.clone(),
        }
    }

    /// Returns the finite bounds of this set.
    pub(crate) fn ends(&self) -> impl Iterator<Item = f64> {
        let (min, max) = self.bounds();
        [min, max].into_iter().filter(|end| end.is_finite())
    }

    /// Returns the minimum and maximum.
    fn bounds(&self) -> (f64, f64) {
        match self {
            Self::Among(values) => values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
                    (min.min(*value), max.max(*value))
                }),
            Self::Between(min, max) | Self::Integers(min, max) => (*min, *max),
        }
    }

    pub(crate) fn has(&self, number: f64) -> bool {
        match self {
            Self::Among(values) => values.contains(&number),
            Self::Between(min, max) => (*min..=*max).contains(&number),
            Self::Integers(min, max) => number.fract() == 0.0 && (*min..=*max).contains(&number),
        }
    }

    /// Returns the only number of this set, if there is exactly one.
    pub(crate) fn only(&self) -> Option<f64> {
        match self {
            Self::Among(values) => match values.as_ref() {
                [only] => Some(*only),
                _ => None,
            },
            Self::Between(min, max) | Self::Integers(min, max) => (min == max).then_some(*min),
        }
    }

    /// Returns the result of a comparison if it is the same for all numbers of both sets.
    pub(crate) fn compare(&self, comparison: Comparison, other: &Self) -> Option<bool> {
        let ((min, max), (other_min, other_max)) = (self.bounds(), other.bounds());
        let known = |always: bool, never: bool| match (always, never) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        match comparison {
            Comparison::Equal => self.equals(other),
            Comparison::NotEqual => self.equals(other).map(|equal| !equal),
            Comparison::Less => known(max < other_min, min >= other_max),
            Comparison::LessOrEqual => known(max <= other_min, min > other_max),
            Comparison::Greater => known(min > other_max, max <= other_min),
            Comparison::GreaterOrEqual => known(min >= other_max, max < other_min),
        }
    }

    fn equals(&self, other: &Self) -> Option<bool> {
        if let Some((one, two)) = self.only().zip(other.only()) {
            return Some(one == two);
        }
        let meets = match (self, other) {
            (Self::Among(values), numbers) | (numbers, Self::Among(values)) => {
                values.iter().any(|value| numbers.has(*value))
            }
            (one, two) => {
                let ((min, max), (other_min, other_max)) = (one.bounds(), two.bounds());
                min <= other_max && other_min <= max
            }
        };
        (!meets).then_some(false)
    }

    /// Returns a set that contains both sets.
    pub(super) fn join(&self, other: &Self) -> Self {
        if let (Self::Among(one), Self::Among(two)) = (self, other) {
            let more = two.iter().filter(|value| !one.contains(value));
            return Self::Among(one.iter().chain(more).copied().collect());
        }
        let ((min, max), (other_min, other_max)) = (self.bounds(), other.bounds());
        let (min, max) = (min.min(other_min), max.max(other_max));
        if self.are_integers() && other.are_integers() {
            return Self::Integers(min, max);
        }
        Self::Between(min, max)
    }

    pub(crate) fn are_integers(&self) -> bool {
        match self {
            Self::Among(values) => values.iter().all(|value| value.fract() == 0.0),
            Self::Between(..) => false,
            Self::Integers(..) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_END: f64 = f64::INFINITY;

    fn among(values: &[f64]) -> Numbers {
        Numbers::Among(values.into())
    }

    #[test]
    fn comparisons_have_a_result_that_all_numbers_share() {
        use Numbers::Between;
        let comparisons = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
        ];
        // For each comparison: always, never, or it depends.
        for (one, two, expected) in [
            (Between(1.0, 2.0), Between(2.0, 3.0), "???+-?"),
            (Between(2.0, 3.0), Between(1.0, 2.0), "??-??+"),
            (Between(1.0, 2.0), Between(3.0, 4.0), "-+++--"),
            (Between(3.0, 4.0), Between(1.0, 2.0), "-+--++"),
            (Between(2.0, 2.0), among(&[2.0]), "+--+-+"),
            (among(&[1.0, 3.0]), Between(1.5, 2.5), "-+????"),
            (among(&[1.0, 3.0]), among(&[3.0, 4.0]), "???+-?"),
            (among(&[]), among(&[1.0]), "-+????"),
        ] {
            let of = |comparison| match one.compare(comparison, &two) {
                Some(true) => '+',
                Some(false) => '-',
                None => '?',
            };
            let found: String = comparisons.map(of).iter().collect();
            assert_eq!(found, expected, "{one:?} {two:?}");
        }
    }

    #[test]
    fn sets_are_joined_multiplied_and_restricted() {
        use Numbers::{Between, Integers};
        let some = among(&[1.0, 2.0]);
        for (found, expected) in [
            (some.join(&among(&[2.0, 3.0])), among(&[1.0, 2.0, 3.0])),
            (some.join(&Integers(0.0, 1.0)), Integers(0.0, 2.0)),
            (Integers(0.0, 1.0).join(&among(&[5.5])), Between(0.0, 5.5)),
            (
                Between(0.5, 9.0).join(&Integers(3.0, 4.0)),
                Between(0.5, 9.0),
            ),
            (
                Integers(1.0, 2.0).times(&Integers(3.0, 4.0)),
                Integers(3.0, 8.0),
            ),
            (
                Integers(2.0, NO_END).times(&Integers(1.0, 3.0)),
                Integers(2.0, NO_END),
            ),
            (
                Numbers::one(0.0).times(&Numbers::COUNTS),
                Integers(0.0, 0.0),
            ),
            (
                Numbers::COUNTS.times(&Numbers::one(0.0)),
                Integers(0.0, 0.0),
            ),
            (among(&[2.0, 5.0]).or_fewer(), Integers(0.0, 5.0)),
            (
                Integers(0.0, 9.0).clamp(Some(1.5), Some(7.5)),
                Integers(2.0, 7.0),
            ),
            (
                Between(0.0, 9.0).clamp(Some(1.5), Some(7.5)),
                Between(1.5, 7.5),
            ),
            (
                Integers(0.0, 9.0).clamp(Some(-1.0), Some(10.0)),
                Integers(0.0, 9.0),
            ),
            (Between(0.0, 9.0).clamp(None, None), Between(0.0, 9.0)),
            (some.clamp(Some(2.0), None), some.clone()),
        ] {
            assert_eq!(found, expected);
        }
        for (numbers, only, are_integers, ends) in [
            (among(&[4.0]), Some(4.0), true, &[4.0, 4.0][..]),
            (among(&[4.0, 1.5]), None, false, &[1.5, 4.0]),
            (Integers(0.0, NO_END), None, true, &[0.0]),
            (Between(2.0, 2.0), Some(2.0), false, &[2.0, 2.0]),
            (Numbers::ANY, None, false, &[]),
        ] {
            assert_eq!(numbers.only(), only, "{numbers:?}");
            assert_eq!(numbers.are_integers(), are_integers, "{numbers:?}");
            assert_eq!(numbers.ends().collect::<Vec<_>>(), ends, "{numbers:?}");
            assert!(ends.iter().all(|end| numbers.has(*end)), "{numbers:?}");
            assert!(!numbers.has(f64::NAN), "{numbers:?}");
        }
        assert!(Between(1.0, 2.0).has(1.5) && !Integers(1.0, 2.0).has(1.5));
    }
}
