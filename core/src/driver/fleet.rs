//! The drivers of fleets: a list of waits that share their calls.

use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, ready};
use std::sync::Arc;

use super::cancel::CancelToken;
use super::clock::{Clock, Host};
use super::error::OperationError;
use super::host::{AsyncHost, BlockingHost, block_on};
#[cfg(feature = "tokio")]
use super::runtime::TokioRuntime;
use super::runtime::{BlockingRuntime, Runtime};
use crate::error::OptionsError;
use crate::fleet::{
    Fleet, FleetEnd, FleetError, FleetOptions, FleetStep, Tally, TallyState, waits_failed,
};
use crate::options::WaitOptions;
use crate::rate_limit::{RateLimit, USUAL_RATE};
use crate::response::Response;
use crate::seed::seed;
use crate::wait::WaitReport;
use crate::waiter::Waiter;

/// A list of waits that share their calls. [`Waiter::each`] creates it.
///
/// # Example: three volumes with one call
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::StdRuntime;
/// use smithy_waiters::{ErrorMetadata, FleetOptions, WaitOptions, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let describe = |ids: Vec<String>| {
///     let volume = |id| json!({"VolumeId": id, "State": "available"});
///     Ok::<_, ErrorMetadata>(json!({"Volumes": ids.into_iter().map(volume).collect::<Vec<_>>()}))
/// };
/// let each = available.each(FleetOptions::new("Volumes[]", "VolumeId")).rate(10.0);
/// let options = WaitOptions::new(Duration::from_secs(600));
/// let reports = each.wait_blocking_on(StdRuntime::new(), ["vol-1", "vol-2", "vol-3"], describe, &options)?;
/// assert_eq!(reports["vol-2"].attempts, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct WaitEach<'w> {
    waiter: &'w Waiter,
    options: FleetOptions,
    rate: f64,
    quorum: Option<usize>,
    fail_fast: bool,
    cancel: Option<CancelToken>,
}

/// The reports of waits by their identifiers.
pub type Reports = BTreeMap<String, Arc<WaitReport>>;

/// Error returned when too many waits of a list ended without success.
///
/// # Example: the failures
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::{StdRuntime, WaitEachError};
/// use smithy_waiters::{ErrorMetadata, FleetOptions, WaitOptions, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let each = available.each(FleetOptions::new("Volumes[]", "VolumeId"));
/// let denied = |_| Err::<serde_json::Value, _>(ErrorMetadata::of_code("AccessDenied"));
/// let options = WaitOptions::new(Duration::from_secs(600));
/// let error = each.wait_blocking_on(StdRuntime::new(), ["vol-1"], denied, &options).unwrap_err();
/// assert!(error.to_string().starts_with("1 of 1 waits failed:\n  vol-1: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum WaitEachError {
    /// The resources of an answer cannot be told apart.
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

impl Waiter {
    /// Waits for each of several resources, with calls that answer for many.
    ///
    /// By default a failure of one lets the others go on. See [`WaitEach`] for an example.
    pub const fn each(&self, options: FleetOptions) -> WaitEach<'_> {
        WaitEach {
            waiter: self,
            options,
            rate: USUAL_RATE,
            quorum: None,
            fail_fast: false,
            cancel: None,
        }
    }
}

