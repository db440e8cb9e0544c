//! Waits for many resources that share their calls, and the limit of their rate.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{IntoPyObjectExt, PyTraverseError};
use smithy_waiters::internal::{self, Identifiers, Spelling, TallyOptions, seed};
use smithy_waiters::{FleetOptions, FleetSnapshot, FleetStep, StoredOptions};

use crate::definition::Owner;
use crate::error;
use crate::event::ErrorEvent;
use crate::failure::Detail;
use crate::handle::Handle;
use crate::machine::Machine;
use crate::millis::{Millis, WallClock, wall_clock};
use crate::options;
use crate::repr;
use crate::step::{Done, Sleep};
use crate::transient;
use crate::waiter::wait_options;

/// The rate at which several waits and fleets of a process may call, in calls per second.
///
/// Whoever asks first calls first, so that no wait calls twice before another one that is due has called once. A
/// throttled call lowers the rate by 30 %, and it recovers by 10 % of the limit in each second. A limit is thread-safe
/// and cannot be pickled.
///
/// Without a number, the limit is 5.
///
/// >>> limit = RateLimit(5)
/// >>> limit.reserve(0), limit.reserve(0)
/// (0, 200)
///
/// Raises:
///     OptionsError: The rate is not a number from 0.001 to 1000.
#[pyclass(frozen, weakref, module = "smithy_waiters._engine")]
pub(crate) struct RateLimit {
    machine: Mutex<smithy_waiters::RateLimit>,
}

impl RateLimit {
    pub(crate) fn lock(&self) -> MutexGuard<'_, smithy_waiters::RateLimit> {
        // Code under the lock cannot panic, so a poisoned lock is still valid.
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl RateLimit {
    #[new]
    #[pyo3(signature = (rate=None))]
    fn new(py: Python<'_>, rate: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let keywords = PyDict::new(py);
        keywords.set_item("rate", rate)?;
        Ok(Self {
            machine: Mutex::new(options::of(py, Some(&keywords))?),
        })
    }

    /// The limit in calls per second.
    #[getter]
    fn rate(&self) -> f64 {
        self.lock().per_second()
    }

    /// Take the next free time of a call, and return it in milliseconds. The call may start then, and not earlier.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`).
    fn reserve(&self, now_ms: Millis) -> u64 {
        self.lock().reserve(now_ms.0)
    }

    /// Lower the rate after the service throttled a call.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`).
    fn throttle(&self, now_ms: Millis) {
        self.lock().throttle(now_ms.0);
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &["rate"], &[])
    }
}

/// The step to call the operation for some identifiers, and to report the answer with the number of the call.
#[pyclass(frozen, get_all, module = "smithy_waiters._engine")]
pub(crate) struct FleetCall {
    /// The number of the call.
    call: u64,
    /// The identifiers.
    ids: Py<PyList>,
    /// The time after which nobody waits for the answer, in milliseconds; `None` without a deadline.
    deadline_ms: Option<u64>,
}

#[pymethods]
impl FleetCall {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        repr::from_attributes(slf, &[], &["call", "ids", "deadline_ms"])
    }
}

/// Waits for many resources that share their calls. It returns steps for the caller to perform, and never reads a
/// clock, sleeps or calls.
///
/// Times are milliseconds on one clock, which is also that of the rate limit.
#[pyclass(frozen, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Fleet {
    owner: Owner,
    limit: Py<RateLimit>,
    machine: Machine<smithy_waiters::Fleet>,
}

type Ends<'py> = Vec<(u64, Done)>;

impl Fleet {
    pub(crate) fn new(
        py: Python<'_>,
        owner: Owner,
        limit: Py<RateLimit>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let options: FleetOptions = options::of(py, keywords)?;
        let fleet = owner.definition.engine().fleet(&options);
        let fleet = fleet.map_err(error::options)?.spelling(Spelling::Python);
        Ok(Self {
            owner,
            limit,
            machine: Machine::new(fleet),
        })
    }
}

