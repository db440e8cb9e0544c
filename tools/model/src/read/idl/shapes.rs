//! Parses statements that define shapes.
//!
//! Clause: [defining shapes](https://smithy.io/2.0/spec/idl.html#defining-shapes).

use super::lex::TokenKind;
use super::members::{
    assignment, each_member, heritage, member_name, members, syntax_trait, target,
};
use super::operation;
use super::parse::{Input, Mismatch, ParseResult, identifier, is_next, take};
use super::value;
use crate::messages;
use crate::shapes::{Entry, Kind, Member, Node, Shape, Trait, Value};
use crate::source::At;

const ENUM_VALUE: &str = "smithy.api#enumValue";
const UNIT: &str = "smithy.api#Unit";

/// Parses a shape after its traits. Returns it with the shapes that are defined inline.
pub(crate) fn shape<'a>(
    traits: Vec<Trait<'a>>,
    input: &mut Input<'_, 'a>,
) -> ParseResult<Vec<Shape<'a>>> {
    let (kind, at) = kind(input)?;
    let name = identifier(input)?;
    let mut shape = Shape::empty(kind, input.state.absolute(name.text), at, traits);
    heritage(&mut shape, input)?;
    let mut inside = Vec::new();
    match kind {
        Kind::Operation => inside = operation::body(name.text, &mut shape, input)?,
        Kind::Service | Kind::Resource => shape.properties = properties(kind, input)?,
        Kind::Enum | Kind::IntEnum => shape.members = enum_members(kind, input)?,
        Kind::List | Kind::Map | Kind::Set | Kind::Structure | Kind::Union => {
            shape.members = members(input)?;
        }
        _ => {}
    }
    inside.insert(0, shape);
    Ok(inside)
}

fn kind(input: &mut Input<'_, '_>) -> ParseResult<(Kind, At)> {
    let Some(found) = take(TokenKind::Id, input) else {
        return Err(Mismatch::expected("a shape", input));
    };
    let kind = Kind::from_name(found.text);
    kind.map(|kind| (kind, found.at)).ok_or_else(|| {
        let near = messages::did_you_mean(found.text, Kind::NAMES.iter().copied());
        let message = format!(
            "unknown shape type `{}`{near}",
            messages::excerpt(found.text)
        );
        Mismatch::new(found.at, message)
    })
}

fn enum_members<'a>(kind: Kind, input: &mut Input<'_, 'a>) -> ParseResult<Vec<Member<'a>>> {
    each_member(input, |traits, input| {
        let (name, at) = member_name(input)?;
        let mut member = Member {
            name,
            target: UNIT,
            at,
            traits,
            inherited: false,
        };
        let is_assigned = assignment(ENUM_VALUE, &mut member, input)?;
        let has_value = is_assigned
            || member
                .traits
                .iter()
                .any(|applied| matches!(applied.id, "enumValue" | ENUM_VALUE));
        if !has_value && kind == Kind::Enum {
            let value = Node::new(at, Value::String(name));
            member.traits.push(syntax_trait(ENUM_VALUE, value));
        }
        Ok(member)
    })
}

/// Parses the body of a service or resource as properties of the JSON AST.
fn properties<'a>(kind: Kind, input: &mut Input<'_, 'a>) -> ParseResult<Vec<Entry<'a>>> {
    if !is_next(input, TokenKind::LeftBrace) {
        return Err(Mismatch::expected("`{`", input));
    }
    let body = value::node(input)?;
    let arena = input.state.arena;
    let as_ast = |entry: &Entry<'a>| {
        let node = entry.value;
        let value = match (kind, entry.key) {
            (_, "operations" | "resources" | "collectionOperations")
            | (Kind::Service, "errors") => {
                let targets = node
                    .elements()
                    .iter()
                    .map(|element| target(*element, arena));
                Value::Array(arena.alloc_slice_copy(&targets.collect::<Vec<_>>()))
            }
            (Kind::Resource, "identifiers" | "properties") => {
                let targets = node.entries().iter().map(|entry| Entry {
                    value: target(entry.value, arena),
                    ..*entry
                });
                Value::Object(arena.alloc_slice_copy(&targets.collect::<Vec<_>>()))
            }
            (Kind::Resource, "create" | "put" | "read" | "update" | "delete" | "list") => {
                target(node, arena).value
            }
            _ => node.value,
        };
        let value = Node { at: node.at, value };
        Entry { value, ..*entry }
    };
    Ok(body.entries().iter().map(as_ast).collect())
}
