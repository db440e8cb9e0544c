//! Requests and their retries.
//!
//! Steps are numbers, and their times are getters. The classifications of failures are numbers.

use std::time::Duration;

use smithy_waiters::StateError;
use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::{
    Classified, FailedAttempt, FailureInfo, Request, RequestEvent, RequestOptions, RequestStep,
    RetryRefusal,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::failure::{EngineFailure, pack};
use crate::object::object;
use crate::operation::EngineOperation;
use crate::retry::{EngineRetryStrategy, unpack};
use crate::step::{self, Times};
use crate::value::Handle;

/// The options of a request.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRequestOptions(RequestOptions);

#[wasm_bindgen]
impl EngineRequestOptions {
    /// Reads the options in a slot. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32) -> Result<Self, JsValue> {
        let options = RequestOptions::from_host(Handle::from_slot(options));
        Ok(Self(options.map_err(Refusal::from)?))
    }

    /// Sets the operation and its input, which is in a slot.
    pub fn operation(self, operation: &EngineOperation, input: u32) -> Self {
        let input = operation.table.value(input);
        Self(self.0.operation(&operation.operation, input))
    }

    /// Declares that a policy of the host evaluates the results.
    #[wasm_bindgen(js_name = withPolicy)]
    pub fn with_policy(self) -> Self {
        Self(self.0.with_policy())
    }
}

/// A request, its newest step, and the classification of its newest failure.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRequest {
    request: Request,
    step: Option<RequestStep>,
    failure: Classified,
}

/// A step out of order throws a refusal.
#[wasm_bindgen]
impl EngineRequest {
    /// Creates a request with a strategy of the engine.
    #[wasm_bindgen(constructor)]
    pub fn new(strategy: &EngineRetryStrategy, options: EngineRequestOptions) -> Self {
        Self::from_request(Request::new(strategy.strategy.clone(), options.0))
    }

    /// Creates a request with a strategy of the host. `delay` is the delay before the first attempt, in seconds.
    #[wasm_bindgen(js_name = withOutsideStrategy)]
    pub fn with_outside_strategy(delay: f64, options: EngineRequestOptions) -> Self {
        Self::from_request(Request::with_outside_strategy(pause(delay), options.0))
    }

    /// Returns the step that is due.
    pub fn poll(&mut self, now: f64) -> Result<u32, JsValue> {
        self.advance(now, |request, _, now| Ok(request.poll(now)))
    }

    /// Reports that the attempt succeeded.
    pub fn succeeded(&mut self, now: f64) -> Result<u32, JsValue> {
        self.handle(RequestEvent::Success, now)
    }

    /// Reports that the attempt failed and that a policy does not allow another one.
    pub fn failed(&mut self, now: f64) -> Result<u32, JsValue> {
        self.handle(RequestEvent::Failure, now)
    }

    /// Lets the engine's strategy decide about the failure that was classified last.
    pub fn retry(&mut self, now: f64) -> Result<u32, JsValue> {
        self.advance(now, |request, failure, now| {
            request.handle(RequestEvent::Retry(failure), now)
        })
    }

    /// Reports the delay in seconds with which the host's strategy retries the failure that was classified last.
    pub fn granted(&mut self, delay: f64, now: f64) -> Result<u32, JsValue> {
        self.handle_decision(Ok(pause(delay)), now)
    }

    /// Reports that the host's strategy does not retry the failure that was classified last.
    pub fn refused(&mut self, code: String, message: String, now: f64) -> Result<u32, JsValue> {
        let standard = RetryRefusal::NotRetryable;
        // A strategy that wraps the standard one may rethrow its refusal. The engine then adds details about the
        // request.
        let refusal = if code == standard.code() && message == standard.to_string() {
            standard
        } else {
            RetryRefusal::Other { code, message }
        };
        self.handle_decision(Err(refusal), now)
    }