#[pymethods]
impl Fleet {
    /// Add a caller for each identifier, and return the tickets and the identifiers in their order. If one is
    /// refused, none is added. `ids` has the list `ids` or the text `id`.
    ///
    /// The options are those of `Waiter.wait`.
    ///
    /// Raises:
    ///     OptionsError: An identifier is empty or repeats, or an option is missing, unknown or invalid.
    #[pyo3(signature = (ids, now_ms, **options))]
    fn join(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyDict>,
        now_ms: Millis,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(u64, String)>> {
        let Identifiers(ids) = options::of(py, Some(ids))?;
        let options = wait_options(py, options)?;
        let seed = seed(&options).map_err(error::options)?;
        let tickets = self
            .machine
            .step(|fleet| fleet.join_each(&ids, &options, seed, now_ms.0))?;
        let tickets = tickets.map_err(error::options)?.into_iter();
        Ok(tickets.zip(ids).collect())
    }

    /// End the wait of a caller as cancelled and return its `Done`; `None` if it has ended already.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).
    fn leave(&self, ticket: u64, now_ms: Millis) -> PyResult<Option<Done>> {
        let report = self.machine.step(|fleet| fleet.leave(ticket, now_ms.0))?;
        Ok(report.map(Done::from))
    }

    /// Return the list of a ticket as JSON text, which `resume` reads in any process and in every language. Return
    /// `None` if all of its waits have ended. Calls in flight are made again after resuming.
    ///
    /// Raises:
    ///     StateError: Another step is being taken (`busy`).
    fn to_json(&self, py: Python<'_>, ticket: u64) -> PyResult<Option<String>> {
        let now = wall_clock(py);
        let snapshot = self.machine.read(|fleet| fleet.snapshot(ticket, now))?;
        Ok(snapshot.map(|snapshot| snapshot.to_json()))
    }

    /// Return the deadline of the list of a ticket in milliseconds; `None` if only attempts are limited.
    ///
    /// Raises:
    ///     StateError: Another step is being taken (`busy`).
    fn deadline_ms(&self, ticket: u64) -> PyResult<Option<u64>> {
        self.machine.read(|fleet| fleet.deadline_ms(ticket))
    }

    /// Resume a list that was saved by `to_json`, and return the tickets and the identifiers in its order. The next
    /// steps return the waits that had ended.
    ///
    /// Args:
    ///     json: The saved list.
    ///     now_ms: The time.
    ///     elapsed_ms: The milliseconds since the start of the list, including the time while it was saved. By default
    ///         that time is measured by the wall clock.
    ///
    /// Raises:
    ///     StateError: The saved list is damaged, belongs to another definition or fleet, or was saved by a later
    ///         release.
    #[pyo3(signature = (json, now_ms, *, elapsed_ms=None))]
    fn resume(
        &self,
        py: Python<'_>,
        json: &str,
        now_ms: Millis,
        elapsed_ms: Option<Millis>,
    ) -> PyResult<Vec<(u64, String)>> {
        let snapshot = FleetSnapshot::from_json(json).map_err(error::state)?;
        let elapsed_ms = match elapsed_ms {
            Some(Millis(elapsed)) => elapsed,
            None => snapshot.elapsed_ms(wall_clock(py)),
        };
        let resumed = self
            .machine
            .step(|fleet| fleet.resume_each(snapshot, elapsed_ms, now_ms.0))?;
        resumed.map_err(error::state)
    }

    /// Return the ends of waits as pairs of a ticket and a `Done`, and the next step: a `FleetCall`, a `Sleep`, or
    /// `None` if nothing is due.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).
    fn poll<'py>(
        &self,
        py: Python<'py>,
        now_ms: Millis,
    ) -> PyResult<(Ends<'py>, Bound<'py, PyAny>)> {
        let mut ends = Vec::new();
        let step = self.machine.step(|fleet| {
            let mut limit = self.limit.get().lock();
            loop {
                match fleet.poll(now_ms.0, &mut limit) {
                    FleetStep::Ended { ticket, report } => ends.push((ticket, Done::from(report))),
                    step => return step,
                }
            }
        })?;
        let step = match step {
            FleetStep::Call {
                call,
                ids,
                deadline_ms,
            } => FleetCall {
                call,
                ids: PyList::new(py, ids.iter().map(|id| &**id))?.unbind(),
                deadline_ms,
            }
            .into_bound_py_any(py)?,
            FleetStep::Sleep { until_ms } => Sleep::new(until_ms, false).into_bound_py_any(py)?,
            FleetStep::Ended { .. } | FleetStep::Idle => py.None().into_bound(py),
        };
        Ok((ends, step))
    }

