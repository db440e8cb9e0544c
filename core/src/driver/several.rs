//! Several waits of different kinds under one deadline.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::thread;
use std::time::Duration;

use super::Driver;
use super::cancel::CancelToken;
use super::reports::Reports;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use super::runtime::BlockingRuntime;
use super::runtime::Runtime;
use super::wait::{Outcome, WaiterError};
use crate::error::OptionsError;
use crate::fleet::{FleetError, Tally, TallyState, waits_failed};
use crate::options::{MAX_WAIT, WaitOptions};
use crate::wait::WaitReport;

/// Error returned when too many of several waits ended without success.
///
/// # Example: the failures
///
/// ```
/// use std::time::Duration;
/// use serde_json::{Value, json};
/// use smithy_waiters::driver::{EachOptions, StdRuntime, WaitersError};
/// use smithy_waiters::{Driver, ErrorMetadata, FleetOptions, WaitOptions, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let denied = |_| Err::<Value, _>(ErrorMetadata::of_code("AccessDenied"));
/// let driver = Driver::new(StdRuntime::new());
/// let fleet = driver.fleet_blocking(&available, &FleetOptions::new("Volumes[]", "VolumeId"), denied)?;
/// let options = WaitOptions::new(Duration::from_secs(600));
/// let error = fleet.wait_each(["vol-1"], &options, EachOptions::new()).unwrap_err();
/// assert!(error.to_string().starts_with("1 of 1 waits failed:\n  vol-1: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum WaitersError {
    /// The resources of an answer cannot be told apart, or a compiled matcher returned an acceptor that cannot match.
    Answer(FleetError),
    /// Too many waits failed.
    Failed {
        /// The reports of the waits that failed.
        failures: Reports,
        /// The reports of the waits that succeeded.
        outcomes: Reports,
    },
    /// An option is invalid, or an identifier repeats.
    Options(OptionsError),
}

/// Several waits of different kinds under one deadline.
///
/// The function of each wait receives a driver and options, which all share: the runtime, the token that cancels the others,
/// and the deadline. All waits run in the task that awaits [`all`](Self::all) or [`any`](Self::any). Their futures must be `Send`.
/// A name that repeats is an error of these.
/// See [docs/rules.md#several-waits](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#several-waits).
///
/// # Example: a table and a stack
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::{TokioRuntime, Waits};
/// use smithy_waiters::{ErrorMetadata, Waiter};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tables = Waiter::until("Table.TableStatus", "ACTIVE").build()?;
/// let stacks = Waiter::until("Stacks[].StackStatus", "CREATE_COMPLETE").build()?;
/// let describe_table = async |_| Ok::<_, ErrorMetadata>(json!({"Table": {"TableStatus": "ACTIVE"}}));
/// let describe_stack = async |_| Ok::<_, ErrorMetadata>(json!({"Stacks": [{"StackStatus": "CREATE_COMPLETE"}]}));
///
/// let reports = Waits::new(TokioRuntime::new(), Duration::from_secs(600))
///     .add("table", |driver, options| driver.wait(&tables, describe_table, options))
///     .add("stack", |driver, options| driver.wait(&stacks, describe_stack, options.label("network")))
///     .all()
///     .await?;
/// assert_eq!(reports["table"].attempts, 1);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct Waits<'a, R> {
    shared: Shared<R>,
    waits: Vec<(Place, AsyncWait<'a>)>,
}

/// Several waits of different kinds under one deadline, each in a thread. See [`Waits`].
///
/// The functions can borrow from the caller, so that the result comes only after all threads have ended: a call that hangs
/// delays it, also past the deadline. Give the client's requests a time limit.
///
/// # Example: the first of two
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::{BlockingWaits, StdRuntime};
/// use smithy_waiters::{ErrorMetadata, Waiter};
///
/// let ready = Waiter::until("Status", "READY").build()?;
/// let describe = |status| move |_| Ok::<_, ErrorMetadata>(json!({"Status": status}));
/// let reports = BlockingWaits::new(StdRuntime::new(), Duration::from_secs(600))
///     .add("primary", |driver, options| driver.wait_blocking(&ready, describe("PENDING"), options))
///     .add("replica", |driver, options| driver.wait_blocking(&ready, describe("READY"), options))
///     .any()?;
/// assert!(reports.names().eq(["replica"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[must_use]
pub struct BlockingWaits<'a, R> {
    shared: Shared<R>,
    waits: Vec<(Place, BlockingWait<'a>)>,
}

