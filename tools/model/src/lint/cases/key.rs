//! Keys of expressions: expressions with equal keys have equal values.

use smithy_waiters::internal::jmespath::{Ast, Comparator};

/// The maximum length of a key. The length of a key can double with each level of an expression.
const MAX_LENGTH: usize = 1024;

/// Returns the key of an expression that is evaluated on `current`, or `None` if the key is too long.
pub(super) fn key(node: &Ast, current: &str) -> Option<String> {
    let text = match node {
        Ast::Subexpr { lhs, rhs, .. } => return key(rhs, &key(lhs, current)?),
        Ast::Flatten { node, .. } => wrap("", &key(node, current)?, "[]"),
        Ast::Not { node, .. } => wrap("!", &key(node, current)?, ""),
        Ast::ObjectValues { node, .. } => wrap("", &key(node, current)?, ".*"),
        Ast::Expref { ast, .. } => wrap("&", &key(ast, "@")?, ""),
        Ast::And { lhs, rhs, .. } => infix(&key(lhs, current)?, "&&", &key(rhs, current)?),
        Ast::Or { lhs, rhs, .. } => infix(&key(lhs, current)?, "||", &key(rhs, current)?),
        Ast::Comparison {
            comparator,
            lhs,
            rhs,
            ..
        } => comparison(comparator, &key(lhs, current)?, &key(rhs, current)?),
        Ast::Condition {
            predicate, then, ..
        } => infix(&key(predicate, "@")?, "?", &key(then, "@")?),
        Ast::Projection { lhs, rhs, .. } => infix(&key(lhs, current)?, "[*]", &key(rhs, "@")?),
        Ast::Function { name, args, .. } => call(name, &keys(args.iter(), current)?),
        Ast::MultiHash { elements, .. } => {
            let values = elements.iter().map(|entry| &entry.value);
            let names = elements.iter().map(|entry| &*entry.key).collect();
            object(current, names, &keys(values, current)?)
        }
        Ast::MultiList { elements, .. } => wrap(
            current,
            &wrap("[", &keys(elements.iter(), current)?, "]"),
            "",
        ),
        leaf => leaf_key(leaf, current),
    };
    (text.len() <= MAX_LENGTH).then_some(text)
}

// These are separate functions to keep the stack frame of the recursive function small.

fn wrap(before: &str, text: &str, after: &str) -> String {
    [before, text, after].concat()
}

fn infix(left: &str, operator: &str, right: &str) -> String {
    format!("({left} {operator} {right})")
}

fn comparison(comparator: &Comparator, left: &str, right: &str) -> String {
    let turned = matches!(comparator, Comparator::Equal | Comparator::NotEqual) && right < left;
    let (left, right) = if turned { (right, left) } else { (left, right) };
    infix(left, &format!("{comparator:?}"), right)
}

fn call(name: &str, arguments: &str) -> String {
    format!("{name}({arguments})")
}

fn object(current: &str, names: Vec<&str>, values: &str) -> String {
    format!("{current}{{{names:?}: {values}}}")
}

fn leaf_key(node: &Ast, current: &str) -> String {
    match node {
        Ast::Field { name, .. } => format!("{current}.{name:?}"),
        Ast::Index { idx, .. } => format!("{current}[{idx}]"),
        Ast::Literal { value, .. } => format!("`{value}`"),
        Ast::Slice {
            start, stop, step, ..
        } => format!("{current}[{start:?}:{stop:?}:{step}]"),
        _ => current.to_owned(),
    }
}

fn keys<'n>(nodes: impl Iterator<Item = &'n Ast>, current: &str) -> Option<String> {
    let keys: Option<Vec<String>> = nodes.map(|node| key(node, current)).collect();
    keys.map(|keys| keys.join(", "))
}

/// Returns `true` if an expression contains a function call, which can fail the whole evaluation.
pub(super) fn has_call(node: &Ast) -> bool {
    match node {
        Ast::And { lhs, rhs, .. }
        | Ast::Comparison { lhs, rhs, .. }
        | Ast::Or { lhs, rhs, .. }
        | Ast::Projection { lhs, rhs, .. }
        | Ast::Subexpr { lhs, rhs, .. } => has_call(lhs) || has_call(rhs),
        Ast::Condition {
            predicate, then, ..
        } => has_call(predicate) || has_call(then),
        Ast::Flatten { node, .. }
        | Ast::Not { node, .. }
        | Ast::ObjectValues { node, .. }
        | Ast::Expref { ast: node, .. } => has_call(node),
        Ast::Function { .. } => true,
        Ast::MultiHash { elements, .. } => elements.iter().any(|entry| has_call(&entry.value)),
        Ast::MultiList { elements, .. } => elements.iter().any(has_call),
        Ast::Field { .. }
        | Ast::Identity { .. }
        | Ast::Index { .. }
        | Ast::Literal { .. }
        | Ast::Slice { .. } => false,
    }
}
