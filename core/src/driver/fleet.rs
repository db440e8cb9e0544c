//! Fleets that callers can join at any time.

mod crew;

use std::fmt;
use std::future::{Future, Ready, ready};
use std::sync::Arc;

use crew::Crew;

use super::Driver;
use super::cancel::CancelToken;
use super::error::OperationError;
use super::host::{AsyncHost, BlockingHost, block_on};
use super::limit::SharedRateLimit;
use super::reports::Reports;
use super::runtime::{BlockingRuntime, Runtime};
use super::several::WaitersError;
use crate::error::{OptionsError, StateError};
use crate::fleet::{Fleet, FleetError, FleetOptions, Tally};
use crate::options::WaitOptions;
use crate::rate_limit::USUAL_RATE;
use crate::response::Response;
use crate::wait::{FailureKind, WaitReport};
use crate::waiter::Waiter;

/// A fleet that callers can join at any time, from any task. [`Driver::fleet`] creates it.
///
/// A clone is a handle to the same fleet. One of its callers polls for all, so that it works on any executor without a task of
/// its own, and without callers nothing runs. Dropping the future of a wait cancels that wait, and another caller goes on
/// with the calls. If the future is held without being polled, another caller takes over at the next call.
/// See [docs/rules.md#fleets](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#fleets).
///
/// # Example: three volumes with one call
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::{EachOptions, SharedRateLimit, TokioRuntime};
/// use smithy_waiters::{Driver, ErrorMetadata, FleetOptions, WaitOptions, Waiter};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let describe = async |ids: Vec<String>| {
///     let volume = |id| json!({"VolumeId": id, "State": "available"});
///     Ok::<_, ErrorMetadata>(json!({"Volumes": ids.into_iter().map(volume).collect::<Vec<_>>()}))
/// };
/// let driver = Driver::new(TokioRuntime::new()).rate_limit(&SharedRateLimit::new(10.0)?);
/// let fleet = driver.fleet(&available, &FleetOptions::new("Volumes[]", "VolumeId"), describe)?;
/// let options = WaitOptions::new(Duration::from_secs(600));
/// let (one, others) = tokio::join!(
///     fleet.wait("vol-1", &options),
///     fleet.wait_each(["vol-2", "vol-3"], &options, EachOptions::new()),
/// );
/// assert_eq!((one?.attempts, others?.len()), (1, 2));
/// # Ok(())
/// # }
/// ```
pub struct SharedFleet<R, C, F> {
    crew: Arc<Crew<AsyncHost<R>, C, F>>,
    cancel: Option<CancelToken>,
}

/// A fleet that callers can join at any time, from any thread. [`Driver::fleet_blocking`] creates it.
///
/// A clone is a handle to the same fleet. One of the waiting threads makes the calls for all, so that the fleet has no thread
/// of its own. A call cannot be interrupted: while one takes longer than the deadlines of its callers, the others end
/// within a second of theirs.
///
/// # Example: two threads
///
/// ```
/// use std::thread;
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::StdRuntime;
/// use smithy_waiters::{Driver, ErrorMetadata, FleetOptions, WaitOptions, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let describe = |ids: Vec<String>| {
///     let volume = |id| json!({"VolumeId": id, "State": "available"});
///     Ok::<_, ErrorMetadata>(json!({"Volumes": ids.into_iter().map(volume).collect::<Vec<_>>()}))
/// };
/// let driver = Driver::new(StdRuntime::new());
/// let fleet = driver.fleet_blocking(&available, &FleetOptions::new("Volumes[]", "VolumeId"), describe)?;
/// let options = WaitOptions::new(Duration::from_secs(600));
/// thread::scope(|threads| {
///     threads.spawn(|| assert!(fleet.wait("vol-1", &options).is_ok()));
///     threads.spawn(|| assert!(fleet.wait("vol-2", &options).is_ok()));
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BlockingFleet<R, C, T, E> {
    crew: Arc<BlockingCrew<R, C, T, E>>,
    cancel: Option<CancelToken>,
}

type BlockingCrew<R, C, T, E> = Crew<BlockingHost<R>, C, Ready<Result<T, E>>>;

/// The options for the whole of a list of waits.
///
/// # Example: two of three
///
/// ```
/// use smithy_waiters::driver::EachOptions;
///
/// let options = EachOptions::new().quorum(2).fail_fast(false);
/// assert_ne!(options, EachOptions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EachOptions {
    quorum: Option<usize>,
    fail_fast: bool,
}

