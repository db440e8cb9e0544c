//! The interface `request`.

use std::cell::RefCell;

use smithy_waiters::internal::{FromHost, LeasedRequest};
use smithy_waiters::retry::{
    Classified, FailedAttempt, RequestEvent, RequestFailure, RequestOptions, RequestStep,
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

/// A request with a strategy of the component, or whose strategy the host has.
pub(crate) struct RequestResource(RefCell<LeasedRequest<StandardRetryStrategy>>);

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
        strategy: Option<wit::StrategyBorrow<'_>>,
        options: wit::RequestOptions,
    ) -> Result<wit::Request, Error> {
        let strategy = strategy.map(|strategy| strategy.get::<StrategyResource>().0.clone());
        let request = LeasedRequest::new(strategy, request_options(&options)?);
        Ok(wit::Request::new(Self(RefCell::new(request))))
    }

    fn poll(&self, now: u64) -> wit::Step {
        step(self.0.borrow_mut().poll(now))
    }

    fn handle(&self, event: wit::Event, now: u64) -> Result<wit::Step, Error> {
        let mut leased = self.0.borrow_mut();
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
                classified = leased.request.classify(failed(failure));
                RequestEvent::Retry(&classified)
            }
            wit::Event::Token(delay) => {
                let delay = OptionValue::from(delay);
                return Ok(step(leased.request.handle_host_token(&delay, now)??));
            }
            wit::Event::Refused(wit::Refusal { code, message }) => {
                RequestEvent::Refused(RetryRefusal::from_host(code, message).into())
            }
            wit::Event::Returned => RequestEvent::Returned,
        };
        Ok(step(leased.handle(event, now)?))
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
        RequestStep::Acquire => wit::Step::Acquire,
        RequestStep::Refresh(failure) => wit::Step::Refresh(classification(failure.into())),
        RequestStep::Record => wit::Step::Record,
        RequestStep::Release => wit::Step::Release,
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
