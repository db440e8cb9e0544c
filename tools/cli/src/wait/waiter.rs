//! The waiter of the options. The engine decides what the conditions mean.

use anyhow::{Result, bail, ensure};
use serde_json::json;
use smithy_waiters::{self as engine, Defaults, Extension, Waiter};

use super::call::{NOT_FOUND, Patterns, UNREACHABLE, UNRECOGNISED, unquoted};
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
    /// `true` for a URL or a port, which may not be there yet.
    pub(super) is_network: bool,
    /// `true` if a preset reads the response.
    pub(super) is_preset: bool,
    pub(super) patterns: Patterns,
    /// The paths whose values people want to see.
    pub(super) shown: Vec<String>,
    pub(super) until_errors: Vec<String>,
    pub(super) fail_errors: Vec<String>,
    pub(super) retry_errors: Vec<String>,
}

impl Conditions {
    /// Returns `true` if paths of a response are read, so that it must be JSON.
    pub(super) fn reads_json(&self) -> bool {
        let failures = self.failures.iter().filter_map(|failure| match failure {
            Failure::Goal(goal) => Some(goal),
            Failure::Values(_) => None,
        });
        let mut goals = self.goals.iter().chain(failures);
        let is_text = |goal: &Goal| self.patterns.has(goal) || is_text_member(goal);
        self.is_preset || goals.any(|goal| !(self.reads_text() && is_text(goal)))
    }

    /// Returns `true` if a pattern is compared with the output.
    pub(super) const fn reads_text(&self) -> bool {
        !self.patterns.0.is_empty()
    }

    /// Returns the end of the sentence "waiting at most 10 min".
    pub(super) fn summary(&self) -> String {
        let goals = self.goals.iter().map(|goal| match goal {
            Goal::Equals { path, values } => {
                let path = unquoted(path).unwrap_or_else(|| path.clone());
                match self.patterns.has(goal) {
                    true => path,
                    false => format!("{path} is {}", values.join(" or ")),
                }
            }
            Goal::Present(path) => format!("{path} has a value"),
            Goal::Condition(text) => text.clone(),
        });
        let codes = self
            .until_errors
            .iter()
            .map(|code| format!("the error {code}"));
        let words = [(self.exists, "it exists"), (self.deleted, "it is deleted")];
        let words = words.iter().filter(|(is_given, _)| *is_given);
        let words = words.map(|(_, text)| (*text).to_owned());
        let together = goals.chain(words).collect::<Vec<_>>().join(" and ");
        let together = Some(together).filter(|text| !text.is_empty());
        let all: Vec<String> = together.into_iter().chain(codes).collect();
        match all.is_empty() {
            true => String::new(),
            false => format!(" until {}", all.join(" or ")),
        }
    }

    /// Returns the waiter.
    pub(super) fn waiter(&self) -> Result<Waiter> {
        if self.goals.is_empty() {
            ensure!(
                self.failures.is_empty() || self.deleted,
                "`--fail` requires `--until` or `--until-deleted`"
            );
            ensure!(self.pending.is_empty(), "`--pending` requires `--until`");
        }
        let waits_for_error = self.deleted || !self.until_errors.is_empty();
        if self.goals.is_empty() && !waits_for_error {
            let any = Waiter::from_value(
                &json!({"acceptors": [{"state": "success", "matcher": {"success": true}}]}),
                None,
            )?;
            return self.with_errors(&any.with_defaults(Defaults::SHORT_FORM));
        }
        let goals = self.goals.iter().map(|goal| match goal {
            Goal::Equals { path, values } if self.any => engine::Goal::equals(path, values).any(),
            goal => engine_goal(goal),
        });
        let mut until = Waiter::until_all(goals)
            .text()
            .pending(self.pending.clone());
        for failure in &self.failures {
            until = match (failure, &*self.goals) {
                (Failure::Goal(goal), _) => until.fail_when(engine_goal(goal)),
                (Failure::Values(values), [goal @ Goal::Equals { .. }])
                    if !self.patterns.has(goal) =>
                {
                    until.fail(values.clone())
                }
                (Failure::Values(values), [Goal::Present(path)]) => {
                    until.fail_when(engine::Goal::equals(path, values))
                }
                (Failure::Values(values), _) => bail!(
                    "`--fail {0}` needs the path of the only `--until PATH=VALUE`: write `--fail PATH={0}`, or `--fail-text {0}` for a line",
                    values.join(",")
                ),
            };
        }
        let errors = self
            .fail_errors
            .iter()
            .map(|code| json!({"errorType": code}));
        let success = self
            .until_errors
            .iter()
            .map(|code| &**code)
            .chain(self.deleted.then_some(NOT_FOUND));
        let until = until
            .fail(errors)
            .success_errors(success)
            .retry_errors(self.retried());
        Ok(until.build()?)
    }

    /// Returns a waiter of another source with the conditions for errors.
    pub(super) fn with_errors(&self, waiter: &Waiter) -> Result<Waiter> {
        let acceptor =
            |state: &str, code: &str| json!({"state": state, "matcher": {"errorType": code}});
        let fail = self
            .fail_errors
            .iter()
            .map(|code| acceptor("failure", code));
        let retry = self.retried().map(|code| acceptor("retry", code));
        let success = self
            .until_errors
            .iter()
            .map(|code| acceptor("success", code));
        Ok(waiter.extend(&Extension::new().first(fail.chain(success).chain(retry)))?)
    }

    /// The errors after which the wait continues.
    fn retried(&self) -> impl Iterator<Item = &str> {
        // "No" is the pending state of a command, a URL or a port without a goal.
        let is_pending = self.answer_is_enough();
        let unreachable = (is_pending || self.is_network).then_some(UNREACHABLE);
        let unrecognised = (is_pending && !self.is_network).then_some(UNRECOGNISED);
        let codes = unrecognised.into_iter().chain(unreachable);
        self.retry_errors.iter().map(|code| &**code).chain(codes)
    }

    /// Returns `true` if any answer is a success, and any failure means "not yet".
    pub(super) const fn answer_is_enough(&self) -> bool {
        self.goals.is_empty()
            && !self.deleted
            && !self.exists
            && !self.is_preset
            && self.until_errors.is_empty()
    }
}

/// Returns `true` for a member of the response to `--until-text`.
fn is_text_member(goal: &Goal) -> bool {
    const MEMBERS: [&str; 4] = ["body", "exitCode", "stderr", "stdout"];
    goal.path().is_some_and(|path| MEMBERS.contains(&path))
}

fn engine_goal(goal: &Goal) -> engine::Goal {
    match goal {
        Goal::Equals { path, values } => engine::Goal::equals(path, values),
        Goal::Present(path) => engine::Goal::present(path),
        Goal::Condition(text) => engine::Goal::condition(text),
    }
}