/// Error returned when a wait in a fleet ended without success.
///
/// # Example: a volume with an error
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::{FleetWaitError, StdRuntime};
/// use smithy_waiters::{Driver, ErrorMetadata, FailureKind, FleetOptions, WaitOptions, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").fail(["error"]).build()?;
/// let describe = |_| Ok::<_, ErrorMetadata>(json!({"Volumes": [{"VolumeId": "vol-1", "State": "error"}]}));
/// let driver = Driver::new(StdRuntime::new());
/// let fleet = driver.fleet_blocking(&available, &FleetOptions::new("Volumes[]", "VolumeId"), describe)?;
/// match fleet.wait("vol-1", &WaitOptions::new(Duration::from_secs(600))) {
///     Err(FleetWaitError::Failed(report)) => assert_eq!(report.kind, Some(FailureKind::FailureState)),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetWaitError {
    /// The resources of an answer cannot be told apart.
    #[error(transparent)]
    Answer(#[from] FleetError),
    /// The wait ended without success.
    #[error("{0}")]
    Failed(Arc<WaitReport>),
    /// An option or the identifier is invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

impl<R, I, H> Driver<R, I, H> {
    /// Creates a fleet, whose waits share their calls. `call` makes the call for some identifiers.
    ///
    /// The fleet makes at most 5 calls per second, unless the driver has a [`rate_limit`](Self::rate_limit). The driver's input
    /// and `on_attempt` are not used. See [`SharedFleet`] for an example.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if an option is invalid.
    pub fn fleet<C, F>(
        self,
        waiter: &Waiter,
        options: &FleetOptions,
        call: C,
    ) -> Result<SharedFleet<R, C, F>, OptionsError>
    where
        R: Runtime,
        C: FnMut(Vec<String>) -> F,
        F: Future,
    {
        let (machine, limit) = self.machine(waiter, options)?;
        let crew = Crew::new(machine, limit, AsyncHost(self.runtime), call);
        Ok(SharedFleet {
            crew: Arc::new(crew),
            cancel: self.caller.cancel,
        })
    }

    /// Creates a fleet for threads, whose waits share their calls. See [`fleet`](Self::fleet), and [`BlockingFleet`] for an
    /// example.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if an option is invalid.
    pub fn fleet_blocking<C, T, E>(
        self,
        waiter: &Waiter,
        options: &FleetOptions,
        call: C,
    ) -> Result<BlockingFleet<R, C, T, E>, OptionsError>
    where
        R: BlockingRuntime,
        C: FnMut(Vec<String>) -> Result<T, E>,
    {
        let (machine, limit) = self.machine(waiter, options)?;
        let crew = Crew::new(machine, limit, BlockingHost(self.runtime), call);
        Ok(BlockingFleet {
            crew: Arc::new(crew),
            cancel: self.caller.cancel,
        })
    }

    fn machine(
        &self,
        waiter: &Waiter,
        options: &FleetOptions,
    ) -> Result<(Fleet, SharedRateLimit), OptionsError> {
        let machine = waiter.fleet(options)?.spelling(self.caller.spelling);
        let limit = self.caller.limit.clone();
        let limit = limit.map_or_else(|| SharedRateLimit::new(USUAL_RATE), Ok)?;
        Ok((machine, limit))
    }
}

impl<R, C, F, T, E> SharedFleet<R, C, F>
where
    R: Runtime,
    C: FnMut(Vec<String>) -> F,
    F: Future<Output = Result<T, E>>,
    T: Response,
    E: OperationError,
{
    /// Returns a handle whose waits the token cancels, too. The reports of cancelled waits are in the error.
    #[must_use]
    pub fn cancelled_by(&self, token: &CancelToken) -> Self {
        Self {
            cancel: Some(token.clone()),
            ..self.clone()
        }
    }

    /// Waits for a resource, and returns the report of its success. The history has one attempt by default.
    ///
    /// # Errors
    ///
    /// Returns [`FleetWaitError`].
    pub async fn wait(
        &self,
        id: impl Into<String>,
        options: &WaitOptions,
    ) -> Result<Arc<WaitReport>, FleetWaitError> {
        let each = EachOptions::new();
        only(self.wait_each([id], options, each).await)
    }

    /// Waits for each of several resources, and returns the reports of those that succeeded. By default, a failure of one lets
    /// the others go on.
    ///
    /// # Errors
    ///
    /// Returns [`WaitersError`].
    pub async fn wait_each<I: Into<String>>(
        &self,
        ids: impl IntoIterator<Item = I>,
        options: &WaitOptions,
        each: EachOptions,
    ) -> Result<Reports, WaitersError> {
        let ids: Vec<String> = ids.into_iter().map(Into::into).collect();
        let (tally, cancel) = (each.tally(ids.len())?, self.cancel.as_ref());
        let invoke = |call: &mut C, ids| call(ids);
        let whole = self.crew.run(&ids, options, tally, cancel, invoke);
        whole.await?.into_result()
    }
}

impl<R, C, T, E> BlockingFleet<R, C, T, E>
where
    R: BlockingRuntime,
    C: FnMut(Vec<String>) -> Result<T, E>,
    T: Response,
    E: OperationError,
{
    /// Returns a handle whose waits the token cancels, too. The reports of cancelled waits are in the error.
    #[must_use]
    pub fn cancelled_by(&self, token: &CancelToken) -> Self {
        Self {
            cancel: Some(token.clone()),
            ..self.clone()
        }
    }

    /// Waits for a resource on this thread, and returns the report of its success. The history has one attempt by default.
    ///
    /// # Errors
    ///
    /// Returns [`FleetWaitError`].
    pub fn wait(
        &self,
        id: impl Into<String>,
        options: &WaitOptions,
    ) -> Result<Arc<WaitReport>, FleetWaitError> {
        only(self.wait_each([id], options, EachOptions::new()))
    }

    /// Waits for each of several resources on this thread, and returns the reports of those that succeeded. By default, a
    /// failure of one lets the others go on.
    ///
    /// # Errors
    ///
    /// Returns [`WaitersError`].
    pub fn wait_each<I: Into<String>>(
        &self,
        ids: impl IntoIterator<Item = I>,
        options: &WaitOptions,
        each: EachOptions,
    ) -> Result<Reports, WaitersError> {
        let ids: Vec<String> = ids.into_iter().map(Into::into).collect();
        let (tally, cancel) = (each.tally(ids.len())?, self.cancel.as_ref());
        let invoke = |call: &mut C, ids| ready(call(ids));
        block_on(self.crew.run(&ids, options, tally, cancel, invoke))?.into_result()
    }
}

impl FleetWaitError {
    /// Returns the stable code, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Answer(error) => error.code(),
            Self::Failed(report) => report.kind.map_or("", FailureKind::code),
            Self::Options(error) => error.code,
        }
    }
}

