//! What is known of a failed attempt.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smithy_waiters::operation::ErrorFault;
use smithy_waiters::retry::RetrySafety;

use crate::argument::Text;
use crate::error::option_error;
use crate::pickle;
use crate::repr;

use super::quota::duration;

/// What an error says of retrying it.
///
/// `safety` is `"yes"`, `"no"` or `"maybe"`, where not enough is known; `throttle` whether the service said
/// that there were too many requests, `timeout` whether no answer came in time; `retry_after` the least time to
/// wait, where the service named one: seconds, or a `timedelta`.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct RetryInfo(smithy_waiters::retry::RetryInfo);

/// What is known of a failed attempt: as much of retrying it, and of whose fault it is, as its error tells.
///
/// `fault` is `"client"`, `"server"` or `"other"`.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct FailureInfo(smithy_waiters::retry::FailureInfo);

impl FailureInfo {
    pub(crate) const fn of(info: smithy_waiters::retry::FailureInfo) -> Self {
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
        safety: Text,
        throttle: bool,
        timeout: bool,
        retry_after: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let safety = RetrySafety::from_name(&safety).ok_or_else(|| {
            let message = format!("safety must be `yes`, `no` or `maybe`, got `{}`", &*safety);
            option_error("invalid_option", "safety", message)
        })?;
        let retry_after = retry_after.map(|given| duration("retry_after", given));
        Ok(Self(smithy_waiters::retry::RetryInfo {
            safety,
            throttle,
            timeout,
            retry_after: retry_after.transpose()?,
        }))
    }

    /// Whether it is safe: `"yes"`, `"no"` or `"maybe"`.
    #[getter]
    const fn safety(&self) -> &'static str {
        self.0.safety.as_str()
    }

    /// Whether the service said that there were too many requests.
    #[getter]
    const fn throttle(&self) -> bool {
        self.0.throttle
    }

    /// Whether no answer came in time.
    #[getter]
    const fn timeout(&self) -> bool {
        self.0.timeout
    }

    /// The least time to wait, in seconds, where the service named one.
    #[getter]
    fn retry_after(&self) -> Option<f64> {
        self.0.retry_after.map(|duration| duration.as_secs_f64())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["safety", "throttle", "timeout", "retry_after"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &["safety"], &["throttle", "timeout", "retry_after"])
    }
}

#[pymethods]
impl FailureInfo {
    #[new]
    #[pyo3(signature = (*, retry=None, fault=None))]
    fn new(retry: Option<&Bound<'_, RetryInfo>>, fault: Option<Text>) -> PyResult<Self> {
        let fault = fault.map(|fault| {
            ErrorFault::from_name(&fault).ok_or_else(|| {
                let message = format!(
                    "fault must be `client`, `server` or `other`, got `{}`",
                    &*fault
                );
                option_error("invalid_option", "fault", message)
            })
        });
        Ok(Self(smithy_waiters::retry::FailureInfo {
            retry: retry.map(|retry| retry.get().0),
            fault: fault.transpose()?,
        }))
    }

    /// What it says of retrying it, where it says anything.
    #[getter]
    fn retry(&self) -> Option<RetryInfo> {
        self.0.retry.map(RetryInfo)
    }

    /// Whose fault it is, where that is known: `"client"`, `"server"` or `"other"`.
    #[getter]
    fn fault(&self) -> Option<&'static str> {
        self.0.fault.map(ErrorFault::as_str)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_attributes(slf, &["retry", "fault"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::of(slf, &[], &["retry", "fault"])
    }
}
