//! A JMESPath expression of its own, without a waiter.

use std::rc::Rc;

use serde_json::Value as Json;

use crate::error::ExpressionError;
use crate::evaluation::ReasonCode;
use crate::jmespath::{EvaluationError, Evaluator, Expression, Item, Names};
use crate::value::Value;

/// How deep a computed result may be.
const MAX_DEPTH: usize = 128;

/// A JMESPath expression, compiled once and searched in any number of values.
///
/// After a projection, the rest of a path applies to each item, as in Smithy's own evaluator: `c[*].{a: a}.a` of
/// `{"c": [{"a": 1}]}` is `[1]`, and null in jmespath.py and in npm's `jmespath`.
///
/// # Example: the names of what is ready
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::{CompiledExpression, SearchResult};
///
/// let ready = CompiledExpression::new("length(Items[?Ready])")?;
/// let value = json!({"Items": [{"Ready": true}, {"Ready": false}]});
/// assert_eq!(ready.search(&value)?, SearchResult::Number(1.0));
/// # Ok::<(), smithy_waiters::ExpressionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompiledExpression {
    expression: Expression,
    names: Names,
}

impl CompiledExpression {
    /// Parses and compiles an expression.
    ///
    /// # Errors
    ///
    /// The text does not parse, calls a function wrongly, or goes beyond a limit of length or nesting.
    pub fn new(text: &str) -> Result<Self, ExpressionError> {
        let mut names = Names::default();
        Ok(Self {
            expression: Expression::new(text, &mut names)?,
            names,
        })
    }

    /// The expression as it was written.
    #[must_use]
    pub const fn text(&self) -> &str {
        self.expression.text()
    }

    /// The member names that the expression uses, by [`Name::index`](crate::value::Name::index).
    #[must_use]
    pub fn names(&self) -> &[Box<str>] {
        self.names.texts()
    }

    /// What the expression gives for a value. Only what it touches is read.
    ///
    /// # Errors
    ///
    /// `evaluation_error` where a function met a value of a wrong type or the host could not read its own value;
    /// `limit_exceeded` where the evaluation took too much work or the result is too deep.
    pub fn search<V: Value>(&self, value: V) -> Result<SearchResult<V>, ExpressionError> {
        let evaluator = Evaluator::new();
        let item = evaluator.evaluate(self.expression.root(), &Item::Host(value));
        item.and_then(|item| found(&evaluator, &item, 0))
            .map_err(search_error)
    }
}

/// What a search gives: the host's own values, untouched, and what was computed around them.
///
/// # Example: what was there, and what was made
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::{CompiledExpression, SearchResult};
///
/// let value = json!({"Items": [{"Name": "a"}, {"Name": "b"}]});
/// let search = |text| CompiledExpression::new(text)?.search(&value);
/// assert_eq!(search("Items[1]")?, SearchResult::Host(&value["Items"][1]));
/// assert_eq!(search("Items[*].Name")?, SearchResult::Array(vec![SearchResult::Host(&json!("a")), SearchResult::Host(&json!("b"))]));
/// assert_eq!(search("length(Items)")?, SearchResult::Number(2.0));
/// assert_eq!(search("Nothing")?, SearchResult::Null);
/// # Ok::<(), smithy_waiters::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SearchResult<V> {
    /// An array that the expression made.
    Array(Vec<Self>),
    /// A boolean that the expression made.
    Boolean(bool),
    /// A value as the host has it.
    Host(V),
    /// Nothing.
    Null,
    /// A number that the expression made; always finite, and an integer where it is integral.
    Number(f64),
    /// An object that the expression made, each name once.
    Object(Vec<(Rc<str>, Self)>),
    /// A string that the expression made.
    String(Rc<str>),
}

fn found<'e, V: Value>(
    evaluator: &Evaluator,
    item: &Item<'e, V>,
    depth: usize,
) -> Result<SearchResult<V>, EvaluationError> {
    // An array that is in another one twice was shared until here: the result may be larger than the work on it was.
    evaluator.spend(1)?;
    if depth > MAX_DEPTH {
        return Err(EvaluationError::limit(format!(
            "the result is deeper than {MAX_DEPTH} levels"
        )));
    }
    let depth = depth.saturating_add(1);
    Ok(match item {
        Item::Array(items) => {
            let mut array = Vec::with_capacity(items.len());
            for item in items.iter() {
                array.push(found(evaluator, item, depth)?);
            }
            SearchResult::Array(array)
        }
        Item::Boolean(value) => SearchResult::Boolean(*value),
        Item::Host(value) => SearchResult::Host(value.clone()),
        Item::Literal(json) => literal(json),
        Item::Null => SearchResult::Null,
        Item::Number(number) => SearchResult::Number(*number),
        Item::Object(members) => {
            let mut object = Vec::with_capacity(members.len());
            for (name, member) in members.iter() {
                object.push((Rc::clone(name), found(evaluator, member, depth)?));
            }
            SearchResult::Object(object)
        }
        Item::String(text) => SearchResult::String(Rc::clone(text)),
    })
}

/// A literal is no deeper than an expression may nest.
fn literal<V>(json: &Json) -> SearchResult<V> {
    match json {
        Json::Null => SearchResult::Null,
        Json::Bool(value) => SearchResult::Boolean(*value),
        Json::Number(number) => number
            .as_f64()
            .filter(|number| number.is_finite())
            .map_or(SearchResult::Null, SearchResult::Number),
        Json::String(text) => SearchResult::String(text.as_str().into()),
        Json::Array(items) => SearchResult::Array(items.iter().map(literal).collect()),
        Json::Object(members) => SearchResult::Object(
            members
                .iter()
                .map(|(name, member)| (name.as_str().into(), literal(member)))
                .collect(),
        ),
    }
}

fn search_error(error: EvaluationError) -> ExpressionError {
    ExpressionError::new(ReasonCode::of_error(&error).as_str(), None, error.message())
}
