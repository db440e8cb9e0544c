//! Translation of truth tests. They follow JMESPath's rules even for responses that violate the model.

use super::literal::equals_boolean;
use super::{Lower, LowerResult, NotPlain};
use crate::context::{Context, is_boolean, is_native_choice};
use crate::ir::{Expression, Form, Op};
use crate::typescript::tree::Ts;

impl<'m> Lower<'_, 'm> {
    /// Translates an expression at the end of a path that must be exactly `true`. Other truthy values don't match.
    pub(super) fn is_true(&self, expression: &Expression<'m>, current: &Ts) -> LowerResult {
        match &expression.op {
            Op::And(sides) => {
                let [left, right] = &**sides;
                let left = self.truth(left, current, Context::TRUE)?;
                Ok(left.and(self.is_true(right, current)?))
            }
            Op::Or(sides) => self.either_is_true(sides, current),
            _ if is_boolean(expression) => self.truth(expression, current, Context::TRUE),
            _ => {
                let value = self.value(expression, current, Context::END)?;
                Ok(equals_boolean(value, &expression.gives.form, "true"))
            }
        }
    }

    /// Translates `a || b` at the end of a path. `b` is the result only if `a` is falsy.
    fn either_is_true(&self, [left, right]: &[Expression<'m>; 2], current: &Ts) -> LowerResult {
        let truth = self.truth(left, current, Context::STRICT_TRUTH)?;
        let other = self.is_true(right, current)?;
        if is_boolean(left) {
            return Ok(truth.or(other));
        }
        if left.can_fail() {
            return Err(NotPlain);
        }
        Ok(self.is_true(left, current)?.or(truth.not().and(other)))
    }

    /// Translates an expression to a condition with JMESPath's rules for truth.
    pub(super) fn truth(
        &self,
        expression: &Expression<'m>,
        current: &Ts,
        context: Context,
    ) -> LowerResult {
        match &expression.op {
            Op::And(sides) => {
                let [left, right] = &**sides;
                let left = self.truth(left, current, context)?;
                Ok(left.and(self.truth(right, current, context)?))
            }
            Op::Or(sides) => {
                let [left, right] = &**sides;
                let left = self.truth(left, current, Context::STRICT_TRUTH)?;
                Ok(left.or(self.truth(right, current, context)?))
            }
            Op::Not(of) => Ok(self.truth(of, current, Context::STRICT_TRUTH)?.not()),
            Op::Compare(comparison, sides) => self.compare(*comparison, sides, current, context),
            _ => {
                let value = self.value(expression, current, context.value())?;
                if is_boolean(expression) || value.constant_truth().is_some() {
                    return Ok(value);
                }
                match &expression.gives.form {
                    Form::Array { .. } | Form::Boolean(_) | Form::Number(_) | Form::String(_) => {
                        Ok(Ts::call_untyped("truthy", [value]))
                    }
                    _ => Err(NotPlain),
                }
            }
        }
    }

    /// Translates `a && b` or `a || b` to the operator of the language, if both select the same side.
    pub(super) fn choice(
        &self,
        joined: impl Fn(Ts, Ts) -> Ts,
        sides: &[Expression<'m>; 2],
        current: &Ts,
        [first, second]: [Context; 2],
    ) -> LowerResult {
        if !is_native_choice(sides) {
            return Err(NotPlain);
        }
        let [left, right] = sides;
        let left = self.value(left, current, first)?;
        Ok(joined(left, self.value(right, current, second)?))
    }
}
