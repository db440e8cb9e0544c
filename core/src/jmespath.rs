//! JMESPath: parsed by the `jmespath` crate, compiled once, evaluated over borrowed host values.

mod compile;
mod equality;
mod evaluate;
mod functions;
mod item;
mod limits;
mod node;
mod render;
mod strict;

pub(crate) use evaluate::{EvaluationError, Evaluator, Met};
pub(crate) use item::Item;
pub(crate) use node::Names;
use node::Node;
pub(crate) use render::{quote, render, tame};

use crate::error::ExpressionError;

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: Box<str>,
    root: Node,
    calls_functions: bool,
}

impl Expression {
    /// Parses and compiles an expression; its member names join `names`.
    pub(crate) fn new(text: &str, names: &mut Names) -> Result<Self, ExpressionError> {
        limits::check(text)?;
        let ast = ::jmespath::parse(text).map_err(|error| syntax_error(text, &error))?;
        strict::check(text).map_or(Ok(()), |offence| Err(offends(text, &offence)))?;
        let root = compile::compile(text, &ast, names)?;
        Ok(Self {
            text: text.into(),
            calls_functions: root.calls_functions(),
            root,
        })
    }

    /// The expression as it was written.
    pub(crate) const fn text(&self) -> &str {
        &self.text
    }

    /// Whether a function is called in it, and so whether its evaluation can fail by a value's type.
    pub(crate) const fn calls_functions(&self) -> bool {
        self.calls_functions
    }

    pub(crate) const fn root(&self) -> &Node {
        &self.root
    }
}

/// The parser's own words, with the column counted in code points and the found token as people write it.
fn syntax_error(text: &str, error: &::jmespath::JmespathError) -> ExpressionError {
    let column = limits::column(text, error.offset);
    let ::jmespath::ErrorReason::Parse(reason) = &error.reason else {
        return ExpressionError::new("invalid_expression", Some(column), "it does not parse");
    };
    let (expected, found) = reason.split_once(" -- found ").unwrap_or((reason, ""));
    let found = match found {
        "" => String::new(),
        "Eof" => ", found the end".to_owned(),
        token => format!(
            ", found {}",
            written(token.split_once('(').map_or(token, |(kind, _)| kind))
        ),
    };
    let expected = match expected {
        "Unexpected nud token" => "expected an expression".to_owned(),
        "Unexpected led token" => "expected an operator".to_owned(),
        "Did not parse the complete expression" => "expected an operator or the end".to_owned(),
        other => lowercase_first(other),
    };
    does_not_parse(text, column, &format!("{expected}{found}"))
}

fn offends(text: &str, offence: &strict::Offence) -> ExpressionError {
    let what = format!("{}, found {}", offence.expected, offence.found);
    does_not_parse(text, limits::column(text, offence.at), &what)
}

fn does_not_parse(text: &str, column: usize, what: &str) -> ExpressionError {
    let text = limits::excerpt(text);
    let message = format!("`{text}` does not parse at column {column}: {what}");
    ExpressionError::new("invalid_expression", Some(column), message)
}

/// The parser's name of a token as people write the token.
fn written(token: &str) -> &str {
    match token {
        "Ampersand" => "`&`",
        "And" => "`&&`",
        "At" => "`@`",
        "Colon" => "`:`",
        "Comma" => "`,`",
        "Dot" => "`.`",
        "Eq" => "`==`",
        "Filter" => "`[?`",
        "Flatten" => "`[]`",
        "Gt" => "`>`",
        "Gte" => "`>=`",
        "Lbrace" => "`{`",
        "Lbracket" => "`[`",
        "Lparen" => "`(`",
        "Lt" => "`<`",
        "Lte" => "`<=`",
        "Ne" => "`!=`",
        "Not" => "`!`",
        "Or" => "`||`",
        "Pipe" => "`|`",
        "Rbrace" => "`}`",
        "Rbracket" => "`]`",
        "Rparen" => "`)`",
        "Star" => "`*`",
        "Literal" => "a literal",
        "Number" => "a number",
        _ => "a name",
    }
}

fn lowercase_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_lowercase())
            .chain(chars)
            .collect()
    })
}
