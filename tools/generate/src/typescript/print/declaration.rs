//! The declarations at the top level of a module.

use super::comment::comment_above;
use super::literal::string_literal;
use super::types::union_doc;
use super::{INDENT, Type, WIDTH, braces, list};
use crate::document::{Doc, lines, text};

/// An exported function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) docs: Vec<String>,
    pub(crate) is_async: bool,
    /// The name with its type parameters: `name<T>`.
    pub(crate) name: String,
    pub(crate) parameters: Vec<(String, Type)>,
    pub(crate) returns: Type,
    /// The statements.
    pub(crate) body: Vec<Doc>,
}

impl Function {
    pub(crate) fn print(self) -> Doc {
        let start = if self.is_async { "async " } else { "" };
        let returns = self.returns.print();
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, of)| parameter(name, of));
        let body = Doc::hardline().append(lines(self.body)).nest(INDENT);
        comment_above(&self.docs)
            .append(format!("export {start}function {}", self.name))
            .append(list("(", parameters.collect(), ")"))
            .append(": ")
            .append(returns)
            .append(" {")
            .append(body)
            .append(Doc::hardline())
            .append("}")
    }
}

/// Formats a parameter. A destructuring pattern breaks before its type does.
fn parameter(name: &str, of: &Type) -> Doc {
    let line = format!("{name}: {}", of.line());
    let parts = name
        .strip_prefix("{ ")
        .and_then(|name| name.strip_suffix(" }"));
    let is_long = line.chars().count() > WIDTH.saturating_sub("  ,".len());
    match parts {
        Some(parts) if is_long => {
            // A rest element must not have a comma.
            let parts = lines(parts.split(", ").map(|part| {
                let comma = if part.starts_with("...") { "" } else { "," };
                text(format!("{part}{comma}"))
            }));
            let parts = Doc::hardline().append(parts).nest(INDENT);
            text("{")
                .append(parts)
                .append(Doc::hardline())
                .append("}: ")
                .append(of.print())
        }
        _ => text(line),
    }
}

/// An exported interface.
#[derive(Debug)]
pub(crate) struct Interface {
    pub(crate) docs: Vec<String>,
    pub(crate) name: String,
    pub(crate) members: Vec<Member>,
}

/// A member of an interface.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) docs: Vec<String>,
    pub(crate) name: String,
    pub(crate) is_optional: bool,
    pub(crate) of: Type,
}

impl Interface {
    pub(crate) fn print(&self) -> Doc {
        let start = comment_above(&self.docs).append(format!("export interface {}", self.name));
        if self.members.is_empty() {
            return start.append(" {}");
        }
        let members = lines(self.members.iter().map(Member::print));
        let members = Doc::hardline().append(members).nest(INDENT);
        start
            .append(" {")
            .append(members)
            .append(Doc::hardline())
            .append("}")
    }
}

impl Member {
    fn print(&self) -> Doc {
        let sign = if self.is_optional { "?" } else { "" };
        let of = match &self.of {
            Type::Or(types) => union_doc(types),
            of => text(" ").append(of.print()),
        };
        comment_above(&self.docs)
            .append(format!("readonly {}{sign}:", self.name))
            .append(of)
            .append(";")
    }
}

/// Formats an import. Each name may begin with `type`.
pub(crate) fn import(mut names: Vec<String>, from: &str) -> Doc {
    names.sort_by_key(|name| name.trim_start_matches("type ").to_owned());
    names.dedup();
    text("import ")
        .append(braces(names.into_iter().map(text).collect()))
        .append(format!(" from {};", serde_json::Value::from(from)))
}

/// Formats the exported union of the given strings.
pub(crate) fn union<'v>(name: &str, values: impl Iterator<Item = &'v str>) -> Doc {
    let values = values.map(|value| Type::name(string_literal(value)));
    text(format!("export type {name} ="))
        .append(union_doc(&values.collect::<Vec<_>>()))
        .append(";")
}
