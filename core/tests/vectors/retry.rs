//! Runs the vectors for retry strategies and the classification of failures.

use std::collections::BTreeMap;
use std::iter;
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value as Json, json};
use smithy_waiters::OptionsError;
use smithy_waiters::internal::{CauseChain, FromHost, Seeded};
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{
    Classified, FailureInfo, HostToken, RefreshError, RequestFailure, RetryOptions, RetryQuota,
    RetryRefusal, RetryStrategy, RetryToken, StandardRetryStrategy, StandardRetryToken, TokenError,
    Transport,
};

use crate::file::Vector;
use crate::kinds::millis;
use crate::results;
use crate::values::{HostValue, number_to_json};

/// Executes the commands of a vector with the strategies and tokens that it names.
pub(crate) fn run(vector: &Vector) -> Json {
    let strategies = match strategies(vector) {
        Ok(strategies) => strategies,
        Err(error) => return results::options_error(&error),
    };
    let mut tokens = BTreeMap::new();
    let commands = vector.list("commands").iter();
    commands
        .map(|command| take(&strategies, &mut tokens, command))
        .collect()
}

type Strategies = BTreeMap<String, StandardRetryStrategy>;
type Tokens = BTreeMap<String, HostToken>;

fn strategies(vector: &Vector) -> Result<Strategies, OptionsError> {
    let empty = Map::new();
    let quotas = vector.find("quotas").and_then(Json::as_object);
    let quotas = quotas.unwrap_or(&empty).iter().map(|(name, quota)| {
        let quota = RetryQuota::from_host(HostValue::new(quota))?;
        Ok((name.clone(), quota))
    });
    let quotas: BTreeMap<String, RetryQuota> = quotas.collect::<Result<_, OptionsError>>()?;
    let strategies = vector.json()["strategies"].as_object().unwrap().iter();
    strategies
        .map(|(name, options)| Ok((name.clone(), strategy(options, &quotas)?)))
        .collect()
}

/// Creates a strategy with options, which may name a shared quota.
fn strategy(
    options: &Json,
    quotas: &BTreeMap<String, RetryQuota>,
) -> Result<StandardRetryStrategy, OptionsError> {
    let mut options = options.as_object().unwrap().clone();
    let quota = options.remove("quota");
    let options = options.into();
    let options = HostValue::new(&options);
    let options = match quota {
        Some(name) => RetryOptions::from_host_sharing(options, &quotas[name.as_str().unwrap()])?,
        None => RetryOptions::from_host(options)?,
    };
    StandardRetryStrategy::new(&options, options.seed_option().unwrap_or(0))
}

pub(crate) fn strategy_of(vector: &Vector) -> StandardRetryStrategy {
    strategy(&vector.json()["retry"], &BTreeMap::new()).unwrap()
}

fn take(strategies: &Strategies, tokens: &mut Tokens, command: &Json) -> Json {
    let strategy = &strategies[command["by"].as_str().unwrap()];
    let name = |member: &str| Some(command.get(member)?.as_str().unwrap().to_owned());
    let mut result = if let Some(token) = name("acquire") {
        let acquired = strategy.acquire_initial_token().map_err(Into::into);
        shown(tokens, token, acquired)
    } else if let Some(token) = name("refresh") {
        match info(&command["failure"]) {
            Ok(info) => {
                let given = tokens[&token].take(strategy).map_err(Into::into);
                let refreshed = given.and_then(|given| strategy.refresh_retry_token(given, &info));
                shown(tokens, name("as").unwrap_or(token), refreshed)
            }
            Err(error) => results::options_error(&error),
        }
    } else {
        let given = tokens[&name("success").unwrap()].take(strategy);
        match given.and_then(|given| strategy.record_success(given)) {
            Ok(()) => json!({}),
            Err(error) => token_error(&error),
        }
    };
    let available = strategy.quota().map(RetryQuota::available);
    result["available"] = available.into();
    result
}

