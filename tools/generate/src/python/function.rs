//! Functions and their output.

use super::print::{WIDTH, block, call, json, list, string_literal};
use crate::docs;
use crate::document::{Doc, lines, text};

/// A function or method.
#[derive(Debug, Default)]
pub(super) struct Function {
    /// `true` for a function whose result is cached.
    pub(super) is_cached: bool,
    /// The message of the deprecation warning.
    pub(super) deprecated: Option<String>,
    pub(super) is_async: bool,
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) returns: String,
    pub(super) docs: Vec<String>,
    /// The statements.
    pub(super) body: Vec<Doc>,
}

/// The defaults of waiters that replace those of an SDK. Rule: docs/rules.md#defaults
const DEFAULTS: &str = r#"defaults={"final_poll": "late"}"#;

impl Function {
    /// Creates a function without parameters that creates an object of a class on its first call, which keeps the
    /// import of the module fast.
    pub(super) fn cached(name: &str, class: &str, arguments: Vec<Doc>) -> Self {
        let object = list(format!("return {class}("), arguments, ")");
        Self {
            is_cached: true,
            name: name.to_owned(),
            returns: class.to_owned(),
            body: vec![object],
            ..Self::default()
        }
    }

    /// Creates the function that returns the engine's waiter of a definition in JSON, with the defaults of waiters that
    /// replace those of an SDK.
    pub(super) fn waiter(name: &str, definition: &str, waiter: &str) -> Self {
        let definition = serde_json::from_str(definition).unwrap_or_default();
        let keyword = text(format!("name={}", string_literal(waiter)));
        Self {
            docs: vec![format!(
                "Return the waiter `{waiter}`, for example to evaluate a response."
            )],
            ..Self::cached(
                name,
                "Waiter",
                vec![json(&definition), keyword, text(DEFAULTS)],
            )
        }
    }

    pub(super) fn print(&self) -> Doc {
        let start = if self.is_async { "async def" } else { "def" };
        let open = format!("{start} {}(", self.name);
        let parameters: Vec<Doc> = self.parameters.iter().map(text).collect();
        let head = list(open, parameters, ")").append(format!(" -> {}:", self.returns));
        let docs = docstring(&self.docs, 4);
        let warning = self.deprecated.as_deref().map(deprecation_warning);
        let body = docs.into_iter().chain(warning);
        let function = block(head, body.chain(self.body.iter().cloned()));
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

/// Returns the statement that emits the deprecation warning, attributed to the caller's line.
fn deprecation_warning(message: &str) -> Doc {
    let category = "DeprecationWarning".to_owned();
    let arguments = [string_literal(message), category, "stacklevel=2".to_owned()];
    call("warnings.warn", arguments)
}

/// Returns the message for a deprecated item: the model's message, or a default without one.
pub(super) fn deprecation_message(kind: &str, message: Option<&str>) -> String {
    let default = || format!("this {kind} is deprecated");
    message.map_or_else(default, str::to_owned)
}

/// Wraps a line of a docstring. The continuation of an indented line is indented once more.
fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start();
    let depth = line.len().saturating_sub(text.len());
    let hanging = if depth == 0 {
        0
    } else {
        depth.saturating_add(4)
    };
    let lines = docs::wrap(text, width.saturating_sub(hanging)).into_iter();
    let lines = lines.enumerate().map(|(at, line)| {
        let depth = if at == 0 { depth } else { hanging };
        format!("{:depth$}{line}", "")
    });
    lines.collect()
}

/// Formats paragraphs as a docstring at an indentation of `depth` columns. Returns `None` without paragraphs.
pub(super) fn docstring(docs: &[String], depth: usize) -> Option<Doc> {
    let (first, rest) = docs.split_first()?;
    let width = WIDTH.saturating_sub(depth);
    // The opening quotes share the first line; the closing quotes do only if it is the only line.
    let quotes = if rest.is_empty() { 6 } else { 3 };
    let escaped = |text: &str| text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    // A quotation mark next to the delimiters would be read as part of them.
    let space = |is_needed: bool| if is_needed { " " } else { "" };
    let before = space(first.starts_with('"'));
    let mut all = docs::wrap(&escaped(first), width.saturating_sub(quotes));
    if let ([line], []) = (&all[..], rest) {
        let after = space(line.ends_with('"'));
        return Some(text(format!("\"\"\"{before}{line}{after}\"\"\"")));
    }
    for paragraph in rest {
        all.push(String::new());
        for line in paragraph.lines() {
            all.extend(wrap_line(&escaped(line), width));
        }
    }
    let mut all = all.into_iter();
    let first = all.next().unwrap_or_default();
    let all = std::iter::once(format!("\"\"\"{before}{first}")).chain(all);
    let all = all.chain(["\"\"\"".to_owned()]);
    Some(lines(all.map(text)))
}
