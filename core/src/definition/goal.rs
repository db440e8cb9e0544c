//! Goals of the short form: what a path must give. A definition expresses a goal as a condition; the goal keeps its path
//! and its values apart, so that reasons and hints name them.

use std::ops::ControlFlow;

use super::matcher::Root;
use crate::error::ExpressionError;
use crate::jmespath::{EvaluationError, Evaluator, Expression, Item, Names};
use crate::text::quote;
use crate::value::{Kind, Name, Value, is_text_of, large_integer};

/// What a path of the response must give. [`Waiter::until_all`](crate::Waiter::until_all) waits for several goals. See
/// [docs/rules.md#goals](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#goals).
///
/// # Example: a rollout without waiting pods
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{Goal, Observation, State, Waiter};
///
/// let rolled_out = Waiter::until_all([
///     Goal::equals("status.phase", ["Ready", "Complete"]),
///     Goal::equals("status.replicas", ["3"]),
///     Goal::condition("status.waiting == `0`"),
/// ])
/// .text()
/// .build()?;
/// let response = json!({"status": {"phase": "Ready", "replicas": 3, "waiting": 0}});
/// assert_eq!(rolled_out.evaluate(&Value::Null, Observation::Response(&response)).state(), State::Success);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Goal {
    pub(crate) path: String,
    pub(crate) test: Test,
}

/// The test of a path's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// It is this boolean.
    Boolean(bool),
    /// It is `true`, from a boolean expression.
    Condition,
    /// It is neither null, `false` nor empty.
    Present,
    Values {
        values: Vec<String>,
        /// `true` if one item of a list is enough.
        any: bool,
        /// `true` if numbers and booleans equal their texts.
        text: bool,
    },
}

impl Goal {
    /// Returns the goal that a path gives one of these texts. Of a list, every item must, and an empty list does not
    /// match.
    pub fn equals<T: Into<String>>(
        path: impl Into<String>,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self {
            path: path.into(),
            test: Test::Values {
                values,
                any: false,
                text: false,
            },
        }
    }

    /// Returns the goal that a boolean expression is `true`.
    pub fn condition(expression: impl Into<String>) -> Self {
        Self {
            path: expression.into(),
            test: Test::Condition,
        }
    }

    /// Returns the goal that a path gives a value other than null, `false`, and an empty text, list or object.
    pub fn present(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            test: Test::Present,
        }
    }

    /// Lets one item of a list be enough.
    pub fn any(mut self) -> Self {
        if let Test::Values { any, .. } = &mut self.test {
            *any = true;
        }
        self
    }

    /// Compares numbers and booleans by their texts, too.
    pub(crate) fn by_text(mut self) -> Self {
        if let Test::Values { text, .. } = &mut self.test {
            *text = true;
        }
        self
    }

    /// Returns the goal as a boolean expression of the specification.
    pub(crate) fn expression(&self) -> String {
        let path = &self.path;
        match &self.test {
            Test::Boolean(expected) => format!("({path}) == `{expected}`"),
            Test::Condition => path.clone(),
            Test::Present => format!("!!({path})"),
            Test::Values { values, any, text } => {
                let is_one = is_one_of(values, *text);
                let items = if *any {
                    format!("length([?{is_one}]) > `0`")
                } else {
                    format!("length(@) > `0` && !([?!({is_one})])")
                };
                format!(
                    "({path}) | (type(@) == 'array' && {items} || type(@) != 'array' && {is_one})"
                )
            }
        }
    }

    pub(crate) fn compile(&self, names: &mut Names) -> Result<CompiledGoal, ExpressionError> {
        let path = Expression::new(&self.path, names)?;
        let values = self.values().iter().map(|value| names.intern(value));
        Ok(CompiledGoal {
            path,
            values: values.collect(),
            goal: self.clone(),
        })
    }

    /// The expected texts.
    pub(crate) fn values(&self) -> &[String] {
        match &self.test {
            Test::Values { values, .. } => values,
            Test::Boolean(_) | Test::Condition | Test::Present => &[],
        }
    }
}

