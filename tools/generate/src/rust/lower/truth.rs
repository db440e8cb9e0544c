//! Translation of truth tests and of the logical operators.

use quote::quote;

use super::{Lower, LowerResult, unsupported};
use crate::ir::{Expression, Op};
use crate::rust::code::{Code, Level};
use crate::rust::value::{Container, Rep, Value};

impl<'m> Lower<'m> {
    /// Translates an expression to a condition with JMESPath's rules for truth.
    pub(crate) fn truth(&self, expression: &Expression<'m>) -> LowerResult<Code> {
        match &expression.op {
            Op::And(sides) => {
                let [left, right] = &**sides;
                Ok(self.truth(left)?.and(&self.truth(right)?))
            }
            Op::Or(sides) => {
                let [left, right] = &**sides;
                Ok(self.truth(left)?.or(&self.truth(right)?))
            }
            Op::Not(inner) => Ok(self.negation(inner)?),
            Op::Compare(comparison, sides) => self.compare_truth(*comparison, sides),
            _ => self.truth_of(&self.lenient(expression)?),
        }
    }

    /// Translates `!`. A double negation is left out.
    fn negation(&self, inner: &Expression<'m>) -> LowerResult<Code> {
        if let Op::Not(inner) = &inner.op {
            return self.truth(inner);
        }
        Ok(self.truth(inner)?.not())
    }

    pub(super) fn truth_of(&self, value: &Value<'m>) -> LowerResult<Code> {
        let code = &value.code;
        Ok(match &value.rep {
            Rep::Bool if value.optional => {
                let yes = Code::atom(quote!(Some(true)));
                let negation = code.compare(&quote!(!=), &yes);
                code.compare(&quote!(==), &yes).with_negation(&negation)
            }
            Rep::Bool => code.clone(),
            Rep::Null => Code::atom(quote!(false)),
            Rep::Number if value.optional => {
                let negation = code.then(&quote!(.is_none()));
                code.then(&quote!(.is_some())).with_negation(&negation)
            }
            Rep::Number => Code::atom(quote!(true)),
            Rep::String | Rep::List(_) | Rep::Map(_) | Rep::Items(_, Container::Vector) => {
                if value.optional {
                    let negation = code.then(&quote!(.is_none_or(|value| value.is_empty())));
                    let there = code.then(&quote!(.is_some_and(|value| !value.is_empty())));
                    there.with_negation(&negation)
                } else {
                    code.then(&quote!(.is_empty())).not()
                }
            }
            Rep::Items(_, Container::Iterator) => code.has_items(),
            Rep::Record(members) => {
                let is_empty = members.is_empty();
                Code::atom(quote!(#is_empty)).not()
            }
            Rep::Row { .. } => return unsupported("the truth of a list (`[a, b]`)"),
            Rep::Structure(_) => return unsupported("the truth of a structure"),
        })
    }

    /// Translates an expression at the end of a path. A value of another type than `kind` becomes null, so the sides of
    /// `&&` and `||` may have different types.
    pub(crate) fn of_kind(
        &self,
        expression: &Expression<'m>,
        kind: &Rep<'m>,
    ) -> LowerResult<Value<'m>> {
        let sides = match (self.lenient(expression), &expression.op) {
            (Err(_), Op::And(sides) | Op::Or(sides)) => sides,
            (value, _) => {
                let value = value?;
                let is_alike = value.rep.is_like(kind);
                return Ok(if is_alike { value } else { Value::null() });
            }
        };
        let [left, right] = &**sides;
        let is_and = matches!(expression.op, Op::And(_));
        let (result, other) = if is_and { (right, left) } else { (left, right) };
        let (result, other) = (self.of_kind(result, kind)?, self.of_kind(other, kind)?);
        if matches!((&result.rep, &other.rep), (Rep::Null, Rep::Null)) {
            return Ok(Value::null());
        }
        let (before, condition) = self.truth(left)?.condition();
        let (result, other) = (result.as_option(), other.as_option());
        let code = quote!(#before if #condition { #result } else { #other });
        let code = if before.is_empty() {
            code
        } else {
            quote!({ #code })
        };
        Ok(Value::optional(
            Code::new(Level::Statement, code),
            kind.clone(),
        ))
    }

    /// Translates `&&` or `||` to the value of one side.
    pub(super) fn choice(
        &self,
        expression: &Expression<'m>,
        sides: &[Expression<'m>; 2],
    ) -> LowerResult<Value<'m>> {
        let is_and = matches!(expression.op, Op::And(_));
        let (left, right) = (self.lenient(&sides[0])?, self.lenient(&sides[1])?);
        let are_plain = |value: &Value<'_>| matches!(value.rep, Rep::Bool) && !value.optional;
        if are_plain(&left) && are_plain(&right) {
            return Ok(Value::new(self.truth(expression)?, Rep::Bool));
        }
        if !left.rep.is_like(&right.rep) {
            return unsupported("a value that is one of two types (`&&` or `||`)");
        }
        let value = left.with_code(Code::atom(quote!(value)));
        let truth = self.truth_of(&value)?;
        let optional = left.optional || right.optional;
        let (first, result, second) = if optional {
            let result = value.as_option();
            (left.code.clone(), result, right.as_option())
        } else {
            (left.code.clone(), value.code.clone(), right.code.clone())
        };
        let condition = if is_and { truth } else { truth.not() };
        let condition = condition.at(Level::Or);
        let code = Code::new(
            Level::Statement,
            quote!({ let value = #first; if #condition { #second } else { #result } }),
        );
        Ok(if optional {
            Value::optional(code, left.rep)
        } else {
            Value::new(code, left.rep)
        })
    }
}
