//! Literals, literal lists and comparisons in paths.

use std::rc::Rc;

use smithy_waiters::internal::jmespath::{Ast, Comparator, Variable};

use super::domain::Value;

/// The maximum number of strings in a literal list. Each one adds a term.
const MAX_LISTED: usize = 32;

/// Returns `true` if an expression is a condition that is analyzed further.
pub(super) fn is_compound(node: &Ast) -> bool {
    match node {
        Ast::And { .. } | Ast::Comparison { .. } | Ast::Not { .. } | Ast::Or { .. } => true,
        Ast::Function { name, .. } => name == "contains",
        _ => false,
    }
}

/// Returns the strings of a literal list, if it contains only strings and not too many.
pub(super) fn texts(list: &Ast) -> Option<Vec<Rc<str>>> {
    let text = |value: &Variable| value.as_string().map(|text| Rc::from(text.as_str()));
    let texts: Vec<Rc<str>> = match list {
        Ast::Literal { value, .. } => {
            let elements = value.as_array()?.iter();
            elements
                .map(|element| text(element))
                .collect::<Option<_>>()?
        }
        Ast::MultiList { elements, .. } => {
            let text = |element: &Ast| match element {
                Ast::Literal { value, .. } => text(value),
                _ => None,
            };
            elements.iter().map(text).collect::<Option<_>>()?
        }
        _ => return None,
    };
    (1..=MAX_LISTED).contains(&texts.len()).then_some(texts)
}

/// Returns the value of a literal, if it is a distinguished one.
pub(super) fn literal(value: &Variable) -> Option<Value> {
    Some(match value {
        Variable::Null => Value::Null,
        Variable::Bool(value) => Value::Boolean(*value),
        Variable::Number(number) => Value::Number(number.as_f64()?),
        Variable::String(text) => Value::Text(text.as_str().into()),
        _ => return None,
    })
}

/// Returns the comparison with its sides swapped.
pub(super) const fn flip(comparator: &Comparator) -> Comparator {
    match comparator {
        Comparator::Equal => Comparator::Equal,
        Comparator::NotEqual => Comparator::NotEqual,
        Comparator::LessThan => Comparator::GreaterThan,
        Comparator::LessThanEqual => Comparator::GreaterThanEqual,
        Comparator::GreaterThan => Comparator::LessThan,
        Comparator::GreaterThanEqual => Comparator::LessThanEqual,
    }
}
