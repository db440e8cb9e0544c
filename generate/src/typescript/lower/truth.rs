//! What JMESPath takes for true, whatever a response has where the model says otherwise.

use super::{Lower, Lowered, NotPlain};
use crate::context::{Context, are_told_apart, is_boolean};
use crate::ir::{Expression, Form, Op};
use crate::typescript::tree::Ts;

impl<'m> Lower<'_, 'm> {
    /// Whether the end of a path is `true`: nothing else of what is truthy is.
    pub(super) fn is_true(&self, expression: &Expression<'m>, current: &Ts) -> Lowered {
        match &expression.op {
            Op::And(sides) => {
                let [left, right] = &**sides;
                let left = self.truth(left, current, Context::TRUE)?;
                Ok(both(left, self.is_true(right, current)?))
            }
            Op::Or(sides) => self.either_is_true(sides, current),
            _ if is_boolean(expression) => self.truth(expression, current, Context::TRUE),
            _ => {
                let value = self.value(expression, current, Context::END)?;
                Ok(is_literally(value, &expression.gives.form, "true"))
            }
        }
    }

    /// Of `a || b`, `b` counts only where `a` is falsy.
    fn either_is_true(&self, [left, right]: &[Expression<'m>; 2], current: &Ts) -> Lowered {
        let truth = self.truth(left, current, Context::STRICT_TRUTH)?;
        let other = self.is_true(right, current)?;
        if is_boolean(left) {
            return Ok(either(truth, other));
        }
        if left.can_fail() {
            return Err(NotPlain);
        }
        Ok(either(
            self.is_true(left, current)?,
            both(not(truth), other),
        ))
    }

    /// What the compiler takes for true where JMESPath does.
    pub(super) fn truth(
        &self,
        expression: &Expression<'m>,
        current: &Ts,
        context: Context,
    ) -> Lowered {
        match &expression.op {
            Op::And(sides) => {
                let [left, right] = &**sides;
                let left = self.truth(left, current, context)?;
                Ok(both(left, self.truth(right, current, context)?))
            }
            Op::Or(sides) => {
                let [left, right] = &**sides;
                let left = self.truth(left, current, Context::STRICT_TRUTH)?;
                Ok(either(left, self.truth(right, current, context)?))
            }
            Op::Not(of) => Ok(not(self.truth(of, current, Context::STRICT_TRUTH)?)),
            Op::Compare(comparison, sides) => self.compare(*comparison, sides, current, context),
            _ => {
                let value = self.value(expression, current, context.value())?;
                if is_boolean(expression) || value.constant_truth().is_some() {
                    return Ok(value);
                }
                match &expression.gives.form {
                    Form::Array { .. } | Form::Boolean(_) | Form::Number(_) | Form::String(_) => {
                        Ok(Ts::asked("truthy", [value]))
                    }
                    _ => Err(NotPlain),
                }
            }
        }
    }

    /// `a && b`, `a || b` as one of their sides, where the language takes the left one for true when JMESPath does.
    pub(super) fn choice(
        &self,
        joined: impl Fn(Ts, Ts) -> Ts,
        sides: &[Expression<'m>; 2],
        current: &Ts,
        [first, second]: [Context; 2],
    ) -> Lowered {
        if !are_told_apart(sides) {
            return Err(NotPlain);
        }
        let [left, right] = sides;
        let left = self.value(left, current, first)?;
        Ok(joined(left, self.value(right, current, second)?))
    }
}

/// `value === true`, `value === false`
pub(super) fn is_literally(value: Ts, form: &Form<'_, '_>, literal: &str) -> Ts {
    let value = match form {
        Form::Boolean(_) => value,
        _ => value.cast("unknown"),
    };
    value.binary("===", Ts::name(literal))
}

// Compilers take a literal as a condition for a mistake.

pub(super) fn both(left: Ts, right: Ts) -> Ts {
    match left.constant_truth() {
        Some(true) => right,
        Some(false) => left,
        None => left.binary("&&", right),
    }
}

pub(super) fn either(left: Ts, right: Ts) -> Ts {
    match left.constant_truth() {
        Some(true) => left,
        Some(false) => right,
        None => left.binary("||", right),
    }
}

fn not(of: Ts) -> Ts {
    match of.constant_truth() {
        Some(truth) => Ts::name((!truth).to_string()),
        None => Ts::Not(Box::new(of)),
    }
}
