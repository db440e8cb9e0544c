//! JMESPath: parsed by the `jmespath` crate, compiled once, evaluated over borrowed host values.

mod compile;
mod equality;
mod evaluate;
mod functions;
mod item;
mod limits;
pub(crate) mod linear;
mod node;
mod plan;
mod render;
mod strict;

pub(crate) use evaluate::{EvaluationError, Evaluator, Met};
pub(crate) use item::Item;
pub(crate) use node::Names;
use node::Node;
pub(crate) use render::{quote, render, tame};

use crate::error::ExpressionError;
use crate::value::{Instruction, PathStep};

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: Box<str>,
    root: Node,
}

impl Expression {
    /// Parses and compiles an expression; its member names join `names`.
    pub(crate) fn new(text: &str, names: &mut Names) -> Result<Self, ExpressionError> {
        limits::check(text)?;
        let ast = jmespath::parse(text).map_err(|error| syntax_error(text, &error))?;
        strict::check(text).map_or(Ok(()), |offence| Err(offends(text, &offence)))?;
        Ok(Self {
            text: text.into(),
            root: compile::compile(text, &ast, names)?,
        })
    }

    /// The expression as it was written.
    pub(crate) const fn text(&self) -> &str {
        &self.text
    }

    /// The expression as plain steps, where it has neither filter nor function.
    pub(crate) fn steps(&self) -> Option<Box<[PathStep]>> {
        linear::steps(&self.root)
    }

    /// The expression as instructions for hosts, where these can say all of it.
    pub(crate) fn plan(&self) -> Option<Vec<Instruction<'_>>> {
        plan::instructions(&self.root)
    }

    pub(crate) const fn root(&self) -> &Node {
        &self.root
    }
}

/// The parser's own words, with the column counted in code points and the found token as people write it.
fn syntax_error(text: &str, error: &jmespath::JmespathError) -> ExpressionError {
    let column = limits::column(text, error.offset);
    let jmespath::ErrorReason::Parse(reason) = &error.reason else {
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
