//! The compiled form of an expression.

use serde_json::Value as Json;

use super::function::Function;
use super::parser::Comparison;
use crate::value::Name;

/// An operation, and its position in the text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    /// The parser's byte offset.
    pub(crate) at: usize,
}

impl Node {
    /// The units of work of the operation, without its operands.
    pub(crate) const fn work(&self) -> u64 {
        match &self.op {
            Op::Path(names) => names.len() as u64,
            _ => 1,
        }
    }

    /// Returns `true` if the evaluator can visit the items of the result without building an array.
    pub(crate) const fn is_projection(&self) -> bool {
        matches!(
            self.op,
            Op::Flatten(_) | Op::Project(_) | Op::Slice(_) | Op::Values(_)
        )
    }

    /// Returns `true` if the result is always a list or null: a projection, a slice, a list, or a function that returns
    /// a list.
    pub(crate) fn returns_list(&self) -> bool {
        match &self.op {
            Op::Chain(nodes) => nodes.last().is_some_and(Self::returns_list),
            Op::Call(function, _) => function.returns_list(),
            Op::List(_) => true,
            _ => self.is_projection(),
        }
    }

    /// Returns `true` if the expression is boolean: a comparison, a negation, or a function that returns a boolean.
    pub(crate) fn is_condition(&self) -> bool {
        match &self.op {
            Op::Compare(..) | Op::Not(_) => true,
            Op::And(pair) | Op::Or(pair) => pair.iter().all(Self::is_condition),
            Op::Call(function, _) => function.is_condition(),
            Op::Chain(nodes) => nodes.last().is_some_and(Self::is_condition),
            _ => false,
        }
    }

    /// Returns the members at the start of the expression.
    pub(crate) fn members(&self) -> &[Name] {
        match &self.op {
            Op::Path(names) => names,
            Op::Chain(nodes) => nodes.first().map_or(&[], Self::members),
            Op::Project(pair) => pair.first().map_or(&[], Self::members),
            Op::Flatten(node) | Op::Values(node) => node.members(),
            _ => &[],
        }
    }

    /// Returns `true` if the expression calls a function, so that its evaluation can fail because of a value's type.
    pub(crate) fn calls_functions(&self) -> bool {
        match &self.op {
            Op::Call(..) => true,
            Op::And(pair)
            | Op::Compare(_, pair)
            | Op::Condition(pair)
            | Op::Or(pair)
            | Op::Project(pair) => pair.iter().any(Self::calls_functions),
            Op::Chain(nodes) | Op::List(nodes) => nodes.iter().any(Self::calls_functions),
            Op::Expref(node) | Op::Flatten(node) | Op::Not(node) | Op::Values(node) => {
                node.calls_functions()
            }
            Op::Hash(members) => members.iter().any(|(_, node)| node.calls_functions()),
            Op::Current | Op::Index(_) | Op::Literal(_) | Op::Path(_) | Op::Slice(_) => false,
        }
    }
}

/// An operation on the current value.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    And(Box<[Node; 2]>),
    Call(Function, Box<[Node]>),
    /// A chain in which each node is applied to the result of the previous one: `a.b`, `a | b`.
    Chain(Box<[Node]>),
    Compare(Comparison, Box<[Node; 2]>),
    /// The value of the second node if the first one is truthy, otherwise null. The right side of a filter.
    Condition(Box<[Node; 2]>),
    Current,
    /// An expression as an argument: `&a.b`.
    Expref(Box<Node>),
    Flatten(Box<Node>),
    Hash(Box<[(Box<str>, Node)]>),
    Index(i64),
    List(Box<[Node]>),
    Literal(Json),
    Not(Box<Node>),
    Or(Box<[Node; 2]>),
    /// A chain of fields: `a.b.c`.
    Path(Box<[Name]>),
    /// The value of the second node for every item of the first one, without nulls.
    Project(Box<[Node; 2]>),
    Slice(Slice),
    Values(Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) start: Option<i64>,
    pub(crate) stop: Option<i64>,
    pub(crate) step: i64,
}

/// The distinct names and expected strings of a waiter's expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    texts: Vec<Box<str>>,
    /// The indexes of the texts, sorted by text.
    sorted: Vec<u32>,
}

impl Names {
    pub(crate) fn intern(&mut self, text: &str) -> Name {
        let index = match self.search(text) {
            Ok(place) => self.sorted.get(place).copied().unwrap_or_default(),
            Err(place) => {
                let next = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
                self.sorted.insert(place, next);
                self.texts.push(text.into());
                next
            }
        };
        Name::new(text, index)
    }

    pub(crate) fn contains(&self, text: &str) -> bool {
        self.search(text).is_ok()
    }

    /// Returns the place of a text in `sorted`, or the place at which to insert it.
    fn search(&self, text: &str) -> Result<usize, usize> {
        let text_at = |index: &u32| self.texts.get(*index as usize).map_or("", |text| &**text);
        self.sorted.binary_search_by_key(&text, text_at)
    }

    pub(crate) fn texts(&self) -> &[Box<str>] {
        &self.texts
    }
}