type AsyncWait<'a> = Pin<Box<dyn Future<Output = End> + Send + 'a>>;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
type BlockingWait<'a> = Box<dyn FnOnce() -> End + Send + 'a>;

/// The number and the name of a wait in its list.
struct Place(u64, String);

/// What several waits share.
struct Shared<R> {
    runtime: R,
    names: BTreeSet<String>,
    /// The error of a name that repeats.
    repeated: Option<OptionsError>,
    options: WaitOptions,
    max_wait: Duration,
    /// Cancels the waits that need not go on.
    stop: CancelToken,
    cancel: Option<CancelToken>,
}

/// The report of a wait, or an error of the caller's program.
type End = Result<Arc<WaitReport>, WaitersError>;

impl<'a, R: Runtime + Clone> Waits<'a, R> {
    /// Creates a list without waits. All end after `max_wait` at the latest.
    pub fn new(runtime: R, max_wait: Duration) -> Self {
        Self {
            shared: Shared::new(runtime, max_wait),
            waits: Vec::new(),
        }
    }

    /// Adds a wait. `start` receives the driver and the options that all share, and returns the future of the wait.
    pub fn add<F, T, E>(
        mut self,
        name: impl Into<String>,
        start: impl FnOnce(Driver<R>, WaitOptions) -> F,
    ) -> Self
    where
        F: Future<Output = Result<Outcome<T, E>, WaiterError<T, E>>> + Send + 'a,
    {
        if let Some(place) = self.shared.place(name.into()) {
            let wait = start(self.shared.driver(), self.shared.options.clone());
            let wait = Box::pin(async { end_of(wait.await) });
            self.waits.push((place, wait));
        }
        self
    }

