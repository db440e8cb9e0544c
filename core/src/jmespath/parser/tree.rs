//! Accessors for the parser's tree.

use super::{Ast, Comparator};

/// A comparison operator. The ordering operators apply only to numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the comparators of JMESPath's grammar"
)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `!=`
    NotEqual,
}

impl From<&Comparator> for Comparison {
    fn from(comparator: &Comparator) -> Self {
        match comparator {
            Comparator::Equal => Self::Equal,
            Comparator::GreaterThan => Self::Greater,
            Comparator::GreaterThanEqual => Self::GreaterOrEqual,
            Comparator::LessThan => Self::Less,
            Comparator::LessThanEqual => Self::LessOrEqual,
            Comparator::NotEqual => Self::NotEqual,
        }
    }
}

/// Returns the byte offset of a node. Depending on its kind, this is the offset of its operator or of its closing
/// bracket.
pub(crate) const fn offset(node: &Ast) -> usize {
    match node {
        Ast::And { offset, .. }
        | Ast::Comparison { offset, .. }
        | Ast::Condition { offset, .. }
        | Ast::Expref { offset, .. }
        | Ast::Field { offset, .. }
        | Ast::Flatten { offset, .. }
        | Ast::Function { offset, .. }
        | Ast::Identity { offset }
        | Ast::Index { offset, .. }
        | Ast::Literal { offset, .. }
        | Ast::MultiHash { offset, .. }
        | Ast::MultiList { offset, .. }
        | Ast::Not { offset, .. }
        | Ast::ObjectValues { offset, .. }
        | Ast::Or { offset, .. }
        | Ast::Projection { offset, .. }
        | Ast::Slice { offset, .. }
        | Ast::Subexpr { offset, .. } => *offset,
    }
}
