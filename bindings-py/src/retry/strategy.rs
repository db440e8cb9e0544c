//! The standard strategy, and its tokens.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::internal::{FromHost, seed};
use smithy_waiters::retry::{self, RetryOptions, RetryStrategy as _, RetryToken as _, TokenError};

use crate::error;
use crate::options;
use crate::pickle;
use crate::repr;

use super::info::FailureInfo;
use super::quota::{NOT_PICKLED, RetryQuota};

/// Exponential backoff with full jitter, paid from a quota: the specification's example, each value yours to
/// choose.
///
/// One strategy serves all requests of a client, from any thread. Deciding never sleeps: a token tells its
/// `delay`. A copy is the same strategy; a pickle is its settings, and begins with a full quota, where it was
/// given none.
///
/// The options are keywords: `preset`, `"specification"` (the default) or `"aws"`, over which the others count;
/// `max_retries` (5), or `max_attempts`, which counts the first one too; `base_delay` (1),
/// `throttling_base_delay` and `max_backoff` (20), or `fixed_delay`; `max_retry_after`, `retry_after_excess`;
/// `capacity` (500), `quota` to share one, or `unlimited=True` for none; `retry_cost` (5), `throttling_cost`
/// (5), `timeout_cost` (10), `success_refund` (1), `refund_cost`; `seed`. Times are seconds or `timedelta`.
/// `smithy_waiters.retry.RetryOptions` tells of each.
///
/// >>> strategy = StandardRetryStrategy(max_retries=2)
/// >>> strategy.acquire_initial_token().delay
/// 0.0
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct StandardRetryStrategy {
    strategy: retry::StandardRetryStrategy,
    /// The quota as the caller has it.
    quota: Option<Py<RetryQuota>>,
    /// What it is made of again; nothing where the quota is the caller's.
    options: Option<Py<PyDict>>,
}

/// The state of one request between its attempts. It is good for one use.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct StandardRetryToken {
    /// How long to wait before the next attempt, in seconds.
    #[pyo3(get)]
    delay: f64,
    /// How many retries were made, the one that it is for included.
    #[pyo3(get)]
    retries: u64,
    /// Empty once it was used.
    token: Mutex<Option<retry::StandardRetryToken>>,
}

#[pymethods]
impl StandardRetryStrategy {
    #[new]
    #[pyo3(signature = (*, quota=None, **options))]
    fn new(
        py: Python<'_>,
        quota: Option<Py<RetryQuota>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let given = options.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy())?;
        let mut options = options::read(
            py,
            Some(&given),
            (RetryOptions::NAMES, &["quota"]),
            |given| RetryOptions::from_host(given),
        )?;
        if let Some(quota) = &quota {
            no_other_quota(&given)?;
            options = options.quota(quota.get().quota());
        }
        let seed = seed(&options).map_err(error::options)?;
        let strategy = retry::StandardRetryStrategy::new(&options, seed);
        let strategy = strategy.map_err(error::options)?;
        let options = quota.is_none().then(|| given.unbind());
        let shown = strategy.quota().cloned().map(RetryQuota::of);
        let quota = match (quota, shown) {
            (None, Some(own)) => Some(Py::new(py, own)?),
            (quota, _) => quota,
        };
        Ok(Self {
            strategy,
            quota,
            options,
        })
    }

    /// What its retries are paid from; `None` where they are free.
    #[getter]
    fn quota(&self, py: Python<'_>) -> Option<Py<RetryQuota>> {
        self.quota.as_ref().map(|quota| quota.clone_ref(py))
    }

    /// How often a request is made again, at most.
    #[getter]
    fn max_retries(&self) -> u64 {
        self.strategy.max_retries()
    }

    /// The token of a request, before its first attempt.
    fn acquire_initial_token(&self) -> PyResult<StandardRetryToken> {
        let token = self.strategy.acquire_initial_token();
        token.map(Into::into).map_err(error::refusal)
    }

    /// The token of the next attempt, after one that failed.
    ///
    /// Raises `RetryRefusal` where there is none: the request has failed with the error of its attempt. Raises
    /// `TokenError` for a token that was used before, or that is another strategy's.
    fn refresh_retry_token(
        &self,
        token: &Bound<'_, PyAny>,
        failure: &Bound<'_, FailureInfo>,
    ) -> PyResult<StandardRetryToken> {
        let token = self.take(token)?;
        let refreshed = self
            .strategy
            .refresh_retry_token(token, failure.get().info());
        refreshed.map(Into::into).map_err(error::refresh)
    }

    /// Takes the token back after an attempt that succeeded. Raises `TokenError` as `refresh_retry_token` does.
    fn record_success(&self, token: &Bound<'_, PyAny>) -> PyResult<()> {
        let recorded = self.strategy.record_success(self.take(token)?);
        recorded.map_err(error::token)
    }

    /// Takes the token back of an attempt that is not made: what it took returns to the quota.
    ///
    /// Raises `TokenError` as `refresh_retry_token` does.
    fn release_token(&self, token: &Bound<'_, PyAny>) -> PyResult<()> {
        self.strategy.release_token(self.take(token)?);
        Ok(())
    }

    /// It is the same strategy, with the same quota.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// Its settings: what comes out of a pickle begins with a full quota.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Some(options) = &slf.get().options else {
            return Err(PyTypeError::new_err(NOT_PICKLED));
        };
        pickle::reduce_with_keywords(slf, options.bind(slf.py()))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &[], &["max_retries", "quota"])
    }
}

impl StandardRetryStrategy {
    pub(super) const fn strategy(&self) -> &retry::StandardRetryStrategy {
        &self.strategy
    }

    /// Takes a token out of its cell, if it is this strategy's.
    fn take(&self, given: &Bound<'_, PyAny>) -> PyResult<retry::StandardRetryToken> {
        let foreign = || error::token(TokenError::Foreign);
        let given = given.cast::<StandardRetryToken>().map_err(|_| foreign())?;
        // No code that could panic runs under the lock.
        let mut token = given
            .get()
            .token
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_own = token.as_ref().map(|token| self.strategy.issued(token));
        if is_own == Some(false) {
            return Err(foreign());
        }
        token.take().ok_or_else(|| error::token(TokenError::Used))
    }
}

#[pymethods]
impl StandardRetryToken {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &[], &["delay", "retries"])
    }
}

impl From<retry::StandardRetryToken> for StandardRetryToken {
    fn from(token: retry::StandardRetryToken) -> Self {
        Self {
            delay: token.delay().as_secs_f64(),
            retries: token.retries(),
            token: Mutex::new(Some(token)),
        }
    }
}

/// A quota that is shared has its capacity already.
fn no_other_quota(options: &Bound<'_, PyDict>) -> PyResult<()> {
    for option in ["capacity", "unlimited"] {
        let given = options.get_item(option)?;
        if given.is_some_and(|given| !given.is_none()) {
            let message = format!("`quota` and `{option}` exclude each other");
            return Err(error::option_error("conflicting_options", option, message));
        }
    }
    Ok(())
}
