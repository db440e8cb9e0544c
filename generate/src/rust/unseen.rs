//! Strings and comments without characters that nobody sees.

use std::borrow::Cow;

use proc_macro2::{Group, Literal, TokenStream, TokenTree};

use crate::unseen::{escaped, is_unseen};

/// Text for a doc comment, with line ends escaped, too.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    let is_escaped = |char: char| char.is_control() || is_unseen(char);
    escaped(text, is_escaped, |char| char.escape_default().to_string())
}

/// Code whose strings have them escaped.
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
    let seen = escaped(&text, is_unseen, |char| char.escape_unicode().to_string());
    match seen {
        Cow::Owned(seen) => seen.parse().unwrap_or(literal),
        Cow::Borrowed(_) => literal,
    }
}
