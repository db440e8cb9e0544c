//! The delay rule as a function.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::DelayInput;

use crate::error;
use crate::options;
use crate::pickle;
use crate::repr::Repr;

/// The pause before the next attempt.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Delay {
    /// The length of the pause, in seconds.
    delay: f64,
    /// `True` if the next attempt is the last one before the deadline.
    last: bool,
}

#[pymethods]
impl Delay {
    #[new]
    const fn new(delay: f64, last: bool) -> Self {
        Self { delay, last }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let delay = slf.get();
        pickle::reduce_with_class(slf.get_type(), (delay.delay, delay.last))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let repr = Repr::new(py, "Delay");
        Ok(repr
            .field("delay", self.delay)?
            .field("last", self.last)?
            .end())
    }
}

/// Return the delay before the next attempt, or `None` if no further attempt fits before the deadline.
///
/// See the `specification <https://smithy.io/2.0/additional-specs/waiters.html#waiter-retries>`_.
///
/// >>> delay(attempt=3, remaining=295, min_delay=2, max_delay=120, random=0.7)
/// Delay(delay=6.2, last=False)
///
/// Args:
///     attempt: The number of calls made so far, at least 1.
///     remaining: The time until the deadline, in seconds or as a `timedelta`.
///     min_delay: The minimum delay, in seconds or as a `timedelta`.
///     max_delay: The maximum delay, in seconds or as a `timedelta`.
///     random: The random number for the jitter, at least 0 and less than 1.
///
/// Raises:
///     OptionsError: An argument is out of range.
#[pyfunction]
#[pyo3(signature = (*, attempt, remaining, min_delay, max_delay, random))]
pub(crate) fn delay(
    py: Python<'_>,
    attempt: Bound<'_, PyAny>,
    remaining: Bound<'_, PyAny>,
    min_delay: Bound<'_, PyAny>,
    max_delay: Bound<'_, PyAny>,
    random: Bound<'_, PyAny>,
) -> PyResult<Option<Delay>> {
    let options = PyDict::new(py);
    options.set_item("attempt", attempt)?;
    options.set_item("remaining", remaining)?;
    options.set_item("min_delay", min_delay)?;
    options.set_item("max_delay", max_delay)?;
    options.set_item("random", random)?;
    let input: DelayInput = options::of(py, Some(&options))?;
    let delay = smithy_waiters::delay(&input).map_err(error::options)?;
    Ok(delay.map(|delay| Delay {
        delay: delay.delay.as_secs_f64(),
        last: delay.last,
    }))
}

/// Return `True` if a sleep of `asked_ms` milliseconds that returned after `passed_ms` slept.
#[pyfunction]
#[pyo3(name = "_has_slept")]
pub(crate) fn has_slept(passed_ms: f64, asked_ms: f64) -> bool {
    smithy_waiters::internal::has_slept(passed_ms, asked_ms)
}
