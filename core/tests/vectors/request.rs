//! Runs the vectors for requests with retries, with a scripted service, the driver and a virtual clock.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::driver::{
    AcceptorRetryPolicy, OperationError, Retry, RetryError, RetryProgress,
};
use smithy_waiters::operation::Operation;
use smithy_waiters::retry::{
    FailureInfo, RefreshError, RetryQuota, RetryRefusal, RetryStrategy, RetryToken, TokenError,
};

use crate::file::Vector;
use crate::kinds::{self, millis};
use crate::retry;
use crate::service::{CallResult, Failed, Service};
use crate::values::HostValue;

/// The current time of every vector, for dates in `Retry-After`: 1994-11-06T08:49:07Z.
const DATE: f64 = 784_111_747.0;

pub(crate) fn run(vector: &Vector) -> Json {
    if let Some(tokens) = vector.find("tokens").and_then(Json::as_array) {
        let strategy = ScriptedStrategy {
            tokens,
            issued: Cell::new(0),
            calls: RefCell::default(),
        };
        let mut result = run_with(vector, &strategy);
        result["strategy"] = strategy.calls.into_inner().into();
        return result;
    }
    let strategy = retry::strategy_of(vector);
    let mut result = run_with(vector, &strategy);
    result["available"] = strategy.quota().map(RetryQuota::available).into();
    result
}

/// A custom strategy, which issues the tokens of a script and records its calls.
struct ScriptedStrategy<'v> {
    tokens: &'v [Json],
    issued: Cell<usize>,
    calls: RefCell<Vec<Json>>,
}

/// The number of a token, and its delay.
struct ScriptedToken(usize, Duration);

impl ScriptedStrategy<'_> {
    fn record(&self, call: &str, token: Option<ScriptedToken>) {
        let token = token.map(|token| token.0);
        let call = json!({"call": call, "token": token});
        self.calls.borrow_mut().push(call);
    }

    fn issue(&self) -> Result<ScriptedToken, RetryRefusal> {
        let number = self.issued.replace(self.issued.get() + 1);
        match self.tokens[number].get("delay") {
            Some(delay) => Ok(ScriptedToken(
                number,
                Duration::from_secs_f64(delay.as_f64().unwrap()),
            )),
            None => Err(retry::refusal(&self.tokens[number]["refused"])),
        }
    }
}

impl RetryToken for ScriptedToken {
    fn delay(&self) -> Duration {
        self.1
    }
}

impl RetryStrategy for ScriptedStrategy<'_> {
    type Token = ScriptedToken;

    fn acquire_initial_token(&self) -> Result<ScriptedToken, RetryRefusal> {
        self.record("acquire", None);
        self.issue()
    }

    fn refresh_retry_token(
        &self,
        token: ScriptedToken,
        _: &FailureInfo,
    ) -> Result<ScriptedToken, RefreshError> {
        self.record("refresh", Some(token));
        Ok(self.issue()?)
    }

    fn record_success(&self, token: ScriptedToken) -> Result<(), TokenError> {
        self.record("record", Some(token));
        Ok(())
    }

    fn release_token(&self, token: ScriptedToken) {
        self.record("release", Some(token));
    }
}

fn run_with<S: RetryStrategy>(vector: &Vector, strategy: &S) -> Json {
    let service = Service::new(vector);
    let failures = RefCell::new(Vec::new());
    let mut driver = Retry::new(strategy, &service.time)
        .cancelled_by(&service.token)
        .date(|| Some(retry::date(DATE)))
        .on_failure(|progress| failures.borrow_mut().push(shown(&progress)));
    if let Some(idempotent) = vector.find("idempotent").and_then(Json::as_bool) {
        driver = driver.idempotent(idempotent);
    }
    if let Some(operation) = vector.find("operation").and_then(Json::as_str) {
        let operation = Operation::from_model_value(&vector.model(), operation, None).unwrap();
        driver = driver.operation(&operation, kinds::input(vector));
    }
    if let Some(max_time) = vector.find("maxTime") {
        driver = driver.max_time(Duration::from_secs_f64(max_time.as_f64().unwrap()));
    }
    let mut result = if vector.find("definition").is_some() {
        let waiter = kinds::waiter(vector);
        let policy = AcceptorRetryPolicy::new(&waiter).input(kinds::input(vector));
        let call = driver.call_by(&policy, |attempt| service.call(attempt));
        service
            .run(call)
            .map_or_else(|end| failed(&end, end.response), ended)
    } else {
        let result = service.run(driver.call(|attempt| service.call(attempt)));
        result.map_or_else(|end| failed(&end, None), |response| ended(Ok(response)))
    };
    service.add_to(&mut result);
    result["failures"] = failures.into_inner().into();
    result["available"] = Json::Null;
    result
}

fn shown(progress: &RetryProgress<'_>) -> Json {
    let (delay, end) = (progress.next.ok(), progress.next.err());
    let error = progress.error.and_then(OperationError::as_error);
    json!({
        "attempt": progress.attempt,
        "error": error.map(ToString::to_string),
        "delayMs": delay.map(millis),
        "end": end.map(|end| end.code()),
        "reason": end.map(|end| end.to_string()),
        "note": progress.note.map(|note| note.code()),
        "elapsedMs": millis(progress.elapsed),
    })
}

fn ended(result: CallResult) -> Json {
    match result {
        Ok(response) => json!({"response": response.to_json()}),
        Err(error) => json!({"error": error.message}),
    }
}

fn failed<T>(end: &RetryError<Failed, T>, response: Option<&'static HostValue>) -> Json {
    let RetryError {
        error,
        attempts,
        end,
        ..
    } = end;
    json!({"failed": {
        "code": end.code(), "message": end.to_string(), "attempts": attempts,
        "error": error.as_ref().map(|error| &error.message), "response": response.map(HostValue::to_json),
    }})
}
