//! A wait, taken step by step.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};
use smithy_waiters::{Seen, State, StateError, Step};

use crate::elapsed::Elapsed;
use crate::error;
use crate::failure::Detail;
use crate::handle::Handle;
use crate::kept;
use crate::record::AttemptRecord;
use crate::shape::text;
use crate::shown::Shown;
use crate::step;
use crate::verdict::handle_of;
use crate::waiter::Waiter;

/// A wait that is under way: tells what to do next, and has no clock or sleep of its own.
///
/// Every step takes the milliseconds since the wait began and gives a `Call`, a `Sleep` or the `Done` that ends it.
/// After that, every step gives the same `Done`. A step out of order is a `StateError` and changes nothing.
#[pyclass(frozen, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Wait {
    waiter: Py<Waiter>,
    input: Option<Py<PyAny>>,
    /// Empty while a step is being taken: that may run the caller's code, which may come back here.
    wait: Mutex<Option<smithy_waiters::Wait>>,
}

impl Wait {
    pub(crate) const fn new(
        waiter: Py<Waiter>,
        input: Option<Py<PyAny>>,
        wait: smithy_waiters::Wait,
    ) -> Self {
        Self {
            waiter,
            input,
            wait: Mutex::new(Some(wait)),
        }
    }

    /// Takes a step; where it fails, the wait stays as it was.
    fn step<'py>(
        &self,
        py: Python<'py>,
        take: impl FnOnce(&mut smithy_waiters::Wait) -> PyResult<Step>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut wait = self.take()?;
        let mut cell = Refill {
            cell: &self.wait,
            wait: Some(wait.clone()),
        };
        let step = take(&mut wait)?;
        cell.wait = Some(wait);
        drop(cell);
        step::of(py, step)
    }

    fn take(&self) -> PyResult<smithy_waiters::Wait> {
        let taken = locked(&self.wait).take();
        taken.ok_or_else(|| error::state(StateError::Busy))
    }

    fn look<T>(&self, look: impl FnOnce(&smithy_waiters::Wait) -> T) -> PyResult<T> {
        locked(&self.wait)
            .as_ref()
            .map(look)
            .ok_or_else(|| error::state(StateError::Busy))
    }
}

/// Puts a wait back into its cell, however the step ends.
struct Refill<'a> {
    cell: &'a Mutex<Option<smithy_waiters::Wait>>,
    wait: Option<smithy_waiters::Wait>,
}

impl Drop for Refill<'_> {
    fn drop(&mut self) {
        *locked(self.cell) = self.wait.take();
    }
}

