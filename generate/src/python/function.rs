//! Functions, printed.

use super::tree::{Doc, Py, Statement, WIDTH, block, json, list, quoted, statement, text};
use crate::docs;

/// A function or method.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub(super) decorator: Option<String>,
    pub(super) is_async: bool,
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) returns: String,
    pub(super) docs: Vec<String>,
    pub(super) body: Vec<Statement>,
}

impl Function {
    /// Holds what is made of arguments, once: what a module need not make when it is imported.
    pub(super) fn holder(name: &str, class: &str, arguments: Vec<Py>) -> Self {
        Self {
            decorator: Some("@cache".to_owned()),
            name: name.to_owned(),
            returns: class.to_owned(),
            body: vec![Statement::Return(Py::call(class, arguments))],
            ..Self::default()
        }
    }

    /// Holds the engine's waiter of a definition in JSON.
    pub(super) fn waiter_holder(name: &str, definition: &str, waiter: &str) -> Self {
        let parsed = serde_json::from_str(definition).unwrap_or_default();
        let waiter = Py::keyword("name", Py::string(waiter));
        Self::holder(name, "Waiter", vec![json(&parsed), waiter])
    }

    /// Whether it is called deprecated, by the decorator that has to be there then.
    pub(super) fn is_deprecated(&self) -> bool {
        let decorator = self.decorator.as_deref();
        decorator.is_some_and(|decorator| decorator.starts_with(DEPRECATED))
    }

    /// Whether it takes or gives what has no type of the model's.
    pub(super) fn has_mapping(&self) -> bool {
        let mut types = self.parameters.iter().chain([&self.returns]);
        types.any(|of| of.contains("Mapping["))
    }

    /// Printed, at a depth of so many columns.
    pub(super) fn print(&self, depth: usize) -> Doc {
        let start = if self.is_async { "async def" } else { "def" };
        let open = format!("{start} {}(", self.name);
        let parameters: Vec<Doc> = self.parameters.iter().map(text).collect();
        let head = match &parameters[..] {
            // One that stands alone has its comma, too.
            [one] => {
                let one = one.clone().append(text(",").flat_alt(Doc::nil()));
                let inside = Doc::line_().append(one).nest(4).append(Doc::line_());
                text(open).append(inside).append(")").group()
            }
            _ => list(open, parameters, ")"),
        };
        let head = head.append(format!(" -> {}:", self.returns));
        let docs = docstring(&self.docs, depth.saturating_add(4));
        let body = self.body.iter().map(statement);
        let function = block(head, docs.into_iter().chain(body));
        match &self.decorator {
            Some(decorator) => text(decorator).append(Doc::hardline()).append(function),
            None => function,
        }
    }
}

const DEPRECATED: &str = "@deprecated(";

/// The decorator of what the model calls deprecated, with what there is instead.
pub(super) fn deprecated(what: &str, message: Option<&str>) -> String {
    let own = || format!("the model calls this {what} deprecated");
    let message = message.map_or_else(own, str::to_owned);
    format!("{DEPRECATED}{})", quoted(&message))
}

/// A docstring of paragraphs, at a depth; nothing where there are none.
pub(super) fn docstring(docs: &[String], depth: usize) -> Option<Doc> {
    let (first, rest) = docs.split_first()?;
    let width = WIDTH.saturating_sub(depth);
    // The quotes stand on the first line, and where there is no other, at its end.
    let quotes = if rest.is_empty() { 6 } else { 3 };
    let escaped = |text: &str| text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    // A quote beside the quotes would be one of them.
    let space = |is_there: bool| if is_there { " " } else { "" };
    let before = space(first.starts_with('"'));
    let mut lines = docs::wrapped(&escaped(first), width.saturating_sub(quotes));
    if let ([line], []) = (&lines[..], rest) {
        let after = space(line.ends_with('"'));
        return Some(text(format!("\"\"\"{before}{line}{after}\"\"\"")));
    }
    for paragraph in rest {
        lines.push(String::new());
        lines.extend(docs::wrapped(&escaped(paragraph), width));
    }
    let mut lines = lines.into_iter();
    let first = lines.next().unwrap_or_default();
    let lines = std::iter::once(format!("\"\"\"{before}{first}")).chain(lines);
    let lines = lines.chain(["\"\"\"".to_owned()]);
    Some(super::tree::lines(lines.map(text)))
}
