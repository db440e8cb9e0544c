//! A printer in Prettier's default format.

mod chain;
mod document;
mod expression;
mod precedence;
mod types;

pub(super) use document::{Doc, WIDTH, key, lines, list, list_with, render, text};
pub(super) use expression::expression;
pub(super) use types::{or_doc, type_doc, type_line};

use super::tree::{Statement, Ts};
use document::{INDENT, within_parentheses};
use expression::{Place, after, expression_at};
use precedence::is_logical;

/// Formats a block of statements.
pub(super) fn block(statements: &[Statement]) -> Doc {
    let statements = statements.iter().map(statement);
    let inside = Doc::hardline().append(lines(statements)).nest(INDENT);
    text("{").append(inside).append(Doc::hardline()).append("}")
}

fn statement(statement: &Statement) -> Doc {
    match statement {
        Statement::Let(name, value) => text(format!("const {name} ="))
            .append(after(value))
            .append(";"),
        Statement::Do(Ts::Binary(operator, sides)) if operator.ends_with('=') => {
            let [to, value] = &**sides;
            expression(to)
                .append(format!(" {operator}"))
                .append(after(value))
                .append(";")
        }
        Statement::Do(value) => expression(value).append(";"),
        Statement::If(condition, then) => text("if (")
            .append(condition_doc(condition))
            .append(") ")
            .group()
            .append(block(then)),
        Statement::Return(value) => text("return ").append(expression(value)).append(";"),
    }
}

fn condition_doc(condition: &Ts) -> Doc {
    let doc = expression_at(condition, Place::Condition);
    let mut inner = condition;
    while let Ts::Not(of) = inner {
        inner = of;
    }
    match inner {
        // A negated logical expression has its own parentheses.
        Ts::Binary(operator, _) if is_logical(operator) && inner != condition => doc,
        _ => within_parentheses(doc),
    }
}
