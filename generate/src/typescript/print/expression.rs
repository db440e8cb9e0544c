//! Expressions, as Prettier breaks them: by what they are, and where they stand.

use super::chain::{call, called, given, member};
use super::{Doc, INDENT, is_name, list, object, quoted, text};
use crate::typescript::module::printed_type;
use crate::typescript::tree::Ts;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the parentheses of an `if`.
    Condition,
    /// As an operand of `&&`, `||`, `??`.
    OfLogical,
    /// As an operand of a comparison.
    OfComparison,
    /// Before a `.`, or below a `!`: in parentheses of its own.
    Parted,
    /// Anywhere else.
    Within,
    /// As all that is assigned, or that a function gives.
    Whole,
}

/// How strongly a part must bind to go without parentheses.
const MEMBER: u8 = 18;
const UNARY: u8 = 15;
const CAST: u8 = 11;

pub(in crate::typescript) fn expression(tree: &Ts) -> Doc {
    placed(tree, Place::Within)
}

pub(super) fn placed(tree: &Ts, place: Place) -> Doc {
    match tree {
        Ts::Array(items) => list("[", items.iter().map(expression).collect(), "]"),
        Ts::Arrow(parameters, body) => arrow(parameters, body, Doc::nil()),
        Ts::As(value, to) => {
            let cast = inside(value, CAST, Place::Within)
                .append(" as")
                .append(cast_to(to));
            if place == Place::Parted {
                parted(cast)
            } else {
                cast
            }
        }
        Ts::Await(value) => text("await ").append(expression(value)),
        Ts::Binary(operator, sides) => binary(operator, sides, place),
        Ts::Call(function, arguments) => match &**function {
            Ts::Member(..) => call(tree),
            function => called(function).append(given(arguments)),
        },
        Ts::Index(of, index) => called(of)
            .append("?.[")
            .append(expression(index))
            .append("]"),
        Ts::Member(of, name, optional) => {
            let (of, is_short) = (inside(of, MEMBER, Place::Parted), is_short(of, place));
            let name_of = member(name, *optional);
            if is_short || !is_name(name) {
                return of.append(name_of);
            }
            of.append(Doc::line_().append(name_of).nest(INDENT).group())
        }
        Ts::Name(name) | Ts::Number(name) => text(name.clone()),
        Ts::New(class, arguments) => text("new ")
            .append(printed_type(class))
            .append(given(arguments)),
        Ts::Not(value) => text("!").append(inside(value, UNARY, Place::Parted)),
        Ts::Object(properties) => object(properties),
        Ts::String(value) => text(quoted(value)),
        Ts::Ternary(parts) => ternary(parts, place),
    }
}

/// A type; one of several may stand on the next line.
fn cast_to(of: &str) -> Doc {
    if of.contains(" | ") {
        return Doc::line().append(text(of)).nest(INDENT).group();
    }
    text(format!(" {of}"))
}

/// Whether a member is the first of a name, and nothing comes after it: these never part.
fn is_short(of: &Ts, place: Place) -> bool {
    matches!(of, Ts::Name(_)) && place != Place::Parted
}

/// In parentheses that are there already: with breaks inside of them where it is too long.
fn parted(doc: Doc) -> Doc {
    let inside = Doc::line_().append(doc).nest(INDENT);
    inside.append(Doc::line_()).group()
}

/// A function. What ends it stands after its body where that has a line of its own.
pub(super) fn arrow(parameters: &[String], body: &Ts, end: Doc) -> Doc {
    let start = text(format!("({}) =>", parameters.join(", ")));
    match body {
        Ts::Object(_) => start.append(" (").append(expression(body)).append(")"),
        Ts::Array(_) => start.append(" ").append(expression(body)),
        Ts::Ternary(_) => {
            let [open, close] = ["(", ")"].map(|sign| Doc::nil().flat_alt(text(sign)));
            let inner = Doc::line_().append(placed(body, Place::Whole)).nest(INDENT);
            let whole = open.append(inner).append(close).append(end);
            start.append(" ").append(whole.group())
        }
        _ => {
            let inner = Doc::line().append(placed(body, Place::Whole)).nest(INDENT);
            start.append(inner.append(end).group())
        }
    }
}

