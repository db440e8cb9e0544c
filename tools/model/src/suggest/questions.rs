//! The questions about a proposal that a model does not answer.

use smithy_waiters::State;

use super::goals::Goal;
use super::proposal::Acceptor;
use super::states::StateMember;
use super::values::{Class, StateValue};
use super::vocabulary::Phase;
use crate::messages;

/// Returns the questions about a proposal for a state.
pub(super) fn ask(
    goal: Goal,
    state: Option<&StateMember>,
    is_list: bool,
    acceptors: &[Acceptor],
) -> Vec<String> {
    let mut questions = Vec::new();
    if state.is_some_and(|state| state.is_list) {
        questions.push(
            "pass an identifier: the acceptors compare every resource of the response".to_owned(),
        );
    } else if is_list && goal == Goal::Gone {
        questions
            .push("pass an identifier: without one, a list succeeds without an error".to_owned());
    }
    if matches!(goal, Goal::Exists | Goal::NotExists) {
        questions.push("does the service return outdated results after a change?".to_owned());
    }
    let Some(state) = state else {
        return questions;
    };
    let is_open = |value: &&StateValue| !acceptors.iter().any(|own| own.expects(&value.text));
    let open: Vec<&StateValue> = state.values.iter().filter(is_open).collect();
    let mut ask = |before: &str, after: &str, is: &dyn Fn(&StateValue) -> bool| {
        let values = open.iter().filter(|value| is(value));
        let values: Vec<&str> = values.map(|value| &*value.text).collect();
        if !values.is_empty() {
            questions.push(format!("{before}{}{after}", messages::list(values)));
        }
    };
    let is_deleting = |value: &StateValue| {
        value.class == Class::Gone
            || (value.class == Class::Transitional && value.phase == Some(Phase::Delete))
    };
    if goal == Goal::Gone {
        ask("has the deletion failed with ", "?", &|value| {
            value.class == Class::Failed && value.phase.is_none()
        });
    } else {
        ask("accept ", " too?", &|value| {
            let is_same = match goal {
                Goal::Done => matches!(value.class, Class::Done | Class::Partial),
                Goal::Ready => matches!(value.class, Class::Ready | Class::Created),
                _ => matches!(value.class, Class::Rest | Class::Cancelled),
            };
            is_same && value.phase.is_none()
        });
        ask("fail on ", "?", &|value| {
            let is_other = match goal {
                Goal::Ready => matches!(value.class, Class::Rest | Class::Cancelled),
                Goal::Done => value.class == Class::Rest,
                Goal::Rest => value.class == Class::Done,
                _ => false,
            };
            is_other || value.class == Class::Failed || is_deleting(value)
        });
        ask("does the resource recover from ", "?", &|value| {
            value.class == Class::Impaired
        });
    }
    ask("not classified: ", "", &|value| {
        value.class == Class::Unknown
    });
    let fails = acceptors.iter().any(|own| own.state == State::Failure);
    if !fails && goal != Goal::Gone {
        questions.push("no value is known to fail: the wait lasts until its deadline".to_owned());
    }
    questions
}
