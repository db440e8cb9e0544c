//! Literals, literal lists and comparisons in paths.

use std::rc::Rc;

use serde_json::Value as Json;

use super::domain::Value;
use crate::typed::{Comparison, Expression, Function, Op};

/// The maximum number of strings in a literal list. Each one adds a term.
const MAX_LISTED: usize = 32;

/// Returns `true` if an expression is a condition that is analyzed further.
pub(super) const fn is_compound(expression: &Expression<'_>) -> bool {
    matches!(
        expression.op,
        Op::And(_)
            | Op::Call(Function::Contains, _)
            | Op::Compare(..)
            | Op::Not(_)
            | Op::Or(_)
            | Op::Then(_)
    )
}

/// Returns the strings of a literal list, if it contains only strings and not too many.
pub(super) fn texts(list: &Expression<'_>) -> Option<Vec<Rc<str>>> {
    let text = |value: &Json| value.as_str().map(Rc::from);
    let texts: Vec<Rc<str>> = match &list.op {
        Op::Literal(value) => value.as_array()?.iter().map(text).collect::<Option<_>>()?,
        Op::List(elements) => {
            let text = |element: &Expression<'_>| match &element.op {
                Op::Literal(value) => text(value),
                _ => None,
            };
            elements.iter().map(text).collect::<Option<_>>()?
        }
        _ => return None,
    };
    (1..=MAX_LISTED).contains(&texts.len()).then_some(texts)
}

/// Returns the value of a literal, if it is a distinguished one.
pub(super) fn literal(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Boolean(*value),
        Json::Number(number) => Value::Number(number.as_f64()?),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Array(_) | Json::Object(_) => return None,
    })
}

/// Returns the comparison with its sides swapped.
pub(super) const fn flip(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Equal,
        Comparison::NotEqual => Comparison::NotEqual,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}
