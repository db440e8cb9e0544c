//! The interface `wait`.

use std::borrow::Cow;
use std::cell::RefCell;

use serde_json::Value as Json;
use smithy_waiters::internal::{FromHost, Spelling};
use smithy_waiters::{
    AttemptRecord, AttemptResult, EndValues, ErrorMetadata, Event, Hint, Level, OptionsError,
    PathValue, Reason, Snapshot, State, Step, StoredOptions, Wait, WaitOptions, WaitReport,
};

use crate::Engine;
use crate::convert::{self, Error, number};
use crate::option::OptionValue;
use crate::wit::wait as wit;

impl wit::Guest for Engine {
    type Wait = WaitResource;
}

/// A wait with the operation's input.
pub(crate) struct WaitResource {
    wait: RefCell<Wait>,
    input: Option<Json>,
}

impl WaitResource {
    pub(crate) fn own(wait: Wait, input: Option<Json>) -> wit::Wait {
        wit::Wait::new(Self {
            wait: RefCell::new(wait.spelling(Spelling::Component)),
            input,
        })
    }
}

impl wit::GuestWait for WaitResource {
    fn poll(&self, now: u64) -> wit::Step {
        step(&self.wait.borrow_mut().poll(now))
    }

    fn handle(&self, event: wit::Event, now: u64) -> Result<wit::Step, Error> {
        let mut wait = self.wait.borrow_mut();
        let response;
        let error: ErrorMetadata<'_>;
        let event: Event<'_, &Json> = match event {
            wit::Event::Response(event) => {
                response = convert::json(&event.value)?;
                Event::Response {
                    value: &response,
                    input: self.input.as_ref(),
                    not_before_ms: event.not_before,
                }
            }
            wit::Event::Error(event) => {
                error = event.error.into();
                Event::Error {
                    error: &error,
                    transient: event.transient.map(Into::into),
                }
            }
            wit::Event::Verdict(event) => {
                let metadata = event.error.map(ErrorMetadata::from);
                let is_error = metadata.is_some();
                error = metadata.unwrap_or_else(ErrorMetadata::unnamed);
                Event::Verdict {
                    acceptor: event.acceptor.map(|index| index as usize),
                    message: event.message,
                    error: is_error.then_some(&error),
                    transient: event.transient.map(Into::into),
                }
            }
            wit::Event::DeadlineReached => Event::DeadlineReached,
            wit::Event::Cancelled => Event::Cancelled,
        };
        Ok(step(&wait.handle(event, now)?))
    }

    fn summary(&self) -> Option<String> {
        self.wait.borrow().summary()
    }

    fn hints(&self) -> Vec<wit::Hint> {
        let wait = self.wait.borrow();
        let hint = |hint: &Hint| wit::Hint {
            code: hint.code().as_str().to_owned(),
            text: hint.message(convert::spell),
        };
        wait.hints().iter().map(hint).collect()
    }

    fn level(&self) -> Option<wit::Level> {
        Some(match self.wait.borrow().level()? {
            Level::Debug => wit::Level::Debug,
            Level::Info => wit::Level::Info,
        })
    }

    fn save(&self, started_at: Option<u64>) -> Result<String, Error> {
        let wait = self.wait.borrow();
        let snapshot = match started_at {
            Some(started_at) => wait.clone().started_at(started_at).snapshot(),
            None => wait.snapshot(),
        };
        Ok(snapshot?.to_json())
    }

    fn conclude(&self, now: u64) -> wit::Step {
        step(&self.wait.borrow_mut().conclude(now))
    }

    fn start_identity(&self, arguments: String) -> Option<String> {
        self.wait.borrow().start_identity(&arguments)
    }

    fn end_json(&self, values: wit::EndValues) -> Result<Option<String>, Error> {
        let json = |text| Ok::<_, Error>(convert::optional_json(text)?.unwrap_or_default());
        let values = EndValues {
            response: json(values.response)?,
            error: json(values.error)?,
            reason: json(values.reason)?,
        };
        let wait = self.wait.borrow();
        let report = wait.report();
        Ok(report.map(|report| report.end_json(&values, wait.report_limit())))
    }
}

impl From<wit::StoredOptions> for StoredOptions {
    fn from(options: wit::StoredOptions) -> Self {
        let mut stored = Self::new(options.id, options.started_at);
        stored.deadline_at_ms = options.deadline_at;
        if let Some(limit) = options.report_limit {
            stored.report_limit = usize::try_from(limit).unwrap_or(usize::MAX);
        }
        stored
    }
}

impl From<&Snapshot> for wit::StoredFacts {
    fn from(snapshot: &Snapshot) -> Self {
        Self {
            due_at: snapshot.due_at_ms(),
            ends_at: snapshot.ends_at_ms(),
            attempts: snapshot.attempts(),
            input: snapshot.input().map(ToString::to_string),
            progress: snapshot.progress_json(),
        }
    }
}

