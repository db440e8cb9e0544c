//! Types.

use super::INDENT;
use crate::document::{Doc, text};

#[derive(Clone, Debug)]
pub(crate) enum Type {
    /// `Name<arguments>`, or any other type that is printed on one line.
    Name(String, Vec<Self>),
    /// `a | b`
    Or(Vec<Self>),
}

impl Type {
    pub(crate) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into(), Vec::new())
    }

    pub(crate) fn of(name: &str, argument: Self) -> Self {
        Self::Name(name.to_owned(), vec![argument])
    }

    /// Returns `of | undefined`.
    pub(crate) fn optional(of: Self) -> Self {
        Self::Or(vec![of, Self::name("undefined")])
    }

    pub(crate) fn print(&self) -> Doc {
        match self {
            Self::Name(name, arguments) if arguments.is_empty() => text(name.clone()),
            // Prettier never breaks around a single type name.
            Self::Name(name, arguments) if matches!(&arguments[..], [Self::Name(_, inner)] if inner.is_empty()) =>
            {
                let inside = arguments.iter().map(Self::print);
                text(format!("{name}<"))
                    .append(Doc::concat(inside))
                    .append(">")
            }
            Self::Name(name, arguments) => {
                let between = text(",").append(Doc::line());
                let arguments = Doc::intersperse(arguments.iter().map(Self::print), between);
                let inside = Doc::line_()
                    .append(arguments)
                    .nest(INDENT)
                    .append(Doc::line_());
                text(format!("{name}<")).append(inside).append(">").group()
            }
            Self::Or(types) => Doc::intersperse(types.iter().map(Self::print), text(" | ")),
        }
    }

    /// Returns the type on one line, however long it is.
    pub(crate) fn line(&self) -> String {
        let mut line = String::new();
        // Writing to a string doesn't fail.
        let _ = self.print().render_fmt(usize::MAX, &mut line);
        line
    }
}

/// Formats a union after `:` or `=`. Prettier tries the line, then the next line, then one line for each type.
pub(super) fn union_doc(types: &[Type]) -> Doc {
    let types = types.iter().map(|of| of.print().nest(INDENT));
    let all = Doc::intersperse(types, Doc::line().append("| "));
    let all = text("| ").flat_alt(Doc::nil()).append(all).group();
    Doc::line().append(all).nest(INDENT).group()
}
