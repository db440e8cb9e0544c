//! Requests and their retries.
//!
//! Steps are numbers, and their times are getters.

use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::{
    Classified, FailedAttempt, FailureInfo, Request, RequestEvent, RequestOptions, RequestStep,
    RetryRefusal,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{ACQUIRE, RECORD, REFRESH, RELEASE};
use crate::error::Refusal;
use crate::failure::{EngineFailure, classification};
use crate::object::object;
use crate::operation::EngineOperation;
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
    /// Creates a request.
    #[wasm_bindgen(constructor)]
    pub fn new(options: EngineRequestOptions) -> Self {
        Self {
            request: Request::new(options.0),
            step: None,
            failure: FailureInfo::default().into(),
        }
    }

    /// Returns the step that is due.
    pub fn poll(&mut self, now: f64) -> Result<u32, JsValue> {
        let step = step::advance(now, |now| Ok(self.request.poll(now)))?;
        Ok(self.store(step))
    }

    /// Reports that the attempt succeeded.
    pub fn succeeded(&mut self, now: f64) -> Result<u32, JsValue> {
        self.handle(RequestEvent::Success, now)
    }

    /// Reports that the attempt failed and that a policy does not allow another one.
    pub fn failed(&mut self, now: f64) -> Result<u32, JsValue> {
        self.handle(RequestEvent::Failure, now)
    }

    /// Reports that the attempt failed as classified last, and that the strategy decides about another one.
    pub fn retry(&mut self, now: f64) -> Result<u32, JsValue> {
        let failure = self.failure;
        self.handle(RequestEvent::Retry(&failure), now)
    }

    /// Reports that the strategy issued a token, whose delay in seconds is in a slot.
    pub fn issued(&mut self, delay: u32, now: f64) -> Result<u32, JsValue> {
        let delay = Handle::from_slot(delay);
        let step = step::advance(now, |now| self.request.handle_host_token(&delay, now))?;
        Ok(self.store(step.map_err(Refusal::from)?))
    }

    /// Reports that the strategy refused a token.
    pub fn refused(&mut self, code: String, message: String, now: f64) -> Result<u32, JsValue> {
        let refusal = RetryRefusal::from_host(code, message);
        self.handle(RequestEvent::Refused(refusal.into()), now)
    }

    /// Reports that the strategy took the token back.
    pub fn returned(&mut self, now: f64) -> Result<u32, JsValue> {
        self.handle(RequestEvent::Returned, now)
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

    /// Classifies an error and returns the classification.
    #[wasm_bindgen(js_name = classifyError)]
    pub fn classify_error(&mut self, failure: EngineFailure) -> JsValue {
        self.classify(FailedAttempt::Error(failure.failure()))
    }

    /// Returns the classification after a classification of the host, which is in a slot. Throws a refusal.
    #[wasm_bindgen(js_name = classifyKnown)]
    pub fn classify_known(&mut self, info: u32) -> Result<JsValue, JsValue> {
        let info = FailureInfo::from_host(&Handle::from_slot(info)).map_err(Refusal::from)?;
        Ok(self.classify(FailedAttempt::Classified(info)))
    }

    /// Classifies a response that a policy did not accept, and returns the classification.
    #[wasm_bindgen(js_name = classifyResponse)]
    pub fn classify_response(&mut self) -> JsValue {
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
    fn classify(&mut self, failure: FailedAttempt<'_>) -> JsValue {
        self.failure = self.request.classify(failure);
        classification(&self.failure)
    }

    fn handle(&mut self, event: RequestEvent<'_>, now: f64) -> Result<u32, JsValue> {
        let step = step::advance(now, |now| self.request.handle(event, now))?;
        Ok(self.store(step))
    }

    fn store(&mut self, step: RequestStep) -> u32 {
        Times::from(&*self.step.insert(step)).number
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
            RequestStep::Acquire => Self::of_strategy(ACQUIRE),
            RequestStep::Refresh(_) => Self::of_strategy(REFRESH),
            RequestStep::Record => Self::of_strategy(RECORD),
            RequestStep::Release => Self::of_strategy(RELEASE),
        }
    }
}