/// Reads the options of a wait.
pub(crate) fn wait_options(options: wit::Options) -> Result<WaitOptions, OptionsError> {
    let list = |list: Vec<String>| (!list.is_empty()).then_some(OptionValue::List(list));
    let least = |least: wit::Least| (Cow::from(least.path), OptionValue::from(least.number));
    let least: Vec<_> = options.at_least.into_iter().map(least).collect();
    WaitOptions::from_host(OptionValue::object([
        (
            "atLeast",
            (!least.is_empty()).then_some(OptionValue::Object(least)),
        ),
        (
            "attemptTimeout",
            options.attempt_timeout.map(OptionValue::from),
        ),
        ("deadline", options.deadline.map(OptionValue::from)),
        ("finalPoll", options.final_poll.map(final_poll)),
        ("historyLimit", options.history_limit.map(OptionValue::from)),
        ("initialDelay", options.initial_delay.map(OptionValue::from)),
        ("label", options.label.map(OptionValue::from)),
        ("left", options.left.map(left)),
        ("leftElse", options.left_else.map(left_else)),
        ("leftWithin", options.left_within.map(OptionValue::from)),
        ("maxAttempts", options.max_attempts.map(OptionValue::from)),
        ("maxDelay", options.max_delay.map(OptionValue::from)),
        ("maxWait", options.max_wait.map(OptionValue::from)),
        ("minDelay", options.min_delay.map(OptionValue::from)),
        ("notFoundFor", options.not_found_for.map(OptionValue::from)),
        ("pace", options.pace.map(pace)),
        ("redact", list(options.redact)),
        ("same", options.same.map(same)),
        ("seed", Some(options.seed.into())),
        ("show", list(options.show)),
        ("stableFor", options.stable_for.map(OptionValue::from)),
        ("successes", options.successes.map(OptionValue::from)),
        (
            "transientErrors",
            options.transient_errors.map(transient_errors),
        ),
        (
            "transientWindow",
            options.transient_window.map(OptionValue::from),
        ),
    ]))
}

fn same(same: wit::Same) -> OptionValue {
    OptionValue::object([
        ("path", Some(same.path.into())),
        ("is", same.is.map(scalar)),
        ("text", Some(same.text.into())),
    ])
}

fn left(left: wit::Left) -> OptionValue {
    match left.path {
        None if !left.text => scalar(left.value),
        path => OptionValue::object([
            ("path", path.map(OptionValue::from)),
            ("value", Some(scalar(left.value))),
            ("text", Some(left.text.into())),
        ]),
    }
}

fn left_else(left_else: wit::LeftElse) -> OptionValue {
    OptionValue::from(match left_else {
        wit::LeftElse::Fail => "fail",
        wit::LeftElse::Accept => "accept",
    })
}

fn scalar(scalar: wit::Scalar) -> OptionValue {
    match scalar {
        wit::Scalar::Text(text) => text.into(),
        wit::Scalar::Number(number) => number.into(),
        wit::Scalar::Boolean(value) => value.into(),
    }
}

fn final_poll(final_poll: wit::FinalPoll) -> OptionValue {
    OptionValue::from(match final_poll {
        wit::FinalPoll::Specification => "specification",
        wit::FinalPoll::Late => "late",
    })
}

fn pace(pace: wit::Pace) -> OptionValue {
    match pace {
        wit::Pace::Specification => "specification".into(),
        wit::Pace::Doubling => "doubling".into(),
        wit::Pace::Every(delay) => OptionValue::Object(vec![("every".into(), delay.into())]),
        wit::Pace::Proportional(part) => {
            OptionValue::Object(vec![("proportional".into(), part.into())])
        }
    }
}

fn transient_errors(transient_errors: wit::TransientErrors) -> OptionValue {
    OptionValue::from(match transient_errors {
        wit::TransientErrors::Retry => "retry",
        wit::TransientErrors::Fail => "fail",
    })
}

fn step(step: &Step) -> wit::Step {
    match step {
        Step::Call {
            attempt,
            deadline_ms,
        } => wit::Step::Call(wit::CallStep {
            attempt: *attempt,
            deadline: *deadline_ms,
        }),
        Step::Sleep { until_ms, last } => wit::Step::Sleep(wit::SleepStep {
            until: *until_ms,
            last: *last,
        }),
        Step::Done(done) => wit::Step::Done(report(done)),
    }
}

fn report(report: &WaitReport) -> wit::Report {
    wit::Report {
        waiter: report.waiter.clone(),
        label: report.label.clone(),
        code: report.kind.map(|kind| kind.code().to_owned()),
        message: report.message.clone(),
        explanation: report.explain(),
        acceptor: report.acceptor.map(number),
        acceptor_text: report.acceptor_text.clone(),
        attempts: report.attempts,
        elapsed: report.elapsed_ms,
        noticed_within: report.noticed_within_ms,
        last_result: report.last_result.map(result_code),
        history: report.history.iter().map(Into::into).collect(),
    }
}

fn result_code(result: AttemptResult) -> String {
    result.as_str().to_owned()
}

impl From<&AttemptRecord> for wit::AttemptRecord {
    fn from(record: &AttemptRecord) -> Self {
        Self {
            attempt: record.attempt,
            started: record.started_ms,
            ended: record.ended_ms,
            result: result_code(record.result),
            error: record.error.clone(),
            state: record.state.map(Into::into),
            acceptor: record.acceptor.map(number),
            reasons: record.reasons.iter().map(Into::into).collect(),
            values: record.values.iter().map(Into::into).collect(),
            delay: record.delay_ms,
            next_is_last: record.next_is_last,
        }
    }
}

impl From<&PathValue> for wit::PathValue {
    fn from(value: &PathValue) -> Self {
        Self {
            path: value.path.clone(),
            text: value.text.clone(),
        }
    }
}

impl From<&Reason> for wit::Reason {
    fn from(reason: &Reason) -> Self {
        Self {
            acceptor: reason.acceptor.map(number),
            code: reason.code.as_str().to_owned(),
            text: reason.text.clone(),
        }
    }
}

impl From<State> for wit::State {
    fn from(state: State) -> Self {
        match state {
            State::Success => Self::Success,
            State::Failure => Self::Failure,
            State::Retry => Self::Retry,
        }
    }
}
