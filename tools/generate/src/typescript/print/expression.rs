//! Formatting of expressions. Prettier's line breaks depend on the expression and its position.

use super::chain::{Chain, Link};
use super::document::{
    Doc, INDENT, is_name, key, list, list_with, member, render_line, string_literal, text,
    within_parentheses,
};
use super::precedence::{CAST, EQUALITY, MEMBER, UNARY, is_logical, precedence, strength};
use super::types::type_doc;
use crate::typescript::tree::{Property, Ts};

/// The maximum length of a key whose string value stays on the same line at any length.
const MAX_SHORT_KEY: usize = 4;

/// The position of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the parentheses of an `if`.
    Condition,
    /// An operand of `&&`, `||` or `??`.
    LogicalOperand,
    /// An operand of a comparison.
    ComparisonOperand,
    /// Before a `.` or after a `!`, in parentheses.
    Receiver,
    /// Any other position.
    Within,
    /// An assigned value, or the body of an arrow function.
    Whole,
}

pub(crate) fn expression(tree: &Ts) -> Doc {
    expression_at(tree, Place::Within)
}

pub(super) fn expression_at(tree: &Ts, place: Place) -> Doc {
    match tree {
        Ts::Array(items) => list("[", items.iter().map(expression).collect(), "]"),
        Ts::Arrow(parameters, body) => arrow(parameters, body, Doc::nil()),
        Ts::As(value, to) => {
            let cast = inside(value, CAST, Place::Within)
                .append(" as")
                .append(cast_to(to));
            if place == Place::Receiver {
                within_parentheses(cast)
            } else {
                cast
            }
        }
        Ts::Await(value) => text("await ").append(expression(value)),
        Ts::Binary(operator, sides) => binary(operator, sides, place),
        Ts::Call(function, arguments) => match &**function {
            Ts::Member(..) => chain(&Chain::of(tree)),
            function => callee(function).append(argument_list(arguments)),
        },
        Ts::Index(of, index) => callee(of)
            .append("?.[")
            .append(expression(index))
            .append("]"),
        Ts::Member(of, name, optional) => {
            let (of, is_short) = (inside(of, MEMBER, Place::Receiver), is_short(of, place));
            let name_of = member(name, *optional);
            if is_short || !is_name(name) {
                return of.append(name_of);
            }
            of.append(Doc::line_().append(name_of).nest(INDENT).group())
        }
        Ts::Name(name) | Ts::Number(name) => text(name.clone()),
        Ts::New(class, arguments) => text("new ")
            .append(type_doc(class))
            .append(argument_list(arguments)),
        Ts::Not(value) => text("!").append(inside(value, UNARY, Place::Receiver)),
        Ts::Object(properties) => object(properties),
        Ts::String(value) => text(string_literal(value)),
        Ts::Ternary(parts) => ternary(parts, place),
    }
}

/// Formats the type of a cast. A union may move to the next line.
fn cast_to(of: &str) -> Doc {
    if of.contains(" | ") {
        return Doc::line().append(text(of)).nest(INDENT).group();
    }
    text(format!(" {of}"))
}

/// Returns `true` for a member of a name without further links. Such an expression never breaks.
fn is_short(of: &Ts, place: Place) -> bool {
    matches!(of, Ts::Name(_)) && place != Place::Receiver
}

/// Formats an arrow function. `end` follows the body if the body is on separate lines.
fn arrow(parameters: &[String], body: &Ts, end: Doc) -> Doc {
    let start = text(format!("({}) =>", parameters.join(", ")));
    match body {
        Ts::Object(_) => start.append(" (").append(expression(body)).append(")"),
        Ts::Array(_) => start.append(" ").append(expression(body)),
        Ts::Ternary(_) => {
            let [open, close] = ["(", ")"].map(|sign| Doc::nil().flat_alt(text(sign)));
            let inner = Doc::line_()
                .append(expression_at(body, Place::Whole))
                .nest(INDENT);
            let whole = open.append(inner).append(close).append(end);
            start.append(" ").append(whole.group())
        }
        _ => {
            let inner = Doc::line()
                .append(expression_at(body, Place::Whole))
                .nest(INDENT);
            start.append(inner.append(end).group())
        }
    }
}

fn binary(operator: &'static str, sides: &[Ts; 2], place: Place) -> Doc {
    let mut parts = parts(operator, sides, place).into_iter();
    match place {
        Place::Condition => Doc::concat(parts),
        Place::Receiver => within_parentheses(Doc::concat(parts)),
        Place::Whole => Doc::concat(parts).group(),
        Place::ComparisonOperand | Place::LogicalOperand | Place::Within => {
            let first = parts.next().unwrap_or_else(Doc::nil);
            first.append(Doc::concat(parts).nest(INDENT)).group()
        }
    }
}

