//! A module: what stands at its top level, printed.

use super::print::{self, Doc, block, expression, key, lines, list, text};
use super::tree::{Statement, Ts};
use crate::docs;

/// What stands at the top level.
#[derive(Debug)]
pub(super) enum Item {
    /// `export async function name(parameters): returns { body }`, or without `export`, `async`
    Function(Function),
    /// `import { names } from "module"`; each name with `type` or without.
    Import(Vec<String>, String),
    /// `export interface Name { … }`
    Interface(Interface),
    /// `let name: type;`
    Let(String, Type),
    /// `const name = value;`
    Const(String, Ts),
    /// Code that is always the same.
    Raw(&'static str),
    /// `export type name = "a" | "b"`
    Union(String, Vec<String>),
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) docs: Vec<String>,
    pub(super) is_exported: bool,
    pub(super) is_async: bool,
    pub(super) name: String,
    pub(super) parameters: Vec<(String, Type)>,
    pub(super) returns: Type,
    pub(super) body: Vec<Statement>,
}

#[derive(Debug)]
pub(super) struct Interface {
    pub(super) docs: Vec<String>,
    /// `Name<T>`
    pub(super) name: String,
    pub(super) extends: Option<Type>,
    /// Docs, name, whether it is optional, type.
    pub(super) members: Vec<(Vec<String>, String, bool, Type)>,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// `Name<arguments>`, or anything that is on one line.
    Name(String, Vec<Self>),
    /// `a | b`
    Or(Vec<Self>),
    /// `(parameters) => returns`
    Function(Vec<(String, Self)>, Box<Self>),
}

impl Type {
    pub(super) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into(), Vec::new())
    }

    pub(super) fn of(name: &str, argument: Self) -> Self {
        Self::Name(name.to_owned(), vec![argument])
    }

    /// The names in it.
    pub(super) fn names(self) -> Vec<String> {
        match self {
            Self::Name(name, arguments) => {
                let inner = arguments.into_iter().flat_map(Self::names);
                std::iter::once(name).chain(inner).collect()
            }
            Self::Or(types) => types.into_iter().flat_map(Self::names).collect(),
            Self::Function(..) => Vec::new(),
        }
    }

    /// On one line.
    pub(super) fn line(&self) -> String {
        let mut text = String::new();
        // A string takes what it is given.
        let _ = printed_type(self).render_fmt(usize::MAX, &mut text);
        text
    }
}

