//! Retries. A token is three numbers, what is known of a failure is one: no text crosses where a retry is granted.

use std::cell::{Cell, RefCell};
use std::time::{Duration, UNIX_EPOCH};

use smithy_waiters::OptionsError;
use smithy_waiters::json::array;
use smithy_waiters::retry::{
    Classified, ErrorFault, FailureInfo, Modeled, RefreshError, RequestFailure, RetryInfo,
    RetryNote, RetryOptions, RetryQuota, RetryRefusal, RetrySafety, RetryStrategy, RetryToken,
    StandardRetryStrategy, TokenError, TokenParts, Transport,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::delay::milliseconds;
use crate::error::Refusal;
use crate::value::Handle;

/// A quota.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryQuota(RetryQuota);

#[wasm_bindgen]
impl EngineRetryQuota {
    /// A full quota, from the options in a slot. Throws the JSON text of a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32) -> Result<Self, JsValue> {
        let quota = given(options, RetryQuota::from_host);
        Ok(Self(quota.map_err(Refusal::from)?))
    }

    /// What it holds when it is full.
    pub fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    /// What it holds now.
    pub fn available(&self) -> u32 {
        self.0.available()
    }
}

/// A strategy, and what it has decided last.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryStrategy {
    pub(crate) strategy: StandardRetryStrategy,
    paid: Cell<u32>,
    refused: RefCell<Option<RetryRefusal>>,
}

#[wasm_bindgen]
impl EngineRetryStrategy {
    /// A strategy with a quota of its own, from the options in a slot. Throws the JSON text of a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32, seed: f64) -> Result<Self, JsValue> {
        Self::of(options, seed, |options| options)
    }

    /// The same with a quota that others use too.
    #[wasm_bindgen(js_name = sharing)]
    pub fn sharing(quota: &EngineRetryQuota, options: u32, seed: f64) -> Result<Self, JsValue> {
        Self::of(options, seed, |options| options.quota(&quota.0))
    }

    /// What its retries are paid from.
    pub fn quota(&self) -> Option<EngineRetryQuota> {
        self.strategy.quota().cloned().map(EngineRetryQuota)
    }

    /// How often a request is made again, at most.
    #[wasm_bindgen(js_name = maxRetries)]
    pub fn max_retries(&self) -> f64 {
        self.strategy.max_retries() as f64
    }

    /// The number of a request that begins.
    pub fn acquire(&self) -> f64 {
        let token = self.strategy.acquire_initial_token();
        token.map_or(0.0, |token| token.into_parts().request as f64)
    }

    /// The milliseconds before the next attempt, below 0 where there is none; `paid` and `refusal` have the rest.
    pub fn refresh(&self, request: f64, retries: f64, failure: f64) -> f64 {
        let parts = TokenParts {
            request: request as u64,
            retries: retries as u64,
            paid: 0,
        };
        let token = self.strategy.token(parts);
        match self.strategy.refresh_retry_token(token, &unpack(failure)) {
            Ok(token) => {
                let delay = token.delay();
                self.paid.set(token.into_parts().paid);
                milliseconds(delay) as f64
            }
            // The token is its own: only the strategy's no is left.
            Err(RefreshError::Token(_)) => -1.0,
            Err(RefreshError::Refused(refused)) => {
                self.refused.replace(Some(refused));
                -1.0
            }
        }
    }

    /// What the retry cost that was granted last.
    pub fn paid(&self) -> u32 {
        self.paid.get()
    }

    /// Why the last one was not granted: its code and its message, as JSON text.
    pub fn refusal(&self) -> String {
        match &*self.refused.borrow() {
            Some(refused) => told(refused.code(), &refused.to_string()),
            None => "null".to_owned(),
        }
    }

    /// Takes a token back after a success, or where its attempt is not made.
    #[wasm_bindgen(js_name = takeBack)]
    pub fn take_back(&self, retries: f64, paid: u32, made: bool) {
        let parts = TokenParts {
            retries: retries as u64,
            paid,
            ..TokenParts::default()
        };
        let token = self.strategy.token(parts);
        if made {
            // The token is its own: nothing to refuse.
            let _ = self.strategy.record_success(token);
        } else {
            self.strategy.release_token(token);
        }
    }
}

impl EngineRetryStrategy {
    fn of(
        options: u32,
        seed: f64,
        with: impl FnOnce(RetryOptions) -> RetryOptions,
    ) -> Result<Self, JsValue> {
        let strategy = given(options, RetryOptions::from_host).and_then(|options| {
            let seed = options.given_seed().unwrap_or(seed as u64);
            StandardRetryStrategy::new(&with(options), seed)
        });
        Ok(Self {
            strategy: strategy.map_err(Refusal::from)?,
            paid: Cell::new(0),
            refused: RefCell::new(None),
        })
    }
}

/// What a failure means for a retry, packed: of its code (empty for none), status (0 for none), headers, the time now in
/// milliseconds since 1970 (below 0 if it is not known), and the flags below: what its model says, what became of the
/// connection, whether the request may be repeated.
#[wasm_bindgen]
pub fn classify(
    code: &str,
    status: u32,
    retry_after: Option<String>,
    amz_retry_after: Option<String>,
    now: f64,
    flags: u32,
) -> f64 {
    let failure = described(code, status, retry_after, amz_retry_after, now, flags);
    pack(&failure.classify())
}