/// Returns the operands, each with the operator before it except the first. Nested uses of one operator become operands
/// of the same list.
fn parts(operator: &'static str, sides: &[Ts; 2], place: Place) -> Vec<Doc> {
    let logical = is_logical(operator);
    let mut operands = Vec::new();
    for side in sides {
        flatten(operator, side, &mut operands);
    }
    let within = if logical {
        Place::LogicalOperand
    } else {
        Place::ComparisonOperand
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

/// Collects the operands of nested uses of the same `&&` or `||`. Nesting doesn't change their result.
fn flatten<'t>(operator: &str, side: &'t Ts, operands: &mut Vec<&'t Ts>) {
    match side {
        Ts::Binary(same, sides) if *same == operator && is_logical(operator) => {
            sides
                .iter()
                .for_each(|side| flatten(operator, side, operands));
        }
        side => operands.push(side),
    }
}

/// Formats an operand. Prettier adds parentheses to mixed logical operators and to nested equality operators.
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
    let end = if place == Place::Receiver {
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

/// Formats a part of an expression, in parentheses if its precedence is below `least`.
fn inside(tree: &Ts, least: u8, place: Place) -> Doc {
    if precedence(tree) < least {
        return text("(").append(expression_at(tree, place)).append(")");
    }
    expression_at(tree, place)
}

/// Formats the arguments of a call. The last one may begin on the line of the opening parenthesis.
fn argument_list(arguments: &[Ts]) -> Doc {
    let broken = || list("(", arguments.iter().map(expression).collect(), ")");
    match arguments {
        [Ts::Arrow(parameters, body)] if is_hugged(body) => {
            let end = text(",").flat_alt(Doc::nil()).append(Doc::line_());
            let hugging = text("(").append(arrow(parameters, body, end)).append(")");
            hugging.union(broken())
        }
        [first @ .., last @ (Ts::Object(_) | Ts::Array(_))] if first.iter().all(is_not_hugged) => {
            // Only the last argument may break.
            let before = first
                .iter()
                .map(|argument| render_line(&expression(argument)));
            let before: Vec<String> = before.collect();
            if before.iter().any(|argument| argument.contains('\n')) {
                return broken();
            }
            let before = before.iter().map(|argument| text(format!("{argument}, ")));
            let hugging = text("(")
                .append(Doc::concat(before))
                .append(expression(last))
                .append(")");
            if first.is_empty() {
                return hugging;
            }
            hugging.union(broken())
        }
        _ => broken(),
    }
}

/// Returns `true` if an arrow function with this body stays on the line of the parentheses around it.
const fn is_hugged(body: &Ts) -> bool {
    matches!(
        body,
        Ts::Array(_) | Ts::Call(..) | Ts::Object(_) | Ts::Ternary(_)
    )
}

const fn is_not_hugged(argument: &Ts) -> bool {
    !matches!(argument, Ts::Array(_) | Ts::Arrow(..) | Ts::Object(_))
}

/// Formats an expression before a call or a member.
fn callee(tree: &Ts) -> Doc {
    inside(tree, MEMBER, Place::Receiver)
}

/// Formats a link of a chain.
fn link(link: Link<'_>) -> Doc {
    match link {
        Link::Call(arguments) => argument_list(arguments),
        Link::Element(index) => text("?.[").append(expression(index)).append("]"),
        Link::Member(name, optional) => member(name, optional),
    }
}

fn links(links: &[Link<'_>]) -> Doc {
    Doc::concat(links.iter().map(|each| link(*each)))
}

/// Formats a chain: on one line, or with a line for each group.
fn chain(chain: &Chain<'_>) -> Doc {
    let start = callee(chain.head).append(links(&chain.first));
    let line = Doc::concat(chain.groups.iter().map(|group| links(group)));
    let line = start.clone().append(line);
    let Some((beside, below)) = chain.lines() else {
        return line.group();
    };
    let beside = Doc::concat(beside.iter().map(|group| links(group)));
    let below = below
        .iter()
        .map(|group| Doc::hardline().append(links(group)));
    let lines = start.append(beside).append(Doc::concat(below).nest(INDENT));
    if chain.is_broken() {
        return lines;
    }
    lines.flat_alt(line).group()
}

/// Formats an assigned value: on the same line if it fits or has brackets to break in, otherwise on the next.
pub(super) fn after(value: &Ts) -> Doc {
    let doc = expression_at(value, Place::Whole);
    match value {
        Ts::Binary(..) | Ts::String(_) | Ts::Member(..) => {
            Doc::line().append(doc).nest(INDENT).group()
        }
        _ => text(" ").append(doc),
    }
}

fn object(properties: &[Property]) -> Doc {
    let properties = properties.iter().map(|property| match property {
        Property::Is(name, Ts::Name(value)) if name == value => text(name.clone()),
        Property::Is(name, value @ Ts::String(_)) if name.len() <= MAX_SHORT_KEY => {
            text(format!("{}: ", key(name))).append(expression(value))
        }
        Property::Is(name, value) => text(format!("{}:", key(name))).append(after(value)),
        Property::Spread(value) => text("...").append(expression(value)),
    });
    list_with("{", properties.collect(), "}", Doc::line())
}
