//! The functions of JMESPath over borrowed host values.
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
    /// Calls a function. Its arguments are evaluated on the current value.
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

/// A finite number as it is, any other as null; zero has one sign only, as in JSON of most languages.
fn number<'e, V>(number: f64) -> Item<'e, V> {
    if number.is_finite() {
        Item::Number(number + 0.0)
    } else {
        Item::Null
    }
}

/// One call: the function, and its arguments by their place from 0.
struct Call<'c, 'e, V> {
    evaluator: &'c Evaluator,
    function: Function,
    arguments: &'e [Node],
    current: &'c Item<'e, V>,
}

impl<'e, V: Value> Call<'_, 'e, V> {
    /// An argument, not evaluated. There is one at each place that [`Function::bind`] has checked.
    fn node(&self, place: usize) -> Result<&'e Node, EvaluationError> {
        let missing =
            || EvaluationError::new(format!("`{}` misses an argument", self.function.name()));
        self.arguments.get(place).ok_or_else(missing)
    }

    fn value(&self, place: usize) -> Result<Item<'e, V>, EvaluationError> {
        self.evaluator.evaluate(self.node(place)?, self.current)
    }

    fn number(&self, place: usize) -> Result<f64, EvaluationError> {
        match self.value(place)?.kind()? {
            Kind::Number(number) => Ok(number),
            kind => Err(self.takes("a number", place, kind)),
        }
    }

    /// A string, as the value that holds it.
    fn string(&self, place: usize) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(place)?;
        match value.kind()? {
            Kind::String => Ok(value),
            kind => Err(self.takes("a string", place, kind)),
        }
    }

    fn object(&self, place: usize) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(place)?;
        match value.kind()? {
            Kind::Object => Ok(value),
            kind => Err(self.takes("an object", place, kind)),
        }
    }

    /// The expression of an expression reference.
    fn expression(&self, place: usize) -> Result<&'e Node, EvaluationError> {
        let node = self.node(place)?;
        Ok(if let Op::Expref(expression) = &node.op {
            expression
        } else {
            node
        })
    }

    /// Shows the items of an array; `takes` says in words which arrays the function takes.
    fn each(
        &self,
        place: usize,
        takes: &str,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<(), EvaluationError> {
        match self.each_or(place, visit)? {
            None => Ok(()),
            Some(other) => Err(self.takes(takes, place, other.kind()?)),
        }
    }

    /// Shows the items of an array; gives back what is none. The array of a projection is never built.
    fn each_or(
        &self,
        place: usize,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Option<Item<'e, V>>, EvaluationError> {
        let node = self.node(place)?;
        if node.is_projection() {
            let met = self.evaluator.each(node, self.current, visit)?;
            return Ok((met != Visited::Array).then_some(Item::Null));
        }
        let value = self.evaluator.evaluate(node, self.current)?;
        let met = self.evaluator.each_item(&value, visit)?;
        Ok((met != Visited::Array).then_some(value))
    }

    /// Reads a whole text, whose work is taken from the budget before.
    fn text<'t>(&self, item: &'t Item<'e, V>) -> Result<Cow<'t, str>, EvaluationError> {
        self.evaluator.text(item)
    }

    /// An argument of a wrong type.
    fn takes(&self, takes: &str, place: usize, got: Kind) -> EvaluationError {
        self.refuses(takes, place, &describe(got))
    }

    /// An argument that the function does not take; its place is told where there are several.
    fn refuses(&self, takes: &str, place: usize, got: &str) -> EvaluationError {
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
