//! The printer, as Prettier prints with its own settings.

use pretty::BoxDoc;

use super::module::printed_type;
use super::tree::{Property, Statement, Ts};

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
            .append(softly(alone(condition)))
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

fn assigned(start: String, value: &Ts) -> Doc {
    text(start).append(after(value))
}

/// What is assigned: on the line, where it breaks inside of itself or fits, else on the next.
fn after(value: &Ts) -> Doc {
    let doc = expression(value);
    match value {
        Ts::Binary(..) | Ts::String(_) | Ts::Member(..) => {
            Doc::line().append(doc).nest(INDENT).group()
        }
        _ => text(" ").append(doc),
    }
}

pub(super) fn expression(tree: &Ts) -> Doc {
    match tree {
        Ts::Array(items) => list("[", items.iter().map(expression).collect(), "]"),
        Ts::Arrow(parameters, body) => arrow(parameters, body),
        Ts::As(value, to) => inside(value, 11).append(format!(" as {to}")),
        Ts::Await(value) => text("await ").append(expression(value)),
        Ts::Binary(operator, sides) => binary(operator, sides, INDENT).group(),
        Ts::Call(..) => call(tree),
        Ts::Index(of, index) => inside(of, 18)
            .append("?.[")
            .append(expression(index))
            .append("]"),
        Ts::Member(of, name, optional) => inside(of, 18).append(member(name, *optional)),
        Ts::Name(name) | Ts::Number(name) => text(name.clone()),
        Ts::New(class, arguments) => text("new ")
            .append(printed_type(class))
            .append(given(arguments)),
        Ts::Not(value) if precedence(value) < 15 => text("!(")
            .append(softly(expression(value)))
            .append(")")
            .group(),
        Ts::Not(value) => text("!").append(expression(value)),
        Ts::Object(properties) => object(properties),
        Ts::String(value) => string(value),
        Ts::Ternary(parts) => ternary(parts),
    }
}

fn arrow(parameters: &[String], body: &Ts) -> Doc {
    let start = text(format!("({}) =>", parameters.join(", ")));
    match body {
        Ts::Object(_) => start.append(" (").append(expression(body)).append(")"),
        Ts::Array(_) => start.append(" ").append(expression(body)),
        _ => start
            .append(Doc::line().append(alone(body)).nest(INDENT))
            .group(),
    }
}

/// A call; where two or more follow one another and are too long for a line, each has its own.
fn call(tree: &Ts) -> Doc {
    let mut links = Vec::new();
    let mut head = tree;
    while let Ts::Call(called, arguments) = head
        && let Ts::Member(of, name, optional) = &**called
        && !is_factory(of)
    {
        links.push(member(name, *optional).append(given(arguments)));
        head = of;
    }
    links.reverse();
    let start = match head {
        Ts::Call(called, arguments) => inside(called, 18).append(given(arguments)),
        head => inside(head, 18),
    };
    let line = start.clone().append(Doc::concat(links.clone()));
    if links.len() < 2 {
        return line;
    }
    let links = links.into_iter().map(|link| Doc::hardline().append(link));
    let chain = start.append(Doc::concat(links).nest(INDENT));
    chain.flat_alt(line).group()
}

/// `Object` in `Object.keys(…)`: never parted from what it does.
fn is_factory(of: &Ts) -> bool {
    matches!(of, Ts::Name(name) if name.starts_with(char::is_uppercase))
}

fn given(arguments: &[Ts]) -> Doc {
    match arguments {
        [Ts::Arrow(parameters, body)] if matches!(**body, Ts::Call(..)) => {
            let body = Doc::line().append(expression(body)).nest(INDENT);
            let end = text(",").flat_alt(Doc::nil()).append(Doc::line_());
            text(format!("(({}) =>", parameters.join(", ")))
                .append(body)
                .append(end)
                .append(")")
                .group()
        }
        // What comes last holds on to the parentheses, where what comes before is short.
        [first @ .., Ts::Object(_) | Ts::Array(_)] if first.iter().all(is_short) => {
            let arguments = Doc::intersperse(arguments.iter().map(expression), text(", "));
            text("(").append(arguments).append(")")
        }
        _ => list("(", arguments.iter().map(expression).collect(), ")"),
    }
}

