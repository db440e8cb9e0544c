//! What is asked of a part of a path: its value or its truth, and whether a failure must be told from null.
//!
//! A failure (`length(null)`) makes the whole acceptor not match, and so does null at the end of a path. So between the end
//! and most functions a failure may be given as null, and code stays plain: `length(x) > `0`` is `x?.length > 0`. Below `!`,
//! `||`, in filters and the like null means something else: there a failure must leave the whole condition.

use smithy_waiters_model::{Kind, id};

use crate::ir::{Comparison, Expression, Form, Function, Op, Service, element};

/// What is asked of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Context {
    /// Only whether it is truthy.
    pub(crate) truth: bool,
    /// Whether a failure may be given as null, or, where only the truth is asked for, as something falsy.
    pub(crate) lenient: bool,
}

impl Context {
    /// The end of a path, where null is no match.
    pub(crate) const END: Self = Self {
        truth: false,
        lenient: true,
    };

    /// The end of a path of which only `true` matches.
    pub(crate) const TRUE: Self = Self {
        truth: true,
        lenient: true,
    };

    /// The value, with failures.
    pub(crate) const STRICT: Self = Self {
        truth: false,
        lenient: false,
    };

    /// The truth, with failures.
    pub(crate) const STRICT_TRUTH: Self = Self {
        truth: true,
        lenient: false,
    };

    /// The value of a part whose null or failure makes the whole null.
    pub(crate) const fn value(self) -> Self {
        Self {
            truth: false,
            lenient: self.lenient,
        }
    }

    /// The sides of a comparison: where one that fails makes a falsy result, nothing else is asked of it.
    pub(crate) fn sides(self, comparison: Comparison, sides: &[Expression<'_>; 2]) -> Self {
        let [left, right] = sides;
        let falsy = match comparison {
            Comparison::NotEqual => false,
            Comparison::Equal => is_set_literal(left) || is_set_literal(right),
            _ => true,
        };
        Self {
            truth: false,
            lenient: self.truth && self.lenient && falsy,
        }
    }
}

/// Whether it is a literal that is not null.
pub(crate) fn is_set_literal(expression: &Expression<'_>) -> bool {
    matches!(&expression.op, Op::Literal(value) if !value.is_null())
}

/// Whether it is true or false whatever the response is like; or null, where a failure may be given as null.
pub(crate) fn is_boolean(expression: &Expression<'_>) -> bool {
    match &expression.op {
        Op::And(sides) | Op::Or(sides) => sides.iter().all(is_boolean),
        Op::Call(function, _) => matches!(
            function,
            Function::Contains | Function::EndsWith | Function::StartsWith
        ),
        Op::Compare(..) | Op::Not(_) => true,
        Op::Literal(value) => value.is_boolean(),
        _ => false,
    }
}

/// Whether `&&` and `||` of a language choose between such sides as JMESPath does: the two agree on what is true of booleans.
pub(crate) fn are_told_apart([left, _]: &[Expression<'_>; 2]) -> bool {
    is_boolean(left)
}

/// Whether both are scalars of the same kind, which languages compare as JMESPath does.
pub(crate) fn are_alike(one: &Form<'_, '_>, other: &Form<'_, '_>) -> bool {
    matches!(
        (one, other),
        (Form::Boolean(_), Form::Boolean(_))
            | (Form::Number(_), Form::Number(_))
            | (Form::String(_), Form::String(_))
    )
}

/// Whether it is a string, a number or a boolean.
pub(crate) const fn is_scalar(form: &Form<'_, '_>) -> bool {
    matches!(form, Form::Boolean(_) | Form::Number(_) | Form::String(_))
}

/// Whether a member is of what clients have other types for than JMESPath has (dates, bytes, big numbers, documents), or of a
/// list or map of such.
pub(crate) fn is_foreign(service: &Service<'_>, target: &str) -> bool {
    let Some(shape) = service.target(target) else {
        return matches!(
            id::name(target),
            "BigDecimal" | "BigInteger" | "Blob" | "Document" | "Timestamp"
        );
    };
    match shape.kind {
        Kind::BigDecimal | Kind::BigInteger | Kind::Blob | Kind::Document | Kind::Timestamp => true,
        _ => element(shape).is_some_and(|element| is_foreign(service, element.target)),
    }
}
