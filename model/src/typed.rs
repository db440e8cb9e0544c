//! Expressions as trees whose nodes have types, for generators of code.
//!
//! The tree is the evaluator's meaning with nothing left to guess. A chain is nested (`a.b` is the member `b` of the member `a`),
//! a filter belongs to its projection, and what an expression works on is [`Op::Current`].

mod build;

use serde_json::Value as Json;
pub use smithy_waiters::internal::jmespath::Comparison;

pub use crate::types::{Element, Form, Numbers, Type};

/// An expression, and what it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression<'m> {
    /// What it does.
    pub op: Op<'m>,
    /// What is known of its result, as the service is modeled: a member that is `@required` is there.
    pub gives: Type<'m, 'm>,
}

/// What an expression does. Missing and null are the same.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a generator that does not know an operation must not compile"
)]
pub enum Op<'m> {
    /// `&&`: the first side where it is falsy, else the second.
    And(Box<[Expression<'m>; 2]>),
    /// A function's result. Arguments of the wrong type fail the whole evaluation, not only this node.
    Call(Function, Vec<Expression<'m>>),
    /// A comparison. Order is of numbers only and gives null for everything else.
    Compare(Comparison, Box<[Expression<'m>; 2]>),
    /// What the innermost [`Each`](Op::Each), [`Reference`](Op::Reference) or [`Then`](Op::Then) around it works on; around
    /// all of them the output, or `{input, output}`.
    Current,
    /// A projection: `each` for every element for which `when` is truthy, without the nulls that it gives. Null where `of` is
    /// no array.
    Each {
        /// The array.
        of: Box<Expression<'m>>,
        /// The condition of a filter, on an element.
        when: Option<Box<Expression<'m>>>,
        /// What is made of an element.
        each: Box<Expression<'m>>,
    },
    /// The elements of the arrays in an array, and what else is in it. Null where it is given no array.
    Flatten(Box<Expression<'m>>),
    /// An element; a negative index counts from the end.
    Index(Box<Expression<'m>>, i64),
    /// An array; null where [`Current`](Op::Current) is.
    List(Vec<Expression<'m>>),
    /// A value that is written in the path.
    Literal(Json),
    /// A member of a structure, a map or an object that was made.
    Member(Box<Expression<'m>>, String),
    /// Whether it is falsy: null, false, or empty.
    Not(Box<Expression<'m>>),
    /// `||`: the first side where it is truthy, else the second.
    Or(Box<[Expression<'m>; 2]>),
    /// An object; null where [`Current`](Op::Current) is. A key that comes twice has the later value.
    Record(Vec<(String, Expression<'m>)>),
    /// An expression as an argument: evaluated by the function, for every element.
    Reference(Box<Expression<'m>>),
    /// The elements from a start up to a stop, as slices in Python.
    Slice {
        /// The array.
        of: Box<Expression<'m>>,
        /// Where it starts.
        start: Option<i64>,
        /// Where it stops.
        stop: Option<i64>,
        /// Never zero.
        step: i64,
    },
    /// The second, which works on what the first gives.
    Then(Box<[Expression<'m>; 2]>),
    /// The values of an object. Null where it is given no object.
    Values(Box<Expression<'m>>),
}

macro_rules! functions {
    ($($(#[$doc:meta])* $function:ident $name:literal,)*) => {
        /// A function of JMESPath.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(clippy::exhaustive_enums, reason = "the specification has no other")]
        pub enum Function {
            $($(#[$doc])* $function,)*
        }

        impl Function {
            /// The function of a name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$function),)*
                    _ => None,
                }
            }

            /// The name in expressions.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$function => $name,)*
                }
            }
        }
    };
}

functions! {
    /// `abs`
    Abs "abs",
    /// `avg`
    Avg "avg",
    /// `ceil`
    Ceil "ceil",
    /// `contains`
    Contains "contains",
    /// `ends_with`
    EndsWith "ends_with",
    /// `floor`
    Floor "floor",
    /// `join`
    Join "join",
    /// `keys`
    Keys "keys",
    /// `length`
    Length "length",
    /// `map`
    Map "map",
    /// `max`
    Max "max",
    /// `max_by`
    MaxBy "max_by",
    /// `merge`
    Merge "merge",
    /// `min`
    Min "min",
    /// `min_by`
    MinBy "min_by",
    /// `not_null`
    NotNull "not_null",
    /// `reverse`
    Reverse "reverse",
    /// `sort`
    Sort "sort",
    /// `sort_by`
    SortBy "sort_by",
    /// `starts_with`
    StartsWith "starts_with",
    /// `sum`
    Sum "sum",
    /// `to_array`
    ToArray "to_array",
    /// `to_number`
    ToNumber "to_number",
    /// `to_string`
    ToString "to_string",
    /// `type`
    Type "type",
    /// `values`
    Values "values",
}

impl Function {
    /// Returns `true` if some argument fails the evaluation.
    #[must_use]
    pub const fn can_fail(self) -> bool {
        !matches!(
            self,
            Self::NotNull | Self::ToArray | Self::ToNumber | Self::ToString | Self::Type
        )
    }
}

impl Expression<'_> {
    /// Returns `true` if its evaluation can fail, by a function in it.
    #[must_use]
    pub fn can_fail(&self) -> bool {
        let fails = matches!(&self.op, Op::Call(function, _) if function.can_fail());
        fails || self.children().into_iter().any(Self::can_fail)
    }

    /// Returns `true` if it looks at [`Op::Current`] of its surroundings.
    #[must_use]
    pub fn uses_current(&self) -> bool {
        match &self.op {
            Op::Current => true,
            Op::Each { of, .. } => of.uses_current(),
            Op::Reference(_) => false,
            Op::Then(links) => links.first().is_some_and(Self::uses_current),
            // What they are made in may be null.
            Op::List(_) | Op::Record(_) => true,
            _ => self.children().into_iter().any(Self::uses_current),
        }
    }

    /// The expressions directly in it.
    #[must_use]
    pub fn children(&self) -> Vec<&Self> {
        match &self.op {
            Op::And(pair) | Op::Compare(_, pair) | Op::Or(pair) | Op::Then(pair) => {
                pair.iter().collect()
            }
            Op::Call(_, nodes) | Op::List(nodes) => nodes.iter().collect(),
            Op::Current | Op::Literal(_) => Vec::new(),
            Op::Each { of, when, each } => {
                let when = when.as_deref();
                [Some(&**of), when, Some(&**each)]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Op::Flatten(node)
            | Op::Index(node, _)
            | Op::Member(node, _)
            | Op::Not(node)
            | Op::Reference(node)
            | Op::Slice { of: node, .. }
            | Op::Values(node) => vec![node],
            Op::Record(members) => members.iter().map(|(_, node)| node).collect(),
        }
    }
}