    /// Return the ends of waits, such as those at their deadlines, without a step.
    ///
    /// Raises:
    ///     StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).
    fn ended(&self, now_ms: Millis) -> PyResult<Ends<'_>> {
        let ended = self.machine.step(|fleet| fleet.ended(now_ms.0))?;
        Ok(ended
            .into_iter()
            .map(|(ticket, report)| (ticket, report.into()))
            .collect())
    }

    /// Handle the answer of a call, which has one page or several. Return the ends of waits, each as a ticket, a
    /// `Done`, the resource in the answer or `None`, and the message of the error if two answers do not have it.
    ///
    /// Raises:
    ///     StateError: The resources of the answer cannot be told apart (`invalid_answer`), or the call is not in
    ///         flight. The fleet is unchanged.
    fn respond<'py>(
        &self,
        py: Python<'py>,
        call: u64,
        pages: Vec<Bound<'py, PyAny>>,
        now_ms: Millis,
    ) -> PyResult<Bound<'py, PyList>> {
        let context = self.owner.definition.context();
        let pages: Vec<_> = pages
            .into_iter()
            .map(|page| Handle::new(page, &context))
            .collect();
        let ends = self
            .machine
            .step(|fleet| fleet.respond(call, &pages, now_ms.0))?;
        // Before the engine's error: an interruption such as `KeyboardInterrupt` must not be replaced by it.
        context.finish()?;
        let ends = ends.map_err(error::fleet)?.into_iter().map(|end| {
            let item = end.item.map(Handle::into_object);
            (end.ticket, Done::from(end.report), item, end.missing)
        });
        PyList::new(py, ends.collect::<Vec<_>>())
    }

    /// Handle the error of a call, a `smithy_waiters.events.Error`. A throttled call lowers the rate.
    ///
    /// Raises:
    ///     StateError: The call is not in flight. The fleet is unchanged.
    fn fail(
        &self,
        py: Python<'_>,
        call: u64,
        event: &Bound<'_, ErrorEvent>,
        now_ms: Millis,
    ) -> PyResult<()> {
        let ErrorEvent {
            error,
            transient,
            facts,
        } = event.get();
        let context = self.owner.definition.context();
        let naming = self.owner.definition.naming();
        let metadata = naming.metadata(error.bind(py), Detail::Message, &context)?;
        context.finish()?;
        let (metadata, transient) =
            transient::classify(metadata, *transient, facts.as_ref(), now_ms.0);
        let failed = self.machine.step(|fleet| {
            let mut limit = self.limit.get().lock();
            fleet.fail(call, &metadata, transient, now_ms.0, &mut limit)
        })?;
        failed.map_err(error::state)
    }

    /// Start waits that an engine stores between their rounds. `started_at` is in seconds since 1970,
    /// `deadline_at_ms` in milliseconds, and `whole` has `quorum` and `fail_fast`.
    ///
    /// Raises:
    ///     OptionsError: An identifier is empty or repeats, or an option is missing, unknown or invalid.
    #[pyo3(signature = (ids, whole, id, started_at, deadline_at_ms, **options))]
    fn _start_stored(
        &self,
        ids: &Bound<'_, PyDict>,
        whole: &Bound<'_, PyDict>,
        id: &str,
        started_at: WallClock,
        deadline_at_ms: Option<f64>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let py = ids.py();
        let Identifiers(ids) = options::of(py, Some(ids))?;
        let whole: TallyOptions = options::of(py, Some(whole))?;
        let options = wait_options(py, options)?;
        let stored = StoredOptions::fleet_from_host(id, started_at.0, deadline_at_ms);
        let started = self.machine.step(|fleet| {
            let whole = whole.tally(ids.len())?;
            fleet.start_stored(&ids, &options, whole, stored)
        })?;
        started.map_err(error::options)
    }

    /// Resume waits that an engine stores, and return the time: at a round that is due, or at the current time.
    ///
    /// Raises:
    ///     StateError: The state is damaged, belongs to another definition or fleet, or was saved by a later release.
    fn _resume_stored(&self, py: Python<'_>, json: &str, is_due: bool) -> PyResult<u64> {
        let snapshot = FleetSnapshot::from_json(json).map_err(error::state)?;
        let now = wall_clock(py);
        let resumed = self
            .machine
            .step(|fleet| fleet.resume_stored(snapshot, now, is_due))?;
        resumed.map_err(error::state)
    }

    /// Return the state of waits that an engine stores, and its facts as `_stored_fleet`, both as JSON text; `None` if they
    /// have ended.
    fn _stored_state(&self) -> PyResult<Option<(String, String)>> {
        let snapshot = self.machine.read(smithy_waiters::Fleet::stored_snapshot)?;
        let state = snapshot.map(|snapshot| Ok((snapshot.to_json(), snapshot.stored_facts()?)));
        state.transpose().map_err(error::state)
    }

    /// Return the ends of waits that an engine stores as JSON text; `None` if they have not ended.
    fn _stored_report(&self) -> PyResult<Option<String>> {
        self.machine.read(smithy_waiters::Fleet::stored_report)
    }

    /// Return a text that is equal for two starts with the same definition, options, identifiers and arguments.
    fn _start_identity(&self, arguments: &str) -> PyResult<Option<String>> {
        self.machine.read(|fleet| fleet.start_identity(arguments))
    }

    /// End the waits without another call.
    fn _conclude(&self, now_ms: Millis) -> PyResult<()> {
        self.machine.step(|fleet| fleet.conclude(now_ms.0))
    }

    /// End a call that has not ended before its deadline.
    fn _cut(&self, call: u64, now_ms: Millis) -> PyResult<()> {
        let cut = self.machine.step(|fleet| fleet.cut(call, now_ms.0))?;
        cut.map_err(error::state)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.owner.waiter)?;
        visit.call(&self.limit)
    }

    /// End a call whose result the caller does not have, such as one of a task that was cancelled. It is repeated.
    ///
    /// Raises:
    ///     StateError: The call is not in flight. The fleet is unchanged.
    fn abandon(&self, call: u64, now_ms: Millis) -> PyResult<()> {
        let abandoned = self.machine.step(|fleet| fleet.abandon(call, now_ms.0))?;
        abandoned.map_err(error::state)
    }
}

