//! A syntax tree of Python with the expressions and statements that are generated, and a printer in Ruff's format.

use pretty::BoxDoc;
use serde_json::Value as Json;

use crate::escape::is_invisible;
use crate::ir::ordered_members;
use crate::tree::Expression;

pub(super) type Doc = BoxDoc<'static, ()>;

/// The maximum line width, in columns.
pub(super) const WIDTH: usize = 88;

const INDENT: isize = 4;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Py {
    /// `a.b`
    Attribute(Box<Self>, String),
    /// `await a`
    Await(Box<Self>),
    /// `a == b`, `a and b`, …
    Binary(&'static str, Box<[Self; 2]>),
    /// `a(b, c=d, **e)`
    Call(Box<Self>, Vec<Self>),
    /// `{"a": b, "c": d}`
    Dict(Vec<(String, Self)>),
    /// `name=a`, or `**a` if the name is empty.
    Keyword(String, Box<Self>),
    /// `lambda a: b`
    Lambda(&'static str, Box<Self>),
    /// `[a, b]`
    List(Vec<Self>),
    /// `a`
    Name(String),
    /// `not a`
    Not(Box<Self>),
    /// `"a"`
    String(String),
}

pub(super) type Statement = crate::tree::Statement<Py>;

impl Py {
    pub(super) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    pub(super) fn none() -> Self {
        Self::name("None")
    }

    pub(super) fn string(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    pub(super) fn call(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call(Box::new(Self::name(name)), arguments)
    }

    pub(super) fn method(self, name: &str, arguments: Vec<Self>) -> Self {
        let method = Self::Attribute(Box::new(self), name.to_owned());
        Self::Call(Box::new(method), arguments)
    }

    pub(super) fn binary(self, operator: &'static str, other: Self) -> Self {
        Self::Binary(operator, Box::new([self, other]))
    }

    pub(super) fn keyword(name: &str, value: Self) -> Self {
        Self::Keyword(name.to_owned(), Box::new(value))
    }

    pub(super) fn lambda(parameter: &'static str, body: Self) -> Self {
        Self::Lambda(parameter, Box::new(body))
    }
}

impl Expression for Py {
    fn as_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    fn children(&self) -> Vec<&Self> {
        match self {
            Self::Attribute(of, _)
            | Self::Await(of)
            | Self::Keyword(_, of)
            | Self::Lambda(_, of)
            | Self::Not(of) => vec![of],
            Self::Binary(_, sides) => sides.iter().collect(),
            Self::Call(called, arguments) => std::iter::once(&**called).chain(arguments).collect(),
            Self::Dict(items) => items.iter().map(|(_, value)| value).collect(),
            Self::List(items) => items.iter().collect(),
            Self::Name(_) | Self::String(_) => Vec::new(),
        }
    }
}

/// Returns a definition as a literal, with its members in the conventional order.
pub(super) fn json(value: &Json) -> Py {
    match value {
        Json::Null => Py::none(),
        Json::Bool(true) => Py::name("True"),
        Json::Bool(false) => Py::name("False"),
        Json::Number(number) => Py::name(number.to_string()),
        Json::String(text) => Py::string(text),
        Json::Array(items) => Py::List(items.iter().map(json).collect()),
        Json::Object(members) => {
            let members = ordered_members(members).into_iter();
            Py::Dict(
                members
                    .map(|(key, value)| (key.clone(), json(value)))
                    .collect(),
            )
        }
    }
}

pub(super) fn text(text: impl Into<String>) -> Doc {
    Doc::text(text.into())
}

/// Joins documents by line breaks.
pub(super) fn lines(docs: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::intersperse(docs, Doc::hardline())
}

/// Formats a bracketed list: on one line, with all items on the next line, or with one item per line and a trailing
/// comma.
pub(super) fn list(open: String, items: Vec<Doc>, close: &'static str) -> Doc {
    if items.is_empty() {
        return text(open).append(close);
    }
    let between = text(",").append(Doc::line());
    let items = Doc::intersperse(items, between).append(text(",").flat_alt(Doc::nil()));
    let inside = Doc::line_().append(items.group()).nest(INDENT);
    text(open)
        .append(inside)
        .append(Doc::line_())
        .append(close)
        .group()
}

/// Formats a collection: on one line, or with one item per line and a trailing comma.
fn elements(open: &'static str, items: Vec<Doc>, close: &'static str) -> Doc {
    if items.is_empty() {
        return text(open).append(close);
    }
    let between = text(",").append(Doc::line());
    let items = Doc::intersperse(items, between).append(text(",").flat_alt(Doc::nil()));
    let inside = Doc::line_().append(items).nest(INDENT);
    let inside = inside.append(Doc::line_());
    text(open).append(inside).append(close).group()
}

/// Indents statements below a line that ends with a colon.
pub(super) fn block(head: Doc, statements: impl IntoIterator<Item = Doc>) -> Doc {
    head.append(Doc::hardline().append(lines(statements)).nest(INDENT))
}

pub(super) fn statement(statement: &Statement) -> Doc {
    match statement {
        Statement::Let(name, value @ Py::Name(_)) => {
            text(format!("{name} = ")).append(parenthesize(value))
        }
        Statement::Let(name, value) => text(format!("{name} = ")).append(expression(value)),
        Statement::Do(value) => expression(value),
        Statement::If(condition, then) => {
            let head = text("if ").append(standalone(condition)).append(":");
            block(head, then.iter().map(self::statement))
        }
        Statement::Return(value) => text("return ").append(standalone(value)),
    }
}

/// Formats an expression that is a whole statement or condition. It gets parentheses if it has no brackets to break in.
fn standalone(tree: &Py) -> Doc {
    match tree {
        Py::Binary(..) | Py::Not(_) if Edges::of(tree).have_brackets() => bare(tree),
        Py::Binary(..) | Py::Not(_) => parenthesize(tree),
        tree => expression(tree),
    }
}

/// Formats an operator expression that breaks only inside its operands' brackets.
fn bare(tree: &Py) -> Doc {
    match tree {
        Py::Binary(operator, sides) => {
            let [left, right] = &**sides;
            let least = strength(operator).saturating_add(1);
            let left = inside(left, least).append(format!(" {operator} "));
            left.append(inside(right, least))
        }
        Py::Not(of) if precedence(of) >= 4 => text("not ").append(bare(of)),
        tree => expression(tree),
    }
}

/// The brackets and operators of an expression, which determine if Ruff adds parentheses.
#[derive(Default)]
struct Edges {
    /// The lowest operator precedence and its number of occurrences.
    weakest: Option<(u8, usize)>,
    /// `true` if the first operand ends with brackets.
    first: Option<bool>,
    /// `true` if the last operand ends with brackets.
    last: bool,
}

impl Edges {
    fn of(tree: &Py) -> Self {
        let mut edges = Self::default();
        edges.visit(tree, 0);
        edges
    }

    /// Returns `true` if the expression has at most one operator and begins or ends with brackets.
    fn have_brackets(&self) -> bool {
        let is_one = self.weakest.is_none_or(|(_, count)| count == 1);
        is_one && (self.last || self.first == Some(true))
    }

    fn visit(&mut self, tree: &Py, least: u8) {
        if precedence(tree) < least {
            return self.end(true);
        }
        match tree {
            Py::Binary(operator, sides) => {
                let own = strength(operator);
                self.weakest = match self.weakest {
                    Some((weakest, _)) if weakest > own => Some((own, 1)),
                    Some((weakest, count)) if weakest == own => {
                        Some((own, count.saturating_add(1)))
                    }
                    None => Some((own, 1)),
                    weaker => weaker,
                };
                let [left, right] = &**sides;
                let is_same = matches!(left, Py::Binary(same, _) if same == operator && own < 4);
                self.visit(left, if is_same { own } else { own.saturating_add(1) });
                self.visit(right, own.saturating_add(1));
            }
            Py::Attribute(of, _) => {
                self.visit(of, 9);
                self.last = false;
            }
            Py::Call(called, arguments) => {
                self.visit(called, 9);
                self.last = !arguments.is_empty();
            }
            Py::Dict(items) => self.end(!items.is_empty()),
            Py::List(items) => self.end(!items.is_empty()),
            Py::Await(of) | Py::Not(of) => {
                self.first = self.first.or(Some(false));
                self.visit(of, 4);
            }
            Py::Keyword(..) | Py::Lambda(..) | Py::Name(_) | Py::String(_) => self.end(false),
        }
    }

    fn end(&mut self, is_in_brackets: bool) {
        self.first = self.first.or(Some(is_in_brackets));
        self.last = is_in_brackets;
    }
}

/// Formats the body of a lambda. A call breaks inside its own parentheses.
fn body_of(tree: &Py) -> Doc {
    match tree {
        Py::Call(..) => expression(tree),
        _ => parenthesize(tree),
    }
}

/// Formats an expression, in parentheses if it exceeds the line.
fn parenthesize(tree: &Py) -> Doc {
    let open = text("(").flat_alt(Doc::nil());
    let close = text(")").flat_alt(Doc::nil());
    let inside = Doc::line_()
        .append(in_parentheses(tree).group())
        .nest(INDENT);
    let inside = inside.append(Doc::line_());
    open.append(inside).append(close).group()
}

/// Formats an expression inside parentheses, which may break before its operators.
fn in_parentheses(tree: &Py) -> Doc {
    let (operator, sides) = match tree {
        Py::Binary(operator, sides) => (operator, sides),
        Py::Not(of) if precedence(of) >= 4 => return text("not ").append(in_parentheses(of)),
        tree => return expression(tree),
    };
    let [left, right] = &**sides;
    let own = strength(operator);
    let side = |side: &Py| {
        if precedence(side) > own {
            in_parentheses(side)
        } else {
            inside(side, own.saturating_add(1))
        }
    };
    let left = match left {
        Py::Binary(same, _) if same == operator && own < 4 => in_parentheses(left),
        left => side(left),
    };
    let doc = left
        .append(Doc::line())
        .append(format!("{operator} "))
        .append(side(right));
    if own < 4 { doc } else { doc.group() }
}

pub(super) fn expression(tree: &Py) -> Doc {
    match tree {
        Py::Attribute(of, name) => inside(of, 9).append(format!(".{name}")),
        Py::Await(value) => text("await ").append(expression(value)),
        Py::Binary(operator, sides) => binary(operator, sides),
        Py::Call(called, arguments) => {
            let arguments = arguments.iter().map(element).collect();
            inside(called, 9).append(list("(".to_owned(), arguments, ")"))
        }
        Py::Dict(items) => {
            let items = items.iter();
            let items = items.map(|(key, value)| {
                text(string_literal(key))
                    .append(": ")
                    .append(expression(value))
            });
            elements("{", items.collect(), "}")
        }
        Py::Keyword(name, value) if name.is_empty() => text("**").append(expression(value).group()),
        Py::Keyword(name, value) => text(format!("{name}=")).append(expression(value)),
        Py::Lambda("", body) => text("lambda: ").append(body_of(body)),
        Py::Lambda(parameter, body) => text(format!("lambda {parameter}: ")).append(body_of(body)),
        Py::List(items) => elements("[", items.iter().map(element).collect(), "]"),
        Py::Name(name) => text(name.clone()),
        Py::Not(value) => text("not ").append(inside(value, 4)),
        Py::String(value) => text(string_literal(value)),
    }
}

/// Formats an item of a bracketed list.
fn element(tree: &Py) -> Doc {
    match tree {
        Py::Binary(..) | Py::Not(_) => in_parentheses(tree).group(),
        tree => expression(tree),
    }
}

fn binary(operator: &'static str, sides: &[Py; 2]) -> Doc {
    let [left, right] = sides;
    let own = strength(operator);
    let left = match left {
        Py::Binary(same, sides) if *same == operator && own < 4 => binary(same, sides),
        left => inside(left, own.saturating_add(1)),
    };
    let right = inside(right, own.saturating_add(1));
    if own < 4 {
        return left
            .append(Doc::line())
            .append(format!("{operator} "))
            .append(right);
    }
    left.append(format!(" {operator} ")).append(right)
}

fn inside(tree: &Py, least: u8) -> Doc {
    if precedence(tree) < least {
        let inside = Doc::line_().append(in_parentheses(tree).group());
        let inside = inside.nest(INDENT).append(Doc::line_());
        return text("(").append(inside).append(")").group();
    }
    expression(tree)
}

fn precedence(tree: &Py) -> u8 {
    match tree {
        Py::Lambda(..) | Py::Keyword(..) => 1,
        Py::Binary(operator, _) => strength(operator),
        Py::Not(_) => 4,
        Py::Await(_) => 8,
        _ => 9,
    }
}

fn strength(operator: &str) -> u8 {
    match operator {
        "or" => 2,
        "and" => 3,
        _ => 5,
    }
}

/// Returns a string literal. It has single quotes if these need fewer escapes.
pub(super) fn string_literal(value: &str) -> String {
    let quote = if value.matches('"').count() > value.matches('\'').count() {
        '\''
    } else {
        '"'
    };
    let mut text = String::from(quote);
    for char in value.chars() {
        match char {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            char if char == quote => {
                text.push('\\');
                text.push(char);
            }
            char if char.is_control() || is_invisible(char) => {
                text.push_str(&format!("\\U{:08x}", u32::from(char)));
            }
            char => text.push(char),
        }
    }
    text.push(quote);
    text
}

/// Renders a document. The text ends with a line feed.
pub(super) fn print(doc: &Doc) -> String {
    let mut text = String::new();
    // Writing to a string doesn't fail.
    let _ = doc.render_fmt(WIDTH, &mut text);
    let lines = text.lines().map(str::trim_end);
    lines.fold(String::new(), |text, line| text + line + "\n")
}
