//! Comparisons.

use serde_json::Value as Json;

use super::literal::equals_text;
use super::{Lower, LowerResult, NotPlain};
use crate::context::{Context, are_alike, is_scalar, is_set_literal};
use crate::ir::{Comparison, Expression, Form, Op};
use crate::typescript::tree::Ts;

/// A side of a comparison, and its code.
type Side<'s, 'm> = (&'s Expression<'m>, Ts);

impl<'m> Lower<'_, 'm> {
    pub(super) fn compare(
        &self,
        comparison: Comparison,
        sides: &[Expression<'m>; 2],
        current: &Ts,
        context: Context,
    ) -> LowerResult {
        let [left, right] = sides;
        let inner = context.sides(comparison, sides);
        let [one, other] = [left, right].map(|side| self.value(side, current, inner));
        let sides = [(left, one?), (right, other?)];
        match comparison {
            Comparison::Equal => equality("===", sides),
            Comparison::NotEqual => equality("!==", sides),
            Comparison::Greater => order(">", sides, context),
            Comparison::GreaterOrEqual => order(">=", sides, context),
            Comparison::Less => order("<", sides, context),
            Comparison::LessOrEqual => order("<=", sides, context),
        }
    }
}

/// What is no number is in no order: false to whom only the truth counts.
fn order(operator: &'static str, sides: [Side<'_, '_>; 2], context: Context) -> LowerResult {
    let is_number = |(side, _): &Side<'_, '_>| matches!(side.gives.form, Form::Number(_));
    let are_there = sides.iter().all(|(_, tree)| is_there(tree));
    if !sides.iter().all(is_number) || !(context.truth || are_there) {
        return Err(NotPlain);
    }
    let [one, other] = sides.map(|(_, tree)| match tree {
        there if is_there(&there) => there,
        maybe => Ts::call_untyped("number", [maybe]),
    });
    Ok(one.binary(operator, other))
}

/// Whether it is always a number.
fn is_there(tree: &Ts) -> bool {
    match tree {
        Ts::Number(_) => true,
        Ts::Call(..) => tree.is_required(),
        Ts::Member(of, name, false) => name == "length" && of.is_required(),
        _ => false,
    }
}

fn equality(operator: &'static str, sides: [Side<'_, '_>; 2]) -> LowerResult {
    let [(left, one), (right, other)] = sides;
    let is_null = |side: &Expression<'_>| side.op == Op::Literal(Json::Null);
    if is_null(left) || is_null(right) {
        return Ok(one.or_undefined().binary(operator, other.or_undefined()));
    }
    let (form, expected) = (&left.gives.form, &right.gives.form);
    if !(is_scalar(form) && is_scalar(expected)) {
        return Err(NotPlain);
    }
    if let (Op::Literal(Json::String(text)), true) = (&right.op, are_alike(form, expected)) {
        let Ts::Binary(_, sides) = equals_text(one, form, text) else {
            return Err(NotPlain);
        };
        return Ok(Ts::Binary(operator, sides));
    }
    if !(is_set_literal(left) || is_set_literal(right)) {
        let equal = Ts::call_untyped("equal", [one, other]);
        return Ok(match operator {
            "===" => equal,
            _ => Ts::Not(Box::new(equal)),
        });
    }
    // The compiler knows what some strings are, and what is never equal.
    if are_alike(form, expected) && !matches!(form, Form::String(_)) {
        return Ok(one.binary(operator, other));
    }
    Ok(one.cast("unknown").binary(operator, other))
}
