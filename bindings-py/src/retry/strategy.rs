//! The standard retry strategy and its tokens.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::internal::{FromHost, seed};
use smithy_waiters::retry::{
    self, HostToken, RetryOptions, RetryStrategy as _, RetryToken as _, TokenError,
};

use crate::error;
use crate::options;
use crate::pickle;
use crate::repr;

use super::info::FailureInfo;
use super::quota::{NOT_PICKLABLE, RetryQuota};

/// Retry strategy with exponential backoff, full jitter and a retry quota: the example of the specification, with
/// configurable values.
///
/// One strategy serves all requests of a client, from any thread. It never sleeps: the caller sleeps for the `delay`
/// of a token. A copy is the strategy itself. A pickle contains the options, and the unpickled strategy starts with a
/// full quota. A strategy with a shared quota cannot be pickled.
///
/// The options are the keywords of `smithy_waiters.retry.RetryOptions`, and `quota` to share a quota. See the
/// `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy>`_.
///
/// >>> strategy = StandardRetryStrategy(max_retries=2)
/// >>> strategy.acquire_initial_token().delay
/// 0.0
///
/// Raises:
///     OptionsError: An option is unknown or invalid, or conflicts with another one.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct StandardRetryStrategy {
    strategy: retry::StandardRetryStrategy,
    /// The quota of the strategy; `None` if retries are unlimited.
    quota: Option<Py<RetryQuota>>,
    /// The options for a pickle; `None` if the quota is shared.
    options: Option<Py<PyDict>>,
}

/// The state of a request between two attempts. A token can be used once.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct StandardRetryToken {
    /// The delay before the attempt, in seconds.
    #[pyo3(get)]
    delay: f64,
    /// The number of retries, including the one that the token is for.
    #[pyo3(get)]
    retries: u64,
    token: HostToken,
}

#[pymethods]
impl StandardRetryStrategy {
    #[new]
    #[pyo3(signature = (*, quota=None, **options))]
    fn new(
        py: Python<'_>,
        quota: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let quota = quota.map(shared_quota).transpose()?;
        // A copy, because the strategy keeps the options for its pickle.
        let keywords = options.map_or_else(|| Ok(PyDict::new(py)), |options| options.copy())?;
        let options = options::read(
            py,
            Some(&keywords),
            (RetryOptions::NAMES, &["quota"]),
            |options| match &quota {
                Some(quota) => RetryOptions::from_host_sharing(options, quota.get().quota()),
                None => RetryOptions::from_host(options),
            },
        )?;
        let seed = seed(&options).map_err(error::options)?;
        let strategy = retry::StandardRetryStrategy::new(&options, seed);
        let strategy = strategy.map_err(error::options)?;
        let options = quota.is_none().then(|| keywords.unbind());
        let own_quota = strategy.quota().cloned().map(RetryQuota::from_engine);
        let quota = match (quota, own_quota) {
            (None, Some(own)) => Some(Py::new(py, own)?),
            (quota, _) => quota,
        };
        Ok(Self {
            strategy,
            quota,
            options,
        })
    }

    /// The quota of the strategy; `None` if retries are unlimited.
    #[getter]
    fn quota(&self, py: Python<'_>) -> Option<Py<RetryQuota>> {
        self.quota.as_ref().map(|quota| quota.clone_ref(py))
    }

    /// The maximum number of retries of a request.
    #[getter]
    fn max_retries(&self) -> u64 {
        self.strategy.max_retries()
    }

    /// Return the token for the first attempt of a request.
    fn acquire_initial_token(&self) -> PyResult<StandardRetryToken> {
        let token = self.strategy.acquire_initial_token();
        token.map(Into::into).map_err(error::refusal)
    }

    /// Return the token for the next attempt after a failed one.
    ///
    /// Raises:
    ///     RetryRefusal: The request is not retried, and fails with the error of this attempt.
    ///     TokenError: The token was already used or belongs to another strategy.
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

    /// Return the token of a successful attempt, and refill the quota.
    ///
    /// Raises:
    ///     TokenError: The token was already used or belongs to another strategy.
    fn record_success(&self, token: &Bound<'_, PyAny>) -> PyResult<()> {
        let recorded = self.strategy.record_success(self.take(token)?);
        recorded.map_err(error::token)
    }

    /// Return the token of an attempt that is not made, and refund its cost to the quota.
    ///
    /// The specification does not have this operation.
    ///
    /// Raises:
    ///     TokenError: The token was already used or belongs to another strategy.
    fn release_token(&self, token: &Bound<'_, PyAny>) -> PyResult<()> {
        self.strategy.release_token(self.take(token)?);
        Ok(())
    }

    /// Return the strategy itself: a copy shares its quota.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// Return the options, so that the unpickled strategy starts with a full quota.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Some(options) = &slf.get().options else {
            return Err(PyTypeError::new_err(NOT_PICKLABLE));
        };
        pickle::reduce_with_keywords(slf, options.bind(slf.py()))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["max_retries", "quota"])
    }
}

impl StandardRetryStrategy {
    /// Takes the token of the engine, if it belongs to this strategy.
    fn take(&self, object: &Bound<'_, PyAny>) -> PyResult<retry::StandardRetryToken> {
        let foreign = || error::token(TokenError::Foreign);
        let object = object.cast::<StandardRetryToken>().map_err(|_| foreign())?;
        object
            .get()
            .token
            .take(&self.strategy)
            .map_err(error::token)
    }
}

#[pymethods]
impl StandardRetryToken {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["delay", "retries"])
    }
}

impl From<retry::StandardRetryToken> for StandardRetryToken {
    fn from(token: retry::StandardRetryToken) -> Self {
        Self {
            delay: token.delay().as_secs_f64(),
            retries: token.retries(),
            token: HostToken::new(token),
        }
    }
}

fn shared_quota(quota: Bound<'_, PyAny>) -> PyResult<Py<RetryQuota>> {
    let quota = quota.cast_into::<RetryQuota>();
    let quota = quota.map_err(|error| error::must_be("quota", "quota", &error.into_inner(), ""))?;
    Ok(quota.unbind())
}

/// Checks that no option is set beside the caller's strategy.
///
/// Raises:
///     OptionsError: An option is set.
#[pyfunction]
#[pyo3(name = "_check_no_options", signature = (**options))]
pub(crate) fn check_no_options(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    options::read(py, options, (RetryOptions::NAMES, &[]), |options| {
        RetryOptions::check_no_options(options)
    })
}
