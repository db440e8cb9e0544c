//! Finds the position for a new `use` in a file.

use logos::Logos as _;

use crate::read::idl::lex::TokenKind;
use crate::source::File;

/// Returns the start of the line after the last `use`, or after the namespace.
pub(super) fn place(file: &File) -> Option<usize> {
    let text = file.text();
    let mut place = None;
    let mut tokens = TokenKind::lexer(text).spanned().peekable();
    let mut depth = 0_usize;
    while let Some((token, span)) = tokens.next() {
        match token {
            Ok(TokenKind::LeftBrace | TokenKind::LeftBracket) => depth = depth.saturating_add(1),
            Ok(TokenKind::RightBrace | TokenKind::RightBracket) => depth = depth.saturating_sub(1),
            Ok(TokenKind::Id) if depth == 0 => {
                let word = text.get(span)?;
                let is_wanted = if place.is_none() {
                    word == "namespace"
                } else {
                    word == "use"
                };
                let name = tokens.next_if(|(token, _)| is_wanted && *token == Ok(TokenKind::Id));
                match name {
                    Some((_, name)) => place = Some(next_line(text, name.end)?),
                    None if place.is_some() => break,
                    None => {}
                }
            }
            _ if place.is_some() => break,
            _ => {}
        }
    }
    place
}

/// Returns the start of the next line, if there is one.
fn next_line(text: &str, place: usize) -> Option<usize> {
    let end = text.get(place..)?.find('\n')?;
    Some(place.saturating_add(end).saturating_add(1))
}
