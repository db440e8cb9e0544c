//! A wait that the caller drives.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smithy_waiters::retry::Transient;
use smithy_waiters::{ErrorMetadata, Event, Snapshot, StateError, Step};

use crate::context::Context;
use crate::definition::Owner;
use crate::error;
use crate::event::{self, Cancelled, DeadlineReached, ErrorEvent, ResponseEvent, VerdictEvent};
use crate::failure::Detail;
use crate::handle::Handle;
use crate::machine::Machine;
use crate::millis::{Millis, wall_clock};
use crate::pickle;
use crate::record::AttemptRecord;
use crate::repr::Repr;
use crate::step::{self, Done};
use crate::transient::{self, Classification};

/// A wait in progress: returns the next step, and has no clock or sleep of its own.
///
/// Times are milliseconds since the wait started; an earlier time than before counts as the latest one. A step
/// is a `Call`, a `Sleep` or the `Done` that ends the wait; after that every call returns the same `Done`.
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
    /// The wall-clock time of the start, which a resumed wait keeps.
    started_at_ms: Option<u64>,
    machine: Machine<smithy_waiters::Wait>,
}

impl Wait {
    pub(crate) fn start(
        py: Python<'_>,
        owner: Owner,
        input: Option<Py<PyAny>>,
        wait: smithy_waiters::Wait,
    ) -> Self {
        Self {
            owner,
            input,
            started_at_ms: wall_clock(py),
            machine: Machine::new(wait),
        }
    }

    /// Resumes the wait of a saved text. Without the time since the start, the time away counts by the wall clock.
    pub(crate) fn resume(
        owner: Owner,
        input: Option<Py<PyAny>>,
        json: &str,
        elapsed_ms: impl FnOnce(&Snapshot) -> u64,
    ) -> Result<Self, StateError> {
        let snapshot = Snapshot::from_json(json)?;
        let started_at_ms = snapshot.started_at_ms();
        let now_ms = elapsed_ms(&snapshot);
        let wait = owner.definition.engine().resume(snapshot, now_ms)?;
        Ok(Self {
            owner,
            input,
            started_at_ms,
            machine: Machine::new(wait),
        })
    }

    fn input<'a, 'py>(&self, py: Python<'py>, context: &'a Context<'a>) -> Option<Handle<'a, 'py>> {
        let input = self.input.as_ref()?;
        Some(Handle::new(input.bind(py).clone(), context))
    }

    /// Returns the names and the message of an error, and its classification unless the caller has classified it.
    fn classify(
        &self,
        error: &Bound<'_, PyAny>,
        given: Option<Classification>,
        now_ms: Millis,
        context: &Context<'_>,
    ) -> PyResult<(ErrorMetadata<'static>, Option<Transient>)> {
        let naming = self.owner.definition.naming();
        let facts = naming.facts(error, Detail::Message, context)?;
        let transient = transient::classify(error, &facts, given, now_ms.0, context);
        context.finish()?;
        Ok((facts, transient))
    }
}

