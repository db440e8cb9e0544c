//! Values of botocore's files: flags, references and the traits that are made of them.

use rustc_hash::FxHashMap;

use crate::messages;
use crate::shapes::{Node, Trait, Value};
use crate::source::At;

/// Traits of operations, by their names.
pub(super) type OperationTraits<'a> = FxHashMap<&'a str, Trait<'a>>;

/// A trait with the value of a member.
pub(super) const fn new_trait<'a>(id: &'static str, value: Node<'a>) -> Trait<'a> {
    Trait {
        id,
        at: value.at,
        value,
        inherited: false,
    }
}

/// The place of a member that is `true`.
pub(super) fn flag(node: &Node<'_>, name: &str) -> Option<At> {
    let value = node.member(name)?;
    value.as_bool()?.then_some(value.at)
}

/// Describes a value for messages.
pub(super) fn describe(node: &Node<'_>) -> String {
    match node.value {
        Value::Boolean(value) => format!("`{value}`"),
        Value::Number(text) => format!("`{text}`"),
        Value::String(text) => messages::quote(text),
        _ => node.kind().to_owned(),
    }
}

/// The name of the shape in `{"shape": …}`.
pub(super) fn reference_name<'a>(element: &Node<'a>) -> Option<&'a str> {
    element.member("shape")?.as_str()
}

/// The shape that an operation's `input` or `output` names.
pub(super) fn side<'a>(operation: &Node<'a>, side: &str, shapes: &Node<'a>) -> Option<Node<'a>> {
    target_shape(operation.member(side), shapes)
}

/// The shape that `{"shape": …}` names.
pub(super) fn target_shape<'a>(reference: Option<Node<'a>>, shapes: &Node<'a>) -> Option<Node<'a>> {
    shapes.member(reference?.member("shape")?.as_str()?)
}
