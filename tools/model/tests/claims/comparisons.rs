//! Random comparisons, and the claims about them.

use serde_json::{Value as Json, json};
use smithy_waiters::CompiledExpression;
use smithy_waiters_model::{Event, lint, read};

use crate::answers::Answers;
use crate::chance::Chance;
use crate::paths::Paths;
use crate::{MODEL, OPERATION, sources};

/// A comparison of two expressions that do not contain comparisons.
#[derive(Debug)]
pub(crate) struct Comparison {
    left: String,
    operator: &'static str,
    right: String,
}

/// A claim about a comparison. A comparison that fails is neither true nor false.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claim {
    AlwaysTrue,
    NeverTrue,
    NeverFalse,
    NeitherTrueNorFalse,
}

impl Comparison {
    pub(crate) fn of(chance: &mut Chance) -> Self {
        let operators = ["==", "!=", "<", "<=", ">", ">="];
        Self {
            left: Paths::with(Chance::of(chance.seed()), "").side(),
            operator: chance.one_of::<&str>(&operators),
            right: Paths::with(Chance::of(chance.seed()), "").side(),
        }
    }

    fn path(&self) -> String {
        format!("{} {} {}", self.left, self.operator, self.right)
    }

    /// Describes how the engine contradicts a claim, or returns `None`.
    pub(crate) fn broken(&self, claim: &Claim, answers: &Answers) -> Option<String> {
        let path = self.path();
        let compiled = CompiledExpression::new(&path).unwrap();
        let holds = |output: &&Json| {
            let found = compiled.search(*output).ok().map(crate::json);
            let is = |truth: bool| found == Some(Json::Bool(truth));
            match *claim {
                Claim::AlwaysTrue => is(true),
                Claim::NeverTrue => !is(true),
                Claim::NeverFalse => !is(false),
                Claim::NeitherTrueNorFalse => !is(true) && !is(false),
            }
        };
        let output = answers.outputs().find(|output| !holds(output))?;
        Some(format!("{claim:?} of `{path}` is wrong for {output}"))
    }

    /// Returns the claim in a message.
    fn said(&self, message: &str) -> Option<Claim> {
        let says = |text: &str| message.contains(text);
        let if_equal = |is_equal: bool| match (self.operator, is_equal) {
            ("==", true) | ("!=", false) => Claim::NeverFalse,
            _ => Claim::NeverTrue,
        };
        Some(match () {
            () if says("the comparison is always true") => Claim::AlwaysTrue,
            () if says("the comparison is always false") => Claim::NeverTrue,
            () if says("the comparison is never true") => Claim::NeverTrue,
            () if says("the two sides are always equal") => if_equal(true),
            () if says("the two sides are never equal") => if_equal(false),
            () if says("is never equal to") => if_equal(false),
            () if says("the value is never `") => if_equal(false),
            () if says("only numbers can be ordered") => Claim::NeitherTrueNorFalse,
            () => return None,
        })
    }
}

/// Returns the claims about comparisons, by index. The comparisons are negated, so that the claims are not about whole
/// paths.
pub(crate) fn claims(comparisons: &[Comparison]) -> Vec<(usize, Claim)> {
    let waiter = |(place, comparison): (usize, &Comparison)| {
        let path = format!("!({})", comparison.path());
        let output = json!({"path": path, "comparator": "booleanEquals", "expected": "true"});
        let acceptors = json!([{"state": "success", "matcher": {"output": output}}]);
        format!("W{place}: {}", json!({"acceptors": acceptors}))
    };
    let waiters = comparisons.iter().enumerate().map(waiter);
    let waiters = waiters.collect::<Vec<_>>().join(", ");
    let sources = sources(format!("{MODEL}\napply {OPERATION} @waitable({waiters})\n"));
    let model = read(&sources);
    assert_eq!(model.events(), [], "{waiters}");
    let claim = |event: &Event| {
        let [_, _, waiter, _] = *event.id.split('.').collect::<Vec<_>>() else {
            return None;
        };
        let place = waiter.strip_prefix('W')?.parse().ok()?;
        let comparison: &Comparison = comparisons.get(place)?;
        Some((place, comparison.said(&event.message)?))
    };
    lint(&model).iter().filter_map(claim).collect()
}
