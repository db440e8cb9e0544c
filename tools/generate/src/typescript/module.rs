//! Printing of modules.

use super::item::{Function, Interface, Item};
use super::print::{
    Doc, WIDTH, block, expression, key, lines, list, list_with, or_doc, render, text, type_doc,
    type_line,
};
use super::tree::Type;
use crate::docs;

/// Returns the text of a module.
pub(super) fn print(docs: &[String], items: &[Item]) -> String {
    let head = comment(docs);
    let parts = std::iter::once(head).chain(items.iter().map(item));
    render(&Doc::intersperse(
        parts,
        Doc::hardline().append(Doc::hardline()),
    ))
    .replace("\n\nimport ", "\nimport ")
    .replacen(" */\nimport ", " */\n\nimport ", 1)
}

fn item(item: &Item) -> Doc {
    match item {
        Item::Const(name, value) => text(format!("const {name} ="))
            .append(Doc::line().append(expression(value)).nest(2).group())
            .append(";"),
        Item::Function(function) => function_doc(function),
        Item::Import(names, from) => {
            let names = names.iter().map(text).collect();
            text("import ")
                .append(list_with("{", names, "}", Doc::line()))
                .append(format!(" from {};", serde_json::Value::from(from.as_str())))
        }
        Item::Interface(interface) => interface_doc(interface),
        Item::Let(name, of) => text(format!("let {name}: "))
            .append(type_doc(of))
            .append(";"),
        Item::Raw(code) => lines(code.trim_end().lines().map(text)),
        Item::Union(name, values) => {
            let values = values.iter();
            let values =
                values.map(|value| Type::name(serde_json::Value::from(value.as_str()).to_string()));
            text(format!("export type {name} ="))
                .append(or_doc(&values.collect::<Vec<_>>(), true))
                .append(";")
        }
    }
}

fn function_doc(function: &Function) -> Doc {
    let export = if function.is_exported { "export " } else { "" };
    let is_async = if function.is_async { "async " } else { "" };
    let parameters = function.parameters.iter();
    let parameters = parameters.map(|(name, of)| parameter(name, of));
    comment_line(&function.docs)
        .append(format!("{export}{is_async}function {}", function.name))
        .append(list("(", parameters.collect(), ")"))
        .append(": ")
        .append(returns_doc(&function.returns))
        .append(" ")
        .append(block(&function.body))
}

/// Formats a parameter. A destructuring pattern breaks before its type does.
fn parameter(name: &str, of: &Type) -> Doc {
    let line = format!("{name}: {}", type_line(of));
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
            let parts = Doc::hardline()
                .append(parts)
                .nest(2)
                .append(Doc::hardline());
            text("{").append(parts).append("}: ").append(type_doc(of))
        }
        _ => text(line),
    }
}

/// Formats a return type. It breaks only if it doesn't fit on the line of the closing parenthesis.
fn returns_doc(returns: &Type) -> Doc {
    let line = type_line(returns);
    let width = WIDTH.saturating_sub("):  {".len());
    if line.chars().count() <= width {
        return text(line);
    }
    type_doc(returns)
}

fn interface_doc(interface: &Interface) -> Doc {
    let extends = interface.extends.as_ref();
    let extends = extends.map(|of| text(" extends ").append(type_doc(of)));
    let start = text(format!("export interface {}", interface.name));
    let start = start.append(extends.unwrap_or_else(Doc::nil));
    let members = interface.members.iter().map(|(docs, name, optional, of)| {
        let sign = if *optional { "?" } else { "" };
        let member = text(format!("readonly {}{sign}:", key(name)));
        let of = match of {
            Type::Or(types) => or_doc(types, true),
            of => text(" ").append(type_doc(of)),
        };
        comment_line(docs).append(member).append(of).append(";")
    });
    let start = comment_line(&interface.docs).append(start);
    if interface.members.is_empty() {
        return start.append(" {}");
    }
    let members = Doc::hardline().append(lines(members)).nest(2);
    start
        .append(" {")
        .append(members)
        .append(Doc::hardline())
        .append("}")
}

fn comment_line(docs: &[String]) -> Doc {
    if docs.is_empty() {
        return Doc::nil();
    }
    comment(docs).append(Doc::hardline())
}

/// Formats a documentation comment, on one line if it fits.
fn comment(docs: &[String]) -> Doc {
    let width = WIDTH.saturating_sub(5);
    let paragraphs: Vec<Vec<String>> = docs.iter().map(|text| wrap(text, width)).collect();
    if let [paragraph] = &paragraphs[..]
        && let [line] = &paragraph[..]
        && line.chars().count() < width.saturating_sub(5)
    {
        return text(format!("/** {line} */"));
    }
    let all = paragraphs.join(&[String::new()][..]);
    let all = all
        .iter()
        .map(|line| text(format!(" * {line}").trim_end().to_owned()));
    lines(std::iter::once(text("/**")).chain(all).chain([text(" */")]))
}

/// Wraps each line of a paragraph separately, which preserves lists.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = text.replace("*/", "*\\/");
    let lines = text.trim().lines();
    lines.flat_map(|line| docs::wrap(line, width)).collect()
}

/// Escapes `@` in a text of the model, because it begins a tag in comments.
pub(super) fn escape_tags(text: &str) -> String {
    text.replace('@', "\\@")
}
