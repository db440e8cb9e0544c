//! A value and its path.

use crate::shapes::Node;

/// A value and the members that lead to it, for messages.
#[derive(Clone, Copy)]
pub(super) struct Place<'p, 'a> {
    pub(super) node: Node<'a>,
    pub(super) name: &'p str,
    pub(super) parent: Option<&'p Self>,
}

impl<'p, 'a> Place<'p, 'a> {
    pub(super) const fn whole(node: Node<'a>) -> Self {
        let name = "";
        Self {
            node,
            name,
            parent: None,
        }
    }

    pub(super) fn member(&'p self, name: &'p str) -> Option<Self> {
        let parent = Some(self);
        let node = self.node.member(name)?;
        Some(Self { node, name, parent })
    }

    pub(super) fn members(&'p self) -> impl Iterator<Item = Self> {
        let parent = Some(self);
        self.node.entries().iter().map(move |entry| Self {
            node: entry.value,
            name: entry.key,
            parent,
        })
    }

    pub(super) fn own_path(&self) -> String {
        let parent = self.parent;
        parent.map_or_else(String::new, |parent| parent.path(self.name))
    }

    /// Returns the path of a member from the top.
    pub(super) fn path(&self, member: &str) -> String {
        match self.parent {
            Some(parent) => format!("{}.{member}", parent.path(self.name)),
            None => member.to_owned(),
        }
    }
}
