//! The waiter of the options. The engine decides what the conditions mean.

use anyhow::{Result, bail, ensure};
use serde_json::{Value as Json, json};
use smithy_waiters::{Defaults, Extension, Waiter};

use super::call::{NOT_FOUND, UNRECOGNISED};
use super::goal::{Failure, Goal};

/// The conditions of `--until…` and `--fail…`.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    pub(super) goals: Vec<Goal>,
    pub(super) failures: Vec<Failure>,
    pub(super) pending: Vec<String>,
    pub(super) any: bool,
    pub(super) exists: bool,
    pub(super) deleted: bool,
    pub(super) until_errors: Vec<String>,
    pub(super) fail_errors: Vec<String>,
    pub(super) retry_errors: Vec<String>,
}

impl Conditions {
    /// Returns `true` if a response is read, so that it must be JSON.
    pub(super) const fn reads_response(&self) -> bool {
        !self.goals.is_empty()
    }

    /// Returns the paths of the goals, whose values people want to see.
    pub(super) fn paths(&self) -> Vec<String> {
        let paths = self.goals.iter().filter_map(Goal::path);
        paths.map(ToOwned::to_owned).collect()
    }

    /// Returns the end of the sentence "waiting at most 10 min".
    pub(super) fn summary(&self) -> String {
        let goals = self.goals.iter().map(|goal| match goal {
            Goal::Equals { path, values } => format!("{path} is {}", values.join(" or ")),
            Goal::Present(path) => format!("{path} has a value"),
            Goal::Condition(text) => text.clone(),
        });
        let codes = self.until_errors.iter().map(|code| format!("the error {code}"));
        let words = [
            (self.exists, "it exists"),
            (self.deleted, "it is deleted"),
        ];
        let words = words.iter().filter(|(is_given, _)| *is_given);
        let words = words.map(|(_, text)| (*text).to_owned());
        let all: Vec<String> = goals.chain(words).chain(codes).collect();
        match all.is_empty() {
            true => String::new(),
            false => format!(" until {}", all.join(" and ")),
        }
    }

    /// Returns the waiter.
    pub(super) fn waiter(&self) -> Result<Waiter> {
        let base = match &*self.goals {
            [] => self.without_goal()?,
            goals => self.with_goals(goals)?,
        };
        let acceptors = [
            ("failure", &self.fail_errors),
            ("success", &self.until_errors),
            ("retry", &self.retry_errors),
        ];
        let acceptors = acceptors.iter().flat_map(|(state, codes)| codes.iter().map(|code| error(state, code)));
        let deleted = self.deleted.then(|| error("success", NOT_FOUND));
        // Without a goal, "no" is the pending state of the command.
        let pending = (self.goals.is_empty() && !self.deleted && !self.exists).then(|| error("retry", UNRECOGNISED));
        let acceptors = acceptors.chain(deleted).chain(pending);
        Ok(base.extend(&Extension::new().first(acceptors))?)
    }

    fn without_goal(&self) -> Result<Waiter> {
        ensure!(self.failures.is_empty(), "`--fail` requires `--until`");
        ensure!(self.pending.is_empty(), "`--pending` requires `--until`");
        let waits_for_error = self.deleted || !self.until_errors.is_empty();
        let matcher = json!({"success": !waits_for_error});
        // A success that cannot be reached by a response leaves only the errors of the extension.
        let acceptors = match waits_for_error {
            true => json!([{"state": "success", "matcher": {"errorType": NOT_FOUND}}]),
            false => json!([{"state": "success", "matcher": matcher}]),
        };
        let waiter = Waiter::from_value(&json!({"acceptors": acceptors}), None)?;
        Ok(waiter.with_defaults(Defaults::SHORT_FORM))
    }

    fn with_goals(&self, goals: &[Goal]) -> Result<Waiter> {
        let [goal] = goals else { bail!("waits for the engine") };
        let until = match goal {
            Goal::Equals { path, values } => Waiter::until(path, values.join(",")),
            Goal::Present(text) | Goal::Condition(text) => Waiter::until_true(text),
        };
        let mut until = until.pending(self.pending.clone());
        for failure in &self.failures {
            match failure {
                Failure::Values(values) => until = until.fail(values.clone()),
                Failure::Goal(_) => bail!("waits for the engine"),
            }
        }
        let until = if self.any { until.any() } else { until };
        Ok(until.build()?)
    }
}

fn error(state: &str, code: &str) -> Json {
    json!({"state": state, "matcher": {"errorType": code}})
}
