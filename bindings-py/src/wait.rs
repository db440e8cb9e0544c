//! A wait that the caller drives.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::internal::{PollRecord, Spelling, View, WaitRecord};
use smithy_waiters::{ErrorMetadata, Event, Snapshot, Step};

use crate::context::Context;
use crate::definition::Owner;
use crate::error;
use crate::event::{self, Cancelled, DeadlineReached, ErrorEvent, ResponseEvent, VerdictEvent};
use crate::failure::Detail;
use crate::fleet::RateLimit;
use crate::handle::Handle;
use crate::machine::Machine;
use crate::millis::{Millis, wall_clock};
use crate::pickle;
use crate::record::{AttemptRecord, Hint};
use crate::repr::Repr;
use crate::step;
use crate::transient;

/// A wait in progress. It returns steps for the caller to perform, and never reads a clock, sleeps or calls.
///
/// Times are milliseconds since the start of the wait. A time before the latest one counts as the latest one. A step
/// is a `Call`, a `Sleep`, or the `Done` that ends the wait. After that, every method returns the same `Done`.
///
/// >>> wait = waiter.start(max_wait=60, seed=7)
/// >>> wait.poll(0)
/// Call(attempt=1, deadline_ms=60000)
/// >>> wait.handle(Response({"Status": "PENDING"}), 30)
/// Sleep(until_ms=2030, last=False)
#[pyclass(frozen, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Wait {
    owner: Owner,
    input: Option<Py<PyAny>>,
    machine: Machine<smithy_waiters::Wait>,
}

impl Wait {
    pub(crate) fn new(owner: Owner, input: Option<Py<PyAny>>, wait: smithy_waiters::Wait) -> Self {
        Self {
            owner,
            input,
            machine: Machine::new(wait.spelling(Spelling::Python)),
        }
    }

    /// Resumes a saved wait at a time since its start.
    pub(crate) fn resume(
        owner: Owner,
        input: Option<Py<PyAny>>,
        snapshot: Snapshot,
        now_ms: u64,
    ) -> PyResult<Self> {
        let wait = owner.definition.engine().resume(snapshot, now_ms);
        Ok(Self::new(owner, input, wait.map_err(error::state)?))
    }

    fn snapshot(&self) -> PyResult<Snapshot> {
        self.machine
            .read(smithy_waiters::Wait::snapshot)?
            .map_err(error::state)
    }

    fn input<'a, 'py>(
        &self,
        py: Python<'py>,
        context: &'a Context<'a>,
    ) -> Option<View<'a, Handle<'a, 'py>>> {
        let input = self.input.as_ref()?;
        Some(View::Item(Handle::new(input.bind(py).clone(), context)))
    }

    fn metadata(
        &self,
        error: &Bound<'_, PyAny>,
        context: &Context<'_>,
    ) -> PyResult<ErrorMetadata<'static>> {
        let naming = self.owner.definition.naming();
        let metadata = naming.metadata(error, Detail::Message, context)?;
        context.finish()?;
        Ok(metadata)
    }
}

