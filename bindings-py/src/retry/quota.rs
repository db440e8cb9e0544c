//! What retries are paid from.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use smithy_waiters::internal::FromHost;

use crate::error::option_error;
use crate::options;
use crate::repr;

/// What retries are paid from: it empties while requests fail and fills up as they succeed, so that clients
/// leave a service alone that is down.
///
/// Strategies share one by being given the same: `StandardRetryStrategy(quota=quota)`. It is safe between
/// threads.
///
/// >>> RetryQuota(100)
/// RetryQuota(capacity=100, available=100)
#[pyclass(frozen, weakref, module = "smithy_waiters._engine")]
pub(crate) struct RetryQuota(smithy_waiters::retry::RetryQuota);

impl RetryQuota {
    pub(crate) const fn of(quota: smithy_waiters::retry::RetryQuota) -> Self {
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
        let given = PyDict::new(py);
        given.set_item("capacity", capacity)?;
        options::read(
            py,
            Some(&given),
            (smithy_waiters::retry::RetryQuota::NAMES, &[]),
            |given| smithy_waiters::retry::RetryQuota::from_host(given).map(Self),
        )
    }

    /// What it holds when it is full.
    #[getter]
    const fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    /// What it holds now.
    #[getter]
    fn available(&self) -> u32 {
        self.0.available()
    }

    /// It is the same quota: what one pays, the other has not.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__(&self) -> PyResult<Bound<'_, PyAny>> {
        Err(PyTypeError::new_err(NOT_PICKLED))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &[], &["capacity", "available"])
    }
}

/// Another process would have a quota of its own, and nobody would know.
pub(super) const NOT_PICKLED: &str = "a retry quota is shared within one process: it cannot be pickled, nor a strategy that was given one";

/// Seconds or a `timedelta`, from 0 on.
pub(super) fn duration(option: &str, given: Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = options::seconds(given)?;
    // A boolean is an integer to Python, and no number of seconds to anybody.
    let is_number = !seconds.is_instance_of::<PyBool>() && !seconds.is_instance_of::<PyString>();
    let number = seconds.extract().ok().filter(|_| is_number);
    let number = number.unwrap_or(f64::NAN);
    Duration::try_from_secs_f64(number).map_err(|_| {
        let message = format!("`{option}` must be a number of seconds, at least 0");
        option_error("invalid_option", option, message)
    })
}
