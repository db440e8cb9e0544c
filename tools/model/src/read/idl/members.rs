//! Parses members of shapes and ids of other shapes.
//!
//! Clause: [defining shapes](https://smithy.io/2.0/spec/idl.html#defining-shapes).

use super::lex::{Token, TokenKind};
use super::parse::{
    Input, Mismatch, ParseResult, between, identifier, is_next, line_break, take, take_keyword,
    token,
};
use super::value;
use crate::shapes::{Entry, Member, Node, Reference, Shape, Trait, Value};
use crate::source::At;

const DEFAULT: &str = "smithy.api#default";

/// Parses `for Resource` and `with [Mixin]`, in this order.
pub(crate) fn heritage<'a>(shape: &mut Shape<'a>, input: &mut Input<'_, 'a>) -> ParseResult<()> {
    if take_keyword("for", input).is_some() {
        shape.resource = Some(reference(input)?);
    }
    let Some(with) = take_keyword("with", input) else {
        return Ok(());
    };
    let brackets = (TokenKind::LeftBracket, TokenKind::RightBracket);
    shape.mixins = between(brackets, input, reference)?;
    if shape.mixins.is_empty() {
        return Err(Mismatch::new(with.at, "`with` requires at least one mixin"));
    }
    Ok(())
}

/// Parses the id of a shape.
pub(crate) fn reference<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Reference<'a>> {
    let Token { text: id, at, .. } = *token(TokenKind::Id, input)?;
    Ok(Reference { id, at })
}

/// Parses the members of a structure, union, list or map.
pub(crate) fn members<'a>(input: &mut Input<'_, 'a>) -> ParseResult<Vec<Member<'a>>> {
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
        assignment(DEFAULT, &mut member, input)?;
        Ok(member)
    })
}

pub(super) fn each_member<'t, 'a>(
    input: &mut Input<'t, 'a>,
    mut member: impl FnMut(Vec<Trait<'a>>, &mut Input<'t, 'a>) -> ParseResult<Member<'a>>,
) -> ParseResult<Vec<Member<'a>>> {
    let braces = (TokenKind::LeftBrace, TokenKind::RightBrace);
    let members = between(braces, input, |input| {
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
            let message = format!("duplicate member `{}`", member.name);
            Err(Mismatch::new(member.at, message))
        }
        None => Ok(members),
    }
}

pub(super) fn member_name<'a>(input: &mut Input<'_, 'a>) -> ParseResult<(&'a str, At)> {
    let name = identifier(input)?;
    Ok((name.text, name.at))
}

/// Parses `= value` after a member and adds it as the trait `id`. Returns `true` if there is a value.
pub(super) fn assignment<'a>(
    id: &'static str,
    member: &mut Member<'a>,
    input: &mut Input<'_, 'a>,
) -> ParseResult<bool> {
    if take(TokenKind::Equal, input).is_none() {
        return Ok(false);
    }
    let value = value::node(input)?;
    line_break(input)?;
    member.traits.push(syntax_trait(id, value));
    Ok(true)
}

/// Creates a trait that the text applies with other syntax than `@`.
pub(super) const fn syntax_trait<'a>(id: &'static str, value: Node<'a>) -> Trait<'a> {
    Trait {
        id,
        at: value.at,
        value,
        inherited: false,
        extensible: false,
    }
}

/// Returns `{"target": …}` for an id with or without quotes.
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
