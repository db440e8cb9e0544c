//! The parts of selectors.

use crate::shapes::Kind;

/// A selector. Its first step starts with all shapes, and each step replaces or filters the shapes of the one before.
#[derive(Debug, PartialEq)]
pub(crate) struct Selector(pub(super) Vec<Step>);

/// A step of a selector.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Replaces a shape by the results of all selectors.
    Is(Vec<Selector>),
    /// Replaces a shape by its neighbours.
    Neighbours(Neighbours),
    /// Keeps a shape if no selector has a result.
    Not(Vec<Selector>),
    /// Keeps a shape if a selector has a result.
    Test(Vec<Selector>),
    /// Keeps a shape with an attribute.
    Where(Attribute),
    /// Keeps a shape of a type.
    Of(Types),
}

/// A step to neighbours.
#[derive(Debug, PartialEq)]
pub(super) struct Neighbours {
    /// `true` for the shapes that refer to a shape, `false` for those that it refers to.
    pub(super) reverse: bool,
    /// `true` to follow the relation repeatedly.
    pub(super) all: bool,
    /// The relations to follow; empty for all.
    pub(super) by: Vec<String>,
}

/// A set of types.
#[derive(Debug, PartialEq)]
pub(super) enum Types {
    All,
    Member,
    Some(Vec<Kind>),
}

/// A test of an attribute.
#[derive(Debug, PartialEq)]
pub(super) struct Attribute {
    pub(super) of: Of,
    /// The comparison with a value. Without it, the attribute only has to exist.
    pub(super) value: Option<(Relation, String)>,
}

/// A comparison of strings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Relation {
    Contains,
    EndsWith,
    Is,
    IsNot,
    StartsWith,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Of {
    Id,
    Member,
    Name,
    Namespace,
    Trait(String),
}
