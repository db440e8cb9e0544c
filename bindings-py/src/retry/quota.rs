//! Retry quotas.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::options;
use crate::repr;

/// A quota of retry tokens. Failing requests empty the quota and successful ones refill it, so that clients stop
/// retrying during an outage.
///
/// Pass one quota to several strategies to share it: `StandardRetryStrategy(quota=quota)`. A quota is thread-safe and
/// cannot be pickled. See the
/// `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy>`_.
///
/// >>> RetryQuota(100)
/// RetryQuota(capacity=100, available=100)
///
/// Raises:
///     OptionsError: The capacity is not an integer of at least 1.
#[pyclass(frozen, weakref, module = "smithy_waiters._engine")]
pub(crate) struct RetryQuota(smithy_waiters::retry::RetryQuota);

impl RetryQuota {
    pub(crate) const fn from_engine(quota: smithy_waiters::retry::RetryQuota) -> Self {
        Self(quota)
    }

    pub(crate) const fn quota(&self) -> &smithy_waiters::retry::RetryQuota {
        &self.0
    }
}

#[pymethods]
impl RetryQuota {
    #[new]
    #[pyo3(signature = (capacity=None), text_signature = "(capacity=500)")]
    fn new(py: Python<'_>, capacity: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let options = PyDict::new(py);
        options.set_item("capacity", capacity)?;
        options::of(py, Some(&options)).map(Self)
    }

    /// The number of tokens in the full quota.
    #[getter]
    const fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    /// The current number of tokens.
    #[getter]
    fn available(&self) -> u32 {
        self.0.available()
    }

    /// Return the quota itself: a copy shares its tokens.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__(&self) -> PyResult<Bound<'_, PyAny>> {
        Err(PyTypeError::new_err(NOT_PICKLABLE))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["capacity", "available"])
    }
}

/// The message for `pickle`. An unpickled copy would silently be a separate quota.
pub(super) const NOT_PICKLABLE: &str = "a retry quota is shared within one process and cannot be pickled, nor can a strategy with a shared `quota`";