    /// Reports that the attempt was aborted at its deadline.
    #[wasm_bindgen(js_name = deadlineReached)]
    pub fn deadline_reached(&mut self, now: f64) -> Result<u32, JsValue> {
        self.handle(RequestEvent::DeadlineReached, now)
    }

    /// Reports that the caller cancelled the request.
    pub fn cancelled(&mut self, now: f64) -> Result<u32, JsValue> {
        self.handle(RequestEvent::Cancelled, now)
    }

    /// Classifies an error and returns the classification as a number.
    #[wasm_bindgen(js_name = classifyError)]
    pub fn classify_error(&mut self, failure: EngineFailure) -> f64 {
        self.classify(FailedAttempt::Error(failure.0))
    }

    /// Stores a classification of the host, and returns the number of the resulting classification.
    #[wasm_bindgen(js_name = classifyKnown)]
    pub fn classify_known(&mut self, info: f64) -> f64 {
        self.classify(FailedAttempt::Classified(unpack(info)))
    }

    /// Classifies a response that a policy did not accept, and returns the classification as a number.
    #[wasm_bindgen(js_name = classifyResponse)]
    pub fn classify_response(&mut self) -> f64 {
        self.classify(FailedAttempt::Response)
    }

    /// The number of the newest attempt; 0 before the first one.
    #[wasm_bindgen(getter)]
    pub fn attempt(&self) -> f64 {
        self.request.attempts() as f64
    }

    /// The deadline of a call in milliseconds; infinite if nothing limits the call.
    #[wasm_bindgen(getter, js_name = deadlineMs)]
    pub fn deadline_ms(&self) -> f64 {
        self.times().deadline_ms
    }

    /// The end of a pause in milliseconds.
    #[wasm_bindgen(getter, js_name = untilMs)]
    pub fn until_ms(&self) -> f64 {
        self.times().until_ms
    }

    /// Returns the code and the message of the reason for ending the request; `undefined` before the end and after a
    /// success.
    pub fn end(&self) -> JsValue {
        let end = match &self.step {
            Some(RequestStep::Done(report)) => report.end.as_ref(),
            _ => None,
        };
        object(&end.map(|end| (end.code(), end.to_string())))
    }
}

impl EngineRequest {
    fn from_request(request: Request) -> Self {
        Self {
            request,
            step: None,
            failure: FailureInfo::default().into(),
        }
    }

    fn classify(&mut self, failure: FailedAttempt<'_>) -> f64 {
        self.failure = self.request.classify(failure);
        pack(&self.failure)
    }

    fn handle_decision(
        &mut self,
        decision: Result<Duration, RetryRefusal>,
        now: f64,
    ) -> Result<u32, JsValue> {
        self.advance(now, |request, failure, now| {
            request.handle(RequestEvent::Decided(failure, decision), now)
        })
    }

    fn handle(&mut self, event: RequestEvent<'_>, now: f64) -> Result<u32, JsValue> {
        self.advance(now, |request, _, now| request.handle(event, now))
    }

    fn advance(
        &mut self,
        now: f64,
        advance: impl FnOnce(&mut Request, &Classified, u64) -> Result<RequestStep, StateError>,
    ) -> Result<u32, JsValue> {
        let step = step::advance(now, |now| advance(&mut self.request, &self.failure, now))?;
        Ok(Times::from(&*self.step.insert(step)).number)
    }

    fn times(&self) -> Times {
        self.step.as_ref().map_or(Times::DONE, Times::from)
    }
}

impl From<&RequestStep> for Times {
    fn from(step: &RequestStep) -> Self {
        match *step {
            RequestStep::Call {
                attempt,
                deadline_ms,
            } => Self::of_call(attempt, deadline_ms),
            RequestStep::Sleep { until_ms } => Self::of_sleep(until_ms),
            RequestStep::Done(_) => Self::DONE,
        }
    }
}

/// Converts a delay in seconds, which the host has validated. A delay that exceeds the range of `Duration` is the
/// longest one.
fn pause(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}