    /// Sets a token that cancels all waits from elsewhere.
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.shared.cancel = Some(token.clone());
        self
    }

    /// Waits until all have succeeded, and returns their reports. The first failure cancels the others.
    ///
    /// # Errors
    ///
    /// Returns [`WaitersError`].
    pub async fn all(self) -> Result<Reports, WaitersError> {
        let tally = self.shared.tally_of_all()?;
        self.run(tally).await
    }

    /// Waits until one has succeeded, and returns its report. The others are then cancelled, and a failure lets them go on.
    ///
    /// # Errors
    ///
    /// Returns [`WaitersError`].
    pub async fn any(self) -> Result<Reports, WaitersError> {
        let tally = self.shared.tally_of_any()?;
        self.run(tally).await
    }

    async fn run(self, tally: Tally) -> Result<Reports, WaitersError> {
        let Self { shared, mut waits } = self;
        let _link = shared.link();
        let mut ends = Ends::new(tally, &shared.stop);
        poll_fn(|context| {
            waits.retain_mut(|(place, wait)| match wait.as_mut().poll(context) {
                Poll::Ready(end) => {
                    ends.end(place, end);
                    false
                }
                Poll::Pending => true,
            });
            if waits.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        ends.into_result()
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl<'a, R: BlockingRuntime + Clone + Send + 'a> BlockingWaits<'a, R> {
    /// Creates a list without waits. All end after `max_wait` at the latest.
    pub fn new(runtime: R, max_wait: Duration) -> Self {
        Self {
            shared: Shared::new(runtime, max_wait),
            waits: Vec::new(),
        }
    }

    /// Adds a wait. `wait` receives the driver and the options that all share, and runs in a thread.
    pub fn add<T, E>(
        mut self,
        name: impl Into<String>,
        wait: impl FnOnce(Driver<R>, WaitOptions) -> Result<Outcome<T, E>, WaiterError<T, E>>
        + Send
        + 'a,
    ) -> Self {
        if let Some(place) = self.shared.place(name.into()) {
            let (driver, options) = (self.shared.driver(), self.shared.options.clone());
            let wait = Box::new(|| end_of(wait(driver, options)));
            self.waits.push((place, wait));
        }
        self
    }

    /// Sets a token that cancels all waits from elsewhere.
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.shared.cancel = Some(token.clone());
        self
    }

    /// Waits until all have succeeded, and returns their reports. The first failure cancels the others.
    ///
    /// # Errors
    ///
    /// Returns [`WaitersError`].
    pub fn all(self) -> Result<Reports, WaitersError> {
        let tally = self.shared.tally_of_all()?;
        self.run(tally)
    }

    /// Waits until one has succeeded, and returns its report. The others are then cancelled, and a failure lets them go on.
    ///
    /// # Errors
    ///
    /// Returns [`WaitersError`].
    pub fn any(self) -> Result<Reports, WaitersError> {
        let tally = self.shared.tally_of_any()?;
        self.run(tally)
    }

    fn run(self, tally: Tally) -> Result<Reports, WaitersError> {
        let Self { shared, waits } = self;
        let _link = shared.link();
        let ends = Mutex::new(Ends::new(tally, &shared.stop));
        thread::scope(|threads| {
            for (place, wait) in waits {
                let ends = &ends;
                threads.spawn(move || {
                    let _stop = StopOnPanic(ends);
                    let end = wait();
                    lock(ends).end(&place, end);
                });
            }
        });
        let ends = ends.into_inner();
        ends.unwrap_or_else(PoisonError::into_inner).into_result()
    }
}

impl<R: Clone> Shared<R> {
    fn new(runtime: R, max_wait: Duration) -> Self {
        Self {
            runtime,
            names: BTreeSet::new(),
            repeated: None,
            options: WaitOptions::limited_by_deadline(max_wait),
            max_wait,
            stop: CancelToken::new(),
            cancel: None,
        }
    }

    fn driver(&self) -> Driver<R> {
        Driver::new(self.runtime.clone()).cancelled_by(&self.stop)
    }

    /// Returns the place of the next wait, or `None` if its name repeats.
    fn place(&mut self, name: String) -> Option<Place> {
        let number = u64::try_from(self.names.len()).unwrap_or(u64::MAX);
        if self.names.insert(name.clone()) {
            return Some(Place(number, name));
        }
        let rule = "must not repeat a name";
        let error = || OptionsError::invalid("waits", rule, &format!("`{name}` twice"));
        self.repeated.get_or_insert_with(error);
        None
    }

    fn tally_of_all(&self) -> Result<Tally, OptionsError> {
        Tally::new(self.total()?, None, true)
    }

    fn tally_of_any(&self) -> Result<Tally, OptionsError> {
        let total = self.total()?;
        Tally::new(total, (total > 0).then_some(1), false)
    }

    /// Returns the number of waits, or an error of the list.
    fn total(&self) -> Result<usize, OptionsError> {
        MAX_WAIT.positive_millis(self.max_wait)?;
        let total = self.names.len();
        self.repeated.clone().map_or(Ok(total), Err)
    }

    /// Cancels the waits when the caller's token is cancelled, until the result is dropped.
    fn link(&self) -> Option<impl Future<Output = ()>> {
        let mut cancelled = Box::pin(self.cancel.as_ref()?.cancelled());
        let waker = self.stop.waker();
        if cancelled
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            self.stop.cancel();
        }
        Some(cancelled)
    }
}

/// The ends of several waits of different kinds.
struct Ends<'s> {
    whole: Whole,
    stop: &'s CancelToken,
    /// An error of the caller's program.
    error: Option<WaitersError>,
}

