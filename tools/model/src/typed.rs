//! Typed trees of paths, for the lints and for code generators.
//!
//! The tree states the evaluation explicitly. A chain is nested (`a.b` is the member `b` of the member `a`), a
//! projection contains its filter, and the value that an expression is evaluated on is [`Op::Current`].

mod build;
pub(crate) mod infer;
mod syntax;

#[cfg(test)]
pub(crate) use build::analyze;
pub(crate) use build::{Analysis, Sides};

use serde_json::Value as Json;
pub use smithy_waiters::internal::jmespath::Comparison;

pub use crate::types::{Element, Form, Numbers, Type};

/// An expression and the type of its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression<'m> {
    /// The operation.
    pub op: Op<'m>,
    /// The type of the result according to the model: a `@required` member is not null.
    pub gives: Type<'m, 'm>,
    /// The byte offset of the operation's own token, such as the name of a member.
    pub(crate) at: usize,
}

/// An operation of an expression. A missing value is null.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a generator that does not handle an operation must not compile"
)]
pub enum Op<'m> {
    /// `&&`: the left result if it is falsy, otherwise the right one.
    And(Box<[Expression<'m>; 2]>),
    /// A function call. An argument of the wrong type fails the whole evaluation, not only this call.
    Call(Function, Vec<Expression<'m>>),
    /// A comparison. `<`, `<=`, `>` and `>=` require numbers and return null for other values.
    Compare(Comparison, Box<[Expression<'m>; 2]>),
    /// The current value: that of the innermost [`Each`](Op::Each), [`Reference`](Op::Reference) or [`Then`](Op::Then)
    /// around it. Outside of these it is the output, or `{input, output}`.
    Current,
    /// A projection: the results of `each` for all elements for which `when` is truthy, without nulls. Null if `of` is
    /// not an array.
    Each {
        /// The array.
        of: Box<Expression<'m>>,
        /// The condition of a filter, on an element.
        when: Option<Box<Expression<'m>>>,
        /// The expression that is evaluated on each element.
        each: Box<Expression<'m>>,
    },
    /// Flattens one level of nested arrays. Null if the operand is not an array.
    Flatten(Box<Expression<'m>>),
    /// An element of an array. A negative index counts from the end.
    Index(Box<Expression<'m>>, i64),
    /// A list of results. Null if [`Current`](Op::Current) is null.
    List(Vec<Expression<'m>>),
    /// A literal value.
    Literal(Json),
    /// A member of a structure, map or [`Record`](Op::Record).
    Member(Box<Expression<'m>>, String),
    /// `!`: `true` if the operand is falsy, which is null, false or empty.
    Not(Box<Expression<'m>>),
    /// `||`: the left result if it is truthy, otherwise the right one.
    Or(Box<[Expression<'m>; 2]>),
    /// An object of results. Null if [`Current`](Op::Current) is null. A duplicate key has the value of its last entry.
    Record(Vec<(String, Expression<'m>)>),
    /// An expression as the argument of a function, which evaluates it for each element.
    Reference(Box<Expression<'m>>),
    /// A slice of an array, as in Python.
    Slice {
        /// The array.
        of: Box<Expression<'m>>,
        /// The start index.
        start: Option<i64>,
        /// The stop index.
        stop: Option<i64>,
        /// The step; never zero.
        step: i64,
    },
    /// The right expression, evaluated on the result of the left one.
    Then(Box<[Expression<'m>; 2]>),
    /// The values of an object. Null if the operand is not an object.
    Values(Box<Expression<'m>>),
}

macro_rules! functions {
    ($($(#[$doc:meta])* $function:ident $name:literal,)*) => {
        /// A JMESPath function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(clippy::exhaustive_enums, reason = "the specification defines no other functions")]
        pub enum Function {
            $($(#[$doc])* $function,)*
        }

        impl Function {
            pub(crate) const NAMES: &[&str] = &[$($name),*];

            /// Returns the function with a name, or `None` if JMESPath does not define it.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$function),)*
                    _ => None,
                }
            }

            /// Returns the name in expressions.
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
    /// Returns `true` if an argument of the wrong type fails the evaluation. The other functions accept any type.
    #[must_use]
    pub const fn can_fail(self) -> bool {
        !matches!(
            self,
            Self::NotNull | Self::ToArray | Self::ToNumber | Self::ToString | Self::Type
        )
    }
}

impl<'m> Op<'m> {
    /// Returns the operand that is written before the operation's own token.
    pub(crate) fn first(&self) -> Option<&Expression<'m>> {
        match self {
            Self::And(pair) | Self::Compare(_, pair) | Self::Or(pair) | Self::Then(pair) => {
                pair.first()
            }
            Self::Each { of, .. }
            | Self::Flatten(of)
            | Self::Index(of, _)
            | Self::Member(of, _)
            | Self::Slice { of, .. }
            | Self::Values(of) => Some(of),
            Self::Call(..)
            | Self::Current
            | Self::List(_)
            | Self::Literal(_)
            | Self::Not(_)
            | Self::Record(_)
            | Self::Reference(_) => None,
        }
    }
}

impl Expression<'_> {
    /// Returns `true` if a function in the expression can fail the evaluation.
    #[must_use]
    pub fn can_fail(&self) -> bool {
        let fails = matches!(&self.op, Op::Call(function, _) if function.can_fail());
        fails || self.children().into_iter().any(Self::can_fail)
    }

    /// Returns the byte offset of the first token.
    pub(crate) fn start(&self) -> usize {
        self.op.first().map_or(self.at, Self::start)
    }

    /// Returns the direct subexpressions.
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
