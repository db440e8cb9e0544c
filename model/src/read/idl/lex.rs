//! The tokens of Smithy IDL.
//!
//! Commas, line breaks and comments separate tokens and mean nothing else, so a file that only forgot a line break is read.

use logos::Logos;

use crate::event::Event;
use crate::event::ids::SYNTAX;
use crate::messages;
use crate::source::{At, File};

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    /// How it is written.
    pub(crate) text: &'a str,
    pub(crate) at: At,
    /// How much white space stands before it, if nothing else does on its line.
    pub(crate) indent: Option<usize>,
    /// Where a comma follows on the same line.
    pub(crate) comma: Option<At>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, Logos, PartialEq, Eq)]
#[logos(skip(r"[ \t\r\n,]+"))]
#[logos(skip(r"//([^/\r\n][^\r\n]*)?", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[token("@")]
    AtSign,
    #[token(":")]
    Colon,
    #[token("$")]
    Dollar,
    #[regex(r"///[^\r\n]*", allow_greedy = true)]
    Doc,
    #[token("=")]
    Equal,
    /// A name, with or without namespace and member.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*(#[A-Za-z_][A-Za-z0-9_]*)?(\$[A-Za-z_][A-Za-z0-9_]*)?")]
    Id,
    #[token("{")]
    LeftBrace,
    #[token("[")]
    LeftBracket,
    #[token("(")]
    LeftParenthesis,
    #[regex(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    #[token("}")]
    RightBrace,
    #[token("]")]
    RightBracket,
    #[token(")")]
    RightParenthesis,
    #[regex(r#""([^"\\]|\\(?s:.))*""#)]
    String,
    #[token("\"\"\"", text_block)]
    TextBlock,
    #[token(":=")]
    Walrus,
}

/// Takes the rest of a text block, up to the next three quotes that are not escaped.
fn text_block(lexer: &mut logos::Lexer<'_, TokenKind>) -> bool {
    let mut rest = lexer.remainder().char_indices();
    let mut quotes = 0_u8;
    while let Some((at, char)) = rest.next() {
        match char {
            '\\' => {
                rest.next();
                quotes = 0;
            }
            '"' => quotes = quotes.saturating_add(1),
            _ => quotes = 0,
        }
        if quotes == 3 {
            lexer.bump(at.saturating_add(1));
            return true;
        }
    }
    false
}

/// Cuts a text into tokens; what is none is a problem each, and is left out.
pub(crate) fn lex<'a>(file: &'a File, events: &mut Vec<Event>) -> Vec<Token<'a>> {
    let text = file.without_bom();
    let skipped = file.text().len().saturating_sub(text.len());
    let mut tokens = Vec::new();
    let mut end = 0;
    for (kind, span) in TokenKind::lexer(text).spanned() {
        let at = file.at(span.start.saturating_add(skipped));
        let written = text.get(span.clone()).unwrap_or_default();
        match kind {
            Ok(kind) => tokens.push(Token {
                kind,
                text: written,
                at,
                indent: indent(text.get(end..span.start).unwrap_or_default(), end == 0),
                comma: comma(text.get(span.end..).unwrap_or_default())
                    .map(|comma| file.at(span.end.saturating_add(comma).saturating_add(skipped))),
            }),
            Err(()) => events.push(unknown(written, at)),
        }
        end = span.end;
    }
    tokens
}

/// How much stands on a token's line before it: what is between it and the one before, or the start of the text.
fn indent(gap: &str, is_first: bool) -> Option<usize> {
    let before = match gap.rfind(['\r', '\n']) {
        Some(end) => end.saturating_add(1),
        None if is_first => 0,
        None => return None,
    };
    Some(gap.len().saturating_sub(before))
}

/// Where a comma stands at the start of a text, spaces aside.
fn comma(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches([' ', '\t']);
    rest.starts_with(',')
        .then(|| text.len().saturating_sub(rest.len()))
}

fn unknown(text: &str, at: At) -> Event {
    let message = if text.starts_with('"') {
        "this string does not end".to_owned()
    } else {
        format!("`{}` means nothing here", messages::excerpt(text))
    };
    Event::error(SYNTAX, message).at(at)
}

impl TokenKind {
    /// The token as people write it, for messages.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::AtSign => "`@`",
            Self::Colon => "`:`",
            Self::Dollar => "`$`",
            Self::Doc => "a documentation comment",
            Self::Equal => "`=`",
            Self::Id => "a name",
            Self::LeftBrace => "`{`",
            Self::LeftBracket => "`[`",
            Self::LeftParenthesis => "`(`",
            Self::Number => "a number",
            Self::RightBrace => "`}`",
            Self::RightBracket => "`]`",
            Self::RightParenthesis => "`)`",
            Self::String => "a string",
            Self::TextBlock => "a text block",
            Self::Walrus => "`:=`",
        }
    }
}