/// No code that could panic runs under the lock.
fn locked<T>(cell: &Mutex<T>) -> MutexGuard<'_, T> {
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Wait {
    /// The step that is due: a `Call`, a `Sleep` while the pause is not over, `Done` at the deadline.
    fn next<'py>(&self, py: Python<'py>, elapsed_ms: Elapsed) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, |wait| wait.next(elapsed_ms.0).map_err(error::state))
    }

    /// Takes the response of the call that is in flight.
    ///
    /// `matcher` is the definition's acceptors as compiled code: it gives the index of the first that matches the
    /// response, or `None`, and decides in the engine's place, which still says why.
    #[pyo3(signature = (response, elapsed_ms, *, matcher=None))]
    fn observe_response<'py>(
        &self,
        py: Python<'py>,
        response: Bound<'py, PyAny>,
        elapsed_ms: Elapsed,
        matcher: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let context = self.waiter.get().context();
        self.step(py, |wait| {
            let matched = matcher.map(|matcher| found(&matcher.call1((&response,))?));
            let matched = matched.transpose()?;
            let input = handle_of(py, self.input.as_ref(), &context);
            let seen = Seen::Response(Handle::new(response, &context));
            let step = match matched {
                Some(acceptor) => {
                    wait.observe_matched(acceptor, input, seen, elapsed_ms.0, || None)
                }
                None => wait.observe(input, seen, elapsed_ms.0),
            };
            context.finish()?;
            step.map_err(error::state)
        })
    }

    /// Takes the exception that the call in flight raised, or the name of its error.
    ///
    /// `retry` is a retry strategy's word on it, and asked for only where no acceptor matches: it gives the least pause
    /// before the next attempt in milliseconds; or why there is none, a text, or `None`, and the wait ends.
    #[pyo3(signature = (error, elapsed_ms, *, retry=None))]
    fn observe_error<'py>(
        &self,
        py: Python<'py>,
        error: Bound<'py, PyAny>,
        elapsed_ms: Elapsed,
        retry: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let waiter = self.waiter.get();
        let context = waiter.context();
        self.step(py, |wait| {
            let input = handle_of(py, self.input.as_ref(), &context);
            let facts = waiter.naming().facts(&error, Detail::Message, &context)?;
            let mut asked = Ok(());
            let step = wait.observe_or_retry(input, Seen::Failure(&facts), elapsed_ms.0, || {
                let answer = retry.map_or(Ok(None), |retry| answer(&retry));
                answer.unwrap_or_else(|error| {
                    asked = Err(error);
                    None
                })
            });
            context.finish()?;
            asked?;
            step.map_err(error::state)
        })
    }

    /// Takes a verdict that was made elsewhere, by generated or hand-written code.
    ///
    /// `acceptor` is the index of its acceptor, `None` where it is implicit. `error` is the exception that the call in
    /// flight raised, or the name of its error; `None` where it gave a response.
    fn observe_verdict<'py>(
        &self,
        py: Python<'py>,
        state: Bound<'py, PyAny>,
        acceptor: Option<Bound<'py, PyAny>>,
        error: Option<Bound<'py, PyAny>>,
        elapsed_ms: Elapsed,
    ) -> PyResult<Bound<'py, PyAny>> {
        let waiter = self.waiter.get();
        let context = waiter.context();
        let state = state_of(&state)?;
        let acceptor = acceptor.map(|given| index_of(state, &given)).transpose()?;
        self.step(py, |wait| {
            let facts = error.map(|error| waiter.naming().facts(&error, Detail::Message, &context));
            let facts = facts.transpose()?;
            context.finish()?;
            wait.observe_verdict(state, acceptor, facts.as_ref(), elapsed_ms.0)
                .map_err(error::state)
        })
    }

    /// Says that the call in flight was cut at the deadline: timed out.
    fn expire<'py>(&self, py: Python<'py>, elapsed_ms: Elapsed) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, |wait| wait.expire(elapsed_ms.0).map_err(error::state))
    }

    /// Ends the wait as cancelled, whatever it is doing.
    fn cancel<'py>(&self, py: Python<'py>, elapsed_ms: Elapsed) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, |wait| Ok(wait.cancel(elapsed_ms.0)))
    }

    /// The wait as JSON text, which `Waiter.resume` goes on with, also elsewhere and in another language.
    ///
    /// It holds no response and no error: of these only the reasons in the history remain. A wait that is saved while a
    /// call is in flight hands out the same attempt again.
    fn to_json(&self) -> PyResult<String> {
        self.look(smithy_waiters::Wait::to_json)
    }

    /// The waiter it belongs to.
    #[getter]
    fn waiter(&self, py: Python<'_>) -> Py<Waiter> {
        self.waiter.clone_ref(py)
    }

    /// The operation's input.
    #[getter]
    fn input(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.input.as_ref().map(|input| input.clone_ref(py))
    }

    /// The number of calls that were started.
    #[getter]
    fn attempts(&self) -> PyResult<u64> {
        self.look(smithy_waiters::Wait::attempts)
    }

    /// The newest attempt that has ended.
    #[getter]
    fn latest(&self) -> PyResult<Option<AttemptRecord>> {
        self.look(|wait| wait.latest().cloned().map(AttemptRecord::from))
    }

    /// The milliseconds until the deadline, at the greatest elapsed that it was told.
    #[getter]
    fn remaining_ms(&self) -> PyResult<u64> {
        self.look(smithy_waiters::Wait::remaining_ms)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = Shown::new(py, "Wait").with("waiter", self.waiter.get().engine().name())?;
        let Ok((attempts, remaining_ms)) = self.look(|wait| (wait.attempts(), wait.remaining_ms()))
        else {
            return Ok(shown.with("state", "busy")?.end());
        };
        Ok(shown
            .with("state", self.look(doing)?)?
            .with("attempts", attempts)?
            .with("remaining_ms", remaining_ms)?
            .end())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        kept::by(
            py,
            "_wait",
            (&self.waiter, self.to_json()?, self.input.as_ref()),
        )
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.input)?;
        visit.call(&self.waiter)
    }
}

/// The milliseconds that a retry strategy gives, where it gives any.
fn answer(retry: &Bound<'_, PyAny>) -> PyResult<Option<Result<u64, String>>> {
    let given = retry.call0()?;
    if let Ok(refusal) = given.cast::<PyString>() {
        return Ok(Some(Err(text(refusal)?.into_owned())));
    }
    let pause: Option<Elapsed> = given.extract()?;
    Ok(pause.map(|pause| Ok(pause.0)))
}

/// The acceptor that a matcher found.
fn found(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if given.is_none() {
        return Ok(None);
    }
    let is_index = !given.is_instance_of::<PyBool>();
    if let (Ok(index), true) = (given.extract(), is_index) {
        return Ok(Some(index));
    }
    let message = format!(
        "`matcher` must give the index of an acceptor or `None`, got {}",
        given.repr()?
    );
    if given.hasattr("__await__")? {
        // Nobody will await it, and nobody is to be warned of that.
        let _ = given.call_method0("close");
    }
    Err(PyTypeError::new_err(message))
}

/// What a wait is doing, for people: the step that would be due, on a copy.
fn doing(wait: &smithy_waiters::Wait) -> &'static str {
    match wait.clone().next(0) {
        Ok(Step::Call { .. }) => "ready",
        Ok(Step::Sleep { .. }) => "sleeping",
        Ok(Step::Done(_)) => "done",
        Err(_) => "in_flight",
    }
}

fn state_of(given: &Bound<'_, PyAny>) -> PyResult<State> {
    let word = text(&given.str()?)?.into_owned();
    let state = [State::Success, State::Failure, State::Retry]
        .into_iter()
        .find(|state| state.as_str() == word);
    state.ok_or_else(|| {
        let message = format!("`{word}` is no state: `success`, `failure` or `retry`");
        error::state_error("invalid_verdict", message)
    })
}

/// An integer that may be an index; what is none can be of no acceptor.
fn index_of(state: State, given: &Bound<'_, PyAny>) -> PyResult<usize> {
    if !given.is_instance_of::<PyBool>()
        && let Ok(index) = given.extract()
    {
        return Ok(index);
    }
    let given = given.str()?;
    let message = format!(
        "this waiter never gives the verdict `{state}` by acceptor {}",
        text(&given)?
    );
    Err(error::state_error("invalid_verdict", message))
}
