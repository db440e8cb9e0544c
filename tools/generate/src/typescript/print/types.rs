//! Formatting of types.

use super::document::{Doc, INDENT, list, render_line, text};
use crate::typescript::tree::Type;

/// Returns a type on one line.
pub(crate) fn type_line(of: &Type) -> String {
    render_line(&type_doc(of))
}

pub(crate) fn type_doc(of: &Type) -> Doc {
    match of {
        Type::Name(name, arguments) if arguments.is_empty() => text(name.clone()),
        // Prettier never breaks around a single type name.
        Type::Name(name, arguments) if matches!(&arguments[..], [Type::Name(_, inner)] if inner.is_empty()) =>
        {
            let inside = arguments.iter().map(type_doc);
            text(format!("{name}<"))
                .append(Doc::concat(inside))
                .append(">")
        }
        Type::Name(name, arguments) => {
            let between = text(",").append(Doc::line());
            let arguments = Doc::intersperse(arguments.iter().map(type_doc), between);
            let inside = Doc::line_()
                .append(arguments)
                .nest(INDENT)
                .append(Doc::line_());
            text(format!("{name}<")).append(inside).append(">").group()
        }
        Type::Or(types) => or_doc(types, false),
        Type::Function(parameters, returns) => {
            let parameters = parameters.iter();
            let parameters =
                parameters.map(|(name, of)| text(format!("{name}: ")).append(type_doc(of)));
            list("(", parameters.collect(), ")")
                .append(" => ")
                .append(type_doc(returns))
        }
    }
}

/// Formats a union of types. The union of a type alias may break.
pub(crate) fn or_doc(types: &[Type], is_alias: bool) -> Doc {
    let types = types.iter().map(type_doc);
    if !is_alias {
        return Doc::intersperse(types, text(" | "));
    }
    // Prettier tries the line, then the next line, then one line for each type.
    let types = types.map(|of| of.nest(INDENT));
    let all = Doc::intersperse(types, Doc::line().append("| "));
    let all = text("| ").flat_alt(Doc::nil()).append(all).group();
    Doc::line().append(all).nest(INDENT).group()
}
