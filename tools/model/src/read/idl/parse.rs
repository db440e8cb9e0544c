//! The token stream and the basic parsers.
//!
//! The grammar needs one token of lookahead and no backtracking, so the first unexpected token is the error.

use bumpalo::Bump;
use winnow::Parser;
use winnow::error::ParserError;
use winnow::stream::{Stateful, Stream as _, TokenSlice};
use winnow::token::one_of;

use super::lex::{Token, TokenKind};
use crate::event::Event;
use crate::read::idl_version::IdlVersion;
use crate::read::limits::MAX_NESTING;
use crate::source::At;

/// The tokens with the state of the parser.
pub(crate) type Input<'t, 'a> = Stateful<TokenSlice<'t, Token<'a>>, Context<'a>>;

/// The state that the meaning of tokens depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) arena: &'a Bump,
    pub(crate) namespace: &'a str,
    /// The suffixes of the names of inline input and output.
    pub(crate) input_suffix: &'a str,
    pub(crate) output_suffix: &'a str,
    pub(crate) version: IdlVersion,
    depth: usize,
}

/// The result of a parser.
pub(crate) type ParseResult<T> = Result<T, Mismatch>;

/// An unexpected token or the end of the text.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// The position; `None` at the end of the text.
    at: Option<At>,
    message: String,
}

impl<'a> Context<'a> {
    pub(crate) const fn new(arena: &'a Bump) -> Self {
        Self {
            arena,
            namespace: "",
            input_suffix: "Input",
            output_suffix: "Output",
            version: IdlVersion::One,
            depth: 0,
        }
    }

    /// Returns the context outside of all brackets.
    pub(crate) const fn at_top(mut self) -> Self {
        self.depth = 0;
        self
    }

    /// Returns the absolute id of a name in the namespace of the text.
    pub(crate) fn absolute(&self, name: &str) -> &'a str {
        self.arena.alloc_str(&format!("{}#{name}", self.namespace))
    }
}

impl Mismatch {
    pub(crate) fn new(at: At, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            at: Some(at),
            message,
        }
    }

    /// Creates an error with the expected item and the next token.
    pub(crate) fn expected(expected: &str, input: &Input<'_, '_>) -> Self {
        let next = peek(input);
        let found = next.map_or_else(|| "the end of the file".to_owned(), Token::describe);
        Self {
            at: next.map(|token| token.at),
            message: format!("expected {expected}, found {found}"),
        }
    }

    /// Creates the event. `end` is the position for an error at the end of the text.
    pub(crate) fn event(self, end: At) -> Event {
        Event::error(crate::event::ids::SYNTAX, self.message).at(self.at.unwrap_or(end))
    }
}

impl<'t, 'a> ParserError<Input<'t, 'a>> for Mismatch {
    type Inner = Self;

    fn from_input(input: &Input<'t, 'a>) -> Self {
        Self::expected("something else", input)
    }

    fn into_inner(self) -> Result<Self::Inner, Self> {
        Ok(self)
    }
}

impl Token<'_> {
    fn describe(&self) -> String {
        match self.kind {
            TokenKind::Id | TokenKind::Number => {
                format!("`{}`", crate::messages::excerpt(self.text))
            }
            kind => kind.description().to_owned(),
        }
    }
}

/// Returns the next token without consuming it.
pub(crate) fn peek<'t, 'a>(input: &Input<'t, 'a>) -> Option<&'t Token<'a>> {
    input.input.peek_token()
}

/// Returns `true` if the next token is of a kind.
pub(crate) fn is_next(input: &Input<'_, '_>, kind: TokenKind) -> bool {
    peek(input).is_some_and(|token| token.kind == kind)
}

/// Returns `true` if the next token is a keyword.
pub(crate) fn is_keyword(input: &Input<'_, '_>, keyword: &str) -> bool {
    peek(input).is_some_and(|token| token.kind == TokenKind::Id && token.text == keyword)
}

/// Parses a token of one kind.
pub(crate) fn token<'t, 'a>(
    kind: TokenKind,
    input: &mut Input<'t, 'a>,
) -> ParseResult<&'t Token<'a>> {
    let of_kind = one_of(|token: &Token<'a>| token.kind == kind);
    expecting(kind.description(), of_kind, input)
}

/// Consumes the next token if it is of a kind.
pub(crate) fn take<'t, 'a>(kind: TokenKind, input: &mut Input<'t, 'a>) -> Option<&'t Token<'a>> {
    is_next(input, kind).then(|| input.next_token()).flatten()
}

/// Consumes the next token if it is a keyword.
pub(crate) fn take_keyword<'t, 'a>(
    keyword: &str,
    input: &mut Input<'t, 'a>,
) -> Option<&'t Token<'a>> {
    is_keyword(input, keyword)
        .then(|| input.next_token())
        .flatten()
}

/// Parses a name without a namespace and a member.
pub(crate) fn identifier<'t, 'a>(input: &mut Input<'t, 'a>) -> ParseResult<&'t Token<'a>> {
    let plain =
        |token: &Token<'a>| token.kind == TokenKind::Id && !token.text.contains(['.', '#', '$']);
    expecting("a name", one_of(plain), input)
}

/// Runs a parser and replaces its error by one that names the expected item.
fn expecting<'t, 'a>(
    expected: &str,
    mut parser: impl Parser<Input<'t, 'a>, &'t Token<'a>, Mismatch>,
    input: &mut Input<'t, 'a>,
) -> ParseResult<&'t Token<'a>> {
    let start = input.checkpoint();
    parser.parse_next(input).map_err(|_| {
        input.reset(&start);
        Mismatch::expected(expected, input)
    })
}

/// Requires the end of the line. A comment can precede it; commas are ignored.
pub(crate) fn line_break(input: &Input<'_, '_>) -> ParseResult<()> {
    match peek(input) {
        Some(token) if token.indent.is_none() => {
            Err(Mismatch::expected("the end of the line", input))
        }
        _ => Ok(()),
    }
}

/// Requires the end of the line after a statement. Unlike [`line_break`], a comma is an error.
pub(crate) fn statement_end(input: &Input<'_, '_>) -> ParseResult<()> {
    match last(input).and_then(|token| token.comma) {
        Some(at) => Err(Mismatch::new(at, "expected the end of the line, found `,`")),
        None => line_break(input),
    }
}

/// Returns the token before the next one.
fn last<'t, 'a>(input: &Input<'t, 'a>) -> Option<&'t Token<'a>> {
    input.input.previous_tokens().next()
}

/// Parses items between two brackets.
pub(crate) fn between<'t, 'a, T>(
    (open, close): (TokenKind, TokenKind),
    input: &mut Input<'t, 'a>,
    mut item: impl FnMut(&mut Input<'t, 'a>) -> ParseResult<T>,
) -> ParseResult<Vec<T>> {
    let opening = token(open, input)?;
    if input.state.depth == MAX_NESTING {
        let message = format!("values are nested deeper than {MAX_NESTING} levels");
        return Err(Mismatch::new(opening.at, message));
    }
    input.state.depth = input.state.depth.saturating_add(1);
    let mut items = Vec::new();
    while take(close, input).is_none() {
        if peek(input).is_none() {
            return Err(Mismatch::expected(close.description(), input));
        }
        items.push(item(input)?);
    }
    input.state.depth = input.state.depth.saturating_sub(1);
    Ok(items)
}
