//! The cases of a waiter.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::{Entry, Kind, Model, Shape, id};

use crate::Protocol;
use crate::acceptor::{Acceptor, Given, Matcher, Outcome, verdict};
use crate::reference::unknown_function;
use crate::sample;
use crate::solve::Solver;
use crate::suite::{Answer, Basis, Case, ErrorAnswer, NotCovered, Service, Suite, Verdict, Waiter};
use crate::variant::Variants;
use crate::wire::{Form, Wire};

const WORKFLOW: &str = "https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow";
const MATCHER: &str = "https://smithy.io/2.0/additional-specs/waiters.html#matcher-union";
const COMPARATOR: &str = "https://smithy.io/2.0/additional-specs/waiters.html#pathcomparator-enum";
const PROJECTION: &str = "https://jmespath.org/specification.html#list-wildcard-expressions";
const ERROR: &str = "https://jmespath.org/specification.html#built-in-functions";
const QUERY_ERROR: &str =
    "https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#aws-protocols-awsqueryerror-trait";

const QUERY_ERROR_TRAIT: &str = "aws.protocols#awsQueryError";

/// The longest text of a value in a reason.
const EXCERPT: usize = 60;

/// The origin of a model, for the suites that are derived from it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Origin {
    /// The first part of all ids. By default it is derived from the name of the service.
    pub suite: Option<String>,
    /// botocore's name of the service.
    pub botocore: Option<String>,
    /// The file of the model.
    pub model: Option<String>,
    /// The source and its version.
    pub source: Option<String>,
}

/// Derives a suite for each service with waiters. A model without a service has one suite, whose answers have values only.
#[must_use]
pub fn suites<'m>(model: &'m Model<'m>, origin: &Origin) -> Vec<Suite> {
    let services: Vec<&Shape<'_>> = model.of_kind(Kind::Service).collect();
    let of_service =
        |service: &&'m Shape<'m>| suite(model, Some(service), model.operations(service), origin);
    let mut suites: Vec<Suite> = services.iter().map(of_service).collect();
    if services.is_empty() {
        let mut operations: Vec<&Shape<'_>> = model.of_kind(Kind::Operation).collect();
        operations.sort_by_key(|operation| operation.id);
        suites.push(suite(model, None, operations, origin));
    }
    suites.retain(|suite| !suite.waiters.is_empty());
    suites
}

fn suite<'m>(
    model: &'m Model<'m>,
    service: Option<&'m Shape<'m>>,
    operations: Vec<&'m Shape<'m>>,
    origin: &Origin,
) -> Suite {
    let first = operations
        .first()
        .map_or("", |operation| id::namespace(operation.id));
    let shape = service.map_or(first, |service| service.id);
    let sdk = service.and_then(|service| service.find_trait("aws.api#service"));
    let sdk_id = sdk.and_then(|sdk| sdk.value.member("sdkId")?.as_str());
    let version = service.and_then(|service| service.property("version")?.as_str());
    let name = sdk_id.unwrap_or_else(|| service.map_or(shape, |service| id::name(service.id)));
    let name = origin.suite.clone().unwrap_or_else(|| identifier(name));
    let protocols = service.map_or_else(Vec::new, Protocol::of);
    let mut suite = Suite {
        version: 1,
        kind: "verdicts".to_owned(),
        suite: name,
        about: None,
        service: Service {
            shape: shape.to_owned(),
            sdk_id: sdk_id.map(str::to_owned),
            botocore: origin.botocore.clone(),
            api_version: version.map(str::to_owned),
            protocol: protocols.first().map(|protocol| protocol.name().to_owned()),
            model: origin.model.clone(),
            source: origin.source.clone(),
        },
        waiters: BTreeMap::new(),
        cases: Vec::new(),
        not_covered: Vec::new(),
    };
    for operation in operations {
        let applied = operation.find_trait(id::WAITABLE);
        for waiter in applied.map_or(&[][..], |applied| applied.value.entries()) {
            let wire = Wire {
                model,
                service,
                operation,
            };
            Deriver::new(wire, &protocols, waiter, &suite.suite).run(&mut suite);
        }
    }
    suite
}

/// Returns a name in the grammar of ids.
fn identifier(name: &str) -> String {
    let letters = name.chars().map(|letter| {
        if letter.is_ascii_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            '-'
        }
    });
    letters.collect()
}

