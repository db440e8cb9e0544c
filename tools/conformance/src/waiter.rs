//! The cases of a waiter.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::{Entry, Shape, id};

use crate::Protocol;
use crate::acceptor::{Acceptor, Given, Matcher, verdict};
use crate::case::Grounds;
use crate::reference::unknown_function;
use crate::sample;
use crate::solve::Solver;
use crate::suite::{Basis, Case, NotCovered, Suite, Waiter};
use crate::variant::Variants;
use crate::wire::{Form, Wire};

const WORKFLOW: &str = "https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow";
const MATCHER: &str = "https://smithy.io/2.0/additional-specs/waiters.html#matcher-union";
const COMPARATOR: &str = "https://smithy.io/2.0/additional-specs/waiters.html#pathcomparator-enum";
const PROJECTION: &str = "https://jmespath.org/specification.html#list-wildcard-expressions";
const QUERY_ERROR: &str =
    "https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#aws-protocols-awsqueryerror-trait";

/// The last part of an id, and the answer.
type Candidate<'m> = (&'static str, Given<'m>, Grounds);

/// The candidates of an acceptor. The result is the reason that none of them just matches.
type Candidates<'m> = (Vec<Candidate<'m>>, Result<(), String>);

/// Derives the cases of one waiter.
pub(crate) struct Deriver<'d, 'm> {
    pub(crate) wire: Wire<'m>,
    pub(crate) protocols: &'d [Protocol],
    pub(crate) name: &'m str,
    /// The first parts of all ids.
    pub(crate) prefix: String,
    pub(crate) acceptors: &'d [Acceptor<'m>],
    definition: Json,
    pub(crate) params: Map<String, Json>,
    /// The cases, with the acceptors that they are about.
    pub(crate) cases: Vec<(Option<usize>, Case)>,
    /// The answers that have a case.
    pub(crate) seen: BTreeSet<String>,
    not_covered: Vec<NotCovered>,
}