#[pymethods]
impl Wait {
    /// Returns the step that is due: `Sleep` before the pause is over, `Call` after it and while that call is in
    /// flight, `Done` at or past the deadline.
    fn poll<'py>(&self, py: Python<'py>, now_ms: Millis) -> PyResult<Bound<'py, PyAny>> {
        step::of(py, self.machine.step(|wait| wait.poll(now_ms.0))?)
    }

    /// Takes an event of `smithy_waiters.events` and returns the next step.
    ///
    /// Raises `StateError` for an event out of order, which leaves the wait unchanged. A `KeyboardInterrupt` or the
    /// like that a getter of the response raises leaves after the event was handled.
    fn handle<'py>(
        &self,
        py: Python<'py>,
        event: &Bound<'py, PyAny>,
        now_ms: Millis,
    ) -> PyResult<Bound<'py, PyAny>> {
        let definition = &self.owner.definition;
        let context = definition.context();
        // What the event of the engine borrows.
        let facts;
        let event: Event<'_, Handle<'_, '_>> = if let Ok(event) = event.cast_exact() {
            let ResponseEvent {
                response,
                not_before_ms,
            } = event.get();
            Event::Response {
                value: Handle::new(definition.value(response.bind(py))?, &context),
                input: self.input(py, &context),
                not_before_ms: *not_before_ms,
            }
        } else if let Ok(event) = event.cast_exact() {
            let ErrorEvent { error, transient } = event.get();
            facts = self.classify(error.bind(py), *transient, now_ms, &context)?;
            Event::Error {
                error: &facts.0,
                transient: facts.1,
            }
        } else if let Ok(event) = event.cast_exact() {
            let VerdictEvent {
                acceptor,
                error,
                transient,
            } = event.get();
            let (error, transient) = match error {
                Some(error) => {
                    facts = self.classify(error.bind(py), *transient, now_ms, &context)?;
                    (Some(&facts.0), facts.1)
                }
                None => (None, None),
            };
            Event::Verdict {
                acceptor: *acceptor,
                message: None,
                error,
                transient,
            }
        } else if event.is_exact_instance_of::<DeadlineReached>() {
            Event::DeadlineReached
        } else if event.is_exact_instance_of::<Cancelled>() {
            Event::Cancelled
        } else {
            return Err(event::unknown(event));
        };
        let step = self.machine.step(|wait| wait.handle(event, now_ms.0))?;
        context.finish()?;
        step::of(py, step.map_err(error::state)?)
    }

    /// Completes the report of a failed wait whose verdicts were made elsewhere: evaluates the last response for
    /// the reasons that the event `Verdict` leaves out. Returns `None` unless the wait has failed.
    fn explain_response(
        &self,
        py: Python<'_>,
        response: Bound<'_, PyAny>,
    ) -> PyResult<Option<Done>> {
        let context = self.owner.definition.context();
        let input = self.input(py, &context);
        let value = Handle::new(self.owner.definition.value(&response)?, &context);
        let report = self
            .machine
            .step(|wait| wait.explain_response(value, input))?;
        context.finish()?;
        Ok(report.map(Done::from))
    }

    /// Returns the wait as JSON text, which `Waiter.resume` reads, also elsewhere and in another language.
    ///
    /// The text has no history, no response and no error. A wait that is saved while a call is in flight hands out
    /// the same attempt again.
    fn to_json(&self) -> PyResult<String> {
        let started_at_ms = self.started_at_ms;
        self.machine
            .read(|wait| wait.snapshot(started_at_ms))?
            .map(|snapshot| snapshot.to_json())
            .map_err(error::state)
    }

    /// The waiter it belongs to.
    #[getter]
    fn waiter(&self, py: Python<'_>) -> Py<PyAny> {
        self.owner.waiter.clone_ref(py)
    }

    /// The operation's input.
    #[getter(input)]
    fn given_input(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.input.as_ref().map(|input| input.clone_ref(py))
    }

    /// The number of attempts that were started.
    #[getter]
    fn attempts(&self) -> PyResult<u64> {
        self.machine.read(smithy_waiters::Wait::attempts)
    }

    /// The newest attempt that has ended.
    #[getter]
    fn latest(&self) -> PyResult<Option<AttemptRecord>> {
        self.machine
            .read(|wait| wait.latest().map(AttemptRecord::from))
    }

    /// The newest attempt that has ended, in one line for people: the time, the state and its reason, the values to
    /// show, and the next delay.
    #[getter]
    fn summary(&self) -> PyResult<Option<String>> {
        self.machine.read(smithy_waiters::Wait::summary)
    }

    /// The label of the wait.
    #[getter]
    fn label(&self) -> PyResult<Option<String>> {
        self.machine
            .read(|wait| wait.label().map(ToOwned::to_owned))
    }

    /// The latest time that was given, in milliseconds since the wait started.
    #[getter]
    fn now_ms(&self) -> PyResult<u64> {
        self.machine.read(smithy_waiters::Wait::now_ms)
    }

    /// The deadline of the wait in milliseconds since its start; `None` if only attempts are limited.
    #[getter]
    fn deadline_ms(&self) -> PyResult<Option<u64>> {
        self.machine.read(smithy_waiters::Wait::deadline_ms)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = Repr::new(py, "Wait").with("waiter", self.owner.definition.engine().name())?;
        let Ok(wait) = self.machine.read(Clone::clone) else {
            return Ok(shown.with("state", "busy")?.end());
        };
        Ok(shown
            .with("state", state(wait.clone()))?
            .with("attempts", wait.attempts())?
            .with("now_ms", wait.now_ms())?
            .with("deadline_ms", wait.deadline_ms())?
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

/// The state of a wait, for people: the step that a copy would take.
fn state(mut wait: smithy_waiters::Wait) -> &'static str {
    let attempts = wait.attempts();
    match wait.poll(0) {
        Step::Call { attempt, .. } if attempt == attempts => "in_flight",
        Step::Call { .. } => "ready",
        Step::Sleep { .. } => "sleeping",
        Step::Done(_) => "done",
    }
}