/// The module's text.
pub(super) fn print(docs: &[String], items: &[Item]) -> String {
    let head = comment(docs);
    let parts = std::iter::once(head).chain(items.iter().map(item));
    print::print(&Doc::intersperse(
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
        Item::Function(function) => printed_function(function),
        Item::Import(names, from) => {
            let names = names.iter().map(text).collect();
            text("import ")
                .append(spaced(names))
                .append(format!(" from {};", serde_json::Value::from(from.as_str())))
        }
        Item::Interface(interface) => printed_interface(interface),
        Item::Let(name, of) => text(format!("let {name}: "))
            .append(printed_type(of))
            .append(";"),
        Item::Raw(code) => lines(code.trim_end().lines().map(text)),
        Item::Union(name, values) => {
            let values = values.iter();
            let values =
                values.map(|value| Type::name(serde_json::Value::from(value.as_str()).to_string()));
            text(format!("export type {name} ="))
                .append(printed_or(&values.collect::<Vec<_>>(), true))
                .append(";")
        }
    }
}

fn spaced(items: Vec<Doc>) -> Doc {
    let between = text(",").append(Doc::line());
    let items = Doc::intersperse(items, between).append(text(",").flat_alt(Doc::nil()));
    let inside = Doc::line().append(items).nest(2).append(Doc::line());
    text("{").append(inside).append("}").group()
}

fn printed_function(function: &Function) -> Doc {
    let export = if function.is_exported { "export " } else { "" };
    let is_async = if function.is_async { "async " } else { "" };
    let parameters = function.parameters.iter();
    let parameters = parameters.map(|(name, of)| parameter(name, of));
    documented(&function.docs)
        .append(format!("{export}{is_async}function {}", function.name))
        .append(list("(", parameters.collect(), ")"))
        .append(": ")
        .append(returned(&function.returns))
        .append(" ")
        .append(block(&function.body))
}

/// A parameter; one that is taken apart breaks before its type does.
fn parameter(name: &str, of: &Type) -> Doc {
    let line = format!("{name}: {}", of.line());
    let parts = name
        .strip_prefix("{ ")
        .and_then(|name| name.strip_suffix(" }"));
    let is_long = line.chars().count() > print::WIDTH.saturating_sub("  ,".len());
    match parts {
        Some(parts) if is_long => {
            let parts = lines(parts.split(", ").enumerate().map(|(at, part)| {
                let comma = if at == 0 { "," } else { "" };
                text(format!("{part}{comma}"))
            }));
            let parts = Doc::hardline()
                .append(parts)
                .nest(2)
                .append(Doc::hardline());
            text("{")
                .append(parts)
                .append("}: ")
                .append(printed_type(of))
        }
        _ => text(line),
    }
}

/// Parameters break before what is returned does.
fn returned(returns: &Type) -> Doc {
    let line = returns.line();
    let width = print::WIDTH.saturating_sub("):  {".len());
    if line.chars().count() <= width {
        return text(line);
    }
    printed_type(returns)
}

fn printed_interface(interface: &Interface) -> Doc {
    let extends = interface.extends.as_ref();
    let extends = extends.map(|of| text(" extends ").append(printed_type(of)));
    let start = text(format!("export interface {}", interface.name));
    let start = start.append(extends.unwrap_or_else(Doc::nil));
    let members = interface.members.iter().map(|(docs, name, optional, of)| {
        let sign = if *optional { "?" } else { "" };
        let member = text(format!("readonly {}{sign}:", key(name)));
        let of = match of {
            Type::Or(types) => printed_or(types, true),
            of => text(" ").append(printed_type(of)),
        };
        documented(docs).append(member).append(of).append(";")
    });
    let start = documented(&interface.docs).append(start);
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

pub(super) fn printed_type(of: &Type) -> Doc {
    match of {
        Type::Name(name, arguments) if arguments.is_empty() => text(name.clone()),
        // A single name never stands on a line of its own.
        Type::Name(name, arguments) if matches!(&arguments[..], [Type::Name(_, inner)] if inner.is_empty()) =>
        {
            let inside = arguments.iter().map(printed_type);
            text(format!("{name}<"))
                .append(Doc::concat(inside))
                .append(">")
        }
        Type::Name(name, arguments) => {
            let between = text(",").append(Doc::line());
            let arguments = Doc::intersperse(arguments.iter().map(printed_type), between);
            let inside = Doc::line_().append(arguments).nest(2).append(Doc::line_());
            text(format!("{name}<")).append(inside).append(">").group()
        }
        Type::Or(types) => printed_or(types, false),
        Type::Function(parameters, returns) => {
            let parameters = parameters.iter();
            let parameters =
                parameters.map(|(name, of)| text(format!("{name}: ")).append(printed_type(of)));
            list("(", parameters.collect(), ")")
                .append(" => ")
                .append(printed_type(returns))
        }
    }
}

fn printed_or(types: &[Type], is_alias: bool) -> Doc {
    let types = types.iter().map(printed_type);
    if !is_alias {
        return Doc::intersperse(types, text(" | "));
    }
    // On the line, else on the next, else each on its own.
    let types = types.map(|of| of.nest(2));
    let all = Doc::intersperse(types, Doc::line().append("| "));
    let all = text("| ").flat_alt(Doc::nil()).append(all).group();
    Doc::line().append(all).nest(2).group()
}

fn documented(docs: &[String]) -> Doc {
    if docs.is_empty() {
        return Doc::nil();
    }
    comment(docs).append(Doc::hardline())
}

/// A comment of paragraphs, on one line where it fits.
fn comment(docs: &[String]) -> Doc {
    let width = print::WIDTH.saturating_sub(5);
    let paragraphs: Vec<Vec<String>> = docs.iter().map(|text| wrapped(text, width)).collect();
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

/// Paragraphs are wrapped; what is indented or in lists keeps its lines.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let text = text.replace("*/", "*\\/");
    let lines = text.trim().lines();
    lines.flat_map(|line| docs::wrapped(line, width)).collect()
}

/// A text of the model's in a comment, where `@` begins a tag.
pub(super) fn plain(text: &str) -> String {
    text.replace('@', "\\@")
}
