//! The statements that define shapes.
//!
//! Clause: [defining shapes](https://smithy.io/2.0/spec/idl.html#defining-shapes).

use super::lex::{Token, TokenKind};
use super::operation;
use super::parse::{
    Input, Mismatch, Parsed, bracketed, identifier, is_next, line_break, take, take_keyword, token,
};
use super::value;
use crate::node::{Entry, Node, Value};
use crate::shape::{Kind, Member, Reference, Shape, Trait};
use crate::{source::At, suggest};

const DEFAULT: &str = "smithy.api#default";
const ENUM_VALUE: &str = "smithy.api#enumValue";
const UNIT: &str = "smithy.api#Unit";

/// A shape after its traits; with the shapes that are defined inside it.
pub(crate) fn shape<'a>(
    traits: Vec<Trait<'a>>,
    input: &mut Input<'_, 'a>,
) -> Parsed<Vec<Shape<'a>>> {
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

fn kind(input: &mut Input<'_, '_>) -> Parsed<(Kind, At)> {
    let Some(found) = take(TokenKind::Id, input) else {
        return Err(Mismatch::expected("a shape", input));
    };
    let kind = Kind::from_name(found.text);
    kind.map(|kind| (kind, found.at)).ok_or_else(|| {
        let near = suggest::kind(found.text);
        let message = format!(
            "there is no type of shape `{}`{near}",
            suggest::excerpt(found.text)
        );
        Mismatch::new(found.at, message)
    })
}

/// `for Resource` and `with [Mixin]`, in this order.
pub(crate) fn heritage<'a>(shape: &mut Shape<'a>, input: &mut Input<'_, 'a>) -> Parsed<()> {
    if take_keyword("for", input).is_some() {
        shape.resource = Some(reference(input)?);
    }
    let Some(with) = take_keyword("with", input) else {
        return Ok(());
    };
    let brackets = (TokenKind::LeftBracket, TokenKind::RightBracket);
    shape.mixins = bracketed(brackets, input, reference)?;
    if shape.mixins.is_empty() {
        return Err(Mismatch::new(with.at, "`with` names at least one mixin"));
    }
    Ok(())
}

/// The id of a shape.
pub(crate) fn reference<'a>(input: &mut Input<'_, 'a>) -> Parsed<Reference<'a>> {
    let Token { text: id, at, .. } = *token(TokenKind::Id, input)?;
    Ok(Reference { id, at })
}

/// The members of a structure, union, list or map.
pub(crate) fn members<'a>(input: &mut Input<'_, 'a>) -> Parsed<Vec<Member<'a>>> {
    each_member(input, |traits, input| {
        let elided = take(TokenKind::Dollar, input);
        let (name, at) = member_name(input)?;
        let target = match elided {
            Some(_) => "",
            None => {
                token(TokenKind::Colon, input)?;
                reference(input)?.id
            }
        };
        let mut member = Member {
            name,
            target,
            at: elided.map_or(at, |dollar| dollar.at),
            traits,
            inherited: false,
        };
        assigned(DEFAULT, &mut member, input)?;
        Ok(member)
    })
}

fn enum_members<'a>(kind: Kind, input: &mut Input<'_, 'a>) -> Parsed<Vec<Member<'a>>> {
    each_member(input, |traits, input| {
        let (name, at) = member_name(input)?;
        let mut member = Member {
            name,
            target: UNIT,
            at,
            traits,
            inherited: false,
        };
        let has_value = assigned(ENUM_VALUE, &mut member, input)?;
        let is_said = has_value
            || member
                .traits
                .iter()
                .any(|applied| matches!(applied.id, "enumValue" | ENUM_VALUE));
        if !is_said && kind == Kind::Enum {
            let value = Node::new(at, Value::String(name));
            member.traits.push(said(ENUM_VALUE, value));
        }
        Ok(member)
    })
}

fn each_member<'t, 'a>(
    input: &mut Input<'t, 'a>,
    mut member: impl FnMut(Vec<Trait<'a>>, &mut Input<'t, 'a>) -> Parsed<Member<'a>>,
) -> Parsed<Vec<Member<'a>>> {
    let braces = (TokenKind::LeftBrace, TokenKind::RightBrace);
    let members = bracketed(braces, input, |input| {
        let traits = value::traits(input)?;
        let dangling = is_next(input, TokenKind::RightBrace) && traits.len() == 1;
        if dangling {
            Ok(None)
        } else {
            member(traits, input).map(Some)
        }
    })?;
    let members: Vec<Member<'a>> = members.into_iter().flatten().collect();
    let mut seen = rustc_hash::FxHashSet::default();
    match members.iter().find(|member| !seen.insert(member.name)) {
        Some(member) => {
            let message = format!("the member `{}` is there twice", member.name);
            Err(Mismatch::new(member.at, message))
        }
        None => Ok(members),
    }
}

/// The name of a member.
fn member_name<'a>(input: &mut Input<'_, 'a>) -> Parsed<(&'a str, At)> {
    let name = identifier(input)?;
    Ok((name.text, name.at))
}

/// `= value` after a member, as the trait that it stands for.
fn assigned<'a>(
    id: &'static str,
    member: &mut Member<'a>,
    input: &mut Input<'_, 'a>,
) -> Parsed<bool> {
    if take(TokenKind::Equal, input).is_none() {
        return Ok(false);
    }
    let value = value::node(input)?;
    line_break(input)?;
    member.traits.push(said(id, value));
    Ok(true)
}

const fn said<'a>(id: &'static str, value: Node<'a>) -> Trait<'a> {
    Trait {
        id,
        at: value.at,
        value,
        inherited: false,
    }
}

/// The body of a service or resource, as the JSON AST writes it.
fn properties<'a>(kind: Kind, input: &mut Input<'_, 'a>) -> Parsed<Vec<Entry<'a>>> {
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

/// `{"target": …}` of an id, quoted or not.
pub(crate) fn target<'a>(id: Node<'a>, arena: &'a bumpalo::Bump) -> Node<'a> {
    let value = match id.value {
        Value::String(id) => Value::ShapeId(id),
        value => value,
    };
    let entry = Entry {
        key: "target",
        key_at: id.at,
        value: Node { at: id.at, value },
    };
    Node {
        at: id.at,
        value: Value::Object(arena.alloc_slice_copy(&[entry])),
    }
}
