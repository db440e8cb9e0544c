//! A printer in Prettier's default format.

mod comment;
mod declaration;
mod literal;
mod types;

pub(super) use comment::{comment, escape_tags};
pub(super) use declaration::{Function, Interface, Member, import, union};
pub(super) use literal::{json, object, property, string_literal};
pub(super) use types::Type;

use crate::document::{Doc, bracketed};

/// The maximum line width, in columns.
const WIDTH: usize = 80;

const INDENT: isize = 2;

/// Renders the declarations of a module, separated by empty lines.
pub(super) fn module(docs: &[String], declarations: impl IntoIterator<Item = Doc>) -> String {
    let parts = std::iter::once(comment(docs)).chain(declarations);
    let space = Doc::hardline().append(Doc::hardline());
    crate::document::render(&Doc::intersperse(parts, space), WIDTH)
}

/// Formats a bracketed list: on one line, or with one item per line and a trailing comma.
pub(super) fn list(open: impl Into<String>, items: Vec<Doc>, close: &'static str) -> Doc {
    bracketed(open, items, close, Doc::line_(), INDENT)
}

/// Formats a list in braces, which have spaces inside.
fn braces(items: Vec<Doc>) -> Doc {
    bracketed("{", items, "}", Doc::line(), INDENT)
}
