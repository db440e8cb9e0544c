//! Translation of comparisons. Lengths are compared as integers.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Lower, LowerResult, unsupported};
use crate::ir::{Comparison, Expression, Function, Op};
use crate::rust::code::{Code, Level};
use crate::rust::value::{Container, Rep, Value};

impl<'m> Lower<'m> {
    /// Translates a comparison. The order of non-numbers is null.
    pub(super) fn compare(
        &self,
        comparison: Comparison,
        sides: &[Expression<'m>; 2],
    ) -> LowerResult<Value<'m>> {
        if let Some(code) = self.lengths(comparison, sides)? {
            return Ok(Value::new(code, Rep::Bool));
        }
        let (left, right) = (self.lenient(&sides[0])?, self.lenient(&sides[1])?);
        if let Some(is_equal) = equality(comparison) {
            let code = equal(&left, &right, is_equal)?;
            return Ok(Value::new(code, Rep::Bool));
        }
        let are_numbers = matches!((&left.rep, &right.rep), (Rep::Number, Rep::Number));
        if !are_numbers {
            return Ok(Value::null());
        }
        let sign = sign(comparison);
        Ok(match (left.optional, right.optional) {
            (false, false) => Value::new(left.code.compare(&sign, &right.code), Rep::Bool),
            (true, false) if is_plain(&right.code) => {
                let right = right.code.side();
                let code = left.code.then(&quote!(.map(|left| left #sign #right)));
                Value::optional(code, Rep::Bool)
            }
            _ => {
                let other = right.as_option();
                let zip = quote!(.zip(#other).map(|(left, right)| left #sign right));
                let left = left.as_option();
                Value::optional(left.then(&zip), Rep::Bool)
            }
        })
    }

    /// Translates a comparison to a condition.
    pub(super) fn compare_truth(
        &self,
        comparison: Comparison,
        sides: &[Expression<'m>; 2],
    ) -> LowerResult<Code> {
        let value = self.compare(comparison, sides)?;
        self.truth_of(&value)
    }

    /// Translates a comparison of a length with another length or an integer. Returns `None` for other comparisons.
    fn lengths(
        &self,
        comparison: Comparison,
        sides: &[Expression<'m>; 2],
    ) -> LowerResult<Option<Code>> {
        let [left, right] = sides;
        Ok(match (length_of(left), length_of(right)) {
            (Some(left), Some(right)) => {
                let (left, right) = (self.count(left)?, self.count(right)?);
                Some(compare_integers(&left, comparison, &right))
            }
            (Some(left), None) => match integer(right) {
                Some(integer) => Some(self.count_to(left, comparison, integer)?),
                None => None,
            },
            (None, Some(right)) => match integer(left) {
                Some(integer) => Some(self.count_to(right, mirror(comparison), integer)?),
                None => None,
            },
            (None, None) => None,
        })
    }

    fn count_to(
        &self,
        of: &Expression<'m>,
        comparison: Comparison,
        integer: usize,
    ) -> LowerResult<Code> {
        let is_empty = match (comparison, integer) {
            (Comparison::Equal | Comparison::LessOrEqual, 0) | (Comparison::Less, 1) => true,
            (Comparison::NotEqual | Comparison::Greater, 0) | (Comparison::GreaterOrEqual, 1) => {
                false
            }
            _ => {
                let literal = proc_macro2::Literal::usize_unsuffixed(integer);
                let other = Code::atom(quote!(#literal));
                return Ok(compare_integers(&self.count(of)?, comparison, &other));
            }
        };
        let value = self.strict(of)?;
        let empty = match value.rep {
            Rep::Items(_, Container::Iterator) => value.code.has_items().not(),
            Rep::List(_) | Rep::Map(_) | Rep::String | Rep::Items(_, Container::Vector) => {
                value.code.then(&quote!(.is_empty()))
            }
            _ => return unsupported("the length of a structure"),
        };
        Ok(if is_empty { empty } else { empty.not() })
    }
}

/// Compares integers. Their comparisons have a negation, unlike those of doubles.
fn compare_integers(left: &Code, comparison: Comparison, right: &Code) -> Code {
    let negation = match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::NotEqual => Comparison::Equal,
    };
    let negation = left.compare(&sign(negation), right);
    left.compare(&sign(comparison), right)
        .with_negation(&negation)
}

/// Returns the argument of `length`.
fn length_of<'e, 'm>(expression: &'e Expression<'m>) -> Option<&'e Expression<'m>> {
    match &expression.op {
        Op::Call(Function::Length, arguments) => arguments.first(),
        _ => None,
    }
}

/// Returns the value of a literal that is a valid length.
fn integer(expression: &Expression<'_>) -> Option<usize> {
    let Op::Literal(json) = &expression.op else {
        return None;
    };
    let number = json.as_f64()?;
    let integer = number as usize;
    (integer as f64 == number && number < 1e9).then_some(integer)
}

const fn mirror(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        same => same,
    }
}

/// Returns `true` for `==`, `false` for `!=`, and `None` for an order comparison.
const fn equality(comparison: Comparison) -> Option<bool> {
    match comparison {
        Comparison::Equal => Some(true),
        Comparison::NotEqual => Some(false),
        _ => None,
    }
}

fn sign(comparison: Comparison) -> TokenStream {
    match comparison {
        Comparison::Equal => quote!(==),
        Comparison::Greater => quote!(>),
        Comparison::GreaterOrEqual => quote!(>=),
        Comparison::Less => quote!(<),
        Comparison::LessOrEqual => quote!(<=),
        Comparison::NotEqual => quote!(!=),
    }
}

/// Returns `true` for literals and names, which can be moved into a closure.
fn is_plain(code: &Code) -> bool {
    let tokens: Vec<_> = quote!(#code).into_iter().collect();
    matches!(tokens.len(), 1 | 2) && !quote!(#code).to_string().contains('?')
}

fn equal(left: &Value<'_>, right: &Value<'_>, is_equal: bool) -> LowerResult<Code> {
    let none = |value: &Value<'_>| {
        let is_none = value.code.then(&quote!(.is_none()));
        let is_some = value.code.then(&quote!(.is_some()));
        if is_equal {
            is_none.with_negation(&is_some)
        } else {
            is_some.with_negation(&is_none)
        }
    };
    Ok(match (&left.rep, &right.rep) {
        (Rep::Null, Rep::Null) => Code::atom(quote!(#is_equal)),
        (Rep::Bool, Rep::Bool) if !left.optional && right.code.truth_literal().is_some() => {
            if right.code.truth_literal() == Some(is_equal) {
                left.code.clone()
            } else {
                left.code.not()
            }
        }
        (Rep::Null, _) if right.optional => none(right),
        (_, Rep::Null) if left.optional => none(left),
        (Rep::Null, _) | (_, Rep::Null) => constant(left, right, !is_equal)?,
        (one, two) if one.is_like(two) && one.is_scalar() => {
            let (left, right) = if left.optional == right.optional {
                (left.code.clone(), right.code.clone())
            } else {
                (left.as_option(), right.as_option())
            };
            let equal = left.compare(&quote!(==), &right);
            let unequal = left.compare(&quote!(!=), &right);
            if is_equal {
                equal.with_negation(&unequal)
            } else {
                unequal.with_negation(&equal)
            }
        }
        (one, two) if one.is_scalar() || two.is_scalar() => {
            // Values of different types are equal only if both are null.
            if !(left.optional && right.optional) {
                return constant(left, right, !is_equal);
            }
            let (one, two) = (left.code.receiver(), right.code.receiver());
            let both = Code::new(Level::And, quote!(#one.is_none() && #two.is_none()));
            if is_equal { both } else { both.not() }
        }
        _ => return unsupported("a comparison of lists or structures"),
    })
}

/// Returns the constant result of a comparison. The sides are not evaluated, so they must be infallible.
fn constant(left: &Value<'_>, right: &Value<'_>, result: bool) -> LowerResult<Code> {
    if left.code.contains_try() || right.code.contains_try() {
        return unsupported("a comparison of different types, if one side may fail");
    }
    let negation = !result;
    Ok(Code::atom(quote!(#result)).with_negation(&Code::atom(quote!(#negation))))
}
