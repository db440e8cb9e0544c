//! The paths of the option `show`, and their values.

use serde::{Deserialize, Serialize};

use super::excerpt::Excerpt;
use super::redaction::Redacted;
use crate::error::ExpressionError;
use crate::jmespath::{Evaluator, Expression, Item, Names};
use crate::text::escape_control_char;
use crate::value::Value;

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

/// Compiled paths whose values appear in progress, logs and failures.
#[derive(Debug, Default)]
pub(crate) struct Show {
    paths: Vec<ShowPath>,
    /// The names in the waiter's paths, followed by the names in `paths`.
    names: Names,
}

#[derive(Debug)]
struct ShowPath {
    path: String,
    expression: Expression,
    is_redacted: bool,
}

impl Show {
    /// Compiles the paths. `response` is a prefix: the expression of the response in the value that is read.
    ///
    /// # Errors
    ///
    /// Returns the index of a path that does not parse, and the error.
    pub(crate) fn new(
        (response, paths): (&str, &[String]),
        mut names: Names,
        redacted: &Redacted,
    ) -> Result<Self, (usize, ExpressionError)> {
        let compile = |(index, path): (usize, &String)| {
            let problem = |error| (index, error);
            // Without the prefix, because the column of an error and the paths to redact are relative to the response.
            let relative = Expression::new(path, &mut Names::default()).map_err(problem)?;
            let text = format!("{response}{path}");
            Ok(ShowPath {
                path: path.clone(),
                expression: Expression::new(&text, &mut names).map_err(problem)?,
                is_redacted: redacted.hides(&relative),
            })
        };
        let paths = paths
            .iter()
            .enumerate()
            .map(compile)
            .collect::<Result<_, _>>()?;
        Ok(Self { paths, names })
    }

    pub(crate) const fn names(&self) -> &Names {
        &self.names
    }

    /// Evaluates the paths on a response.
    pub(crate) fn read<V: Value>(&self, response: &V) -> Box<[Excerpt]> {
        let root = Item::Host(response.clone());
        self.paths.iter().map(|path| path.read(&root)).collect()
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
    fn read<V: Value>(&self, root: &Item<'_, V>) -> Excerpt {
        // With its own limit, because `show` must never change a verdict.
        let evaluator = Evaluator::new();
        let read = evaluator
            .evaluate(self.expression.root(), root)
            .and_then(|value| Ok(Excerpt::of(&value, value.kind()?)));
        let excerpt = read.unwrap_or_else(|error| Excerpt::Unreadable {
            problem: error.message().into(),
            items: Vec::new(),
        });
        if self.is_redacted {
            excerpt.redacted()
        } else {
            excerpt
        }
    }
}
