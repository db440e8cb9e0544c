//! Parses operations, including inline input and output.
//!
//! Clauses: [operation](https://smithy.io/2.0/spec/service-types.html#operation), [inline input and
//! output](https://smithy.io/2.0/spec/idl.html#inline-input-output-shapes).

use super::lex::{Token, TokenKind};
use super::members::{heritage, members, reference, target};
use super::parse::{Input, Mismatch, ParseResult, between, identifier, take, token};
use super::value;
use crate::read::idl_version::IdlVersion;
use crate::shapes::{Entry, Kind, Node, Shape, Trait, Value};
use crate::source::At;

/// Parses the body of an operation. Returns the inline structures.
pub(crate) fn body<'a>(
    name: &str,
    operation: &mut Shape<'a>,
    input: &mut Input<'_, 'a>,
) -> ParseResult<Vec<Shape<'a>>> {
    let mut inline = Vec::new();
    let braces = (TokenKind::LeftBrace, TokenKind::RightBrace);
    between(braces, input, |input| {
        if take(TokenKind::Doc, input).is_none() {
            property(name, operation, &mut inline, input)?;
        }
        Ok(())
    })?;
    let arena = input.state.arena;
    for key in ["input", "output"] {
        if operation.property(key).is_none() {
            let value = target(Node::new(At::NONE, Value::String("smithy.api#Unit")), arena);
            let key_at = At::NONE;
            operation.properties.push(Entry { key, key_at, value });
        }
    }
    Ok(inline)
}

fn property<'a>(
    name: &str,
    operation: &mut Shape<'a>,
    inline: &mut Vec<Shape<'a>>,
    input: &mut Input<'_, 'a>,
) -> ParseResult<()> {
    let Token {
        text: key,
        at: key_at,
        ..
    } = *identifier(input)?;
    if operation.property(key).is_some() {
        return Err(Mismatch::new(key_at, format!("duplicate property `{key}`")));
    }
    let context = input.state;
    let value = match key {
        "input" => in_or_out(
            name,
            context.input_suffix,
            "smithy.api#input",
            inline,
            input,
        )?,
        "output" => in_or_out(
            name,
            context.output_suffix,
            "smithy.api#output",
            inline,
            input,
        )?,
        "errors" => errors(input)?,
        _ => {
            let message = format!(
                "unknown property `{key}` of an operation: expected `input`, `output` or `errors`"
            );
            return Err(Mismatch::new(key_at, message));
        }
    };
    operation.properties.push(Entry { key, key_at, value });
    Ok(())
}

fn errors<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Node<'a>> {
    let at = token(TokenKind::Colon, input)?.at;
    let brackets = (TokenKind::LeftBracket, TokenKind::RightBracket);
    let arena = input.state.arena;
    let targets = between(brackets, input, |input| {
        let id = reference(input)?;
        Ok(target(Node::new(id.at, Value::ShapeId(id.id)), arena))
    })?;
    Ok(Node::new(
        at,
        Value::Array(arena.alloc_slice_copy(&targets)),
    ))
}

fn in_or_out<'a>(
    name: &str,
    suffix: &str,
    role: &'static str,
    inline: &mut Vec<Shape<'a>>,
    input: &mut Input<'_, 'a>,
) -> ParseResult<Node<'a>> {
    let arena = input.state.arena;
    if let Some(walrus) = take(TokenKind::Walrus, input) {
        if input.state.version == IdlVersion::One {
            let message = "`:=` requires `$version: \"2.0\"`: the default version is 1.0";
            return Err(Mismatch::new(walrus.at, message));
        }
        let id = input.state.absolute(&format!("{name}{suffix}"));
        let structure = structure(id, role, input)?;
        let at = structure.at;
        inline.push(structure);
        return Ok(target(Node::new(at, Value::String(id)), arena));
    }
    token(TokenKind::Colon, input)?;
    let id = reference(input)?;
    Ok(target(Node::new(id.at, Value::ShapeId(id.id)), arena))
}

fn structure<'a>(
    id: &'a str,
    role: &'static str,
    input: &mut Input<'_, 'a>,
) -> ParseResult<Shape<'a>> {
    let mut traits = value::traits(input)?;
    let at = super::parse::peek(input).map_or(At::NONE, |token| token.at);
    // If the trait is written out, too, both are merged.
    traits.push(Trait {
        id: role,
        at,
        value: Node::new(at, Value::Object(&[])),
        inherited: false,
        extensible: false,
    });
    let mut structure = Shape::empty(Kind::Structure, id, at, traits);
    heritage(&mut structure, input)?;
    structure.members = members(input)?;
    Ok(structure)
}