impl WaitEach<'_> {
    /// Sets the most calls per second: 0.001 to 1000, 5 by default. A throttled call lowers the rate for a time.
    pub const fn rate(mut self, per_second: f64) -> Self {
        self.rate = per_second;
        self
    }

    /// Sets the number of successes that is enough; the other waits then end.
    pub const fn quorum(mut self, quorum: usize) -> Self {
        self.quorum = Some(quorum);
        self
    }

    /// Sets whether the first failure ends all waits.
    pub const fn fail_fast(mut self, fail_fast: bool) -> Self {
        self.fail_fast = fail_fast;
        self
    }

    /// Sets a token that cancels the waits from elsewhere.
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// Waits on tokio. `call` makes the call for some identifiers. Returns the reports of the waits that succeeded.
    ///
    /// # Errors
    ///
    /// Returns [`WaitEachError`].
    #[cfg(feature = "tokio")]
    pub async fn wait<I, C, F, T, E>(
        self,
        ids: impl IntoIterator<Item = I>,
        call: C,
        options: &WaitOptions,
    ) -> Result<Reports, WaitEachError>
    where
        I: Into<String>,
        C: FnMut(Vec<String>) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        self.wait_on(TokioRuntime::new(), ids, call, options).await
    }

    /// Waits on a runtime. See [`wait`](Self::wait).
    ///
    /// # Errors
    ///
    /// Returns [`WaitEachError`].
    pub async fn wait_on<R, I, C, F, T, E>(
        self,
        runtime: R,
        ids: impl IntoIterator<Item = I>,
        call: C,
        options: &WaitOptions,
    ) -> Result<Reports, WaitEachError>
    where
        R: Runtime,
        I: Into<String>,
        C: FnMut(Vec<String>) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        let ids = ids.into_iter().map(Into::into).collect();
        self.run(AsyncHost(runtime), ids, call, options).await
    }

    /// Waits on this thread, with the clock and the sleep of a runtime. See [`wait`](Self::wait).
    ///
    /// # Errors
    ///
    /// Returns [`WaitEachError`].
    pub fn wait_blocking_on<R, I, C, T, E>(
        self,
        runtime: R,
        ids: impl IntoIterator<Item = I>,
        mut call: C,
        options: &WaitOptions,
    ) -> Result<Reports, WaitEachError>
    where
        R: BlockingRuntime,
        I: Into<String>,
        C: FnMut(Vec<String>) -> Result<T, E>,
        T: Response,
        E: OperationError,
    {
        let ids = ids.into_iter().map(Into::into).collect();
        let call = |ids| ready(call(ids));
        block_on(self.run(BlockingHost(runtime), ids, call, options))
    }

    async fn run<H, C, F, T, E>(
        self,
        host: H,
        ids: Vec<String>,
        mut call: C,
        options: &WaitOptions,
    ) -> Result<Reports, WaitEachError>
    where
        H: Host,
        C: FnMut(Vec<String>) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        let mut limit = RateLimit::new(self.rate)?;
        let clock = Clock::start(host, self.cancel.clone());
        let mut run = Run::start(&self, &ids, options)?;
        while run.is_open() && !clock.is_cancelled() {
            match run.fleet.poll(clock.now_ms(), &mut limit) {
                FleetStep::Ended { ticket, report } => run.end(ticket, report),
                FleetStep::Call {
                    call: number,
                    ids,
                    deadline_ms,
                } => {
                    let ids = ids.iter().map(ToString::to_string).collect();
                    let result = H::call(&clock, deadline_ms, call(ids)).await;
                    run.call_ended(number, result, clock.now_ms(), &mut limit)?;
                }
                FleetStep::Sleep { until_ms } => clock.sleep_until(until_ms).await,
                // Every call has ended, so that something is due while somebody waits.
                FleetStep::Idle => break,
            }
        }
        run.finish(clock.now_ms())
    }
}

/// A list of waits in progress.
struct Run {
    fleet: Fleet,
    tally: Tally,
    names: BTreeMap<u64, String>,
    failures: Reports,
    outcomes: Reports,
}

impl Run {
    fn start(
        each: &WaitEach<'_>,
        ids: &[String],
        options: &WaitOptions,
    ) -> Result<Self, OptionsError> {
        let mut run = Self {
            fleet: each.waiter.fleet(&each.options)?,
            tally: Tally::new(ids.len(), each.quorum, each.fail_fast)?,
            names: BTreeMap::new(),
            failures: Reports::new(),
            outcomes: Reports::new(),
        };
        let tickets = run.fleet.join_each(ids, options, || seed(options), 0)?;
        run.names = tickets.into_iter().zip(ids.iter().cloned()).collect();
        Ok(run)
    }

    fn is_open(&self) -> bool {
        self.tally.state() == TallyState::Open
    }

    fn end(&mut self, ticket: u64, report: Arc<WaitReport>) {
        let Some(name) = self.names.remove(&ticket) else {
            return;
        };
        let is_success = report.kind.is_none();
        self.tally.count(is_success);
        let ended = if is_success {
            &mut self.outcomes
        } else {
            &mut self.failures
        };
        ended.insert(name, report);
    }

    /// Handles the result of a call, or its interruption at the deadline of all waits or by the caller.
    fn call_ended<T: Response, E: OperationError>(
        &mut self,
        call: u64,
        result: Option<Result<T, E>>,
        now_ms: u64,
        limit: &mut RateLimit,
    ) -> Result<(), FleetError> {
        match result {
            Some(Ok(response)) => {
                let ends = self.fleet.respond(call, &[response.view()], now_ms)?;
                for FleetEnd { ticket, report, .. } in ends {
                    self.end(ticket, report);
                }
            }
            Some(Err(error)) => {
                let transient = error.failure().transient(now_ms);
                self.fleet
                    .fail(call, &error.metadata(), transient, now_ms, limit)?;
            }
            None => self.fleet.abandon(call, now_ms)?,
        }
        Ok(())
    }

    /// Ends the waits that are still open.
    fn finish(mut self, now_ms: u64) -> Result<Reports, WaitEachError> {
        let tickets: Vec<u64> = self.names.keys().copied().collect();
        let has_succeeded = self.tally.state() == TallyState::Succeeded;
        for ticket in tickets {
            if let Some(report) = self.fleet.leave(ticket, now_ms) {
                self.end(ticket, report);
            }
        }
        if has_succeeded {
            return Ok(self.outcomes);
        }
        Err(WaitEachError::Failed {
            failures: self.failures,
            outcomes: self.outcomes,
        })
    }
}

impl From<OptionsError> for WaitEachError {
    fn from(error: OptionsError) -> Self {
        Self::Options(error)
    }
}

impl From<FleetError> for WaitEachError {
    fn from(error: FleetError) -> Self {
        Self::Answer(error)
    }
}

impl fmt::Display for WaitEachError {
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

impl std::error::Error for WaitEachError {}
