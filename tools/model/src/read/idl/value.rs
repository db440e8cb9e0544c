//! Parses node values and traits.
//!
//! Clauses: [node values](https://smithy.io/2.0/spec/idl.html#node-values), [applying
//! traits](https://smithy.io/2.0/spec/idl.html#applying-traits).

use super::lex::{Token, TokenKind};
use super::parse::{Input, Mismatch, ParseResult, between, is_next, peek, take, token};
use super::text;
use crate::shapes::{Entry, Node, Trait, Value};
use crate::source::At;

/// The id of the trait that documentation comments stand for.
const DOCUMENTATION: &str = "smithy.api#documentation";

pub(crate) fn node<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Node<'a>> {
    let at = peek(input).map_or(At::NONE, |token| token.at);
    let value = match peek(input).map(|token| token.kind) {
        Some(TokenKind::LeftBrace) => object(input)?,
        Some(TokenKind::LeftBracket) => array(input)?,
        Some(TokenKind::Number) => Value::Number(token(TokenKind::Number, input)?.text),
        Some(TokenKind::Id) => word(token(TokenKind::Id, input)?.text),
        Some(TokenKind::String | TokenKind::TextBlock) => Value::String(string(input)?),
        _ => return Err(Mismatch::expected("a value", input)),
    };
    Ok(Node { at, value })
}

/// Parses the traits before a shape or member, including documentation comments.
pub(crate) fn traits<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Vec<Trait<'a>>> {
    let documentation = documentation(input);
    let mut traits: Vec<Trait<'a>> = Vec::new();
    loop {
        // Only documentation comments before the first trait count.
        while take(TokenKind::Doc, input).is_some() {}
        if !is_next(input, TokenKind::AtSign) {
            break;
        }
        traits.push(application(input)?);
    }
    traits.extend(documentation);
    Ok(traits)
}

fn documentation<'a>(input: &mut Input<'_, 'a>) -> Option<Trait<'a>> {
    let first = take(TokenKind::Doc, input)?;
    let mut lines = vec![first.text];
    while let Some(line) = take(TokenKind::Doc, input) {
        lines.push(line.text);
    }
    let text = text::documentation(&lines, input.state.arena);
    Some(Trait {
        id: DOCUMENTATION,
        at: first.at,
        value: Node::new(first.at, Value::String(text)),
        inherited: false,
        extensible: false,
    })
}

/// Parses a trait, `@name` or `@name(value)`.
pub(crate) fn application<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Trait<'a>> {
    let at = token(TokenKind::AtSign, input)?.at;
    let id = token(TokenKind::Id, input)?.text;
    let value = if take(TokenKind::LeftParenthesis, input).is_some() {
        let value = trait_value(at, input)?;
        token(TokenKind::RightParenthesis, input)?;
        value
    } else {
        Value::Null
    };
    // As in Smithy, the value has the position of the trait. Values inside it have their own positions.
    Ok(Trait {
        id,
        at,
        value: Node { at, value },
        inherited: false,
        extensible: false,
    })
}

fn trait_value<'a>(at: At, input: &mut Input<'_, 'a>) -> ParseResult<Value<'a>> {
    if is_next(input, TokenKind::RightParenthesis) {
        return Ok(Value::Null);
    }
    let second = input.input.get(1).map(|token| token.kind);
    if second == Some(TokenKind::Colon) {
        return members(at, input);
    }
    Ok(node(input)?.value)
}

/// Parses the members of a trait value without braces. As in Smithy, the first key has the position of the trait.
fn members<'a>(at: At, input: &mut Input<'_, 'a>) -> ParseResult<Value<'a>> {
    let mut entries: Vec<Entry<'a>> = Vec::new();
    while !is_next(input, TokenKind::RightParenthesis) {
        entries.extend(item(input)?);
    }
    if let Some(first) = entries.first_mut() {
        first.key_at = at;
    }
    unique_entries(entries, input)
}

fn object<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Value<'a>> {
    let braces = (TokenKind::LeftBrace, TokenKind::RightBrace);
    let items = between(braces, input, item)?;
    unique_entries(items.into_iter().flatten().collect(), input)
}

fn unique_entries<'a>(entries: Vec<Entry<'a>>, input: &Input<'_, 'a>) -> ParseResult<Value<'a>> {
    let mut seen = rustc_hash::FxHashSet::default();
    match entries.iter().find(|entry| !seen.insert(entry.key)) {
        Some(entry) => {
            let message = format!("duplicate member `{}`", entry.key);
            Err(Mismatch::new(entry.key_at, message))
        }
        None => Ok(Value::Object(input.state.arena.alloc_slice_copy(&entries))),
    }
}

/// Parses a member of an object, or skips a documentation comment.
fn item<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Option<Entry<'a>>> {
    match take(TokenKind::Doc, input) {
        Some(_) => Ok(None),
        None => entry(input).map(Some),
    }
}

fn entry<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Entry<'a>> {
    let key_at = peek(input).map_or(At::NONE, |token| token.at);
    let key = match take(TokenKind::Id, input) {
        Some(Token { text, .. }) => text,
        None if is_next(input, TokenKind::String) => string(input)?,
        None => return Err(Mismatch::expected("the name of a member", input)),
    };
    token(TokenKind::Colon, input)?;
    let value = node(input)?;
    Ok(Entry { key, key_at, value })
}

fn array<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Value<'a>> {
    let brackets = (TokenKind::LeftBracket, TokenKind::RightBracket);
    let items = between(brackets, input, |input| match take(TokenKind::Doc, input) {
        Some(_) => Ok(None),
        None => node(input).map(Some),
    })?;
    let elements: Vec<Node<'a>> = items.into_iter().flatten().collect();
    Ok(Value::Array(input.state.arena.alloc_slice_copy(&elements)))
}

/// Returns the value of an unquoted word: a keyword or the id of a shape.
fn word(text: &str) -> Value<'_> {
    match text {
        "true" => Value::Boolean(true),
        "false" => Value::Boolean(false),
        "null" => Value::Null,
        id => Value::ShapeId(id),
    }
}

/// Parses a string or text block.
pub(crate) fn string<'a>(input: &mut Input<'_, 'a>) -> ParseResult<&'a str> {
    let arena = input.state.arena;
    let (token, text) = match take(TokenKind::TextBlock, input) {
        Some(token) => (token, text::text_block(token.text, arena)),
        None => {
            let token = token(TokenKind::String, input)?;
            (token, text::string(token.text, arena))
        }
    };
    text.map_err(|problem| Mismatch::new(token.at, problem))
}
