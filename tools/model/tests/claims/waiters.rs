//! Random waiters, and the claims about them.

use serde_json::{Value as Json, json};
use smithy_waiters::{Observation, Waiter};
use smithy_waiters_model::{Event, lint, read};

use crate::answers::{Answers, TEXTS};
use crate::chance::Chance;
use crate::paths::Paths;
use crate::{MODEL, OPERATION, sources};

/// The matchers of a waiter.
#[derive(Debug)]
pub(crate) struct Waiters(Vec<Json>);

/// A claim about an acceptor.
#[derive(Debug)]
pub(crate) enum Claim {
    Always(usize),
    Never(usize),
    Unreachable(usize),
}

impl Waiters {
    pub(crate) fn of(chance: &mut Chance) -> Self {
        let count = chance.below(3).saturating_add(1);
        Self((0..count).map(|_| matcher(chance)).collect())
    }

    /// Describes how the engine contradicts a claim, or returns `None`.
    pub(crate) fn broken(&self, claim: &Claim, answers: &Answers) -> Option<String> {
        let definition = match *claim {
            Claim::Always(index) | Claim::Never(index) => self.alone(index).definition(),
            Claim::Unreachable(_) => self.definition(),
        };
        let waiter = Waiter::from_value(&definition, None).unwrap();
        let holds = |input, output| {
            let first = waiter
                .evaluate(input, Observation::Response(output))
                .acceptor();
            match *claim {
                Claim::Always(_) => first.is_some(),
                Claim::Never(_) => first.is_none(),
                Claim::Unreachable(index) => first != Some(index),
            }
        };
        let mut answers = answers.all();
        let (input, output) = answers.find(|(input, output)| !holds(input, output))?;
        Some(format!(
            "{claim:?} of {definition} is wrong for the output {output} and the input {input}"
        ))
    }

    /// Returns a waiter with only one of the matchers.
    fn alone(&self, index: usize) -> Self {
        Self(vec![self.0.get(index).unwrap().clone()])
    }

    fn definition(&self) -> Json {
        let acceptors = self.0.iter();
        let acceptors = acceptors.map(|matcher| json!({"state": "success", "matcher": matcher}));
        json!({"acceptors": acceptors.collect::<Vec<_>>()})
    }
}

impl Claim {
    /// Returns the index of the waiter and the claim of an event.
    fn of(event: &Event) -> Option<(usize, Self)> {
        let id = event.id.strip_prefix("SmithyWaiters.")?;
        let [rule, waiter, index] = *id.split('.').collect::<Vec<_>>() else {
            return None;
        };
        let waiter = waiter.strip_prefix('W')?.parse().ok()?;
        let claim = Self::said(rule, index.parse().ok()?, &event.message)?;
        Some((waiter, claim))
    }

    fn said(rule: &str, index: usize, message: &str) -> Option<Self> {
        let says = |text: &str| message.contains(text);
        Some(match rule {
            "ConstantCondition" if says("always matches") => Self::Always(index),
            "ConstantCondition" if says("never matches") => Self::Never(index),
            "NeverMatches" => Self::Never(index),
            "UnreachableAcceptor" => Self::Unreachable(index),
            _ => return None,
        })
    }
}

/// Returns the claims about waiters, by index. The waiters share a model, because reading it takes longer than the
/// analysis.
pub(crate) fn claims(waiters: &[Waiters]) -> Vec<(usize, Claim)> {
    let named = waiters.iter().enumerate();
    let named = named.map(|(place, waiters)| format!("W{place}: {}", waiters.definition()));
    let named = named.collect::<Vec<_>>().join(", ");
    let text = format!("{MODEL}\napply {OPERATION} @waitable({named})\n");
    let sources = sources(text);
    let model = read(&sources);
    assert_eq!(model.events(), [], "{named}");
    lint(&model).iter().filter_map(Claim::of).collect()
}

fn matcher(chance: &mut Chance) -> Json {
    if chance.once_in(10) {
        return json!({"success": true});
    }
    let kind = if chance.once_in(4) {
        "inputOutput"
    } else {
        "output"
    };
    let before = if kind == "output" { "" } else { "output" };
    let mut paths = Paths::with(Chance::of(chance.seed()), before);
    let (path, comparator) = match chance.below(10) {
        0..6 => (paths.condition(), "booleanEquals"),
        6 => (paths.text(), "stringEquals"),
        7 => (paths.texts(), "allStringEquals"),
        8 => (paths.texts(), "anyStringEquals"),
        _ => (
            paths.any(),
            *chance.one_of(&[
                "booleanEquals",
                "stringEquals",
                "allStringEquals",
                "anyStringEquals",
            ]),
        ),
    };
    let expected = match comparator {
        "booleanEquals" => *chance.one_of(&["true", "true", "false"]),
        _ => *chance.one_of(&TEXTS),
    };
    json!({kind: {"path": path, "comparator": comparator, "expected": expected}})
}
