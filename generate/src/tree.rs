//! What the trees of several languages have alike: statements, and the names that code reads.

use std::collections::BTreeSet;

/// An expression of a language.
pub(crate) trait Expression {
    /// The name, where it is one.
    fn as_name(&self) -> Option<&str>;

    /// The expressions that it is made of.
    fn children(&self) -> Vec<&Self>;

    /// Adds the names that it reads or calls.
    fn names<'s>(&'s self, found: &mut BTreeSet<&'s str>) {
        found.extend(self.as_name());
        for child in self.children() {
            child.names(found);
        }
    }
}

/// A statement, by its expressions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement<E> {
    /// `a`
    Do(E),
    /// `if a`, then
    If(E, Vec<Self>),
    /// `a = b`, of a new name
    Let(String, E),
    /// `return a`
    Return(E),
}

impl<E: Expression> Statement<E> {
    /// Adds the names that it reads or calls.
    pub(crate) fn names<'s>(&'s self, found: &mut BTreeSet<&'s str>) {
        match self {
            Self::Do(value) | Self::Let(_, value) | Self::Return(value) => value.names(found),
            Self::If(condition, then) => {
                condition.names(found);
                then.iter().for_each(|statement| statement.names(found));
            }
        }
    }
}