#[pymethods]
impl Wait {
    /// Return the current step: `Sleep` during a pause, `Call` when the pause has ended and until that call has
    /// ended, or `Done` at or after the deadline.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).
    fn poll<'py>(&self, py: Python<'py>, now_ms: Millis) -> PyResult<Bound<'py, PyAny>> {
        step::to_python(py, self.machine.step(|wait| wait.poll(now_ms.0))?)
    }

    /// Return the current step of a wait that shares a rate limit: a call that is due takes the next free time of the
    /// limit, on whose clock the wait started at `started_ms`, and the pause lasts until then.
    fn _poll_within<'py>(
        &self,
        py: Python<'py>,
        now_ms: Millis,
        limit: &RateLimit,
        started_ms: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let step = self.machine.step(|wait| {
            let mut limit = limit.lock();
            wait.poll_on_clock(now_ms.0, &mut limit, started_ms)
        })?;
        step::to_python(py, step)
    }

    /// Handle an event of `smithy_waiters.events` and return the next step.
    ///
    /// An exception that is not an `Exception`, such as a `KeyboardInterrupt` in a property of the response, is raised
    /// after the event has been handled.
    ///
    /// Raises:
    ///     StateError: The event is out of order, its acceptor does not exist, `now_ms` is not a valid time, or another
    ///         step is being taken. The wait is unchanged.
    ///     TypeError: `event` is not an event.
    fn handle<'py>(
        &self,
        py: Python<'py>,
        event: &Bound<'py, PyAny>,
        now_ms: Millis,
    ) -> PyResult<Bound<'py, PyAny>> {
        let definition = &self.owner.definition;
        let context = definition.context();
        // The engine's event borrows from this variable.
        let (metadata, transient);
        // The type of fleets, so that the evaluation is compiled once.
        let event: Event<'_, View<'_, Handle<'_, '_>>> = if let Ok(event) = event.cast_exact() {
            let event: &ResponseEvent = event.get();
            let response = definition.value(event.response.bind(py))?;
            Event::Response {
                value: View::Item(Handle::new(response, &context)),
                input: self.input(py, &context),
                not_before_ms: event.not_before_ms,
            }
        } else if let Ok(event) = event.cast() {
            let event: &ErrorEvent = event.get();
            let named = self.metadata(event.error.bind(py), &context)?;
            let facts = event.facts.as_ref();
            (metadata, transient) = transient::classify(named, event.transient, facts, now_ms.0);
            Event::Error {
                error: &metadata,
                transient,
            }
        } else if let Ok(event) = event.cast() {
            let event: &VerdictEvent = event.get();
            let (mut error, mut classified) = (None, None);
            if let Some(thrown) = &event.error {
                let named = self.metadata(thrown.bind(py), &context)?;
                let facts = event.facts.as_ref();
                (metadata, classified) =
                    transient::classify(named, event.transient, facts, now_ms.0);
                error = Some(&metadata);
            }
            Event::Verdict {
                acceptor: event.acceptor,
                message: None,
                error,
                transient: classified,
            }
        } else if event.is_exact_instance_of::<DeadlineReached>() {
            Event::DeadlineReached
        } else if event.is_exact_instance_of::<Cancelled>() {
            Event::Cancelled
        } else {
            return Err(event::unknown(event));
        };
        let step = self.machine.step(|wait| wait.handle(event, now_ms.0))?;
        // Before the engine's error: an interruption such as `KeyboardInterrupt` must not be replaced by it.
        context.finish()?;
        step::to_python(py, step.map_err(error::state)?)
    }

    /// Return the wait as JSON text, which `Waiter.resume` reads in any process and in every language.
    ///
    /// The text contains no history, response or error. If the wait is saved during a call, the resumed wait returns
    /// the same attempt again.
    ///
    /// Raises:
    ///     StateError: The waiter has a predicate (`predicate`), or a step is being taken (`busy`).
    fn to_json(&self) -> PyResult<String> {
        Ok(self.snapshot()?.to_json())
    }

    /// Return a stored wait as `to_json` does, with the facts that `_stored` returns.
    fn _state<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyDict>)> {
        let snapshot = self.snapshot()?;
        Ok((snapshot.to_json(), facts(py, &snapshot)?))
    }

    /// End the wait without another attempt: as timed out after its deadline, otherwise as cancelled.
    fn _conclude<'py>(&self, py: Python<'py>, now_ms: Millis) -> PyResult<Bound<'py, PyAny>> {
        step::to_python(py, self.machine.step(|wait| wait.conclude(now_ms.0))?)
    }

    /// The maximum size of the report of a stored wait, in bytes.
    #[getter]
    fn _report_limit(&self) -> PyResult<Option<usize>> {
        self.machine.read(smithy_waiters::Wait::report_limit)
    }

    /// Return the identity of a stored wait's start with these arguments.
    fn _start_identity(&self, arguments: &str) -> PyResult<Option<String>> {
        self.machine.read(|wait| wait.start_identity(arguments))
    }

    /// The waiter that started the wait.
    #[getter]
    fn waiter(&self, py: Python<'_>) -> Py<PyAny> {
        self.owner.waiter.clone_ref(py)
    }

    /// The operation's input.
    #[getter(input)]
    fn host_input(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.input.as_ref().map(|input| input.clone_ref(py))
    }

    /// The number of attempts started so far.
    #[getter]
    fn attempts(&self) -> PyResult<u64> {
        self.machine.read(smithy_waiters::Wait::attempts)
    }

    /// The latest attempt that has ended.
    #[getter]
    fn latest(&self) -> PyResult<Option<AttemptRecord>> {
        self.machine
            .read(|wait| wait.latest().map(AttemptRecord::from))
    }

    /// The latest attempt that has ended as one line of text: the time, the state and its reason, the values of the
    /// paths in `show`, and the next delay.
    #[getter]
    fn summary(&self) -> PyResult<Option<String>> {
        self.machine.read(smithy_waiters::Wait::summary)
    }

    /// The hints that the latest attempt shows: probable mistakes in the definition, an option or the call.
    #[getter]
    fn hints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let hints = self.machine.read(|wait| {
            let hints = wait.hints().iter().map(Hint::from);
            hints.collect::<Vec<_>>()
        })?;
        PyTuple::new(py, hints)
    }

    /// The level at which the latest attempt is logged: `"info"` if its result is new or if the latest such line is
    /// 30 s old, otherwise `"debug"`; `None` before the first one has ended.
    #[getter]
    fn level(&self) -> PyResult<Option<&'static str>> {
        self.machine
            .read(|wait| wait.level().map(smithy_waiters::Level::as_str))
    }

    /// `True` if the latest attempt that has ended had another result than the previous one, or was the first.
    #[getter]
    fn changed(&self) -> PyResult<bool> {
        self.machine.read(smithy_waiters::Wait::has_changed)
    }

    /// The label of the wait.
    #[getter]
    fn label(&self) -> PyResult<Option<String>> {
        self.machine
            .read(|wait| wait.label().map(ToOwned::to_owned))
    }

    /// The latest time that was passed, in milliseconds since the start of the wait.
    #[getter]
    fn now_ms(&self) -> PyResult<u64> {
        self.machine.read(smithy_waiters::Wait::now_ms)
    }

    /// The deadline in milliseconds since the start of the wait; `None` if only the number of attempts is
    /// limited.
    #[getter]
    fn deadline_ms(&self) -> PyResult<Option<u64>> {
        self.machine.read(smithy_waiters::Wait::deadline_ms)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let repr = Repr::new(py, "Wait").field("waiter", self.owner.definition.engine().name())?;
        // A copy, because finding out the state polls the wait.
        let Ok(wait) = self.machine.read(Clone::clone) else {
            return Ok(repr.field("state", "busy")?.end());
        };
        Ok(repr
            .field("state", state(wait.clone()))?
            .field("attempts", wait.attempts())?
            .field("now_ms", wait.now_ms())?
            .field("deadline_ms", wait.deadline_ms())?
            .end())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_function(
            py,
            "_wait",
            (&self.owner.waiter, self.to_json()?, self.input.as_ref()),
        )
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.input)?;
        visit.call(&self.owner.waiter)
    }
}

