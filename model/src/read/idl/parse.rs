//! The stream of tokens, and the few parsers that all others are made of.
//!
//! The grammar needs one token of look-ahead and never goes back, so the first token that does not fit is the culprit.

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

/// Tokens, with what their meaning depends on.
pub(crate) type Input<'t, 'a> = Stateful<TokenSlice<'t, Token<'a>>, Context<'a>>;

/// What the meaning of tokens depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) arena: &'a Bump,
    pub(crate) namespace: &'a str,
    /// What the names of inline input and output end in.
    pub(crate) input_suffix: &'a str,
    pub(crate) output_suffix: &'a str,
    pub(crate) version: IdlVersion,
    depth: usize,
}

/// What a parser gives.
pub(crate) type ParseResult<T> = Result<T, Mismatch>;

/// Tokens that do not fit.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// Where; at the end of the text, nowhere.
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

    /// The same outside of all brackets.
    pub(crate) const fn at_top(mut self) -> Self {
        self.depth = 0;
        self
    }

    /// The absolute id of a name in the text's namespace.
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

    /// What was expected instead of the next token.
    pub(crate) fn expected(expected: &str, input: &Input<'_, '_>) -> Self {
        let next = peek(input);
        let found = next.map_or_else(|| "the end of the file".to_owned(), Token::describe);
        Self {
            at: next.map(|token| token.at),
            message: format!("expected {expected}, found {found}"),
        }
    }

    /// The event, at the end of the text if there is no better place.
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

/// The next token, which stays.
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

/// A token of one kind.
pub(crate) fn token<'t, 'a>(
    kind: TokenKind,
    input: &mut Input<'t, 'a>,
) -> ParseResult<&'t Token<'a>> {
    let of_kind = one_of(|token: &Token<'a>| token.kind == kind);
    expecting(kind.description(), of_kind, input)
}

/// A token of one kind, if it is the next.
pub(crate) fn take<'t, 'a>(kind: TokenKind, input: &mut Input<'t, 'a>) -> Option<&'t Token<'a>> {
    is_next(input, kind).then(|| input.next_token()).flatten()
}

/// A keyword, if it is the next token.
pub(crate) fn take_keyword<'t, 'a>(
    keyword: &str,
    input: &mut Input<'t, 'a>,
) -> Option<&'t Token<'a>> {
    is_keyword(input, keyword)
        .then(|| input.next_token())
        .flatten()
}

/// A name without namespace and member.
pub(crate) fn identifier<'t, 'a>(input: &mut Input<'t, 'a>) -> ParseResult<&'t Token<'a>> {
    let plain =
        |token: &Token<'a>| token.kind == TokenKind::Id && !token.text.contains(['.', '#', '$']);
    expecting("a name", one_of(plain), input)
}

/// What a parser parses; where it does not, what people should know was expected.
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

/// The end of a line, after what ends with it. A comment may stand there, commas do not count.
pub(crate) fn line_break(input: &Input<'_, '_>) -> ParseResult<()> {
    match peek(input) {
        Some(token) if token.indent.is_none() => {
            Err(Mismatch::expected("the end of the line", input))
        }
        _ => Ok(()),
    }
}

/// The same after a statement, which no comma may follow.
pub(crate) fn statement_end(input: &Input<'_, '_>) -> ParseResult<()> {
    match last(input).and_then(|token| token.comma) {
        Some(at) => Err(Mismatch::new(at, "expected the end of the line, found `,`")),
        None => line_break(input),
    }
}

/// The token before the next one.
fn last<'t, 'a>(input: &Input<'t, 'a>) -> Option<&'t Token<'a>> {
    input.input.previous_tokens().next()
}

/// What stands between two brackets, each item by a parser of its own.
pub(crate) fn between<'t, 'a, T>(
    (open, close): (TokenKind, TokenKind),
    input: &mut Input<'t, 'a>,
    mut item: impl FnMut(&mut Input<'t, 'a>) -> ParseResult<T>,
) -> ParseResult<Vec<T>> {
    let opening = token(open, input)?;
    if input.state.depth == MAX_NESTING {
        let message = format!("values nest deeper than {MAX_NESTING}");
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