const fn is_short(argument: &Ts) -> bool {
    !matches!(argument, Ts::Array(_) | Ts::Arrow(..) | Ts::Object(_))
}

/// An expression that stands alone: its sides are one under the other.
fn alone(tree: &Ts) -> Doc {
    match tree {
        Ts::Binary(operator, sides) => binary(operator, sides, 0).group(),
        tree => expression(tree),
    }
}

/// Sides of the same operator stand one under the other; those of a comparison are indented.
fn binary(operator: &'static str, sides: &[Ts; 2], indent: isize) -> Doc {
    let [left, right] = sides;
    let own = strength(operator);
    let left = match left {
        Ts::Binary(same, sides) if *same == operator && own < 5 => binary(same, sides, INDENT),
        left => operand(left, if own < 5 { own } else { own.saturating_add(1) }),
    };
    let right = Doc::line().append(operand(right, own.saturating_add(1)));
    let right = if own < 5 {
        right
    } else {
        right.nest(indent).group()
    };
    left.append(format!(" {operator}")).append(right)
}

/// `&&` and `||` are never told apart by their strength alone.
fn operand(side: &Ts, least: u8) -> Doc {
    let mixed = matches!(side, Ts::Binary(operator, _) if strength(operator) < 5) && least < 6;
    inside(side, if mixed { 20 } else { least })
}

fn ternary(parts: &[Ts; 3]) -> Doc {
    let [condition, then, otherwise] = parts;
    let branches = Doc::line()
        .append("? ")
        .append(expression(then))
        .append(Doc::line())
        .append(": ")
        .append(expression(otherwise));
    inside(condition, 4).append(branches.nest(INDENT)).group()
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

/// A tree as a part of another, in parentheses where it binds less than that.
fn inside(tree: &Ts, least: u8) -> Doc {
    if precedence(tree) < least {
        return text("(").append(expression(tree)).append(")");
    }
    expression(tree)
}

/// How strongly the outermost part binds.
fn precedence(tree: &Ts) -> u8 {
    match tree {
        Ts::Arrow(..) => 1,
        Ts::Ternary(_) => 2,
        Ts::Binary(operator, _) => strength(operator),
        // Between operators it is always put in parentheses.
        Ts::As(..) => 2,
        Ts::Await(_) | Ts::Not(_) => 15,
        _ => 19,
    }
}

fn strength(operator: &str) -> u8 {
    match operator {
        "??" | "||" => 3,
        "&&" => 4,
        "===" | "!==" => 9,
        "<" | "<=" | ">" | ">=" => 10,
        _ => 2,
    }
}

fn member(name: &str, optional: bool) -> Doc {
    let dot = if optional { "?." } else { "." };
    if is_name(name) {
        return text(format!("{dot}{name}"));
    }
    let dot = if optional { "?." } else { "" };
    text(format!("{dot}[")).append(string(name)).append("]")
}

/// A key of an object.
pub(super) fn key(name: &str) -> String {
    if is_name(name) {
        return name.to_owned();
    }
    quoted(name)
}

fn string(value: &str) -> Doc {
    text(quoted(value))
}

/// In double quotes, or in single ones where these need fewer escapes.
fn quoted(value: &str) -> String {
    let json = serde_json::Value::from(value).to_string();
    if value.contains('"') && value.matches('"').count() > value.matches('\'').count() {
        let inner = json.trim_start_matches('"').trim_end_matches('"');
        let inner = inner.replace("\\\"", "\"").replace('\'', "\\'");
        // Quotes at the ends were trimmed with those around.
        if inner.matches('"').count() == value.matches('"').count() {
            return format!("'{inner}'");
        }
    }
    json
}

pub(super) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = |char: char| char.is_ascii_alphabetic() || char == '_' || char == '$';
    chars.next().is_some_and(starts) && chars.all(|char| starts(char) || char.is_ascii_digit())
}
