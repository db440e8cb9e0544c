//! Parses selectors.
//!
//! Clause: [selector grammar](https://smithy.io/2.0/spec/selectors.html#grammar).

use winnow::ascii::multispace0;
use winnow::combinator::{alt, delimited, opt, preceded, repeat, separated, terminated};
use winnow::error::ContextError;
use winnow::token::{take_till, take_while};
use winnow::{ModalResult, Parser};

use super::graph::RELATIONS;
use super::syntax::{Attribute, Neighbours, Of, Relation, Selector, Step, Types};
use crate::shapes::Kind;

/// The limits for the length and depth of selectors. They bound every recursion over them.
const MAX_LENGTH: usize = 500;
const MAX_DEPTH: usize = 16;

/// The types in the groups `simpleType`, `number` and `aggregateType`.
const SIMPLE: [Kind; 15] = [
    Kind::BigDecimal,
    Kind::BigInteger,
    Kind::Blob,
    Kind::Boolean,
    Kind::Byte,
    Kind::Document,
    Kind::Double,
    Kind::Enum,
    Kind::Float,
    Kind::IntEnum,
    Kind::Integer,
    Kind::Long,
    Kind::Short,
    Kind::String,
    Kind::Timestamp,
];
const NUMBERS: [Kind; 9] = [
    Kind::BigDecimal,
    Kind::BigInteger,
    Kind::Byte,
    Kind::Double,
    Kind::Float,
    Kind::IntEnum,
    Kind::Integer,
    Kind::Long,
    Kind::Short,
];
const AGGREGATES: [Kind; 5] = [
    Kind::List,
    Kind::Set,
    Kind::Map,
    Kind::Structure,
    Kind::Union,
];

/// Parses a selector. Returns `None` for invalid and unsupported selectors.
pub(crate) fn parse(text: &str) -> Option<Selector> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let mut selector = |input: &mut &str| selector(MAX_DEPTH, input);
    selector.parse(text).ok()
}

fn selector(depth: usize, input: &mut &str) -> ModalResult<Selector> {
    let depth = depth.checked_sub(1);
    let depth = depth.ok_or_else(|| winnow::error::ErrMode::Cut(ContextError::new()))?;
    let step = |input: &mut &str| step(depth, input);
    let steps = repeat(1.., terminated(step, multispace0));
    let steps: Vec<Step> = preceded(multispace0, steps).parse_next(input)?;
    Ok(Selector(steps))
}

fn step(depth: usize, input: &mut &str) -> ModalResult<Step> {
    alt((
        |input: &mut &str| function(depth, input),
        attribute.map(Step::Where),
        neighbours.map(Step::Neighbours),
        '*'.map(|_| Step::Of(Types::All)),
        name.verify_map(|name| types(name).map(Step::Of)),
    ))
    .parse_next(input)
}

fn function(depth: usize, input: &mut &str) -> ModalResult<Step> {
    let name = preceded(':', name).parse_next(input)?;
    let one = |input: &mut &str| selector(depth, input);
    let open = ('(', multispace0);
    let several = separated(1.., one, (',', multispace0));
    let selectors: Vec<Selector> = delimited(open, several, ')').parse_next(input)?;
    match name {
        "is" | "each" => Ok(Step::Is(selectors)),
        "not" => Ok(Step::Not(selectors)),
        "test" => Ok(Step::Test(selectors)),
        _ => Err(winnow::error::ErrMode::Cut(ContextError::new())),
    }
}

fn attribute(input: &mut &str) -> ModalResult<Attribute> {
    let of = alt((
        preceded("trait|", id).map(|id: &str| Of::Trait(absolute(id))),
        "id|member".value(Of::Member),
        "id|namespace".value(Of::Namespace),
        "id|name".value(Of::Name),
        "id".value(Of::Id),
    ));
    let relation = delimited(multispace0, relation, multispace0);
    let value = (relation, alt((string, id)));
    let inner = (preceded(multispace0, of), opt(value), multispace0);
    let (of, value, _) = delimited('[', inner, ']').parse_next(input)?;
    let value = value.map(|(relation, text): (_, &str)| (relation, text.to_owned()));
    Ok(Attribute { of, value })
}

fn neighbours(input: &mut &str) -> ModalResult<Neighbours> {
    let plain = alt((
        "~>".value((false, true)),
        '>'.value((false, false)),
        ('<', winnow::combinator::not('-')).value((true, false)),
    ));
    let plain = plain.map(|(reverse, all)| Neighbours {
        reverse,
        all,
        by: Vec::new(),
    });
    let forward = delimited("-[", relations, "]->").map(|by| (false, by));
    let reverse = delimited("<-[", relations, "]-").map(|by| (true, by));
    let named = alt((forward, reverse)).map(|(reverse, by)| Neighbours {
        reverse,
        all: false,
        by,
    });
    alt((plain, named)).parse_next(input)
}

fn relations(input: &mut &str) -> ModalResult<Vec<String>> {
    let known = name.verify(|name: &str| RELATIONS.contains(&name) && name != "trait");
    let one = delimited(multispace0, known, multispace0);
    separated(1.., one.map(str::to_owned), ',').parse_next(input)
}

fn relation(input: &mut &str) -> ModalResult<Relation> {
    alt((
        '='.value(Relation::Is),
        "!=".value(Relation::IsNot),
        "^=".value(Relation::StartsWith),
        "$=".value(Relation::EndsWith),
        "*=".value(Relation::Contains),
    ))
    .parse_next(input)
}

fn name<'i>(input: &mut &'i str) -> ModalResult<&'i str> {
    take_while(1.., |char: char| char.is_ascii_alphanumeric()).parse_next(input)
}

fn id<'i>(input: &mut &'i str) -> ModalResult<&'i str> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || "_.#$".contains(char);
    take_while(1.., is_part).parse_next(input)
}

fn string<'i>(input: &mut &'i str) -> ModalResult<&'i str> {
    let single = delimited('\'', take_till(0.., '\''), '\'');
    let double = delimited('"', take_till(0.., '"'), '"');
    alt((single, double)).parse_next(input)
}

/// Returns the id of a trait. The namespace of the prelude can be omitted.
fn absolute(id: &str) -> String {
    if id.contains('#') {
        id.to_owned()
    } else {
        format!("smithy.api#{id}")
    }
}

fn types(name: &str) -> Option<Types> {
    Some(Types::Some(match name {
        "member" => return Some(Types::Member),
        "aggregateType" => AGGREGATES.to_vec(),
        "collection" | "list" => vec![Kind::List, Kind::Set],
        "dataType" => [&SIMPLE[..], &AGGREGATES].concat(),
        "integer" => vec![Kind::Integer, Kind::IntEnum],
        "number" => NUMBERS.to_vec(),
        "serviceType" => vec![Kind::Operation, Kind::Resource, Kind::Service],
        "simpleType" => SIMPLE.to_vec(),
        "string" => vec![Kind::String, Kind::Enum],
        name => vec![Kind::from_name(name)?],
    }))
}
