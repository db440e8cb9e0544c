//! Operator precedence, which determines the parentheses.

use crate::typescript::tree::Ts;

/// The minimum precedence of the object of a member access, and of a callee.
pub(super) const MEMBER: u8 = 18;
pub(super) const UNARY: u8 = 15;
pub(super) const CAST: u8 = 11;

/// Returns the precedence of the outermost operator.
pub(super) fn precedence(tree: &Ts) -> u8 {
    match tree {
        Ts::Arrow(..) => 1,
        // A cast between operators always has parentheses.
        Ts::As(..) | Ts::Ternary(_) => 2,
        Ts::Binary(operator, _) => strength(operator),
        Ts::Await(_) | Ts::Not(_) => UNARY,
        _ => 19,
    }
}

pub(super) fn is_logical(operator: &str) -> bool {
    matches!(operator, "??" | "||" | "&&")
}

pub(super) const EQUALITY: u8 = 9;

pub(super) fn strength(operator: &str) -> u8 {
    match operator {
        "??" | "||" => 3,
        "&&" => 4,
        "===" | "!==" => EQUALITY,
        "<" | "<=" | ">" | ">=" => 10,
        _ => 2,
    }
}
