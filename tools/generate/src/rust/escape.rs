//! Escapes in strings and comments.

use std::borrow::Cow;

use proc_macro2::{Group, Literal, TokenStream, TokenTree};

use crate::escape::{escape_chars, is_invisible};

/// Escapes the text of a doc comment, including its line breaks.
pub(super) fn in_comment(text: &str) -> Cow<'_, str> {
    let is_escaped = |char: char| char.is_control() || is_invisible(char);
    escape_chars(text, is_escaped, |char| char.escape_default().to_string())
}

pub(super) fn in_strings(code: TokenStream) -> TokenStream {
    let tokens = code.into_iter().map(|token| match token {
        TokenTree::Group(group) => Group::new(group.delimiter(), in_strings(group.stream())).into(),
        TokenTree::Literal(literal) => in_literal(literal).into(),
        token => token,
    });
    tokens.collect()
}

fn in_literal(literal: Literal) -> Literal {
    let text = literal.to_string();
    let visible = escape_chars(&text, is_invisible, |char| {
        char.escape_unicode().to_string()
    });
    match visible {
        Cow::Owned(visible) => visible.parse().unwrap_or(literal),
        Cow::Borrowed(_) => literal,
    }
}
