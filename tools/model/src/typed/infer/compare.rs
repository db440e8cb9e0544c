//! Finds comparisons with a constant result.

use super::kinds::Kinds;
use super::{CONSTANT, ENUM_VALUE, Inference, ORDER, Type, WRONG_TYPE};
use crate::messages;
use crate::typed::{Comparison, Expression};
use crate::types::{Form, Numbers};

impl<'m> Inference<'m> {
    pub(super) fn comparison(
        &mut self,
        comparison: Comparison,
        [left, right]: &[Expression<'m>; 2],
    ) -> Type<'m> {
        let is_equal = match comparison {
            Comparison::Equal => true,
            Comparison::NotEqual => false,
            _ => return self.order(comparison, left, right),
        };
        let equal = self.equality(is_equal, left, right);
        Form::Boolean(equal.map(|equal| equal == is_equal)).into()
    }

    /// Returns whether two values are always or never equal, if this is certain. Reports a constant result, but not if
    /// the comparison tests for a failure of its operands.
    fn equality(
        &mut self,
        is_equal: bool,
        left_side: &Expression<'m>,
        right_side: &Expression<'m>,
    ) -> Option<bool> {
        let (left, right) = (&left_side.gives, &right_side.gives);
        let offset = left_side.start();
        let may_fail = self.may_fail(left_side, right_side);
        if let Some(equal) = constants(left, right) {
            // A comparison that is constant unless its operand fails is a way to test for that failure.
            if !(may_fail && equal == is_equal) {
                let always = if equal { "always" } else { "never" };
                let message = format!("the two sides are {always} equal");
                self.warning(CONSTANT, offset, message);
            }
            return Some(equal);
        }
        // Two missing values are equal.
        if left.nullable && right.nullable {
            return None;
        }
        match (&left.form, &right.form) {
            (Form::Any, _) | (_, Form::Any) | (Form::Null, _) | (_, Form::Null) => None,
            (Form::String(Some(_)), Form::String(Some(_))) => {
                let (known, value, side) = match (right.only_string(), left.only_string()) {
                    (Some(value), _) => (left.strings()?, value, right_side),
                    (None, Some(value)) => (right.strings()?, value, left_side),
                    (None, None) => return None,
                };
                let names = || known.iter().map(AsRef::as_ref);
                if names().any(|name| name == value) {
                    return None;
                }
                let near = messages::did_you_mean_one_of(value, names());
                let message = format!("the value is never `{value}`{near}");
                self.warning(ENUM_VALUE, side.start(), message);
                Some(false)
            }
            (Form::Number(one), Form::Number(two)) => {
                // At most one side can be null, and null is never equal to a number. So "never equal" still holds, but
                // "always equal" does not.
                let equal = one.compare(Comparison::Equal, two)?;
                if equal && (left.nullable || right.nullable) {
                    return None;
                }
                self.numbers(is_equal == equal, (left_side, one), (right_side, two));
                Some(equal)
            }
            (one, two) if Kinds::of(one) != Kinds::of(two) => {
                let (one, two) = (left.name(), right.name());
                let message = format!("{one} is never equal to {two}");
                self.warning(WRONG_TYPE, offset, message);
                Some(false)
            }
            _ => None,
        }
    }

    /// Reports numbers that are never equal: a value that an enum doesn't have, or one out of range.
    fn numbers(
        &mut self,
        truth: bool,
        (left_side, left): (&Expression<'m>, &Numbers),
        (right_side, right): (&Expression<'m>, &Numbers),
    ) {
        let (known, value, side) = match (right.only(), left.only()) {
            (Some(value), _) => (left, value, right_side),
            (None, Some(value)) => (right, value, left_side),
            (None, None) => return,
        };
        if let Numbers::Among(values) = known {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            let listed = messages::list(values.iter().map(String::as_str));
            let message = format!("the value is never `{value}`: expected one of {listed}");
            self.warning(ENUM_VALUE, side.start(), message);
        } else {
            let may_fail = self.may_fail(left_side, right_side);
            self.constant(left_side.start(), may_fail, "the comparison", truth);
        }
    }

    /// Infers the type of `<`, `<=`, `>` and `>=`. With null the result is null, so a comparison that is never true is
    /// not always false, and one that is always true for numbers tests for null.
    fn order(
        &mut self,
        comparison: Comparison,
        left_side: &Expression<'m>,
        right_side: &Expression<'m>,
    ) -> Type<'m> {
        let (left, right) = (&left_side.gives, &right_side.gives);
        let mut sides = [left_side, right_side].into_iter();
        if let Some(side) = sides.find(|side| !has_order(&side.gives)) {
            // Smithy reports only values of the same type.
            let is_same = Kinds::of(&left.form) == Kinds::of(&right.form);
            let id = if is_same { ORDER } else { WRONG_TYPE };
            let message = format!("only numbers can be ordered, got {}", side.gives.name());
            self.warning(id, side.start(), message);
            return Type::null();
        }
        let known = match (&left.form, &right.form) {
            (Form::Number(left), Form::Number(right)) => left.compare(comparison, right),
            _ => None,
        };
        let nullable = left.nullable || right.nullable;
        match known {
            Some(truth) if !nullable => {
                let may_fail = self.may_fail(left_side, right_side);
                self.constant(left_side.start(), may_fail, "the comparison", truth);
            }
            Some(false) => {
                let message = "the comparison is never true".to_owned();
                self.warning(CONSTANT, left_side.start(), message);
            }
            _ => {}
        }
        Type::from(Form::Boolean(known)).or_null(nullable)
    }

    fn may_fail(&self, left: &Expression<'m>, right: &Expression<'m>) -> bool {
        left.may_fail(self.model) || right.may_fail(self.model)
    }
}

/// Returns `true` if a value can be a number. Null is accepted, because models don't compare a literal null in this
/// way.
const fn has_order(of: &Type<'_>) -> bool {
    matches!(of.form, Form::Any | Form::Null | Form::Number(_))
}

/// Returns whether two values are equal, if their types determine it.
fn constants(left: &Type<'_>, right: &Type<'_>) -> Option<bool> {
    match (&left.form, &right.form) {
        (Form::Null, Form::Null) => return Some(true),
        (Form::Null, form) | (form, Form::Null) => {
            let may_be_null = left.nullable && right.nullable;
            return (!may_be_null && !matches!(form, Form::Any)).then_some(false);
        }
        _ => {}
    }
    if left.nullable || right.nullable {
        return None;
    }
    match (&left.form, &right.form) {
        (Form::Boolean(left), Form::Boolean(right)) => Some((*left)? == (*right)?),
        (Form::Number(left), Form::Number(right)) => Some(left.only()? == right.only()?),
        (Form::String(_), Form::String(_)) => Some(left.only_string()? == right.only_string()?),
        _ => None,
    }
}
