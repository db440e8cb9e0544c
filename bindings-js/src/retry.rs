//! Retry strategies and quotas.

use smithy_waiters::internal::{FromHost, seed};
use smithy_waiters::retry::{
    FailureInfo, HostToken, RefreshError, RetryOptions, RetryQuota, RetryRefusal, RetryStrategy,
    RetryToken, StandardRetryStrategy, StandardRetryToken, TokenError,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::value::Handle;

/// A quota for retries.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryQuota(RetryQuota);

#[wasm_bindgen]
impl EngineRetryQuota {
    /// Creates a full quota from the options in a slot. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32) -> Result<Self, JsValue> {
        let quota = RetryQuota::from_host(Handle::from_slot(options));
        Ok(Self(quota.map_err(Refusal::from)?))
    }

    /// Returns another handle of the quota. The constructor of a strategy consumes its argument.
    pub fn share(&self) -> Self {
        Self(self.0.clone())
    }

    /// Returns the amount in the full quota.
    pub fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    /// Returns the amount that is available now.
    pub fn available(&self) -> u32 {
        self.0.available()
    }
}

/// A strategy.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryStrategy(StandardRetryStrategy);

/// A token of a strategy. A function of the strategy that receives it uses it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryToken {
    token: HostToken,
    delay: f64,
    retries: f64,
}

/// The functions throw a refusal.
#[wasm_bindgen]
impl EngineRetryStrategy {
    /// Creates a strategy from the options in a slot and an optional shared quota.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32, quota: Option<EngineRetryQuota>) -> Result<Self, JsValue> {
        let options = Handle::from_slot(options);
        let options = match &quota {
            Some(quota) => RetryOptions::from_host_sharing(options, &quota.0),
            None => RetryOptions::from_host(options),
        };
        let options = options.map_err(Refusal::from)?;
        let seed = seed(&options).map_err(Refusal::from)?;
        let strategy = StandardRetryStrategy::new(&options, seed).map_err(Refusal::from)?;
        Ok(Self(strategy))
    }

    /// Checks that the options in a slot, which the caller passes beside a strategy, are absent. Throws a refusal.
    #[wasm_bindgen(js_name = checkNoOptions)]
    pub fn check_no_options(options: u32) -> Result<(), JsValue> {
        let checked = RetryOptions::check_no_options(Handle::from_slot(options));
        Ok(checked.map_err(Refusal::from)?)
    }

    /// Returns the strategy's quota, if it has one.
    pub fn quota(&self) -> Option<EngineRetryQuota> {
        self.0.quota().cloned().map(EngineRetryQuota)
    }

    /// Returns the maximum number of retries of a request.
    #[wasm_bindgen(js_name = maxRetries)]
    pub fn max_retries(&self) -> f64 {
        self.0.max_retries() as f64
    }

    /// Returns the token of a request before its first attempt.
    pub fn acquire(&self) -> Result<EngineRetryToken, JsValue> {
        let token = self.0.acquire_initial_token();
        Ok(token
            .map_err(RefreshError::from)
            .map_err(Refusal::from)?
            .into())
    }

    /// Returns the token of the next attempt. The classification of the failure is in a slot.
    pub fn refresh(
        &self,
        token: &EngineRetryToken,
        failure: u32,
    ) -> Result<EngineRetryToken, JsValue> {
        let failure = FailureInfo::from_host(&Handle::from_slot(failure)).map_err(Refusal::from)?;
        let token = self.take(token)?;
        let token = self.0.refresh_retry_token(token, &failure);
        Ok(token.map_err(Refusal::from)?.into())
    }

    /// Records the success of an attempt, which has the token.
    #[wasm_bindgen(js_name = recordSuccess)]
    pub fn record_success(&self, token: &EngineRetryToken) -> Result<(), JsValue> {
        let recorded = self.0.record_success(self.take(token)?);
        Ok(recorded.map_err(Refusal::from)?)
    }

    /// Releases the token of an attempt that is not made.
    pub fn release(&self, token: &EngineRetryToken) -> Result<(), JsValue> {
        self.0.release_token(self.take(token)?);
        Ok(())
    }
}

impl EngineRetryStrategy {
    fn take(&self, token: &EngineRetryToken) -> Result<StandardRetryToken, JsValue> {
        let token = token.token.take(&self.0);
        Ok(token.map_err(Refusal::from)?)
    }
}

#[wasm_bindgen]
impl EngineRetryToken {
    /// The delay before the attempt, in seconds.
    #[wasm_bindgen(getter)]
    pub fn delay(&self) -> f64 {
        self.delay
    }

    /// The number of retries, including the one that the token is for.
    #[wasm_bindgen(getter)]
    pub fn retries(&self) -> f64 {
        self.retries
    }
}

impl From<StandardRetryToken> for EngineRetryToken {
    fn from(token: StandardRetryToken) -> Self {
        Self {
            delay: token.delay().as_secs_f64(),
            retries: token.retries() as f64,
            token: HostToken::new(token),
        }
    }
}

/// Returns the message of the error or the refusal of a strategy without retries, by its code.
#[wasm_bindgen(js_name = retryText)]
#[must_use]
pub fn retry_text(code: &str) -> String {
    if code == TokenError::Foreign.code() {
        return TokenError::Foreign.to_string();
    }
    RetryRefusal::max_retries(0).to_string()
}
