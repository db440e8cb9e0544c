//! Expressions without a waiter.

use std::rc::Rc;

use serde_json::Value as Json;

use super::{EvaluationError, Evaluator, Expression, Item, Names};
use crate::error::ExpressionError;
use crate::value::{Value, number_of};

/// The maximum depth of a computed result.
const MAX_DEPTH: usize = 128;

/// A compiled JMESPath expression. It can be evaluated on any number of values.
///
/// After a projection, the rest of the path applies to each item, as in Smithy's evaluator. For example,
/// `c[*].{a: a}.a` of `{"c": [{"a": 1}]}` is `[1]`. It is null in jmespath.py and in the npm package `jmespath`.
///
/// # Example: the number of ready items
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
    /// - `invalid_expression` if the text does not parse.
    /// - `unknown_function`, `invalid_arity` or `invalid_type` if a function call is invalid.
    /// - `expression_too_long` or `expression_too_deep` if the expression exceeds a limit. See
    ///   [docs/rules.md#parse-limits](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#parse-limits).
    pub fn new(text: &str) -> Result<Self, ExpressionError> {
        let mut names = Names::default();
        Ok(Self {
            expression: Expression::new(text, &mut names)?,
            names,
        })
    }

    /// Returns the source text of the expression.
    #[must_use]
    pub const fn text(&self) -> &str {
        self.expression.text()
    }

    /// Returns the member names that the expression reads, ordered by [`Name::index`](crate::internal::Name::index).
    #[doc(hidden)]
    #[must_use]
    pub fn names(&self) -> &[Box<str>] {
        self.names.texts()
    }

    /// Evaluates the expression on a value. Only the members that the expression uses are read.
    ///
    /// # Errors
    ///
    /// - `evaluation_error` if a function's argument has the wrong type, or if the host cannot read a value.
    /// - `limit_exceeded` if the evaluation takes too much work or the result is too deep.
    pub fn search<V: Value>(&self, value: V) -> Result<SearchResult<V>, ExpressionError> {
        let evaluator = Evaluator::new();
        let item = evaluator.evaluate(self.expression.root(), &Item::Host(value));
        item.and_then(|item| to_result(&evaluator, &item, 0))
            .map_err(search_error)
    }
}

/// The result of a search: values of the host, and values that the expression computed.
///
/// # Example: host values and computed values
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
    /// A computed array.
    Array(Vec<Self>),
    /// A computed boolean.
    Boolean(bool),
    /// A value of the host, unchanged.
    Host(V),
    /// Null.
    Null,
    /// A computed number, always finite.
    Number(f64),
    /// A computed object. Names are unique.
    Object(Vec<(Rc<str>, Self)>),
    /// A computed string.
    String(Rc<str>),
}

/// Returns the result as JSON.
impl From<SearchResult<&Self>> for Json {
    fn from(result: SearchResult<&Self>) -> Self {
        match result {
            SearchResult::Array(items) => items.into_iter().map(Self::from).collect(),
            SearchResult::Boolean(value) => value.into(),
            SearchResult::Host(value) => value.clone(),
            SearchResult::Null => Self::Null,
            SearchResult::Number(number) => number_of(number),
            SearchResult::Object(members) => {
                let members = members.into_iter();
                members
                    .map(|(name, value)| (name.to_string(), Self::from(value)))
                    .collect()
            }
            SearchResult::String(text) => (*text).into(),
        }
    }
}

fn to_result<'e, V: Value>(
    evaluator: &Evaluator,
    item: &Item<'e, V>,
    depth: usize,
) -> Result<SearchResult<V>, EvaluationError> {
    // Items share arrays, but the result contains a copy for each occurrence. Counting the copies limits its size.
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
                array.push(to_result(evaluator, item, depth)?);
            }
            SearchResult::Array(array)
        }
        Item::Boolean(value) => SearchResult::Boolean(*value),
        // Unchanged, and not converted: the caller gets the original value. Rule: docs/rules.md#host-values
        Item::Host(value) => SearchResult::Host(value.clone()),
        Item::Literal(json) => literal(json),
        Item::Null => SearchResult::Null,
        Item::Number(number) => SearchResult::Number(*number),
        Item::Object(members) => {
            let mut object = Vec::with_capacity(members.len());
            for (name, member) in members.iter() {
                object.push((Rc::clone(name), to_result(evaluator, member, depth)?));
            }
            SearchResult::Object(object)
        }
        Item::String(text) => SearchResult::String(Rc::clone(text)),
    })
}

// The recursion is bounded, because the parser limits the depth of literals.
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
    ExpressionError::new(error.code(), None, error.message())
}
