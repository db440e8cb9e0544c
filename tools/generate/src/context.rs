//! The requirements that the surroundings of an expression place on its code.
//!
//! A failed function call (`length(null)`) makes the acceptor not match, and null at the end of a path has the same
//! effect. Between the end of a path and most functions, code may therefore represent a failure as null, which keeps it
//! short: ``length(x) > `0` `` becomes `x?.length > 0`. Inside `!`, `||`, filters and projections, null has a meaning,
//! and a failure must abort the whole condition.

use smithy_waiters_model::{Kind, id};

use crate::ir::{Comparison, Expression, Form, Function, Op, Service, element};

/// The requirements on an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Context {
    /// Only the truth of the value is needed.
    pub(crate) truth: bool,
    /// A failure may be represented as null, or as a falsy value if only the truth is needed.
    pub(crate) lenient: bool,
}

impl Context {
    /// The end of a path. Null doesn't match there.
    pub(crate) const END: Self = Self {
        truth: false,
        lenient: true,
    };

    /// The end of a path that matches only `true`.
    pub(crate) const TRUE: Self = Self {
        truth: true,
        lenient: true,
    };

    /// The exact value. Failures must be distinguishable from null.
    pub(crate) const STRICT: Self = Self {
        truth: false,
        lenient: false,
    };

    /// The exact truth. Failures must be distinguishable from falsy values.
    pub(crate) const STRICT_TRUTH: Self = Self {
        truth: true,
        lenient: false,
    };

    /// Returns the context of an operand whose null or failure makes the whole expression null.
    pub(crate) const fn value(self) -> Self {
        Self {
            truth: false,
            lenient: self.lenient,
        }
    }

    /// Returns the context of the sides of a comparison. They may be lenient only if a failed side makes the result
    /// falsy.
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

/// Returns `true` for a literal other than null.
pub(crate) fn is_set_literal(expression: &Expression<'_>) -> bool {
    matches!(&expression.op, Op::Literal(value) if !value.is_null())
}

/// Returns `true` if the value is a boolean for every response. It may still be null in a lenient context.
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

/// Returns `true` if the language's `&&` and `||` select the same side as JMESPath's. They do for a boolean left side.
pub(crate) fn is_native_choice([left, _]: &[Expression<'_>; 2]) -> bool {
    is_boolean(left)
}

/// Returns `true` for two scalars of the same kind. Languages compare these as JMESPath does.
pub(crate) fn have_same_kind(one: &Form<'_, '_>, other: &Form<'_, '_>) -> bool {
    matches!(
        (one, other),
        (Form::Boolean(_), Form::Boolean(_))
            | (Form::Number(_), Form::Number(_))
            | (Form::String(_), Form::String(_))
    )
}

/// Returns `true` for strings, numbers and booleans.
pub(crate) const fn is_scalar(form: &Form<'_, '_>) -> bool {
    matches!(form, Form::Boolean(_) | Form::Number(_) | Form::String(_))
}

/// Returns `true` if clients represent the target with a type that JSON doesn't have (dates, bytes, big numbers,
/// documents), or with a list or map of such a type.
pub(crate) fn is_not_json(service: &Service<'_>, target: &str) -> bool {
    let Some(shape) = service.target(target) else {
        return matches!(
            id::name(target),
            "BigDecimal" | "BigInteger" | "Blob" | "Document" | "Timestamp"
        );
    };
    match shape.kind {
        Kind::BigDecimal | Kind::BigInteger | Kind::Blob | Kind::Document | Kind::Timestamp => true,
        _ => element(shape).is_some_and(|element| is_not_json(service, element.target)),
    }
}
