//! Creates node values that are not in the files.

use bumpalo::Bump;

use crate::shapes::{Entry, Node, Value};
use crate::source::At;

/// Creates values that live as long as the sources.
pub(super) struct NodeBuilder<'a>(&'a Bump);

impl<'a> NodeBuilder<'a> {
    pub(super) const fn new(arena: &'a Bump) -> Self {
        Self(arena)
    }

    pub(super) fn text(&self, text: &str) -> &'a str {
        self.0.alloc_str(text)
    }

    pub(super) fn string(&self, at: At, text: &str) -> Node<'a> {
        Node::new(at, Value::String(self.text(text)))
    }

    pub(super) fn object(
        &self,
        at: At,
        members: impl IntoIterator<Item = (&'a str, Node<'a>)>,
    ) -> Node<'a> {
        let entry = |(key, value): (&'a str, Node<'a>)| Entry {
            key,
            key_at: value.at,
            value,
        };
        let entries: Vec<Entry<'a>> = members.into_iter().map(entry).collect();
        Node::new(at, Value::Object(self.0.alloc_slice_copy(&entries)))
    }

    pub(super) fn array(&self, at: At, elements: &[Node<'a>]) -> Node<'a> {
        Node::new(at, Value::Array(self.0.alloc_slice_copy(elements)))
    }

    /// Creates `{"target": id}`.
    pub(super) fn target(&self, at: At, id: &'a str) -> Node<'a> {
        self.object(at, [("target", Node::new(at, Value::String(id)))])
    }
}
