//! Documents for the printer, which contain the possible line breaks.

use pretty::BoxDoc;

use crate::escape::escape_json;

pub(crate) type Doc = BoxDoc<'static, ()>;

/// The maximum line width, in columns.
pub(crate) const WIDTH: usize = 80;

pub(crate) const INDENT: isize = 2;

/// Renders a document. The text ends with a line feed.
pub(crate) fn render(doc: &Doc) -> String {
    let mut text = String::new();
    // Writing to a string doesn't fail.
    let _ = doc.render_fmt(WIDTH, &mut text);
    let lines = text.lines().map(str::trim_end);
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// Renders a document on one line, however long it is.
pub(crate) fn render_line(doc: &Doc) -> String {
    let mut line = String::new();
    // Writing to a string doesn't fail.
    let _ = doc.render_fmt(usize::MAX, &mut line);
    line
}

pub(crate) fn text(text: impl Into<String>) -> Doc {
    Doc::text(text.into())
}

/// Joins documents by line breaks.
pub(crate) fn lines(docs: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::intersperse(docs, Doc::hardline())
}

/// Formats a bracketed list: on one line, or with one item per line and a trailing comma.
pub(crate) fn list(open: &'static str, items: Vec<Doc>, close: &'static str) -> Doc {
    list_with(open, items, close, Doc::line_())
}

pub(crate) fn list_with(
    open: &'static str,
    items: Vec<Doc>,
    close: &'static str,
    space: Doc,
) -> Doc {
    if items.is_empty() {
        return text(format!("{open}{close}"));
    }
    let between = Doc::text(",").append(Doc::line());
    let items = Doc::intersperse(items, between).append(Doc::text(",").flat_alt(Doc::nil()));
    let inside = space.clone().append(items).nest(INDENT).append(space);
    text(open).append(inside).append(text(close)).group()
}

/// Formats the content of parentheses, which breaks inside them if it is too long.
pub(crate) fn within_parentheses(doc: Doc) -> Doc {
    let inside = Doc::line_().append(doc).nest(INDENT);
    inside.append(Doc::line_()).group()
}

/// Formats the access to a member: `.name`, `["a name"]`.
pub(crate) fn member(name: &str, optional: bool) -> Doc {
    let dot = if optional { "?." } else { "." };
    if is_name(name) {
        return text(format!("{dot}{name}"));
    }
    let dot = if optional { "?." } else { "" };
    text(format!("{dot}["))
        .append(within_parentheses(text(string_literal(name))))
        .append("]")
}

/// Returns the key of an object's property, in quotes if necessary.
pub(crate) fn key(name: &str) -> String {
    if is_name(name) {
        return name.to_owned();
    }
    string_literal(name)
}

/// Returns a string literal. It has single quotes if these need fewer escapes.
pub(crate) fn string_literal(value: &str) -> String {
    let json = serde_json::Value::from(value).to_string();
    let json = escape_json(&json).into_owned();
    if value.matches('"').count() <= value.matches('\'').count() {
        return json;
    }
    let inner = json
        .strip_prefix('"')
        .and_then(|json| json.strip_suffix('"'));
    let inner = inner.unwrap_or_default().replace("\\\"", "\"");
    format!("'{}'", inner.replace('\'', "\\'"))
}

pub(crate) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = |char: char| char.is_ascii_alphabetic() || char == '_' || char == '$';
    chars.next().is_some_and(starts) && chars.all(|char| starts(char) || char.is_ascii_digit())
}