fn binary(operator: &'static str, sides: &[Ts; 2], place: Place) -> Doc {
    let mut parts = parts(operator, sides, place).into_iter();
    match place {
        Place::Condition => Doc::concat(parts),
        Place::Parted => parted(Doc::concat(parts)),
        Place::Whole => Doc::concat(parts).group(),
        Place::OfComparison | Place::OfLogical | Place::Within => {
            let first = parts.next().unwrap_or_else(Doc::nil);
            first.append(Doc::concat(parts).nest(INDENT)).group()
        }
    }
}

/// The operands, each but the first with the operator before it. Operands of the same operator are one under the other.
fn parts(operator: &'static str, sides: &[Ts; 2], place: Place) -> Vec<Doc> {
    let logical = is_logical(operator);
    let mut operands = Vec::new();
    for side in sides {
        flattened(operator, side, &mut operands);
    }
    let within = if logical {
        Place::OfLogical
    } else {
        Place::OfComparison
    };
    let is_alike =
        |side: &&Ts| matches!(side, Ts::Binary(other, _) if is_logical(other) == logical);
    let is_alone = operands.len() == 2
        && !(place == Place::Condition && logical)
        && place != within
        && !operands.iter().any(is_alike);
    let mut parts = Vec::new();
    for (at, side) in operands.into_iter().enumerate() {
        let doc = operand(operator, side, at > 0, within);
        if at == 0 {
            parts.push(doc.group());
            continue;
        }
        let is_hugged = logical && matches!(side, Ts::Array(items) if !items.is_empty());
        let space = if is_hugged { text(" ") } else { Doc::line() };
        let right = text(operator).append(space).append(doc);
        parts.push(text(" ").append(if is_alone { right.group() } else { right }));
    }
    parts
}

/// The operands of the same `&&` or `||`, however they are nested: it is all the same.
fn flattened<'t>(operator: &str, side: &'t Ts, operands: &mut Vec<&'t Ts>) {
    match side {
        Ts::Binary(same, sides) if *same == operator && is_logical(operator) => {
            sides
                .iter()
                .for_each(|side| flattened(operator, side, operands));
        }
        side => operands.push(side),
    }
}

/// `&&` and `||` are never told apart by their strength alone, nor `===` and `!==`.
fn operand(operator: &str, side: &Ts, is_right: bool, place: Place) -> Doc {
    let is_mixed =
        is_logical(operator) && matches!(side, Ts::Binary(other, _) if is_logical(other));
    let is_equality = strength(operator) == EQUALITY;
    let least = strength(operator).saturating_add(u8::from(is_right || is_equality));
    inside(side, if is_mixed { MEMBER } else { least }, place)
}

fn ternary(parts: &[Ts; 3], place: Place) -> Doc {
    let [condition, then, otherwise] = parts;
    let branches = Doc::line()
        .append("? ")
        .append(expression(then).nest(INDENT))
        .append(Doc::line())
        .append(": ")
        .append(expression(otherwise).nest(INDENT));
    let end = if place == Place::Parted {
        Doc::line_()
    } else {
        Doc::nil()
    };
    let condition_in = if place == Place::Within {
        place
    } else {
        Place::Whole
    };
    inside(condition, 4, condition_in)
        .append(branches.nest(INDENT))
        .append(end)
        .group()
}

/// A tree as a part of another, in parentheses where it binds less than that.
pub(super) fn inside(tree: &Ts, least: u8, place: Place) -> Doc {
    if precedence(tree) < least {
        return text("(").append(placed(tree, place)).append(")");
    }
    placed(tree, place)
}

/// How strongly the outermost part binds.
pub(super) fn precedence(tree: &Ts) -> u8 {
    match tree {
        Ts::Arrow(..) => 1,
        // Between operators a cast is always put in parentheses.
        Ts::As(..) | Ts::Ternary(_) => 2,
        Ts::Binary(operator, _) => strength(operator),
        Ts::Await(_) | Ts::Not(_) => UNARY,
        _ => 19,
    }
}

pub(super) fn is_logical(operator: &str) -> bool {
    matches!(operator, "??" | "||" | "&&")
}

const EQUALITY: u8 = 9;

fn strength(operator: &str) -> u8 {
    match operator {
        "??" | "||" => 3,
        "&&" => 4,
        "===" | "!==" => EQUALITY,
        "<" | "<=" | ">" | ">=" => 10,
        _ => 2,
    }
}