impl EachOptions {
    /// Creates the options that wait for all, and for the others after a failure of one.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            quorum: None,
            fail_fast: false,
        }
    }

    /// Sets the number of successes that is enough; the other waits then end.
    #[must_use]
    pub const fn quorum(mut self, quorum: usize) -> Self {
        self.quorum = Some(quorum);
        self
    }

    /// Sets whether the first failure ends all waits.
    #[must_use]
    pub const fn fail_fast(mut self, fail_fast: bool) -> Self {
        self.fail_fast = fail_fast;
        self
    }

    fn tally(self, total: usize) -> Result<Tally, OptionsError> {
        Tally::new(total, self.quorum, self.fail_fast)
    }
}

/// Returns the end of a single wait.
fn only(ended: Result<Reports, WaitersError>) -> Result<Arc<WaitReport>, FleetWaitError> {
    let (reports, has_succeeded) = match ended {
        Ok(outcomes) => (outcomes, true),
        Err(WaitersError::Failed { failures, .. }) => (failures, false),
        Err(WaitersError::Answer(error)) => return Err(error.into()),
        Err(WaitersError::Options(error)) => return Err(error.into()),
    };
    let report = reports.into_iter().next().map(|(_, report)| report);
    let report = report.ok_or(FleetError::State(StateError::NotInFlight))?;
    if has_succeeded {
        Ok(report)
    } else {
        Err(FleetWaitError::Failed(report))
    }
}

impl<R, C, F> Clone for SharedFleet<R, C, F> {
    fn clone(&self) -> Self {
        Self {
            crew: Arc::clone(&self.crew),
            cancel: self.cancel.clone(),
        }
    }
}

impl<R, C, T, E> Clone for BlockingFleet<R, C, T, E> {
    fn clone(&self) -> Self {
        Self {
            crew: Arc::clone(&self.crew),
            cancel: self.cancel.clone(),
        }
    }
}

impl<R, C, F> fmt::Debug for SharedFleet<R, C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedFleet").finish_non_exhaustive()
    }
}

impl<R, C, T, E> fmt::Debug for BlockingFleet<R, C, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingFleet").finish_non_exhaustive()
    }
}
