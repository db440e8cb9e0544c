//! Statements and name lookup, shared by the syntax trees of the languages.

use std::collections::BTreeSet;

/// An expression of a language.
pub(crate) trait Expression {
    /// Returns the name if the expression is one.
    fn as_name(&self) -> Option<&str>;

    /// Returns the direct subexpressions.
    fn children(&self) -> Vec<&Self>;

    /// Adds the names that the expression reads or calls.
    fn names<'s>(&'s self, names: &mut BTreeSet<&'s str>) {
        names.extend(self.as_name());
        for child in self.children() {
            child.names(names);
        }
    }
}

/// A statement, generic over the language's expressions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement<E> {
    /// `a`
    Do(E),
    /// `if a`, with the statements of its branch.
    If(E, Vec<Self>),
    /// `a = b`, the declaration of a variable.
    Let(String, E),
    /// `return a`
    Return(E),
}

impl<E: Expression> Statement<E> {
    /// Adds the names that the statement reads or calls.
    pub(crate) fn names<'s>(&'s self, names: &mut BTreeSet<&'s str>) {
        match self {
            Self::Do(value) | Self::Let(_, value) | Self::Return(value) => value.names(names),
            Self::If(condition, then) => {
                condition.names(names);
                then.iter().for_each(|statement| statement.names(names));
            }
        }
    }
}
