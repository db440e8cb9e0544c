//! Translation of comparisons.

use serde_json::Value as Json;

use super::literal::equals_text;
use super::{Lower, LowerResult, NotPlain};
use crate::context::{Context, have_same_kind, is_scalar, is_set_literal};
use crate::ir::{Comparison, Expression, Form, Op};
use crate::typescript::tree::Ts;

/// A side of a comparison and its code.
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

/// Translates an order comparison. A non-number makes the result null, which code expresses as false. That requires a
/// context that needs only the truth.
fn order(operator: &'static str, sides: [Side<'_, '_>; 2], context: Context) -> LowerResult {
    let is_number = |(side, _): &Side<'_, '_>| matches!(side.gives.form, Form::Number(_));
    let are_numbers = sides.iter().all(|(_, tree)| is_always_number(tree));
    if !sides.iter().all(is_number) || !(context.truth || are_numbers) {
        return Err(NotPlain);
    }
    let [one, other] = sides.map(|(_, tree)| match tree {
        number if is_always_number(&number) => number,
        other => Ts::call_untyped("number", [other]),
    });
    Ok(one.binary(operator, other))
}

/// Returns `true` if the expression is always a number.
fn is_always_number(tree: &Ts) -> bool {
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
    if let (Op::Literal(Json::String(text)), true) = (&right.op, have_same_kind(form, expected)) {
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
    // The cast prevents an error: the compiler knows the types of some strings, and rejects comparisons that are always
    // false.
    if have_same_kind(form, expected) && !matches!(form, Form::String(_)) {
        return Ok(one.binary(operator, other));
    }
    Ok(one.cast("unknown").binary(operator, other))
}