/// Returns the shape of an error of an operation or its service, by its name or its code in query protocols.
pub(crate) fn error_shape<'m>(
    model: &'m Model<'m>,
    service: Option<&'m Shape<'m>>,
    operation: &'m Shape<'m>,
    name: &str,
) -> Option<&'m Shape<'m>> {
    let of_service = service.map_or_else(Vec::new, |service| model.errors(service));
    let ids = model.errors(operation).into_iter().chain(of_service);
    let shapes: Vec<&Shape<'_>> = ids.filter_map(|id| model.shape(id)).collect();
    let name_of = |shape: &Shape<'m>| {
        service.map_or_else(
            || id::name(shape.id),
            |service| model.name_in(service, shape.id),
        )
    };
    let by_code = shapes.iter().find(|shape| query_code(shape) == Some(name));
    let found = by_code.or_else(|| shapes.iter().find(|shape| name_of(shape) == name));
    found.copied()
}

fn query_code<'m>(shape: &Shape<'m>) -> Option<&'m str> {
    shape
        .find_trait(QUERY_ERROR_TRAIT)?
        .value
        .member("code")?
        .as_str()
}

/// Derives the cases of one waiter.
struct Deriver<'d, 'm> {
    wire: Wire<'m>,
    protocols: &'d [Protocol],
    name: &'m str,
    prefix: String,
    acceptors: Vec<Acceptor<'m>>,
    definition: Json,
    params: Map<String, Json>,
    cases: Vec<Case>,
    seen: BTreeSet<String>,
    not_covered: Vec<NotCovered>,
}

/// The clause and weight of a case, and the path or name that its reason describes.
struct Grounds {
    clause: &'static str,
    basis: Basis,
    subject: String,
}

impl<'d, 'm> Deriver<'d, 'm> {
    fn new(wire: Wire<'m>, protocols: &'d [Protocol], waiter: &Entry<'m>, suite: &str) -> Self {
        let input = wire.model.input_or_output(wire.operation, "input");
        Self {
            wire,
            protocols,
            name: waiter.key,
            prefix: format!("{suite}.{}", waiter.key),
            acceptors: Acceptor::all(wire.model, wire.operation, &waiter.value),
            definition: serde_json::from_str(&waiter.value.to_json()).unwrap_or_default(),
            params: sample::input(wire.model, input),
            cases: Vec::new(),
            seen: BTreeSet::new(),
            not_covered: Vec::new(),
        }
    }

    fn run(mut self, suite: &mut Suite) {
        for index in 0..self.acceptors.len() {
            if let Err(reason) = self.acceptor(index) {
                let waiter = self.name.to_owned();
                self.not_covered.push(NotCovered {
                    waiter,
                    acceptor: index,
                    reason,
                });
            }
        }
        self.orders();
        let empty = self.output(json!({}));
        let grounds = Grounds::new(
            WORKFLOW,
            Basis::Specification,
            "an output without members".to_owned(),
        );
        self.add("empty-output", empty, grounds);
        self.unmatched_error();
        let waiter = Waiter {
            operation: id::name(self.wire.operation.id).to_owned(),
            definition: self.definition.clone(),
            params: self.params.clone(),
            answers: self.answers(),
        };
        suite.waiters.insert(self.name.to_owned(), waiter);
        suite.cases.extend(self.cases);
        suite.not_covered.extend(self.not_covered);
    }

    /// Adds the cases of an acceptor.
    ///
    /// # Errors
    ///
    /// Returns the reason that no answer just matches.
    fn acceptor(&mut self, index: usize) -> Result<(), String> {
        // The acceptors are lent to the searches, while cases are added.
        let acceptors = std::mem::take(&mut self.acceptors);
        let found = self.candidates(&acceptors, index);
        self.acceptors = acceptors;
        let (candidates, is_covered) = found;
        for (name, given, grounds) in candidates {
            self.add(&format!("a{index}.{name}"), given, grounds);
        }
        is_covered
    }

