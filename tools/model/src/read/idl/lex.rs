//! The tokens of Smithy IDL.
//!
//! Commas, line breaks and comments only separate tokens, so a file in which a line break is missing can still be read.

use logos::Logos;

use crate::event::Event;
use crate::event::ids::SYNTAX;
use crate::messages;
use crate::read::limits::MAX_SYNTAX_ERRORS;
use crate::source::{At, File};

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    /// The source text.
    pub(crate) text: &'a str,
    pub(crate) at: At,
    /// The width of the white space before the token if it is the first one on its line.
    pub(crate) indent: Option<usize>,
    /// The position of a comma that follows on the same line.
    pub(crate) comma: Option<At>,
}

#[derive(Clone, Copy, Debug, Logos, PartialEq, Eq)]
#[logos(skip(r"[ \t\r\n,]+"))]
#[logos(skip(r"//([^/\r\n][^\r\n]*)?", allow_greedy = true))]
#[logos(subpattern identifier = r"([A-Za-z]|_+[A-Za-z0-9])[A-Za-z0-9_]*")]
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
    /// A name, with or without namespace and member. Its parts are as in `is_identifier` of the core.
    #[regex(r"(?&identifier)(\.(?&identifier))*(#(?&identifier))?(\$(?&identifier))?")]
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

/// Consumes the rest of a text block, up to the next three unescaped quotes.
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

/// Splits a text into tokens. Characters that are not part of a token are reported and skipped, neighbours once.
pub(crate) fn lex<'a>(file: &'a File, events: &mut Vec<Event>) -> Vec<Token<'a>> {
    let text = file.without_bom();
    let skipped = file.text().len().saturating_sub(text.len());
    let mut tokens = Vec::new();
    let (mut end, mut end_of_unknown) = (0, None);
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
            Err(()) => {
                // One more than are kept shows that there are more.
                if end_of_unknown != Some(span.start) && events.len() <= MAX_SYNTAX_ERRORS {
                    events.push(unknown(written, at));
                }
                end_of_unknown = Some(span.end);
            }
        }
        end = span.end;
    }
    tokens
}

/// Returns the indentation of a token from the gap before it, or `None` if another token precedes it on the line.
fn indent(gap: &str, is_first: bool) -> Option<usize> {
    let before = match gap.rfind(['\r', '\n']) {
        Some(end) => end.saturating_add(1),
        None if is_first => 0,
        None => return None,
    };
    Some(gap.len().saturating_sub(before))
}

/// Returns the offset of a comma at the start of a text, after optional spaces.
fn comma(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches([' ', '\t']);
    rest.starts_with(',')
        .then(|| text.len().saturating_sub(rest.len()))
}

fn unknown(text: &str, at: At) -> Event {
    let message = if text.starts_with('"') {
        "unterminated string".to_owned()
    } else {
        format!("unexpected `{}`", messages::excerpt(text))
    };
    Event::error(SYNTAX, message).at(at)
}

impl TokenKind {
    /// Returns the token for messages.
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
