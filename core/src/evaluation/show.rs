//! The values of paths that the caller of a wait wants to see.

use serde::{Deserialize, Serialize};

use super::datum::Datum;
use super::redaction::Redacted;
use crate::error::ExpressionError;
use crate::jmespath::{Evaluator, Expression, Item, Names, escape_control_char};
use crate::value::Value;

/// The value of a path that the caller of a wait wants to see.
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
    /// The path, as the caller gave it.
    pub path: String,
    /// The value as JSON, cut at 200 characters; only its type if it is redacted, and the problem if it cannot be read.
    pub text: String,
}

/// The paths whose values progress, logs and failures show.
#[derive(Debug, Default)]
pub(crate) struct Show {
    paths: Vec<ShowPath>,
    /// The names of the waiter's own paths, and then those of these.
    names: Names,
}

#[derive(Debug)]
struct ShowPath {
    path: String,
    expression: Expression,
    is_redacted: bool,
}

impl Show {
    /// Compiles the paths, each behind the expression of the response that it is a path of.
    ///
    /// # Errors
    ///
    /// The index of a path that does not parse.
    pub(crate) fn new(
        (response, paths): (&str, &[String]),
        mut names: Names,
        redacted: &Redacted,
    ) -> Result<Self, (usize, ExpressionError)> {
        let compile = |(index, path): (usize, &String)| {
            let problem = |error| (index, error);
            // As the caller gave it: for the column of an error, and for the redaction, whose paths are of the response as well.
            let given = Expression::new(path, &mut Names::default()).map_err(problem)?;
            let text = format!("{response}{path}");
            Ok(ShowPath {
                path: path.clone(),
                expression: Expression::new(&text, &mut names).map_err(problem)?,
                is_redacted: redacted.hides(&given),
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

    /// Reads the values of a response.
    pub(crate) fn read<V: Value>(&self, response: &V) -> Box<[Datum]> {
        let root = Item::Host(response.clone());
        self.paths.iter().map(|path| path.read(&root)).collect()
    }

    /// Returns the values that were read, as people read them.
    pub(crate) fn values(&self, data: &[Datum]) -> Vec<PathValue> {
        let value = |(path, datum): (&ShowPath, &Datum)| PathValue {
            path: path.path.clone(),
            text: match datum {
                Datum::Unreadable { problem, .. } => problem.to_string(),
                datum => datum.to_string(),
            }
            .chars()
            .map(escape_control_char)
            .collect(),
        };
        self.paths.iter().zip(data).map(value).collect()
    }
}

impl ShowPath {
    fn read<V: Value>(&self, root: &Item<'_, V>) -> Datum {
        let evaluator = Evaluator::new();
        let read = evaluator
            .evaluate(self.expression.root(), root)
            .and_then(|value| Ok(Datum::of(&value, value.kind()?)));
        let datum = read.unwrap_or_else(|error| Datum::Unreadable {
            problem: error.message().into(),
            items: Vec::new(),
        });
        if self.is_redacted {
            datum.redacted()
        } else {
            datum
        }
    }
}
