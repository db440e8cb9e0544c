//! The paths of the option `show`, and their values.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::excerpt::Excerpt;
use super::redaction::Redacted;
use crate::error::ExpressionError;
use crate::jmespath::{EvaluationError, Evaluator, Expression, Item, Names};
use crate::text::escape_control_char;
use crate::value::{Kind, Value, number_of};

/// The value of a path that [`WaitOptions::show`](crate::WaitOptions::show) lists.
///
/// # Example: the state of a stack, and its reason
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{Event, Step, WaitOptions, Waiter};
///
/// let complete = Waiter::until("StackStatus", "CREATE_COMPLETE").fail(["ROLLBACK_COMPLETE"]).build()?;
/// let options = WaitOptions::new(Duration::from_secs(60)).show(["StackStatusReason"]);
/// let mut wait = complete.start(&options, 1)?;
/// wait.poll(0);
/// let response = json!({"StackStatus": "ROLLBACK_COMPLETE", "StackStatusReason": "no quota"});
/// let Step::Done(report) = wait.handle(Event::response(&response), 40)? else { panic!() };
/// assert_eq!(report.history[0].values[0].text, "\"no quota\"");
/// assert!(report.message.ends_with("; StackStatusReason: \"no quota\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PathValue {
    /// The path in the caller's spelling.
    pub path: String,
    /// The value as JSON, truncated to 200 characters. If it is redacted, its type; if it cannot be read, the error.
    pub text: String,
}

/// Compiled paths of a wait's options: the values to show in progress, logs and failures, and those of conditions.
#[derive(Debug, Default)]
pub(crate) struct Show {
    paths: Vec<ShowPath>,
    conditions: Vec<ShowPath>,
    /// The names in the waiter's paths, followed by the names in these paths.
    names: Names,
}

/// A value that a condition reads.
pub(crate) struct ConditionValue {
    /// A scalar, or a list of scalars. Null for an object, and for a value that cannot be read.
    pub(crate) value: Json,
    /// The value in messages, redacted if its path is.
    pub(crate) excerpt: Excerpt,
    pub(crate) is_redacted: bool,
}

#[derive(Debug)]
struct ShowPath {
    path: String,
    expression: Expression,
    is_redacted: bool,
}

impl Show {
    /// Compiles the paths to show, then those of conditions. `response` is a prefix: the expression of the response in
    /// the value that is read.
    ///
    /// # Errors
    ///
    /// Returns the index of a path that does not parse, and the error.
    pub(crate) fn new(
        response: &str,
        (shown, conditions): (&[String], &[&str]),
        mut names: Names,
        redacted: &Redacted,
    ) -> Result<Self, (usize, ExpressionError)> {
        let compile = |(index, path): (usize, &str)| {
            let problem = |error| (index, error);
            // Without the prefix, because the column of an error and the paths to redact are relative to the response.
            let relative = Expression::new(path, &mut Names::default()).map_err(problem)?;
            let text = format!("{response}{path}");
            Ok(ShowPath {
                path: path.to_owned(),
                expression: Expression::new(&text, &mut names).map_err(problem)?,
                is_redacted: redacted.hides(&relative),
            })
        };
        let paths = shown.iter().map(|path| &**path);
        let paths = paths.chain(conditions.iter().copied()).enumerate();
        let mut paths = paths.map(compile).collect::<Result<Vec<_>, _>>()?;
        let conditions = paths.split_off(shown.len());
        Ok(Self {
            paths,
            conditions,
            names,
        })
    }

    pub(crate) const fn names(&self) -> &Names {
        &self.names
    }

    /// Evaluates the paths on a response.
    pub(crate) fn read<V: Value>(&self, response: &V) -> Box<[Excerpt]> {
        let root = Item::Host(response.clone());
        self.paths.iter().map(|path| path.read(&root)).collect()
    }

    /// Evaluates the paths of conditions on a response, in their order.
    pub(crate) fn conditions<V: Value>(&self, response: &V) -> Vec<ConditionValue> {
        let root = Item::Host(response.clone());
        let paths = self.conditions.iter();
        paths.map(|path| path.condition(&root)).collect()
    }

    /// Returns the paths of conditions, each with its expression, except for redacted ones.
    pub(crate) fn condition_paths(&self) -> impl Iterator<Item = (&str, &Expression)> {
        let paths = self.conditions.iter().filter(|path| !path.is_redacted);
        paths.map(|path| (&*path.path, &path.expression))
    }

    /// Formats the values that [`read`](Self::read) returned.
    pub(crate) fn values(&self, data: &[Excerpt]) -> Vec<PathValue> {
        let value = |(path, excerpt): (&ShowPath, &Excerpt)| PathValue {
            path: path.path.clone(),
            text: match excerpt {
                Excerpt::Unreadable { problem, .. } => problem.to_string(),
                excerpt => excerpt.to_string(),
            }
            .chars()
            .map(escape_control_char)
            .collect(),
        };
        self.paths.iter().zip(data).map(value).collect()
    }
}

impl ShowPath {
    fn condition<V: Value>(&self, root: &Item<'_, V>) -> ConditionValue {
        let (value, excerpt) = self.evaluate(root, scalar_or_list);
        ConditionValue {
            value,
            excerpt,
            is_redacted: self.is_redacted,
        }
    }

    fn read<V: Value>(&self, root: &Item<'_, V>) -> Excerpt {
        let ((), excerpt) = self.evaluate(root, |_, _| Ok(()));
        excerpt
    }

    /// Returns what `copy` takes of the value, or the default if it cannot be read, and its excerpt for messages.
    fn evaluate<V: Value, T: Default>(
        &self,
        root: &Item<'_, V>,
        copy: impl FnOnce(&Item<'_, V>, &Evaluator) -> Result<T, EvaluationError>,
    ) -> (T, Excerpt) {
        // With its own limit, because `show` must never change a verdict.
        let evaluator = Evaluator::new();
        let read = evaluator
            .evaluate(self.expression.root(), root)
            .and_then(|value| {
                Ok((
                    copy(&value, &evaluator)?,
                    Excerpt::of(&value, value.kind()?),
                ))
            });
        let (copied, excerpt) = read.unwrap_or_else(|error| {
            let problem = error.message().into();
            let items = Box::default();
            (T::default(), Excerpt::Unreadable { problem, items })
        });
        let excerpt = if self.is_redacted {
            excerpt.redacted()
        } else {
            excerpt
        };
        (copied, excerpt)
    }
}

/// Copies a scalar, or a list of scalars. Anything else is null.
fn scalar_or_list<V: Value>(
    value: &Item<'_, V>,
    evaluator: &Evaluator,
) -> Result<Json, EvaluationError> {
    if value.kind()? != Kind::Array {
        return scalar(value, evaluator);
    }
    let (mut items, mut copied) = (Vec::new(), Ok(()));
    value.items(&mut |item| match scalar(&item, evaluator) {
        Ok(item) => {
            items.push(item);
            ControlFlow::Continue(())
        }
        Err(error) => {
            copied = Err(error);
            ControlFlow::Break(())
        }
    })?;
    copied.map(|()| items.into())
}

fn scalar<V: Value>(item: &Item<'_, V>, evaluator: &Evaluator) -> Result<Json, EvaluationError> {
    evaluator.spend(1)?;
    Ok(match item.kind()? {
        Kind::Boolean(value) => value.into(),
        Kind::Number(number) => number_of(number),
        Kind::String => evaluator.text(item)?.into(),
        Kind::Array | Kind::Null | Kind::Object => Json::Null,
    })
}