/// Returns the state of a wait for `repr`: the step that a copy would return.
fn state(mut wait: smithy_waiters::Wait) -> &'static str {
    let attempts = wait.attempts();
    match wait.poll(0) {
        Step::Call { attempt, .. } if attempt == attempts => "in_flight",
        Step::Call { .. } => "ready",
        Step::Sleep { .. } => "sleeping",
        Step::Done(_) => "done",
    }
}

/// Return the action of a poll that an engine runs: `attempt`, `create`, `ignore` or `wake_up`. `wait` is `missing`,
/// `waiting` or `ended`.
#[pyfunction]
#[pyo3(name = "_poll_action", signature = (*, next_exists, wait, is_first, is_reported))]
pub(crate) fn poll_action(
    next_exists: bool,
    wait: &str,
    is_first: bool,
    is_reported: bool,
) -> &'static str {
    let record = PollRecord {
        next_exists,
        wait: WaitRecord::from_name(wait),
        is_first,
        is_reported,
    };
    record.action().as_str()
}

/// Return the facts of a stored wait: the wall-clock times of its start, the next attempt and the deadline in
/// milliseconds since 1970, the fingerprint of its start, the number of attempts, and the latest attempt as JSON text.
///
/// Raises:
///     StateError: The text is damaged or of a later release.
#[pyfunction]
#[pyo3(name = "_stored")]
pub(crate) fn stored<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyDict>> {
    facts(py, &snapshot_of(json)?)
}

/// Return the time until the next attempt of a stored wait: in milliseconds, and in whole seconds for an engine that
/// counts in them and asks when an attempt has just ended.
///
/// Raises:
///     StateError: The text is damaged or of a later release.
#[pyfunction]
#[pyo3(name = "_pause")]
pub(crate) fn pause(py: Python<'_>, json: &str) -> PyResult<(u64, u64)> {
    let (snapshot, now) = (snapshot_of(json)?, wall_clock(py));
    Ok((snapshot.pause_ms(now), snapshot.pause_seconds(now)))
}

/// Reads a saved wait.
pub(crate) fn snapshot_of(json: &str) -> PyResult<Snapshot> {
    Snapshot::from_json(json).map_err(error::state)
}

fn facts<'py>(py: Python<'py>, snapshot: &Snapshot) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("started_at_ms", snapshot.started_at_ms())?;
    facts.set_item("start", snapshot.start())?;
    facts.set_item("due_at_ms", snapshot.due_at_ms())?;
    facts.set_item("ends_at_ms", snapshot.ends_at_ms())?;
    facts.set_item("attempts", snapshot.attempts())?;
    facts.set_item("progress", snapshot.progress_json())?;
    Ok(facts)
}