fn shown(
    tokens: &mut Tokens,
    name: String,
    token: Result<StandardRetryToken, RefreshError>,
) -> Json {
    match token {
        Ok(token) => {
            let shown = json!({"delayMs": millis(token.delay()), "retries": token.retries()});
            tokens.insert(name, HostToken::new(token));
            shown
        }
        Err(RefreshError::Refused(refusal)) => json!({"refused": refused(&refusal)}),
        Err(RefreshError::Token(error)) => token_error(&error),
    }
}

/// Returns the refusal of a custom strategy.
pub(crate) fn refusal(given: &Json) -> RetryRefusal {
    let text = |member: &str| given[member].as_str().unwrap().to_owned();
    RetryRefusal::from_host(text("code"), text("message"))
}

pub(crate) fn refused(refusal: &RetryRefusal) -> Json {
    json!({"code": refusal.code(), "message": refusal.to_string()})
}

fn token_error(error: &TokenError) -> Json {
    json!({"error": {"class": "TokenError", "code": error.code(), "message": error.to_string()}})
}

/// Returns the failure info for a strategy.
fn info(given: &Json) -> Result<FailureInfo, OptionsError> {
    let mut retry = given.as_object().unwrap().clone();
    let fault = retry.remove("fault");
    let retry = retry.contains_key("safety").then_some(retry);
    let info = json!({"retry": retry, "fault": fault});
    FailureInfo::from_host(&HostValue::new(&info))
}

/// Returns the classification of a failure.
pub(crate) fn classify(vector: &Vector) -> Json {
    let idempotent = vector
        .find("idempotent")
        .is_some_and(|flag| flag == &Json::Bool(true));
    let failure = failure(&vector.json()["failure"]).idempotent(idempotent);
    let Classified { info, note, .. } = failure.classify();
    let retry_after = info.retry.and_then(|retry| retry.retry_after);
    json!({
        "safety": info.retry.map(|retry| retry.safety.as_str()),
        "throttle": info.retry.is_some_and(|retry| retry.throttle),
        "timeout": info.retry.is_some_and(|retry| retry.timeout),
        "retryAfter": retry_after.map(|after| number_to_json(after.as_secs_f64())),
        "fault": info.fault.map(ErrorFault::as_str),
        "note": note.map(|note| json!({"code": note.code(), "message": note.to_string()})),
    })
}

/// Returns the description of a failed request: of the error that decides, if it has causes.
pub(crate) fn failure(given: &Json) -> RequestFailure<'static> {
    let errors = iter::successors(Some(given), |error| error.get("cause"));
    let chain: CauseChain<'_> = errors.map(link).collect();
    chain.into_failure().unwrap_or_else(|| link(given))
}

fn link(given: &Json) -> RequestFailure<'static> {
    let text = |name: &str| {
        given
            .get(name)
            .map(|text| text.as_str().unwrap().to_owned())
    };
    let mut failure = RequestFailure::default();
    if let Some(status) = given["status"].as_u64() {
        failure = failure.status(u16::try_from(status).unwrap());
    }
    if let Some(code) = text("code") {
        failure = failure.code(code);
    }
    if let Some(header) = text("retryAfter") {
        failure = failure.retry_after(header);
    }
    if let Some(header) = text("amzRetryAfter") {
        failure = failure.amz_retry_after(header);
    }
    if let Some(now) = given["now"].as_f64() {
        failure = failure.now(date(now));
    }
    if let Some(transport) = text("transport") {
        failure = failure.transport(Transport::from_name(&transport).unwrap());
    }
    match given.get("modeled") {
        Some(modeled) => failure.modeled(self::modeled(modeled)),
        None => failure,
    }
}

pub(crate) fn date(epoch_seconds: f64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs_f64(epoch_seconds)
}

fn modeled(given: &Json) -> ModeledError {
    let flag = |name: &str| {
        given
            .get(name)
            .is_some_and(|flag| flag == &Json::Bool(true))
    };
    ModeledError {
        fault: ErrorFault::from_name(given["fault"].as_str().unwrap()).unwrap(),
        retryable: flag("retryable"),
        throttling: flag("throttling"),
    }
}
