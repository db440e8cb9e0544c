//! Reads flags and references of botocore's files, and creates traits.

use rustc_hash::FxHashMap;

use crate::messages;
use crate::shapes::{Node, Trait, Value};
use crate::source::At;

/// Traits of operations by operation name.
pub(super) type OperationTraits<'a> = FxHashMap<&'a str, Trait<'a>>;

/// Creates a trait with the value of a member.
pub(super) const fn new_trait<'a>(id: &'static str, value: Node<'a>) -> Trait<'a> {
    Trait {
        id,
        at: value.at,
        value,
        inherited: false,
        extensible: true,
    }
}

/// Returns the position of a member that is `true`.
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

/// Returns the name of the shape in `{"shape": …}`.
pub(super) fn reference_name<'a>(element: &Node<'a>) -> Option<&'a str> {
    element.member("shape")?.as_str()
}

/// Returns the shape of an operation's `input` or `output`.
pub(super) fn side<'a>(operation: &Node<'a>, side: &str, shapes: &Node<'a>) -> Option<Node<'a>> {
    target_shape(operation.member(side), shapes)
}

/// Returns the shape for `{"shape": …}`.
pub(super) fn target_shape<'a>(reference: Option<Node<'a>>, shapes: &Node<'a>) -> Option<Node<'a>> {
    shapes.member(reference?.member("shape")?.as_str()?)
}
