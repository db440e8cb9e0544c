//! Sets the offset of each node of an expression to its first byte.

use smithy_waiters::internal::jmespath::{Ast, offset_mut};

/// Sets the offset of each node to its first byte and returns the offset of the outermost node.
///
/// The parser reports the position of the operator for some nodes and of the closing bracket for others.
pub(super) fn set_offsets(node: &mut Ast, text: &str) -> usize {
    let start = match node {
        Ast::And { lhs, rhs, .. }
        | Ast::Comparison { lhs, rhs, .. }
        | Ast::Or { lhs, rhs, .. }
        | Ast::Projection { lhs, rhs, .. }
        | Ast::Subexpr { lhs, rhs, .. } => {
            set_offsets(rhs, text);
            set_offsets(lhs, text)
        }
        Ast::Condition {
            predicate, then, ..
        } => {
            set_offsets(then, text);
            set_offsets(predicate, text)
        }
        Ast::Flatten { node, .. } | Ast::ObjectValues { node, .. } => set_offsets(node, text),
        Ast::Expref { offset, ast: inner }
        | Ast::Not {
            offset,
            node: inner,
        } => {
            set_offsets(inner, text);
            *offset
        }
        Ast::Function { offset, name, args } => {
            args.iter_mut().for_each(|argument| {
                set_offsets(argument, text);
            });
            offset.saturating_sub(name.len())
        }
        Ast::Index { offset, .. } | Ast::Slice { offset, .. } => {
            let before = text.get(..*offset).unwrap_or_default();
            before.rfind('[').unwrap_or(*offset)
        }
        Ast::MultiHash { offset, elements } => {
            elements.iter_mut().for_each(|entry| {
                set_offsets(&mut entry.value, text);
            });
            *offset
        }
        Ast::MultiList { offset, elements } => {
            elements.iter_mut().for_each(|element| {
                set_offsets(element, text);
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
