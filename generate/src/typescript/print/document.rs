//! Documents: text with the places at which lines may break.

use pretty::BoxDoc;

use crate::escape::escape_json;

pub(crate) type Doc = BoxDoc<'static, ()>;

/// The width of a line.
pub(crate) const WIDTH: usize = 80;

pub(crate) const INDENT: isize = 2;

/// The text of a document, which ends in a line feed.
pub(crate) fn render(doc: &Doc) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = doc.render_fmt(WIDTH, &mut text);
    let lines = text.lines().map(str::trim_end);
    lines.fold(String::new(), |text, line| text + line + "\n")
}

pub(crate) fn text(text: impl Into<String>) -> Doc {
    Doc::text(text.into())
}

/// Lines one under the other.
pub(crate) fn lines(docs: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::intersperse(docs, Doc::hardline())
}

/// `open`, what stands between, `close`: on one line, or each on its own with a comma after the last.
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

/// The content of parentheses, with breaks inside of them if it is too long.
pub(crate) fn within_parentheses(doc: Doc) -> Doc {
    let inside = Doc::line_().append(doc).nest(INDENT);
    inside.append(Doc::line_()).group()
}

/// The access to a member: `.name`, `["a name"]`.
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

/// A key of an object.
pub(crate) fn key(name: &str) -> String {
    if is_name(name) {
        return name.to_owned();
    }
    string_literal(name)
}

/// In double quotes, or in single ones where these need fewer escapes.
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
