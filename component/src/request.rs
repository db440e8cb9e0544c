//! The interface `request`.

use std::cell::RefCell;
use std::time::Duration;

use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::{
    Classified, FailedAttempt, Request, RequestEvent, RequestFailure, RequestOptions, RequestStep,
    RetryOptions, RetryQuota, RetryRefusal, RetrySafety, StandardRetryStrategy,
};

use crate::Engine;
use crate::convert::Error;
use crate::option::OptionValue;
use crate::quota::SharedQuota;
use crate::wit::quota::QuotaBorrow;
use crate::wit::{request as wit, types};

impl wit::Guest for Engine {
    type Strategy = StrategyResource;
    type Request = RequestResource;

    fn classify(failure: types::RequestFailure, idempotent: bool) -> wit::Classification {
        classification(
            RequestFailure::from(failure)
                .idempotent(idempotent)
                .classify(),
        )
    }

    fn transient_of(failure: types::RequestFailure, now: u64) -> Option<types::Transient> {
        RequestFailure::from(failure).transient(now).map(Into::into)
    }
}

pub(crate) struct StrategyResource(StandardRetryStrategy);

pub(crate) struct RequestResource(RefCell<Request>);

impl wit::GuestStrategy for StrategyResource {
    fn create(
        options: wit::RetryOptions,
        quota: Option<QuotaBorrow<'_>>,
    ) -> Result<wit::Strategy, Error> {
        let seed = options.seed;
        let mut options = RetryOptions::from_host(retry_options(options))?;
        if let Some(quota) = quota {
            options = options.quota(&quota.get::<SharedQuota>().0);
        }
        Ok(wit::Strategy::new(Self(StandardRetryStrategy::new(
            &options, seed,
        )?)))
    }

    fn available(&self) -> Option<u32> {
        self.0.quota().map(RetryQuota::available)
    }
}

impl wit::GuestRequest for RequestResource {
    fn create(
        strategy: wit::StrategyBorrow<'_>,
        options: wit::RequestOptions,
    ) -> Result<wit::Request, Error> {
        let strategy = strategy.get::<StrategyResource>().0.clone();
        Ok(Self::own(Request::new(
            strategy,
            request_options(&options)?,
        )))
    }

    fn with_outside_strategy(
        first_delay: f64,
        options: wit::RequestOptions,
    ) -> Result<wit::Request, Error> {
        let delay = duration("first-delay", first_delay)?;
        let options = request_options(&options)?;
        Ok(Self::own(Request::with_outside_strategy(delay, options)))
    }

    fn poll(&self, now: u64) -> wit::Step {
        step(self.0.borrow_mut().poll(now))
    }

    fn handle(&self, event: wit::Event, now: u64) -> Result<wit::Step, Error> {
        let mut request = self.0.borrow_mut();
        let failed = |failure: Option<types::RequestFailure>| match failure {
            Some(failure) => FailedAttempt::Error(failure.into()),
            None => FailedAttempt::Response,
        };
        let classified;
        let event = match event {
            wit::Event::Success => RequestEvent::Success,
            wit::Event::Failure => RequestEvent::Failure,
            wit::Event::DeadlineReached => RequestEvent::DeadlineReached,
            wit::Event::Cancelled => RequestEvent::Cancelled,
            wit::Event::Retry(failure) => {
                classified = request.classify(failed(failure));
                RequestEvent::Retry(&classified)
            }
            wit::Event::Granted(pause) => {
                classified = request.classify(FailedAttempt::Response);
                RequestEvent::Decided(&classified, Ok(duration("granted", pause)?))
            }
            wit::Event::Refused(wit::Refusal { code, message }) => {
                classified = request.classify(FailedAttempt::Response);
                RequestEvent::Decided(&classified, Err(RetryRefusal::Other { code, message }))
            }
        };
        Ok(step(request.handle(event, now)?))
    }
}

impl RequestResource {
    fn own(request: Request) -> wit::Request {
        wit::Request::new(Self(RefCell::new(request)))
    }
}

fn retry_options(options: wit::RetryOptions) -> OptionValue {
    let preset = options.preset.map(|preset| match preset {
        wit::Preset::Specification => "specification".into(),
        wit::Preset::Aws => "aws".into(),
    });
    OptionValue::object([
        ("preset", preset),
        ("maxRetries", options.max_retries.map(OptionValue::from)),
        ("maxAttempts", options.max_attempts.map(OptionValue::from)),
        ("baseDelay", options.base_delay.map(OptionValue::from)),
        (
            "throttlingBaseDelay",
            options.throttling_base_delay.map(OptionValue::from),
        ),
        ("maxBackoff", options.max_backoff.map(OptionValue::from)),
        ("fixedDelay", options.fixed_delay.map(OptionValue::from)),
        (
            "maxRetryAfter",
            options.max_retry_after.map(OptionValue::from),
        ),
        (
            "retryAfterExcess",
            options.retry_after_excess.map(OptionValue::from),
        ),
        ("capacity", options.capacity.map(OptionValue::from)),
        ("unlimited", options.unlimited.map(OptionValue::from)),
        ("retryCost", options.retry_cost.map(OptionValue::from)),
        (
            "throttlingCost",
            options.throttling_cost.map(OptionValue::from),
        ),
        ("timeoutCost", options.timeout_cost.map(OptionValue::from)),
        (
            "successRefund",
            options.success_refund.map(OptionValue::from),
        ),
        ("refundCost", options.refund_cost.map(OptionValue::from)),
        ("seed", Some(options.seed.into())),
    ])
}

fn request_options(options: &wit::RequestOptions) -> Result<RequestOptions, Error> {
    let values = OptionValue::object([
        ("idempotent", options.idempotent.map(OptionValue::from)),
        ("maxTime", options.max_time.map(OptionValue::from)),
    ]);
    let read = RequestOptions::from_host(values)?;
    Ok(if options.has_policy {
        read.with_policy()
    } else {
        read
    })
}

/// Converts a delay of the host's retry strategy.
fn duration(option: &str, seconds: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(seconds).map_err(|error| {
        Error::Options(types::OptionsError {
            code: "invalid_option".to_owned(),
            option: option.to_owned(),
            message: format!("`{option}` must be a number of seconds, at least 0: {error}"),
        })
    })
}

fn step(step: RequestStep) -> wit::Step {
    match step {
        RequestStep::Call {
            attempt,
            deadline_ms,
        } => wit::Step::Call(wit::CallStep {
            attempt,
            deadline: deadline_ms,
        }),
        RequestStep::Sleep { until_ms } => wit::Step::Sleep(until_ms),
        RequestStep::Done(report) => wit::Step::Done(wit::Report {
            attempts: report.attempts,
            end: report.end.map(|end| wit::Refusal {
                code: end.code().to_owned(),
                message: end.to_string(),
            }),
        }),
    }
}

fn classification(classified: Classified) -> wit::Classification {
    let Classified { info, note, .. } = classified;
    let retry = info.retry;
    wit::Classification {
        safety: retry.map(|retry| match retry.safety {
            RetrySafety::Maybe => wit::Safety::Maybe,
            RetrySafety::No => wit::Safety::No,
            RetrySafety::Yes => wit::Safety::Yes,
        }),
        throttle: retry.is_some_and(|retry| retry.throttle),
        timeout: retry.is_some_and(|retry| retry.timeout),
        retry_after: retry.and_then(|retry| retry.retry_after.map(|after| after.as_secs_f64())),
        fault: info.fault.map(Into::into),
        note: note.map(|note| wit::Note {
            code: note.code().to_owned(),
            message: note.to_string(),
        }),
    }
}
