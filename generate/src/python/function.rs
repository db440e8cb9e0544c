//! Functions, printed.

use super::tree::{
    Doc, Py, Statement, WIDTH, block, json, lines, list, statement, string_literal, text,
};
use crate::docs;

/// A function or method.
#[derive(Debug, Default)]
pub(super) struct Function {
    /// Whether what it gives is made once.
    pub(super) is_cached: bool,
    /// What it warns of where it is called: that the model calls it deprecated, and what there is instead.
    pub(super) deprecated: Option<String>,
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
            is_cached: true,
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
        let warned = self.deprecated.as_deref().map(deprecation_warning);
        let body = warned.iter().chain(&self.body).map(statement);
        let function = block(head, docs.into_iter().chain(body));
        lines(self.decorators().chain([function]))
    }

    fn decorators(&self) -> impl Iterator<Item = Doc> {
        let cached = self.is_cached.then(|| text("@cache"));
        let deprecated = self.deprecated.as_deref().map(|message| {
            let arguments = [text(string_literal(message)), text("category=None")];
            list("@deprecated(".to_owned(), arguments.into(), ")")
        });
        cached.into_iter().chain(deprecated)
    }
}

/// The warning of a function that is deprecated, at the line that calls it.
fn deprecation_warning(message: &str) -> Statement {
    let arguments = vec![
        Py::string(message),
        Py::name("DeprecationWarning"),
        Py::keyword("stacklevel", Py::name("2")),
    ];
    Statement::Do(Py::call("warnings.warn", arguments))
}

/// What is said of what the model calls deprecated: what there is instead, where it says so.
pub(super) fn deprecated(what: &str, message: Option<&str>) -> String {
    let own = || format!("the model calls this {what} deprecated");
    message.map_or_else(own, str::to_owned)
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
    let mut all = docs::wrap(&escaped(first), width.saturating_sub(quotes));
    if let ([line], []) = (&all[..], rest) {
        let after = space(line.ends_with('"'));
        return Some(text(format!("\"\"\"{before}{line}{after}\"\"\"")));
    }
    for paragraph in rest {
        all.push(String::new());
        all.extend(docs::wrap(&escaped(paragraph), width));
    }
    let mut all = all.into_iter();
    let first = all.next().unwrap_or_default();
    let all = std::iter::once(format!("\"\"\"{before}{first}")).chain(all);
    let all = all.chain(["\"\"\"".to_owned()]);
    Some(lines(all.map(text)))
}