impl<'d, 'm> Deriver<'d, 'm> {
    pub(crate) fn new(
        wire: Wire<'m>,
        protocols: &'d [Protocol],
        waiter: &Entry<'m>,
        acceptors: &'d [Acceptor<'m>],
        suite: &str,
    ) -> Self {
        let input = wire.model.input_or_output(wire.operation, "input");
        Self {
            wire,
            protocols,
            name: waiter.key,
            prefix: format!("{suite}.{}", waiter.key),
            acceptors,
            definition: serde_json::from_str(&waiter.value.to_json()).unwrap_or_default(),
            params: sample::input(wire.model, input),
            cases: Vec::new(),
            seen: BTreeSet::new(),
            not_covered: Vec::new(),
        }
    }

    pub(crate) fn run(mut self, suite: &mut Suite) {
        let mut near = Vec::new();
        for index in 0..self.acceptors.len() {
            let (candidates, is_covered) = self.candidates(index);
            if let Err(reason) = is_covered {
                let waiter = self.name.to_owned();
                self.not_covered.push(NotCovered {
                    waiter,
                    acceptor: index,
                    reason,
                });
            }
            for (name, given, grounds) in candidates {
                if name == "match" {
                    self.add(Some(index), name, given, grounds);
                } else {
                    near.push((index, name, given, grounds));
                }
            }
        }
        // After all that match, so that an answer which matches one acceptor and misses another has the id of the first.
        for (index, name, given, grounds) in near {
            self.add(Some(index), name, given, grounds);
        }
        self.orders();
        let empty = self.output(json!({}));
        let grounds = Grounds::new(
            WORKFLOW,
            Basis::Specification,
            "an output without members".to_owned(),
        );
        self.add(None, "empty-output", empty, grounds);
        self.unmatched_error();
        let waiter = Waiter {
            operation: id::name(self.wire.operation.id).to_owned(),
            definition: self.definition.clone(),
            params: self.params.clone(),
            answers: self.answers(),
        };
        suite.waiters.insert(self.name.to_owned(), waiter);
        // Those that are not about an acceptor come last.
        let mut cases = self.cases;
        cases.sort_by_key(|(acceptor, _)| acceptor.unwrap_or(usize::MAX));
        suite.cases.extend(cases.into_iter().map(|(_, case)| case));
        suite.not_covered.extend(self.not_covered);
    }

    fn candidates(&self, index: usize) -> Candidates<'m> {
        let acceptors = self.acceptors;
        let Some(acceptor) = acceptors.get(index) else {
            return (Vec::new(), Ok(()));
        };
        if let Some(reason) = acceptors
            .iter()
            .take(index.saturating_add(1))
            .find_map(unknown)
        {
            return (Vec::new(), Err(reason));
        }
        let is_first = |given: &Given<'m>| {
            let outcome = verdict(acceptors, given).map(|outcome| outcome.verdict.acceptor);
            match outcome {
                Ok(Some(first)) if first == index => Ok(()),
                Ok(Some(first)) => Err(format!("acceptor {first} matches all of its answers")),
                _ => Err("the derived answer does not match".to_owned()),
            }
        };
        match &acceptor.matcher {
            Matcher::Invalid => (Vec::new(), Err("the matcher is invalid".to_owned())),
            Matcher::Success(expects_output) => {
                let given = if *expects_output {
                    self.output(json!({}))
                } else {
                    self.denied()
                };
                let subject = format!("`success` is {expects_output}");
                let covered = is_first(&given);
                let grounds = Grounds::new(MATCHER, Basis::Specification, subject);
                (vec![("match", given, grounds)], covered)
            }
            Matcher::Error(name) => self.errors(index, name, is_first),
            Matcher::Path(matcher) => {
                let solver = self.solver();
                let variants = Variants {
                    solver: &solver,
                    acceptors,
                    input: &self.params,
                };
                let subject = || format!("`{}`", matcher.path);
                let grounds = |name| {
                    let clause = if name == "item-without-member" {
                        PROJECTION
                    } else {
                        COMPARATOR
                    };
                    Grounds::new(clause, Basis::Specification, subject())
                };
                let matching = variants.matching(index, matcher);
                let covered = matching.as_ref().map(|_| ()).ok_or_else(|| {
                    "no output was found for which the path gives the expected value and no earlier acceptor matches".to_owned()
                });
                let matching = matching.map(|given| ("match", given, grounds("match")));
                let near = variants.near(matcher).into_iter();
                let near = near.map(|variant| (variant.name, variant.given, grounds(variant.name)));
                (matching.into_iter().chain(near).collect(), covered)
            }
        }
    }

    /// Returns the cases of an error: the code in each form in which it travels, and a code that only looks similar.
    fn errors(
        &self,
        index: usize,
        name: &str,
        is_first: impl Fn(&Given<'m>) -> Result<(), String>,
    ) -> Candidates<'m> {
        let (clause, name) = (self.errors_clause(), id::name(name));
        let shape = self.wire.error_shape(name);
        let code = shape.and_then(Shape::query_code).unwrap_or(name);
        let error = |code: &str, form, shape| Given::Error {
            code: code.to_owned(),
            shape,
            form,
        };
        let matching = error(code, Form::Plain, shape);
        let covered = is_first(&matching);
        let subject = || format!("the error `{code}`");
        let by_shape = shape
            .map(|shape| id::name(shape.id))
            .filter(|shape| *shape != code);
        // The specification matches the name of the shape. The definitions of query services have the code.
        let basis = if by_shape.is_some() && name == code {
            Basis::Convention
        } else {
            Basis::Specification
        };
        let mut candidates = vec![("match", matching, Grounds::new(MATCHER, basis, subject()))];
        // One error of a waiter shows the forms.
        let is_error = |acceptor: &Acceptor<'m>| matches!(acceptor.matcher, Matcher::Error(_));
        let has_name = code.parse::<u16>().is_err() && !self.wire.is_head();
        if has_name && self.acceptors.iter().position(is_error) == Some(index) {
            let protocol = self.protocols.first();
            for (form, form_name) in protocol.map_or(&[][..], |protocol| Form::of(*protocol)) {
                let grounds = Grounds::new(
                    clause,
                    Basis::Specification,
                    format!("{} on the wire", subject()),
                );
                candidates.push((form_name, error(code, *form, shape), grounds));
            }
            let longer = format!("{code}2");
            let subject =
                format!("the error `{longer}`, whose code only starts like the expected one");
            candidates.push((
                "longer-code",
                error(&longer, Form::Plain, None),
                Grounds::new(MATCHER, Basis::Specification, subject),
            ));
        }
        if let Some(shape) = by_shape {
            let subject = format!(
                "the code `{shape}`, which is the name of the shape, where services send `{code}`"
            );
            candidates.push((
                "shape-name",
                error(shape, Form::Plain, None),
                Grounds::new(QUERY_ERROR, Basis::Open, subject),
            ));
        }
        (candidates, covered)
    }

    fn errors_clause(&self) -> &'static str {
        self.protocols
            .first()
            .map_or(MATCHER, |protocol| protocol.errors_clause())
    }

    fn solver(&self) -> Solver<'m> {
        let expected = self
            .acceptors
            .iter()
            .filter_map(|acceptor| match &acceptor.matcher {
                Matcher::Path(matcher) => Some(matcher.expected.to_owned()),
                _ => None,
            });
        Solver {
            model: self.wire.model,
            avoid: expected.collect(),
            drops_elements: true,
        }
    }

    /// Adds an output for acceptors of which the order decides the state.
    fn orders(&mut self) {
        let (acceptors, solver) = (self.acceptors, self.solver());
        let mut found = Vec::new();
        let variants = Variants {
            solver: &solver,
            acceptors,
            input: &self.params,
        };
        for (second, two) in acceptors.iter().enumerate() {
            let Matcher::Path(later) = &two.matcher else {
                continue;
            };
            let first = acceptors
                .iter()
                .enumerate()
                .take(second)
                .find_map(|(first, one)| {
                    let Matcher::Path(earlier) = &one.matcher else {
                        return None;
                    };
                    let given = (one.state != two.state)
                        .then(|| variants.both(earlier, later))
                        .flatten()?;
                    let decides = verdict(acceptors, &given).ok()?.verdict.acceptor == Some(first);
                    decides.then_some((first, given))
                });
            found.extend(first.map(|(first, given)| (first, second, given)));
        }
        for (first, second, given) in found {
            let subject = format!("acceptor {first} and acceptor {second} match");
            let grounds = Grounds::new(WORKFLOW, Basis::Specification, subject);
            self.add(Some(first), &format!("before-a{second}"), given, grounds);
        }
    }

    fn output(&self, output: Json) -> Given<'m> {
        Given::Output {
            input: self.params.clone(),
            output,
        }
    }

    /// Returns an error that no acceptor of an error matches, as services answer without permission.
    fn denied(&self) -> Given<'m> {
        let usual = match self.protocols.first() {
            Some(Protocol::AwsQuery | Protocol::RestXml) => "AccessDenied",
            Some(Protocol::Ec2Query) => "UnauthorizedOperation",
            _ => "AccessDeniedException",
        };
        // An error without a body has its status as the code.
        let codes = if self.wire.is_head() {
            ["403", "400", "405"]
        } else {
            [
                usual,
                "NotAuthorizedException",
                "UnknownConformanceException",
            ]
        };
        let errors = codes.map(|code| self.known_error(code));
        let is_free = |given: &Given<'m>| {
            let mut named = self
                .acceptors
                .iter()
                .filter(|acceptor| matches!(acceptor.matcher, Matcher::Error(_)));
            named.all(|acceptor| acceptor.matcher.matches(given) == Ok(false))
        };
        let [first, second, last] = errors;
        [first, second].into_iter().find(is_free).unwrap_or(last)
    }

    pub(crate) fn known_error(&self, code: &str) -> Given<'m> {
        Given::Error {
            code: code.to_owned(),
            shape: self.wire.error_shape(code),
            form: Form::Plain,
        }
    }

    fn unmatched_error(&mut self) {
        let given = self.denied();
        let subject = match &given {
            Given::Error { code, .. } => format!("the error `{code}`, which no acceptor names"),
            Given::Output { .. } => return,
        };
        let grounds = Grounds::new(WORKFLOW, Basis::Specification, subject);
        self.add(None, "unmatched-error", given, grounds);
    }
}

/// Returns the reason that nothing can be derived for an acceptor and those after it.
fn unknown(acceptor: &Acceptor<'_>) -> Option<String> {
    match &acceptor.matcher {
        Matcher::Path(matcher) => {
            let function = unknown_function(&matcher.expression)?;
            Some(format!(
                "the path uses the function `{function}`, for which this program derives no answers"
            ))
        }
        _ => None,
    }
}
