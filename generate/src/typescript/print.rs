//! The printer, as Prettier prints with its own settings.

mod chain;
mod expression;

use pretty::BoxDoc;

use super::tree::{Property, Statement, Ts};
use crate::unseen::in_json;
use expression::{Place, is_logical, placed};

pub(super) use expression::expression;

pub(super) type Doc = BoxDoc<'static, ()>;

/// What a line has at most.
pub(super) const WIDTH: usize = 80;

const INDENT: isize = 2;

/// A key that is no longer than that has its text beside it, however long that is.
const SHORT: usize = 4;

/// The text of a document, which ends in a line feed.
pub(super) fn print(doc: &Doc) -> String {
    let mut text = String::new();
    // A string takes what it is given.
    let _ = doc.render_fmt(WIDTH, &mut text);
    let lines = text.lines().map(str::trim_end);
    lines.fold(String::new(), |text, line| text + line + "\n")
}

pub(super) fn text(text: impl Into<String>) -> Doc {
    Doc::text(text.into())
}

/// Lines one under the other.
pub(super) fn lines(docs: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::intersperse(docs, Doc::hardline())
}

/// `open`, what stands between, `close`: on one line, or each on its own with a comma after the last.
pub(super) fn list(open: &'static str, items: Vec<Doc>, close: &'static str) -> Doc {
    wrapped(open, items, close, Doc::line_())
}

fn wrapped(open: &'static str, items: Vec<Doc>, close: &'static str, space: Doc) -> Doc {
    if items.is_empty() {
        return text(format!("{open}{close}"));
    }
    let between = Doc::text(",").append(Doc::line());
    let items = Doc::intersperse(items, between).append(Doc::text(",").flat_alt(Doc::nil()));
    let inside = space.clone().append(items).nest(INDENT).append(space);
    text(open).append(inside).append(text(close)).group()
}

/// `{`, statements, `}`.
pub(super) fn block(statements: &[Statement]) -> Doc {
    let statements = statements.iter().map(statement);
    let inside = Doc::hardline().append(lines(statements)).nest(INDENT);
    text("{").append(inside).append(Doc::hardline()).append("}")
}

pub(super) fn statement(statement: &Statement) -> Doc {
    match statement {
        Statement::Let(name, value) => assigned(format!("const {name} ="), value).append(";"),
        Statement::Do(Ts::Binary(operator, sides)) if operator.ends_with('=') => {
            let [to, value] = &**sides;
            expression(to)
                .append(format!(" {operator}"))
                .append(after(value))
                .append(";")
        }
        Statement::Do(value) => expression(value).append(";"),
        Statement::If(condition, then) => text("if (")
            .append(tested(condition))
            .append(") ")
            .group()
            .append(block(then)),
        Statement::Return(value) => text("return ").append(expression(value)).append(";"),
    }
}

/// In parentheses, which are somebody else's: with breaks inside of them where it is too long.
fn softly(doc: Doc) -> Doc {
    let inside = Doc::line_().append(doc).nest(INDENT);
    inside.append(Doc::line_()).group()
}

fn tested(condition: &Ts) -> Doc {
    let doc = placed(condition, Place::Condition);
    let mut inner = condition;
    while let Ts::Not(of) = inner {
        inner = of;
    }
    match inner {
        // It has parentheses of its own.
        Ts::Binary(operator, _) if is_logical(operator) && inner != condition => doc,
        _ => softly(doc),
    }
}

fn assigned(start: String, value: &Ts) -> Doc {
    text(start).append(after(value))
}

/// What is assigned: on the line, where it breaks inside of itself or fits, else on the next.
fn after(value: &Ts) -> Doc {
    let doc = placed(value, Place::Whole);
    match value {
        Ts::Binary(..) | Ts::String(_) | Ts::Member(..) => {
            Doc::line().append(doc).nest(INDENT).group()
        }
        _ => text(" ").append(doc),
    }
}

fn object(properties: &[Property]) -> Doc {
    let properties = properties.iter().map(|property| match property {
        Property::Is(name, Ts::Name(value)) if name == value => text(name.clone()),
        Property::Is(name, value @ Ts::String(_)) if name.len() <= SHORT => {
            text(format!("{}: ", key(name))).append(expression(value))
        }
        Property::Is(name, value) => text(format!("{}:", key(name))).append(after(value)),
        Property::Spread(value) => text("...").append(expression(value)),
    });
    wrapped("{", properties.collect(), "}", Doc::line())
}

/// A key of an object.
pub(super) fn key(name: &str) -> String {
    if is_name(name) {
        return name.to_owned();
    }
    quoted(name)
}

/// In double quotes, or in single ones where these need fewer escapes.
fn quoted(value: &str) -> String {
    let json = serde_json::Value::from(value).to_string();
    let json = in_json(&json).into_owned();
    if value.matches('"').count() <= value.matches('\'').count() {
        return json;
    }
    let inner = json
        .strip_prefix('"')
        .and_then(|json| json.strip_suffix('"'));
    let inner = inner.unwrap_or_default().replace("\\\"", "\"");
    format!("'{}'", inner.replace('\'', "\\'"))
}

pub(super) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = |char: char| char.is_ascii_alphabetic() || char == '_' || char == '$';
    chars.next().is_some_and(starts) && chars.all(|char| starts(char) || char.is_ascii_digit())
}