/// The failure that the parts of `classify` describe.
pub(crate) fn described(
    code: &str,
    status: u32,
    retry_after: Option<String>,
    amz_retry_after: Option<String>,
    now: f64,
    flags: u32,
) -> RequestFailure<'_> {
    let mut failure = RequestFailure::default().idempotent(flags & IDEMPOTENT != 0);
    let now = (now >= 0.0).then(|| UNIX_EPOCH.checked_add(Duration::from_millis(now as u64)));
    if let Some(now) = now.flatten() {
        failure = failure.now(now);
    }
    if !code.is_empty() {
        failure = failure.code(code);
    }
    if status > 0 {
        failure = failure.status(u16::try_from(status).unwrap_or(u16::MAX));
    }
    if let Some(header) = retry_after {
        failure = failure.retry_after(header);
    }
    if let Some(header) = amz_retry_after {
        failure = failure.amz_retry_after(header);
    }
    failure = match flags & (CONNECTION | TIMED_OUT) {
        CONNECTION => failure.transport(Transport::Connection),
        TIMED_OUT => failure.transport(Transport::Timeout),
        _ => failure,
    };
    match fault(flags) {
        Some(fault) => failure.modeled(Modeled {
            fault,
            retryable: flags & RETRYABLE != 0,
            throttling: flags & THROTTLING != 0,
        }),
        None => failure,
    }
}

/// The code and the message of a note of `classify`, of a token that a strategy does not take back, or of a strategy without
/// retries, as JSON text.
#[wasm_bindgen(js_name = retryText)]
pub fn retry_text(number: u32) -> String {
    let note = |note: RetryNote| told(note.code(), &note.to_string());
    let token = |error: TokenError| told(error.code(), &error.to_string());
    match number {
        1 => note(RetryNote::NoClock),
        2 => note(RetryNote::NoMilliseconds),
        3 => note(RetryNote::NoSecondsOrDate),
        4 => note(RetryNote::NotIdempotent),
        5 => token(TokenError::Foreign),
        6 => token(TokenError::Used),
        _ => {
            let refusal = RetryRefusal::max_retries(0);
            told(refusal.code(), &refusal.to_string())
        }
    }
}

fn told(code: &str, message: &str) -> String {
    array(&mut [code.into(), message.into()].into_iter())
}

fn given<T>(
    options: u32,
    read: impl FnOnce(Handle<'static>) -> Result<T, OptionsError>,
) -> Result<T, OptionsError> {
    read(Handle::of(options))
}

/// What a model says of an error (its fault, and two flags), and what a host knows beside it: `npm/src/failure-info.ts` has
/// the same.
const RETRYABLE: u32 = 4;
const THROTTLING: u32 = 8;
const CONNECTION: u32 = 16;
const TIMED_OUT: u32 = 32;
const IDEMPOTENT: u32 = 64;

pub(crate) const fn pack_modeled(modeled: Modeled) -> u32 {
    fault_number(Some(modeled.fault))
        | if modeled.retryable { RETRYABLE } else { 0 }
        | if modeled.throttling { THROTTLING } else { 0 }
}

/// The parts of what is known of a failure: `npm/src/failure-info.ts` has the same. Above them, the milliseconds that the
/// service asks for.
const SAFETY: u64 = 3;
const THROTTLE: u64 = 4;
const TIMEOUT: u64 = 8;
const FAULT_SHIFT: u32 = 4;
const NOTE_SHIFT: u32 = 6;
const HAS_RETRY_AFTER: u64 = 1 << 9;
const RETRY_AFTER_SHIFT: u32 = 10;

pub(crate) fn pack(classified: &Classified) -> f64 {
    let Classified {
        info,
        note,
        not_idempotent,
        ..
    } = classified;
    let mut packed = u64::from(fault_number(info.fault)) << FAULT_SHIFT;
    let note = match note {
        Some(RetryNote::NoClock) => 1,
        Some(RetryNote::NoMilliseconds) => 2,
        Some(RetryNote::NoSecondsOrDate) => 3,
        _ => 0_u64,
    };
    packed |= (note | u64::from(*not_idempotent) << 2) << NOTE_SHIFT;
    if let Some(retry) = &info.retry {
        packed |= match retry.safety {
            RetrySafety::Yes => 1,
            RetrySafety::No => 2,
            RetrySafety::Maybe => 3,
        };
        packed |= if retry.throttle { THROTTLE } else { 0 };
        packed |= if retry.timeout { TIMEOUT } else { 0 };
        if let Some(after) = retry.retry_after {
            // At most ten years: the number is exact.
            packed |= HAS_RETRY_AFTER | milliseconds(after) << RETRY_AFTER_SHIFT;
        }
    }
    packed as f64
}

pub(crate) fn unpack(packed: f64) -> FailureInfo {
    let packed = packed as u64;
    let safety = match packed & SAFETY {
        0 => None,
        1 => Some(RetrySafety::Yes),
        2 => Some(RetrySafety::No),
        _ => Some(RetrySafety::Maybe),
    };
    let after = Duration::from_millis(packed >> RETRY_AFTER_SHIFT);
    FailureInfo {
        retry: safety.map(|safety| RetryInfo {
            safety,
            throttle: packed & THROTTLE != 0,
            timeout: packed & TIMEOUT != 0,
            retry_after: (packed & HAS_RETRY_AFTER != 0).then_some(after),
        }),
        fault: fault((packed >> FAULT_SHIFT) as u32),
    }
}

const fn fault_number(fault: Option<ErrorFault>) -> u32 {
    match fault {
        None => 0,
        Some(ErrorFault::Client) => 1,
        Some(ErrorFault::Server) => 2,
        Some(ErrorFault::Other) => 3,
    }
}

const fn fault(packed: u32) -> Option<ErrorFault> {
    match packed & 3 {
        0 => None,
        1 => Some(ErrorFault::Client),
        2 => Some(ErrorFault::Server),
        _ => Some(ErrorFault::Other),
    }
}
