//! The values that a number can have: a few, or bounds.

use std::rc::Rc;

use crate::shapes::{Kind, Shape};
use smithy_waiters::internal::jmespath::Comparator;

/// Numbers: some, or all between two.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Numbers {
    /// One of these.
    Among(Rc<[f64]>),
    /// Both included.
    Between(f64, f64),
    /// The integers between two, both included.
    Integers(f64, f64),
}

/// The values of an enum of integers.
pub(super) fn of_enum(shape: &Shape<'_>) -> Numbers {
    let values = shape.members.iter().map(|member| {
        let value = member.find_trait("smithy.api#enumValue")?;
        value.value.as_f64()
    });
    let values: Option<Rc<[f64]>> = values.collect();
    values.map_or(Numbers::ANY, Numbers::Among)
}

impl Numbers {
    /// What a simple shape has.
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

    /// How many there may be of anything.
    pub(crate) const COUNTS: Self = Self::Integers(0.0, f64::INFINITY);

    /// One number.
    pub(crate) fn one(number: f64) -> Self {
        Self::Among([number].into())
    }

    /// As many as these, or fewer.
    pub(crate) fn or_fewer(&self) -> Self {
        Self::Integers(0.0, self.bounds().1)
    }

    /// How many there are in all if each of these has so many.
    pub(crate) fn times(&self, each: &Self) -> Self {
        let ((min, max), (of_min, of_max)) = (self.bounds(), each.bounds());
        let most = if max == 0.0 { 0.0 } else { max * of_max };
        Self::Integers(min * of_min, if most.is_nan() { 0.0 } else { most })
    }

    /// Those that are within bounds as well.
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

    /// The ends that it has.
    pub(crate) fn ends(&self) -> impl Iterator<Item = f64> {
        let (min, max) = self.bounds();
        [min, max].into_iter().filter(|end| end.is_finite())
    }

    /// The least and the greatest.
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

    /// The one number that it is.
    pub(crate) fn only(&self) -> Option<f64> {
        match self {
            Self::Among(values) => match values.as_ref() {
                [only] => Some(*only),
                _ => None,
            },
            Self::Between(min, max) | Self::Integers(min, max) => (min == max).then_some(*min),
        }
    }

    /// Whether a comparison is always, or never, so.
    pub(crate) fn compare(&self, comparator: &Comparator, other: &Self) -> Option<bool> {
        let ((min, max), (other_min, other_max)) = (self.bounds(), other.bounds());
        let known = |always: bool, never: bool| match (always, never) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        match comparator {
            Comparator::Equal => self.equals(other),
            Comparator::NotEqual => self.equals(other).map(|equal| !equal),
            Comparator::LessThan => known(max < other_min, min >= other_max),
            Comparator::LessThanEqual => known(max <= other_min, min > other_max),
            Comparator::GreaterThan => known(min > other_max, max <= other_min),
            Comparator::GreaterThanEqual => known(min >= other_max, max < other_min),
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

    /// One or the other.
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
