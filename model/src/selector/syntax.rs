//! The parts of selectors.

use crate::shapes::Kind;

/// A selector: shapes go through its steps, all of them through the first.
#[derive(Debug, PartialEq)]
pub(crate) struct Selector(pub(super) Vec<Step>);

/// What is done with every shape that comes so far.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Goes on with the shapes that any of the selectors gives.
    Is(Vec<Selector>),
    /// Goes on with other shapes.
    Neighbours(Neighbours),
    /// Goes on if none of the selectors gives anything.
    Not(Vec<Selector>),
    /// Goes on if one of the selectors gives something.
    Test(Vec<Selector>),
    /// Goes on with shapes that an attribute holds for.
    Where(Attribute),
    /// Goes on with shapes of a type.
    Of(Types),
}

/// Which neighbours.
#[derive(Debug, PartialEq)]
pub(super) struct Neighbours {
    /// Those that refer to a shape, instead of those that it refers to.
    pub(super) reverse: bool,
    /// And theirs, and so on.
    pub(super) all: bool,
    /// By these relations; by any, where there are none.
    pub(super) by: Vec<String>,
}

/// What shapes are.
#[derive(Debug, PartialEq)]
pub(super) enum Types {
    All,
    Member,
    Some(Vec<Kind>),
}

/// What a shape has.
#[derive(Debug, PartialEq)]
pub(super) struct Attribute {
    pub(super) of: Of,
    /// How it compares with what; otherwise it is enough that it is there.
    pub(super) value: Option<(Relation, String)>,
}

/// How a text compares with another.
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
