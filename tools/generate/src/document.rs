//! Documents of a pretty-printer, shared by TypeScript and Python. They contain the possible line breaks.

use pretty::BoxDoc;

pub(crate) type Doc = BoxDoc<'static, ()>;

/// Renders a document at a maximum width in columns. The text ends with a line feed.
pub(crate) fn render(doc: &Doc, width: usize) -> String {
    let mut text = String::new();
    // Writing to a string doesn't fail.
    let _ = doc.render_fmt(width, &mut text);
    let lines = text.lines().map(str::trim_end);
    lines.fold(String::new(), |text, line| text + line + "\n")
}

pub(crate) fn text(text: impl Into<String>) -> Doc {
    Doc::text(text.into())
}

/// Joins documents by line breaks.
pub(crate) fn lines(docs: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::intersperse(docs, Doc::hardline())
}

/// Returns fixed source text.
pub(crate) fn raw(code: &str) -> Doc {
    lines(code.trim().lines().map(text))
}

/// Formats a bracketed list: on one line, or with one item per line and a trailing comma. `space` is between the
/// brackets and the items.
pub(crate) fn bracketed(
    open: impl Into<String>,
    items: Vec<Doc>,
    close: &'static str,
    space: Doc,
    indent: isize,
) -> Doc {
    if items.is_empty() {
        return text(open).append(close);
    }
    let between = text(",").append(Doc::line());
    let items = Doc::intersperse(items, between).append(text(",").flat_alt(Doc::nil()));
    let inside = space.clone().append(items).nest(indent).append(space);
    text(open).append(inside).append(close).group()
}