/// Returns the condition that the current value is one of these texts.
pub(crate) fn is_one_of(values: &[String], text: bool) -> String {
    // An unescaped backtick would end the JMESPath literal.
    let texts = serde_json::Value::from(values)
        .to_string()
        .replace('`', "\\u0060");
    if !text {
        return format!("contains(`{texts}`, @)");
    }
    let by_text = format!(
        r#"contains(`["string","number","boolean"]`, type(@)) && contains(`{texts}`, to_string(@))"#
    );
    let integers = values.iter().map(String::as_str);
    let integers: Vec<&str> = integers
        .filter(|value| large_integer(value).is_some())
        .collect();
    if integers.is_empty() {
        return by_text;
    }
    // The text of a large number may have other digits than the integer.
    format!("({by_text} || contains(`[{}]`, @))", integers.join(","))
}

/// A goal whose path is parsed.
#[derive(Clone, Debug)]
pub(crate) struct CompiledGoal {
    goal: Goal,
    path: Expression,
    values: Box<[Name]>,
}

impl CompiledGoal {
    pub(crate) const ROOT: Root = Root::Output;

    pub(crate) const fn path(&self) -> &Expression {
        &self.path
    }

    pub(crate) const fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns `true` if the items of a list are tested, and `true` if every item must match.
    pub(crate) const fn of_items(&self) -> [bool; 2] {
        match self.goal.test {
            Test::Values { any, .. } => [true, !any],
            Test::Boolean(_) | Test::Condition | Test::Present => [false; 2],
        }
    }

    /// Returns `true` if a value that is no list matches. Of a list, its items are tested.
    pub(crate) fn matches<V: Value>(
        &self,
        evaluator: &Evaluator,
        item: &Item<'_, V>,
    ) -> Result<bool, EvaluationError> {
        let kind = item.kind()?;
        let text = match self.goal.test {
            Test::Boolean(expected) => return Ok(kind == Kind::Boolean(expected)),
            Test::Condition => return Ok(kind == Kind::Boolean(true)),
            Test::Present => return Ok(item.is_truthy()?),
            Test::Values { text, .. } => text,
        };
        evaluator.spend(self.values.len() as u64)?;
        let mut values = self.values.iter();
        Ok(match kind {
            Kind::String => {
                for value in values {
                    if item.text_is(value)? {
                        return Ok(true);
                    }
                }
                false
            }
            Kind::Number(number) if text => values.any(|value| is_text_of(number, value.as_str())),
            Kind::Boolean(boolean) if text => {
                let boolean = boolean.to_string();
                values.any(|value| value.as_str() == boolean)
            }
            _ => false,
        })
    }

    /// Tests the value of the path: the items if it is a list and the goal has values. `visit` gets each item and
    /// whether it matches.
    pub(crate) fn test<'e, V: Value>(
        &self,
        evaluator: &Evaluator,
        value: &Item<'e, V>,
        visit: &mut dyn FnMut(&Item<'e, V>, bool),
    ) -> Result<bool, EvaluationError> {
        let Test::Values { any, .. } = self.goal.test else {
            return self.matches(evaluator, value);
        };
        if value.kind()? != Kind::Array {
            return self.matches(evaluator, value);
        }
        let (mut all, mut some) = (true, false);
        evaluator.each_item(value, &mut |item| {
            let matches = self.matches(evaluator, &item)?;
            visit(&item, matches);
            all &= matches;
            some |= matches;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(some && (any || all))
    }

    /// Describes what is expected of a value or of the items of a list.
    pub(crate) fn expected(&self, is_list: bool) -> String {
        match &self.goal.test {
            Test::Boolean(expected) => expected.to_string(),
            Test::Condition => "true".to_owned(),
            Test::Present => "a value".to_owned(),
            Test::Values { values, any, .. } => {
                let texts: Vec<String> = values.iter().map(|value| quote(value)).collect();
                let texts = texts.join(" or ");
                match (is_list, any) {
                    (true, true) => format!("any item to be {texts}"),
                    (true, false) => format!("every item to be {texts}"),
                    (false, _) => texts,
                }
            }
        }
    }
}
