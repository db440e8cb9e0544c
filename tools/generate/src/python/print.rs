//! A printer in Ruff's format.

use serde_json::Value as Json;

use crate::document::{Doc, bracketed, lines, text};
use crate::escape::is_invisible;
use crate::ir::ordered_members;

/// The maximum line width, in columns.
pub(super) const WIDTH: usize = 88;

const INDENT: isize = 4;

/// Renders a document. The text ends with a line feed.
pub(super) fn render(doc: &Doc) -> String {
    crate::document::render(doc, WIDTH)
}

/// Renders the parts of a module, separated by two empty lines.
pub(super) fn module(parts: Vec<Doc>) -> String {
    let space = Doc::hardline()
        .append(Doc::hardline())
        .append(Doc::hardline());
    render(&Doc::intersperse(parts, space))
}

/// Formats arguments or parameters: on one line, with all of them on the next line, or with one per line and a trailing
/// comma.
pub(super) fn list(open: impl Into<String>, items: Vec<Doc>, close: &'static str) -> Doc {
    if items.is_empty() {
        return text(open).append(close);
    }
    let between = text(",").append(Doc::line());
    let items = Doc::intersperse(items, between).append(text(",").flat_alt(Doc::nil()));
    let inside = Doc::line_().append(items.group()).nest(INDENT);
    text(open)
        .append(inside)
        .append(Doc::line_())
        .append(close)
        .group()
}

/// Formats a call with arguments that never break.
pub(super) fn call<const N: usize>(function: &str, arguments: [String; N]) -> Doc {
    let arguments = arguments.into_iter().map(text);
    list(format!("{function}("), arguments.collect(), ")")
}

/// Formats the assignment of a name, which gets parentheses if it exceeds the line.
pub(super) fn assignment(to: &str, value: &str) -> Doc {
    let [open, close] = ["(", ")"].map(|sign| text(sign).flat_alt(Doc::nil()));
    let inside = Doc::line_().append(value.to_owned()).nest(INDENT);
    let value = open.append(inside).append(Doc::line_()).append(close);
    text(format!("{to} = ")).append(value.group())
}

/// Indents statements below a line that ends with a colon.
pub(super) fn block(head: Doc, statements: impl IntoIterator<Item = Doc>) -> Doc {
    head.append(Doc::hardline().append(lines(statements)).nest(INDENT))
}

/// Formats a JSON value. The members of definitions are in the conventional order.
pub(super) fn json(value: &Json) -> Doc {
    match value {
        Json::Null => text("None"),
        Json::Bool(true) => text("True"),
        Json::Bool(false) => text("False"),
        Json::Number(number) => text(number.to_string()),
        Json::String(value) => text(string_literal(value)),
        Json::Array(items) => elements("[", items.iter().map(json).collect(), "]"),
        Json::Object(members) => {
            let members = ordered_members(members).into_iter();
            dict(members.map(|(name, value)| (name.as_str(), json(value))))
        }
    }
}

/// Formats a dictionary: on one line, or with one item per line and a trailing comma.
pub(super) fn dict<'k>(items: impl Iterator<Item = (&'k str, Doc)>) -> Doc {
    let items = items.map(|(key, value)| text(string_literal(key)).append(": ").append(value));
    elements("{", items.collect(), "}")
}

pub(super) fn elements(open: impl Into<String>, items: Vec<Doc>, close: &'static str) -> Doc {
    bracketed(open, items, close, Doc::line_(), INDENT)
}

/// Returns a string literal. It has single quotes if these need fewer escapes.
pub(super) fn string_literal(value: &str) -> String {
    let quote = if value.matches('"').count() > value.matches('\'').count() {
        '\''
    } else {
        '"'
    };
    let mut text = String::from(quote);
    for char in value.chars() {
        match char {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            char if char == quote => {
                text.push('\\');
                text.push(char);
            }
            char if char.is_control() || is_invisible(char) => {
                text.push_str(&format!("\\U{:08x}", u32::from(char)));
            }
            char => text.push(char),
        }
    }
    text.push(quote);
    text
}
