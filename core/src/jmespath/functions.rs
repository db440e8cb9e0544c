//! The implementation of JMESPath's functions.
//!
//! Clause: [Built-in functions](https://jmespath.org/specification.html#built-in-functions).

mod arrays;
mod json;
mod keys;
mod numbers;
mod objects;
mod strings;
mod types;

use std::borrow::Cow;

use super::evaluate::{EvaluationError, Evaluator, Visit, Visited};
use super::function::Function;
use super::item::Item;
use super::node::{Node, Op};
use crate::value::{Kind, Value, describe};

impl Evaluator {
    /// Calls a function with arguments that are evaluated on the current value.
    pub(super) fn call<'e, V: Value>(
        &self,
        function: Function,
        arguments: &'e [Node],
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        let call = Call {
            evaluator: self,
            function,
            arguments,
            current,
        };
        match function {
            Function::Abs => call.abs(),
            Function::Avg => call.avg(),
            Function::Ceil => call.ceil(),
            Function::Contains => call.contains(),
            Function::EndsWith => call.ends_with(),
            Function::Floor => call.floor(),
            Function::Join => call.join(),
            Function::Keys => call.keys(),
            Function::Length => call.length(),
            Function::Map => call.map(),
            Function::Max => call.max(),
            Function::MaxBy => call.max_by(),
            Function::Merge => call.merge(),
            Function::Min => call.min(),
            Function::MinBy => call.min_by(),
            Function::NotNull => call.not_null(),
            Function::Reverse => call.reverse(),
            Function::Sort => call.sort(),
            Function::SortBy => call.sort_by(),
            Function::StartsWith => call.starts_with(),
            Function::Sum => call.sum(),
            Function::ToArray => call.to_array(),
            Function::ToNumber => call.to_number(),
            Function::ToString => call.to_string(),
            Function::Type => call.type_(),
            Function::Values => call.values(),
        }
    }
}

/// Returns a number, or null if it is not finite. Negative zero becomes zero, because hosts print it differently.
fn number<'e, V>(number: f64) -> Item<'e, V> {
    if number.is_finite() {
        Item::Number(number + 0.0)
    } else {
        Item::Null
    }
}

/// A function call. Arguments have zero-based positions.
struct Call<'c, 'e, V> {
    evaluator: &'c Evaluator,
    function: Function,
    arguments: &'e [Node],
    current: &'c Item<'e, V>,
}

impl<'e, V: Value> Call<'_, 'e, V> {
    /// Returns an argument without evaluating it. [`Function::bind`] has checked the number of arguments.
    fn node(&self, place: usize) -> Result<&'e Node, EvaluationError> {
        let missing =
            || EvaluationError::new(format!("`{}` lacks an argument", self.function.name()));
        self.arguments.get(place).ok_or_else(missing)
    }

    fn value(&self, place: usize) -> Result<Item<'e, V>, EvaluationError> {
        self.evaluator.evaluate(self.node(place)?, self.current)
    }

    fn number(&self, place: usize) -> Result<f64, EvaluationError> {
        match self.value(place)?.kind()? {
            Kind::Number(number) => Ok(number),
            kind => Err(self.type_error("a number", place, kind)),
        }
    }

    /// Returns a string argument as a value. Read its text with [`text`](Self::text).
    fn string(&self, place: usize) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(place)?;
        match value.kind()? {
            Kind::String => Ok(value),
            kind => Err(self.type_error("a string", place, kind)),
        }
    }

    fn object(&self, place: usize) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(place)?;
        match value.kind()? {
            Kind::Object => Ok(value),
            kind => Err(self.type_error("an object", place, kind)),
        }
    }

    /// Returns the expression of an expression reference.
    fn expression(&self, place: usize) -> Result<&'e Node, EvaluationError> {
        let node = self.node(place)?;
        Ok(if let Op::Expref(expression) = &node.op {
            expression
        } else {
            node
        })
    }

    /// Visits the items of an array argument. `takes` describes the expected array in messages.
    fn each(
        &self,
        place: usize,
        takes: &str,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<(), EvaluationError> {
        match self.each_or(place, visit)? {
            None => Ok(()),
            Some(other) => Err(self.type_error(takes, place, other.kind()?)),
        }
    }

    /// Visits the items of an array argument, or returns the argument if it is not an array. The array of a projection
    /// is not built.
    fn each_or(
        &self,
        place: usize,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Option<Item<'e, V>>, EvaluationError> {
        let node = self.node(place)?;
        // Visited as it is evaluated, so that no list is built only to be read once.
        if node.is_projection() {
            let visited = self.evaluator.each(node, self.current, visit)?;
            return Ok((visited != Visited::Array).then_some(Item::Null));
        }
        let value = self.evaluator.evaluate(node, self.current)?;
        let visited = self.evaluator.each_item(&value, visit)?;
        Ok((visited != Visited::Array).then_some(value))
    }

    /// Consumes the work for a text, then reads it.
    fn text<'t>(&self, item: &'t Item<'e, V>) -> Result<Cow<'t, str>, EvaluationError> {
        self.evaluator.text(item)
    }

    /// Creates the error for an argument of the wrong type.
    fn type_error(&self, takes: &str, place: usize, got: Kind) -> EvaluationError {
        self.argument_error(takes, place, &describe(got))
    }

    /// Creates the error for an invalid argument. The message has its position if the function has several arguments.
    fn argument_error(&self, takes: &str, place: usize, got: &str) -> EvaluationError {
        let place = match self.arguments.len() {
            0 | 1 => String::new(),
            _ => format!(" as argument {}", place.saturating_add(1)),
        };
        EvaluationError::new(format!(
            "`{}` takes {takes}{place}, got {got}",
            self.function.name()
        ))
    }
}
