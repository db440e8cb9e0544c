//! Sets the offset of each node of an expression to its first byte.

use smithy_waiters::internal::jmespath::{Ast, offset_mut};

/// Sets the offset of each node to its first byte and returns the offset of the outermost node.
///
/// The parser reports the position of the operator for some nodes and of the closing bracket for others.
pub(super) fn place(node: &mut Ast, text: &str) -> usize {
    let start = match node {
        Ast::And { lhs, rhs, .. }
        | Ast::Comparison { lhs, rhs, .. }
        | Ast::Or { lhs, rhs, .. }
        | Ast::Projection { lhs, rhs, .. }
        | Ast::Subexpr { lhs, rhs, .. } => {
            place(rhs, text);
            place(lhs, text)
        }
        Ast::Condition {
            predicate, then, ..
        } => {
            place(then, text);
            place(predicate, text)
        }
        Ast::Flatten { node, .. } | Ast::ObjectValues { node, .. } => place(node, text),
        Ast::Expref { offset, ast: inner }
        | Ast::Not {
            offset,
            node: inner,
        } => {
            place(inner, text);
            *offset
        }
        Ast::Function { offset, name, args } => {
            args.iter_mut().for_each(|argument| {
                place(argument, text);
            });
            offset.saturating_sub(name.len())
        }
        Ast::Index { offset, .. } | Ast::Slice { offset, .. } => {
            let before = text.get(..*offset).unwrap_or_default();
            before.rfind('[').unwrap_or(*offset)
        }
        Ast::MultiHash { offset, elements } => {
            elements.iter_mut().for_each(|entry| {
                place(&mut entry.value, text);
            });
            *offset
        }
        Ast::MultiList { offset, elements } => {
            elements.iter_mut().for_each(|element| {
                place(element, text);
            });
            *offset
        }
        Ast::Field { offset, .. } | Ast::Identity { offset } | Ast::Literal { offset, .. } => {
            *offset
        }
    };
    *offset_mut(node) = start;
    start
}
