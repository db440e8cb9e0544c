//! Cases: the answers that are written, the verdicts, and their reasons.

use std::collections::BTreeMap;

use smithy_waiters_model::id;

use crate::Protocol;
use crate::acceptor::{Given, Matcher, Outcome, verdict};
use crate::suite::{Answer, Basis, Case, ErrorAnswer, Http, Verdict};
use crate::waiter::Deriver;

const ERROR: &str = "https://jmespath.org/specification.html#built-in-functions";

/// The longest text of a value in a reason.
const EXCERPT: usize = 60;

/// The clause and weight of a case, and the path or name that its reason describes.
pub(crate) struct Grounds {
    clause: &'static str,
    basis: Basis,
    subject: String,
}

impl<'m> Deriver<'_, 'm> {
    /// Adds a case about an acceptor or about none, unless the waiter already has the answer.
    pub(crate) fn add(
        &mut self,
        acceptor: Option<usize>,
        name: &str,
        given: Given<'m>,
        grounds: Grounds,
    ) {
        let Ok(Outcome {
            verdict,
            type_error,
        }) = verdict(self.acceptors, &given)
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
            .then(|| self.verdict_of(acceptor?))
            .flatten();
        let also: Vec<Verdict> = opens
            .into_iter()
            .chain(by_shape)
            .filter(|other| *other != verdict)
            .collect();
        let place = acceptor.map_or_else(String::new, |index| format!("a{index}."));
        let case = Case {
            id: format!("{}.{place}{name}", self.prefix),
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
        };
        self.cases.push((acceptor, case));
    }

    /// Returns the verdict of an acceptor.
    fn verdict_of(&self, index: usize) -> Option<Verdict> {
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

    fn http(&self, protocol: Protocol, given: &Given<'m>) -> Option<Http> {
        match given {
            Given::Output { output, .. } => self.wire.output(protocol, output),
            Given::Error { code, shape, form } => {
                Some(self.wire.error(protocol, code, *shape, *form))
            }
        }
    }

    /// Returns the answers by role, for behaviours.
    pub(crate) fn answers(&self) -> BTreeMap<String, Answer> {
        let with = |role: &str, accepts: &dyn Fn(&Case) -> bool| {
            // An output is a better example than an error.
            let mut found = self
                .cases
                .iter()
                .map(|(_, case)| case)
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
        let is_free = verdict(self.acceptors, &throttled)
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
    pub(crate) const fn new(clause: &'static str, basis: Basis, subject: String) -> Self {
        Self {
            clause,
            basis,
            subject,
        }
    }
}

fn excerpt(text: &str) -> String {
    let mut start: String = text.chars().take(EXCERPT).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}