/// Counts the ends of several waits, and decides when the whole has ended.
///
/// Raises:
///     OptionsError: `quorum` is 0 or above `total`.
#[pyclass(module = "smithy_waiters._engine")]
pub(crate) struct Tally(smithy_waiters::Tally);

#[pymethods]
impl Tally {
    #[new]
    #[pyo3(
        signature = (total, **options),
        text_signature = "(total, *, quorum=None, fail_fast=False)"
    )]
    fn new(py: Python<'_>, total: usize, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options: TallyOptions = options::of(py, options)?;
        options.tally(total).map(Self).map_err(error::options)
    }

    /// Count the end of a wait and return the state of the whole: `"open"`, `"succeeded"` or `"failed"`.
    fn count(&mut self, is_success: bool) -> &'static str {
        self.0.count(is_success).as_str()
    }

    /// The state of the whole: `"open"`, `"succeeded"` or `"failed"`. Without waits, it has succeeded.
    #[getter]
    const fn state(&self) -> &'static str {
        self.0.state().as_str()
    }
}

/// Return the message of the error for several waits, with the names and the messages of those that failed.
#[pyfunction]
#[pyo3(name = "_waits_failed")]
pub(crate) fn waits_failed(failures: Vec<(String, String)>, total: usize) -> String {
    let failures = failures.iter();
    internal::waits_failed(failures.map(|(name, message)| (&**name, &**message)), total)
}

/// Return the times of a fleet that an engine stores and the counts of its waits, as JSON text.
///
/// Raises:
///     StateError: The text is damaged or of a later release.
#[pyfunction]
#[pyo3(name = "_stored_fleet")]
pub(crate) fn stored_fleet(json: &str) -> PyResult<String> {
    let facts = FleetSnapshot::from_json(json).and_then(|snapshot| snapshot.stored_facts());
    facts.map_err(error::state)
}
