//! Names of proposed waiters.

use rustc_hash::FxHashSet;
use smithy_waiters::internal::is_waiter_name;

use super::operations::Operation;
use super::states::StateMember;
use super::words;
use crate::shapes::id::WAITABLE;
use crate::shapes::{Kind, Model};

/// The names that waiters of a model have.
pub(super) struct Names {
    used: FxHashSet<String>,
}

impl Names {
    pub(super) fn new(model: &Model<'_>) -> Self {
        let operations = model.of_kind(Kind::Operation);
        let waitable = operations.filter_map(|operation| operation.find_trait(WAITABLE));
        let entries = waitable.flat_map(|applied| applied.value.entries());
        Self {
            used: entries.map(|entry| entry.key.to_lowercase()).collect(),
        }
    }

    /// Reserves the first of the names that no waiter has.
    pub(super) fn reserve(&mut self, names: Vec<String>) -> Option<String> {
        let mut names = names.into_iter();
        names.find(|name| is_waiter_name(name) && self.used.insert(name.to_lowercase()))
    }
}

/// Returns names of a waiter, the best one first: noun and goal, or more words if that name is in use.
pub(super) fn candidates(
    operation: &Operation<'_, '_>,
    state: Option<&StateMember>,
    goal: &str,
) -> Vec<String> {
    let stem = state.map_or(&[][..], |state| &state.stem);
    let stem = words::camel_case(stem.iter().map(String::as_str));
    let noun = words::singular(&operation.noun_text);
    let (lower, lower_stem) = (noun.to_lowercase(), stem.to_lowercase());
    let is_same = lower.contains(&lower_stem) || lower_stem.contains(&lower);
    let more = if is_same { "" } else { &stem };
    let path = state.map_or_else(Vec::new, |state| words::split(&state.path));
    let path = words::camel_case(path.iter().map(String::as_str));
    let name = operation.name();
    vec![
        format!("{noun}{more}{goal}"),
        format!("{name}{stem}{goal}"),
        format!("{name}{path}{goal}"),
    ]
}