impl<'s> Ends<'s> {
    const fn new(tally: Tally, stop: &'s CancelToken) -> Self {
        Self {
            whole: Whole::new(tally),
            stop,
            error: None,
        }
    }

    fn end(&mut self, Place(number, name): &Place, end: End) {
        match end {
            // The others were cancelled, or were late.
            _ if self.whole.tally.state() == TallyState::Succeeded => {}
            Ok(report) => self.whole.end(*number, name.clone(), report),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        if self.error.is_some() || !self.whole.is_open() {
            self.stop.cancel();
        }
    }

    fn into_result(self) -> Result<Reports, WaitersError> {
        self.error.map_or_else(|| self.whole.into_result(), Err)
    }
}

/// Cancels the other waits if the function of one panics, since the panic goes on only after all have ended.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
struct StopOnPanic<'e, 's>(&'e Mutex<Ends<'s>>);

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(self.0).stop.cancel();
        }
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn lock<'m, 's>(ends: &'m Mutex<Ends<'s>>) -> MutexGuard<'m, Ends<'s>> {
    ends.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end_of<T, E>(ended: Result<Outcome<T, E>, WaiterError<T, E>>) -> End {
    match ended {
        Ok(outcome) => Ok(outcome.report),
        Err(WaiterError::Failure(failure)) => Ok(failure.report),
        Err(WaiterError::Options(error)) => Err(error.into()),
        Err(WaiterError::State(error)) => Err(FleetError::State(error).into()),
    }
}

/// The ends of several waits, and the count that decides when the whole has ended.
#[derive(Debug)]
pub(super) struct Whole {
    tally: Tally,
    failures: Ended,
    outcomes: Ended,
}

/// The names and the reports of waits by their places in the list.
type Ended = BTreeMap<u64, (String, Arc<WaitReport>)>;

impl Whole {
    pub(super) const fn new(tally: Tally) -> Self {
        Self {
            tally,
            failures: Ended::new(),
            outcomes: Ended::new(),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.tally.state() == TallyState::Open
    }

    /// Counts the end of a wait. The reports are sorted by `place`. Rule: docs/rules.md#several-waits
    pub(super) fn end(&mut self, place: u64, name: String, report: Arc<WaitReport>) {
        let is_success = report.kind.is_none();
        self.tally.count(is_success);
        let ended = if is_success {
            &mut self.outcomes
        } else {
            &mut self.failures
        };
        ended.insert(place, (name, report));
    }

    pub(super) fn into_result(self) -> Result<Reports, WaitersError> {
        let Self {
            tally,
            failures,
            outcomes,
        } = self;
        let in_order = |ended: Ended| Reports::new(ended.into_values().collect());
        let (failures, outcomes) = (in_order(failures), in_order(outcomes));
        match tally.state() {
            TallyState::Succeeded => Ok(outcomes),
            TallyState::Open | TallyState::Failed => {
                Err(WaitersError::Failed { failures, outcomes })
            }
        }
    }
}

impl From<OptionsError> for WaitersError {
    fn from(error: OptionsError) -> Self {
        Self::Options(error)
    }
}

impl From<FleetError> for WaitersError {
    fn from(error: FleetError) -> Self {
        Self::Answer(error)
    }
}

impl fmt::Display for WaitersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer(error) => error.fmt(f),
            Self::Options(error) => error.fmt(f),
            Self::Failed { failures, outcomes } => {
                let total = failures.len().saturating_add(outcomes.len());
                let failures = failures.iter();
                let failures = failures.map(|(name, report)| (&**name, &*report.message));
                f.write_str(&waits_failed(failures, total))
            }
        }
    }
}

impl std::error::Error for WaitersError {}

impl<R> fmt::Debug for Waits<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.waits.iter().map(|(Place(_, name), _)| name);
        f.debug_list().entries(names).finish()
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl<R> fmt::Debug for BlockingWaits<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.waits.iter().map(|(Place(_, name), _)| name);
        f.debug_list().entries(names).finish()
    }
}
