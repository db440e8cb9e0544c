//! Classification of failed attempts.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::OptionsError;
use smithy_waiters::operation::ErrorFault;

use crate::context::Context;
use crate::error;
use crate::handle::Handle;
use crate::options;
use crate::pickle;
use crate::repr;

/// The information in an error about retrying its call.
///
/// See the `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy>`_.
///
/// Args:
///     safety: `"yes"`, `"no"`, or `"maybe"` if the error does not determine it.
///     throttle: `True` if the service reported too many requests.
///     timeout: `True` if no answer arrived in time.
///     retry_after: The minimum delay that the service requested, in seconds or as a `timedelta`.
///
/// Raises:
///     OptionsError: `safety` is not one of the three values, or `retry_after` is not a valid duration.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct RetryInfo(smithy_waiters::retry::RetryInfo);

/// The classification of a failed attempt.
///
/// Args:
///     retry: The information about retrying the call.
///     fault: The side that caused the error: `"client"`, `"server"` or `"other"`.
///
/// Raises:
///     OptionsError: `fault` is not one of the three values.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct FailureInfo(smithy_waiters::retry::FailureInfo);

impl FailureInfo {
    pub(crate) const fn from_engine(info: smithy_waiters::retry::FailureInfo) -> Self {
        Self(info)
    }

    pub(crate) const fn info(&self) -> &smithy_waiters::retry::FailureInfo {
        &self.0
    }
}

#[pymethods]
impl RetryInfo {
    #[new]
    #[pyo3(signature = (safety, *, throttle=false, timeout=false, retry_after=None))]
    fn new(
        safety: Bound<'_, PyAny>,
        throttle: bool,
        timeout: bool,
        retry_after: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = safety.py();
        let info = PyDict::new(py);
        info.set_item("safety", safety)?;
        info.set_item("throttle", throttle)?;
        info.set_item("timeout", timeout)?;
        info.set_item("retryAfter", retry_after.map(options::seconds).transpose()?)?;
        read(info, |info| {
            smithy_waiters::retry::RetryInfo::from_host(info)
        })
        .map(Self)
    }

    /// The safety of a retry: `"yes"`, `"no"` or `"maybe"`.
    #[getter]
    const fn safety(&self) -> &'static str {
        self.0.safety.as_str()
    }

    /// `True` if the service reported too many requests.
    #[getter]
    const fn throttle(&self) -> bool {
        self.0.throttle
    }

    /// `True` if no answer arrived in time.
    #[getter]
    const fn timeout(&self) -> bool {
        self.0.timeout
    }

    /// The minimum delay that the service requested, in seconds; `None` if it did not request one.
    #[getter]
    fn retry_after(&self) -> Option<f64> {
        self.0.retry_after.map(|duration| duration.as_secs_f64())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["safety", "throttle", "timeout", "retry_after"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &["safety"], &["throttle", "timeout", "retry_after"])
    }
}

#[pymethods]
impl FailureInfo {
    #[new]
    #[pyo3(signature = (*, retry=None, fault=None))]
    fn new(
        py: Python<'_>,
        retry: Option<&Bound<'_, RetryInfo>>,
        fault: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let info = PyDict::new(py);
        info.set_item("fault", fault)?;
        let info = read(info, |info| {
            smithy_waiters::retry::FailureInfo::from_host(info)
        })?;
        Ok(Self(smithy_waiters::retry::FailureInfo {
            retry: retry.map(|retry| retry.get().0),
            ..info
        }))
    }

    /// The information about retrying the call, if the error contains any.
    #[getter]
    fn retry(&self) -> Option<RetryInfo> {
        self.0.retry.map(RetryInfo)
    }

    /// The side that caused the error: `"client"`, `"server"` or `"other"`; `None` if it is unknown.
    #[getter]
    fn fault(&self) -> Option<&'static str> {
        self.0.fault.map(ErrorFault::as_str)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["retry", "fault"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["retry", "fault"])
    }
}

fn read<'py, T>(
    info: Bound<'py, PyDict>,
    from_host: impl FnOnce(&Handle<'_, 'py>) -> Result<T, OptionsError>,
) -> PyResult<T> {
    let context = Context::new(&[]);
    let info = from_host(&Handle::new(info.into_any(), &context));
    context.finish()?;
    info.map_err(error::options)
}
