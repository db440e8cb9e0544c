//! Comparisons: those that no value can make true, or false.

use jmespath::ast::{Ast, Comparator};

use super::{ENUM_VALUE, Inference, WRONG_TYPE};
use crate::analyse::types::{Form, Type};
use crate::suggest;

impl<'m, 'a> Inference<'m, 'a> {
    pub(super) fn comparison(
        &mut self,
        offset: usize,
        comparator: &Comparator,
        (left_node, right_node): (&Ast, &Ast),
        current: &Type<'m, 'a>,
    ) -> Type<'m, 'a> {
        let left = self.infer(left_node, current);
        let right = self.infer(right_node, current);
        let is_equality = matches!(comparator, Comparator::Equal | Comparator::NotEqual);
        if !is_equality {
            return self.order(offset, comparator, &left, &right);
        }
        let equal = self.equality(offset, &left, &right);
        let is_equal = matches!(comparator, Comparator::Equal);
        Form::Boolean(equal.map(|equal| equal == is_equal)).into()
    }

    /// Whether two values are always, or never, equal. Said where it cannot be meant.
    fn equality(
        &mut self,
        offset: usize,
        left: &Type<'m, 'a>,
        right: &Type<'m, 'a>,
    ) -> Option<bool> {
        if let Some(equal) = constants(left, right) {
            return Some(equal);
        }
        let may_both_be_null = left.nullable && right.nullable;
        match (&left.form, &right.form) {
            (Form::Any, _) | (_, Form::Any) | (Form::Null, _) | (_, Form::Null) => None,
            (Form::String(Some(known)), Form::String(Some(wanted)))
            | (Form::String(Some(wanted)), Form::String(Some(known)))
                if wanted.len() == 1 =>
            {
                let value = wanted.first()?;
                if known.contains(value) {
                    return None;
                }
                let near = suggest::did_you_mean_one_of(value, known.iter().map(AsRef::as_ref));
                self.warning(
                    ENUM_VALUE,
                    offset,
                    format!("the enum has no value `{value}`{near}"),
                );
                (!may_both_be_null).then_some(false)
            }
            (one, two) if kind(one) != kind(two) => {
                let (one, two) = (left.name(), right.name());
                self.warning(
                    WRONG_TYPE,
                    offset,
                    format!("{one} is compared with {two}: they are never equal"),
                );
                (!may_both_be_null).then_some(false)
            }
            _ => None,
        }
    }

    fn order(
        &mut self,
        offset: usize,
        comparator: &Comparator,
        left: &Type<'m, 'a>,
        right: &Type<'m, 'a>,
    ) -> Type<'m, 'a> {
        for side in [left, right] {
            if !matches!(side.form, Form::Any | Form::Null | Form::Number(_)) {
                let message = format!("only numbers have an order, and this is {}", side.name());
                self.warning(WRONG_TYPE, offset, message);
                return Type::null();
            }
        }
        let known = match (&left.form, &right.form) {
            (Form::Number(left), Form::Number(right)) => left.compare(comparator, right),
            _ => None,
        };
        if let Some(truth) = known {
            self.constant(offset, "the comparison", truth);
        }
        Type::from(Form::Boolean(known)).or_null(left.nullable || right.nullable)
    }
}

/// Whether two known values are equal.
fn constants(left: &Type<'_, '_>, right: &Type<'_, '_>) -> Option<bool> {
    if left.nullable || right.nullable {
        return None;
    }
    match (&left.form, &right.form) {
        (Form::Boolean(left), Form::Boolean(right)) => Some((*left)? == (*right)?),
        (Form::Number(left), Form::Number(right)) => left.compare(&Comparator::Equal, right),
        (Form::String(Some(left)), Form::String(Some(right)))
            if left.len() == 1 && right.len() == 1 =>
        {
            Some(left == right)
        }
        _ => None,
    }
}

/// The types of JMESPath as numbers: values of different ones are never equal.
const fn kind(form: &Form<'_, '_>) -> u8 {
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
