//! Answers that just match or just miss a matcher.

use serde_json::{Map, Value as Json, json};

use crate::acceptor::{Acceptor, Given, Matcher, PathMatcher, verdict};
use crate::reference::satisfies;
use crate::solve::{Goal, Solver};

/// An output with the last part of its id.
pub(crate) struct Variant<'m> {
    pub(crate) name: &'static str,
    pub(crate) given: Given<'m>,
}

/// Finds outputs for the path matchers of one waiter.
pub(crate) struct Variants<'s, 'm> {
    pub(crate) solver: &'s Solver<'m>,
    pub(crate) acceptors: &'s [Acceptor<'m>],
    pub(crate) input: &'s Map<String, Json>,
}

impl<'m> Variants<'_, 'm> {
    /// Returns an output that the acceptor matches and no earlier one does.
    pub(crate) fn matching(&self, index: usize, matcher: &PathMatcher<'m>) -> Option<Given<'m>> {
        let goals = matching_goals(matcher);
        goals.iter().find_map(|goal| {
            [true, false].into_iter().find_map(|drops_elements| {
                let solver = Solver {
                    drops_elements,
                    ..self.solver.clone()
                };
                let given = self.solve(&solver, matcher, goal, None)?;
                self.is_accepted(index, given)
            })
        })
    }

    /// Returns the answer if the acceptor is the first that matches. If earlier ones match, tries to make them miss.
    fn is_accepted(&self, index: usize, mut given: Given<'m>) -> Option<Given<'m>> {
        for _ in 0..=index {
            let accepted = verdict(self.acceptors, &given).ok()?.verdict.acceptor?;
            if accepted == index {
                return Some(given);
            }
            let earlier = self.acceptors.get(accepted).filter(|_| accepted < index)?;
            let Matcher::Path(earlier) = &earlier.matcher else {
                return None;
            };
            given = self.solve(self.solver, earlier, &miss(earlier)?, Some(&given))?;
        }
        None
    }

    /// Returns the outputs that nearly match: the state is not this acceptor's, or it is for a reason worth a test.
    pub(crate) fn near(&self, matcher: &PathMatcher<'m>) -> Vec<Variant<'m>> {
        let goals = near_goals(matcher, self.solver);
        let solve = |(name, goal): (&'static str, Goal)| {
            let given = self.solve(self.solver, matcher, &goal, None)?;
            Some(Variant { name, given })
        };
        goals.into_iter().filter_map(solve).collect()
    }

    /// Returns an output that both matchers match.
    pub(crate) fn both(&self, one: &PathMatcher<'m>, two: &PathMatcher<'m>) -> Option<Given<'m>> {
        let goals = |matcher| matching_goals(matcher).into_iter();
        goals(one).find_map(|first| {
            let base = self.solve(self.solver, one, &first, None)?;
            // A list can satisfy both if it has an element for each.
            let shared = [
                json!([one.expected, two.expected]),
                json!([two.expected, one.expected]),
            ];
            let shared = shared.into_iter().map(Goal::Is);
            let mut second = goals(two).chain(shared);
            second.find_map(|second| {
                let given = self.solve(self.solver, two, &second, Some(&base))?;
                let matches = |matcher: &PathMatcher<'m>| self.is_met(matcher, &given);
                (matches(one) && matches(two)).then_some(given)
            })
        })
    }

    fn is_met(&self, matcher: &PathMatcher<'m>, given: &Given<'m>) -> bool {
        let Given::Output { input, output } = given else {
            return false;
        };
        let found = matcher.find(input, output);
        found.is_ok_and(|found| satisfies(matcher.comparator, matcher.expected, &found))
    }

    fn solve(
        &self,
        solver: &Solver<'m>,
        matcher: &PathMatcher<'m>,
        goal: &Goal,
        base: Option<&Given<'m>>,
    ) -> Option<Given<'m>> {
        let empty = json!({});
        let (input, output) = match base {
            Some(Given::Output { input, output }) => (input, output),
            _ => (self.input, &empty),
        };
        let met = solver.meet(&matcher.expression, goal, matcher.root(input, output))?;
        let mut met = without_nulls(met);
        let (input, output) = if matcher.uses_input {
            let Json::Object(input) = met.get_mut("input")?.take() else {
                return None;
            };
            (input, met.get_mut("output")?.take())
        } else {
            (input.clone(), met)
        };
        Some(Given::Output { input, output })
    }
}

/// Returns a value without its null members: null and an absent member are the same.
fn without_nulls(value: Json) -> Json {
    match value {
        Json::Object(members) => {
            let members = members.into_iter().filter(|(_, value)| !value.is_null());
            Json::Object(
                members
                    .map(|(name, value)| (name, without_nulls(value)))
                    .collect(),
            )
        }
        Json::Array(items) => items.into_iter().map(without_nulls).collect(),
        value => value,
    }
}

fn matching_goals(matcher: &PathMatcher<'_>) -> Vec<Goal> {
    let expected = matcher.expected;
    let goals = match matcher.comparator {
        "stringEquals" => vec![json!(expected)],
        "booleanEquals" => vec![json!(expected == "true")],
        _ => vec![json!([expected]), json!([expected, expected])],
    };
    goals.into_iter().map(Goal::Is).collect()
}

/// Returns the goal of a result that the matcher doesn't match.
fn miss(matcher: &PathMatcher<'_>) -> Option<Goal> {
    Some(match matcher.comparator {
        "stringEquals" => Goal::Other(matcher.expected.into()),
        "booleanEquals" => Goal::Is((matcher.expected != "true").into()),
        _ => return None,
    })
}

fn near_goals<'m>(matcher: &PathMatcher<'m>, solver: &Solver<'m>) -> Vec<(&'static str, Goal)> {
    let expected = matcher.expected;
    let gives = &matcher.expression.gives;
    let other = || solver.other(&gives.element(solver.model), &expected.into());
    let other_case = other_case(expected);
    let mut goals: Vec<(&'static str, Option<Json>)> = match matcher.comparator {
        "stringEquals" => vec![
            ("other-value", solver.other(gives, &expected.into())),
            ("other-case", other_case.map(Json::from)),
        ],
        "booleanEquals" => vec![("other-value", Some((expected != "true").into()))],
        "allStringEquals" => vec![
            ("several", Some(json!([expected, expected]))),
            ("mixed", other().map(|other| json!([expected, other]))),
            (
                "mixed-reversed",
                other().map(|other| json!([other, expected])),
            ),
            ("empty-list", Some(json!([]))),
            ("item-without-member", Some(json!([expected, null]))),
            ("other-case", other_case.map(|other| json!([other]))),
        ],
        _ => vec![
            ("mixed", other().map(|other| json!([other, expected]))),
            ("other-value", other().map(|other| json!([other]))),
            ("empty-list", Some(json!([]))),
            ("item-without-member", Some(json!([null, expected]))),
            ("other-case", other_case.map(|other| json!([other]))),
        ],
    };
    goals.retain(|(_, goal)| goal.is_some());
    goals
        .into_iter()
        .filter_map(|(name, goal)| Some((name, Goal::Is(goal?))))
        .collect()
}

/// Returns a text in the other case, if it has letters.
fn other_case(text: &str) -> Option<String> {
    let is_upper = text.chars().any(char::is_uppercase);
    let other = if is_upper {
        text.to_lowercase()
    } else {
        text.to_uppercase()
    };
    (other != text).then_some(other)
}