    #[expect(
        clippy::type_complexity,
        reason = "a list of cases, and whether one of them just matches"
    )]
    fn candidates(
        &self,
        acceptors: &[Acceptor<'m>],
        index: usize,
    ) -> (Vec<(&'static str, Given<'m>, Grounds)>, Result<(), String>) {
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
        let is_first = |given: &Given<'m>| match verdict(acceptors, given) {
            Ok(outcome) if outcome.verdict.acceptor == Some(index) => Ok(()),
            Ok(Outcome {
                verdict:
                    Verdict {
                        acceptor: Some(other),
                        ..
                    },
                ..
            }) => Err(format!("acceptor {other} matches all of its answers")),
            Ok(_) => Err("the derived answer does not match".to_owned()),
            Err(function) => Err(format!("an earlier path uses the function `{function}`")),
        };
        match &acceptor.matcher {
            Matcher::Invalid => (Vec::new(), Err("the matcher is invalid".to_owned())),
            Matcher::Success(expects_output) => {
                let given = if *expects_output {
                    self.output(json!({}))
                } else {
                    self.denied(acceptors)
                };
                let subject = format!("`success` is {expects_output}");
                let covered = is_first(&given);
                let grounds = Grounds::new(MATCHER, Basis::Specification, subject);
                (vec![("match", given, grounds)], covered)
            }
            Matcher::Error(name) => self.errors(acceptors, index, name, is_first),
            Matcher::Path(matcher) => {
                let solver = self.solver(acceptors);
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
    #[expect(clippy::type_complexity, reason = "as `candidates`")]
    fn errors(
        &self,
        acceptors: &[Acceptor<'m>],
        index: usize,
        name: &str,
        is_first: impl Fn(&Given<'m>) -> Result<(), String>,
    ) -> (Vec<(&'static str, Given<'m>, Grounds)>, Result<(), String>) {
        let (clause, name) = (self.errors_clause(), id::name(name));
        let shape = error_shape(
            self.wire.model,
            self.wire.service,
            self.wire.operation,
            name,
        );
        let code = shape.and_then(query_code).unwrap_or(name);
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
        if has_name && acceptors.iter().position(is_error) == Some(index) {
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

    fn solver(&self, acceptors: &[Acceptor<'m>]) -> Solver<'m> {
        let expected = acceptors
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
        let acceptors = std::mem::take(&mut self.acceptors);
        let solver = self.solver(&acceptors);
        let mut found = Vec::new();
        let variants = Variants {
            solver: &solver,
            acceptors: &acceptors,
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
                    let decides = verdict(&acceptors, &given).ok()?.verdict.acceptor == Some(first);
                    decides.then_some((first, given))
                });
            found.extend(first.map(|(first, given)| (first, second, given)));
        }
        self.acceptors = acceptors;
        for (first, second, given) in found {
            let subject = format!("acceptor {first} and acceptor {second} match");
            let grounds = Grounds::new(WORKFLOW, Basis::Specification, subject);
            self.add(&format!("a{first}.before-a{second}"), given, grounds);
        }
    }

    fn output(&self, output: Json) -> Given<'m> {
        Given::Output {
            input: self.params.clone(),
            output,
        }
    }

    /// Returns an error that no acceptor of an error matches, as services answer without permission.
    fn denied(&self, acceptors: &[Acceptor<'m>]) -> Given<'m> {
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
            let mut named = acceptors
                .iter()
                .filter(|acceptor| matches!(acceptor.matcher, Matcher::Error(_)));
            named.all(|acceptor| acceptor.matcher.matches(given) == Ok(false))
        };
        let [first, second, last] = errors;
        [first, second].into_iter().find(is_free).unwrap_or(last)
    }

    fn known_error(&self, code: &str) -> Given<'m> {
        let shape = error_shape(
            self.wire.model,
            self.wire.service,
            self.wire.operation,
            code,
        );
        Given::Error {
            code: code.to_owned(),
            shape,
            form: Form::Plain,
        }
    }

    fn unmatched_error(&mut self) {
        let given = self.denied(&self.acceptors);
        let subject = match &given {
            Given::Error { code, .. } => format!("the error `{code}`, which no acceptor names"),
            Given::Output { .. } => return,
        };
        let grounds = Grounds::new(WORKFLOW, Basis::Specification, subject);
        self.add("unmatched-error", given, grounds);
    }

    /// Adds a case, unless the waiter already has the answer.
    fn add(&mut self, name: &str, given: Given<'m>, grounds: Grounds) {
        let Ok(Outcome {
            verdict,
            type_error,
        }) = verdict(&self.acceptors, &given)
        else {
            return;
        };
        let answer = self.answer(&given);
        let params = match &given {
            Given::Output { input, .. } if *input != self.params => Some(input.clone()),
            _ => None,
        };
        if !self.seen.insert(format!("{params:?} {answer:?}")) {
            return;
        }
        let reason = self.reason(&given, &verdict, &grounds, type_error.as_deref());
        let opens = type_error.is_some().then(|| Verdict::new("failure", None));
        let by_shape = (grounds.basis == Basis::Open)
            .then(|| self.by_name(name))
            .flatten();
        let also: Vec<Verdict> = opens
            .into_iter()
            .chain(by_shape)
            .filter(|other| *other != verdict)
            .collect();
        self.cases.push(Case {
            id: format!("{}.{name}", self.prefix),
            waiter: self.name.to_owned(),
            about: None,
            params,
            answer,
            expect: verdict,
            reason,
            clause: if type_error.is_some() {
                ERROR
            } else {
                grounds.clause
            }
            .to_owned(),
            basis: match grounds.basis {
                _ if !also.is_empty() => Basis::Open,
                Basis::Open => Basis::Convention,
                basis => basis,
            },
            also,
            tags: Vec::new(),
        });
    }

    /// Returns the verdict of the acceptor that a case is about.
    fn by_name(&self, name: &str) -> Option<Verdict> {
        let index: usize = name.split_once('.')?.0.strip_prefix('a')?.parse().ok()?;
        Some(Verdict::new(self.acceptors.get(index)?.state, Some(index)))
    }

    fn reason(
        &self,
        given: &Given<'m>,
        verdict: &Verdict,
        grounds: &Grounds,
        type_error: Option<&str>,
    ) -> String {
        let Verdict { state, acceptor } = verdict;
        let end = match (acceptor, given) {
            (Some(index), _) => format!("acceptor {index} is the first that matches (step 3)"),
            (None, Given::Error { .. }) => "no acceptor matches the error (step 4)".to_owned(),
            (None, Given::Output { .. }) => "no acceptor matches (step 5)".to_owned(),
        };
        let found = self
            .acceptors
            .iter()
            .find_map(|one| match (&one.matcher, given) {
                (Matcher::Path(matcher), Given::Output { input, output }) => {
                    let is_subject =
                        grounds.subject.strip_prefix('`')?.strip_suffix('`')? == matcher.path;
                    let found = matcher.find(input, output).ok().filter(|_| is_subject)?;
                    Some(format!(" is {}", excerpt(&found.to_string())))
                }
                _ => None,
            });
        let error = type_error.map_or_else(String::new, |error| {
            format!("; {error}, and the specification doesn't define how an acceptor treats an error of its path")
        });
        format!(
            "{}{}{error}: {end}, so the state is {state}",
            grounds.subject,
            found.unwrap_or_default()
        )
    }

    fn answer(&self, given: &Given<'m>) -> Answer {
        let mut written = self
            .protocols
            .iter()
            .map(|protocol| (protocol, self.http(*protocol, given)));
        let http = written.next().and_then(|(_, http)| http);
        let others =
            written.filter_map(|(protocol, http)| Some((protocol.name().to_owned(), http?)));
        let (output, error) = match given {
            Given::Output { output, .. } => (Some(output.clone()), None),
            Given::Error { code, shape, .. } => {
                let shape = shape.map(|shape| id::name(shape.id).to_owned());
                (
                    None,
                    Some(ErrorAnswer {
                        code: code.clone(),
                        shape,
                    }),
                )
            }
        };
        Answer {
            output,
            error,
            http,
            other_protocols: others.collect(),
        }
    }

    fn http(&self, protocol: Protocol, given: &Given<'m>) -> Option<crate::Http> {
        match given {
            Given::Output { output, .. } => self.wire.output(protocol, output),
            Given::Error { code, shape, form } => {
                Some(self.wire.error(protocol, code, *shape, *form))
            }
        }
    }

    /// Returns the answers by role, for behaviours.
    fn answers(&self) -> BTreeMap<String, Answer> {
        let with = |role: &str, accepts: &dyn Fn(&Case) -> bool| {
            // An output is a better example than an error.
            let mut found = self
                .cases
                .iter()
                .filter(|case| case.also.is_empty() && case.params.is_none() && accepts(case));
            let output = found.clone().find(|case| case.answer.output.is_some());
            let case = output.or_else(|| found.next())?;
            Some((role.to_owned(), case.answer.clone()))
        };
        let state = |name: &'static str| move |case: &Case| case.expect.state == name;
        let is_matched = |case: &Case| case.expect.acceptor.is_some();
        let throttling = match self.protocols.first() {
            Some(Protocol::AwsQuery) => "Throttling",
            Some(Protocol::Ec2Query) => "RequestLimitExceeded",
            Some(Protocol::RestXml) => "SlowDown",
            _ => "ThrottlingException",
        };
        let throttled = self.known_error(throttling);
        let is_free = verdict(&self.acceptors, &throttled)
            .is_ok_and(|outcome| outcome.verdict.acceptor.is_none());
        [
            with("ready", &state("success")),
            with("pending", &state("retry")),
            with("failed", &|case| state("failure")(case) && is_matched(case)),
            with("denied", &|case| {
                case.id.ends_with(".unmatched-error") && !is_matched(case)
            }),
            is_free.then(|| ("throttled".to_owned(), self.answer(&throttled))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl Grounds {
    const fn new(clause: &'static str, basis: Basis, subject: String) -> Self {
        Self {
            clause,
            basis,
            subject,
        }
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

fn excerpt(text: &str) -> String {
    let mut start: String = text.chars().take(EXCERPT).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}
