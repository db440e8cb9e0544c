//! Literals of a path and lists of them, comparisons, conditions.

use std::rc::Rc;

use smithy_waiters::internal::jmespath::{Ast, Comparator, Variable};

use super::domain::Value;

/// How many texts of a list are told apart: each takes a term.
const MAX_LISTED: usize = 32;

/// Returns `true` if an expression is made of conditions, which are taken apart.
pub(super) fn is_compound(node: &Ast) -> bool {
    match node {
        Ast::And { .. } | Ast::Comparison { .. } | Ast::Not { .. } | Ast::Or { .. } => true,
        Ast::Function { name, .. } => name == "contains",
        _ => false,
    }
}

/// The texts of a list that is written, if there are a few and nothing else.
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

/// A literal that is told apart.
pub(super) fn literal(value: &Variable) -> Option<Value> {
    Some(match value {
        Variable::Null => Value::Null,
        Variable::Bool(value) => Value::Boolean(*value),
        Variable::Number(number) => Value::Number(number.as_f64()?),
        Variable::String(text) => Value::Text(text.as_str().into()),
        _ => return None,
    })
}

/// The same comparison with its sides exchanged.
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
