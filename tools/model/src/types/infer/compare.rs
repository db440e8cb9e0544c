//! Finds comparisons with a constant result.

use smithy_waiters::internal::jmespath::{Ast, Comparator};

use super::{CONSTANT, ENUM_VALUE, Inference, WRONG_TYPE};
use crate::messages;
use crate::path;
use crate::types::{Form, Numbers, Type};

/// One side of a comparison, and its type.
type Side<'n, 'm, 'a> = (&'n Ast, &'n Type<'m, 'a>);

impl<'m, 'a> Inference<'m, 'a> {
    pub(super) fn comparison(
        &mut self,
        offset: usize,
        comparator: &Comparator,
        (left_node, right_node): (&Ast, &Ast),
        current: &Type<'m, 'a>,
    ) -> Type<'m, 'a> {
        let ((left, right), may_fail) = self.with_own_failure(|inference| {
            let left = inference.infer(left_node, current);
            (left, inference.infer(right_node, current))
        });
        let at = (offset, may_fail);
        let is_equality = matches!(comparator, Comparator::Equal | Comparator::NotEqual);
        if !is_equality {
            return self.order(at, comparator, &left, (right_node, &right));
        }
        let is_equal = matches!(comparator, Comparator::Equal);
        let sides = ((left_node, &left), (right_node, &right));
        let equal = self.equality(at, is_equal, sides);
        Form::Boolean(equal.map(|equal| equal == is_equal)).into()
    }

    /// Returns whether two values are always or never equal, if this is certain. Reports a constant result, but not if
    /// the comparison tests for a failure of its operands.
    fn equality(
        &mut self,
        at: (usize, bool),
        is_equal: bool,
        sides: (Side<'_, 'm, 'a>, Side<'_, 'm, 'a>),
    ) -> Option<bool> {
        let ((left_node, left), (right_node, right)) = sides;
        let (offset, may_fail) = at;
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
                let (known, value, node) = match (right.only_string(), left.only_string()) {
                    (Some(value), _) => (left.strings()?, value, right_node),
                    (None, Some(value)) => (right.strings()?, value, left_node),
                    (None, None) => return None,
                };
                let names = || known.iter().map(AsRef::as_ref);
                if names().any(|name| name == value) {
                    return None;
                }
                let near = self.suggest(value, names());
                let message = format!("the value is never `{value}`{near}");
                self.warning(ENUM_VALUE, path::start_of(node), message);
                Some(false)
            }
            (Form::Number(one), Form::Number(two)) => {
                // At most one side can be null, and null is never equal to a number. So "never equal" still holds, but
                // "always equal" does not.
                let equal = one.compare(&Comparator::Equal, two)?;
                if equal && (left.nullable || right.nullable) {
                    return None;
                }
                self.numbers(at, is_equal == equal, (left_node, one), (right_node, two));
                Some(equal)
            }
            (one, two) if kind(one) != kind(two) => {
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
        at: (usize, bool),
        truth: bool,
        (left_node, left): (&Ast, &Numbers),
        (right_node, right): (&Ast, &Numbers),
    ) {
        let (known, value, node) = match (right.only(), left.only()) {
            (Some(value), _) => (left, value, right_node),
            (None, Some(value)) => (right, value, left_node),
            (None, None) => return,
        };
        if let Numbers::Among(values) = known {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            let listed = messages::list(values.iter().map(String::as_str));
            let message = format!("the value is never `{value}`: expected one of {listed}");
            self.warning(ENUM_VALUE, path::start_of(node), message);
        } else {
            self.constant(at, "the comparison", truth);
        }
    }

    /// Infers the type of `<`, `<=`, `>` and `>=`. With null the result is null, so a comparison that is never true is
    /// not always false, and one that is always true for numbers tests for null.
    fn order(
        &mut self,
        at: (usize, bool),
        comparator: &Comparator,
        left: &Type<'m, 'a>,
        (right_node, right): Side<'_, 'm, 'a>,
    ) -> Type<'m, 'a> {
        // A comparison starts at its left side.
        let sides = [(at.0, left), (path::start_of(right_node), right)];
        if let Some((offset, side)) = sides.into_iter().find(|(_, side)| !has_order(side)) {
            let message = format!("only numbers can be ordered, got {}", side.name());
            self.warning(WRONG_TYPE, offset, message);
            return Type::null();
        }
        let known = match (&left.form, &right.form) {
            (Form::Number(left), Form::Number(right)) => left.compare(comparator, right),
            _ => None,
        };
        let nullable = left.nullable || right.nullable;
        match known {
            Some(truth) if !nullable => self.constant(at, "the comparison", truth),
            Some(false) => {
                self.warning(CONSTANT, at.0, "the comparison is never true".to_owned());
            }
            _ => {}
        }
        Type::from(Form::Boolean(known)).or_null(nullable)
    }
}

/// Returns `true` if a value can be a number. Null is accepted, because models don't compare a literal null in this
/// way.
const fn has_order(of: &Type<'_, '_>) -> bool {
    matches!(of.form, Form::Any | Form::Null | Form::Number(_))
}

/// Returns whether two values are equal, if their types determine it.
fn constants(left: &Type<'_, '_>, right: &Type<'_, '_>) -> Option<bool> {
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

/// Returns a number for each JMESPath type. Values of different types are never equal.
pub(super) const fn kind(form: &Form<'_, '_>) -> u8 {
    match form {
        Form::Any => 0,
        Form::Array { .. } => 1,
        Form::Boolean(_) => 2,
        Form::Expression => 3,
        Form::Map(_) | Form::Record(_) | Form::Structure(_) => 4,
        Form::Null => 5,
        Form::Number(_) => 6,
        Form::String(_) => 7,
    }
}
