//! The delay rule on its own.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::DelayInput;
use smithy_waiters::internal::FromHost;

use crate::context::Context;
use crate::error;
use crate::handle::Handle;
use crate::options;
use crate::pickle;
use crate::repr::Repr;

/// The pause before the next attempt.
#[pyclass(frozen, eq, get_all, module = "smithy_waiters._engine")]
#[derive(PartialEq)]
pub(crate) struct Delay {
    /// How long to wait, in seconds.
    delay: f64,
    /// Whether no further attempt fits after the next one.
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
        let shown = Repr::new(py, "Delay");
        Ok(shown
            .with("delay", self.delay)?
            .with("last", self.last)?
            .end())
    }
}

/// The delay before the next attempt, or `None` where no further attempt fits.
///
/// `attempt` is the number of calls already made, from 1; `random` the draw, at least 0 and less than 1; the
/// others are seconds or `timedelta`. Raises `OptionsError` for what is out of range.
///
/// >>> delay(attempt=3, remaining=295, min_delay=2, max_delay=120, random=0.7)
/// Delay(delay=6.2, last=False)
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
    let given = PyDict::new(py);
    given.set_item("attempt", attempt)?;
    given.set_item("remaining", options::seconds(remaining)?)?;
    given.set_item("minDelay", options::seconds(min_delay)?)?;
    given.set_item("maxDelay", options::seconds(max_delay)?)?;
    given.set_item("random", random)?;
    let context = Context::new(&[]);
    let input = DelayInput::from_host(Handle::new(given.into_any(), &context));
    context.finish()?;
    let delay = input
        .and_then(|input| smithy_waiters::delay(&input))
        .map_err(error::options)?;
    Ok(delay.map(|delay| Delay {
        delay: delay.delay.as_secs_f64(),
        last: delay.last,
    }))
}
