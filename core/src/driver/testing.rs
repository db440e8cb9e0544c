//! A virtual clock for tests: a wait of a day takes no real time.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::driver::{BlockingRuntime, Runtime};
use crate::sync::{Mutex, MutexGuard};

/// The number of times that a sleep yields to other tasks before it advances the clock.
const TURNS: u32 = 16;

/// A virtual clock that advances only by its sleeps.
///
/// When no other task is ready to run, the clock jumps to the end of the earliest sleep. Use it as the runtime of a
/// [`Driver`](crate::Driver), asynchronous on any executor or blocking. A clone is a handle to the same clock.
///
/// Calls take no time unless they call [`advance`](Self::advance) or [`sleep`](Self::sleep). Deadlines don't advance
/// the clock: a call that never resolves reaches its deadline only if something calls [`advance`](Self::advance).
///
/// # Example: testing a wait with slow calls
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::testing::FakeClock;
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
///
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Status", "comparator": "stringEquals", "expected": "READY"}}}], "minDelay": 60}"#)?;
/// let clock = FakeClock::new();
/// let mut statuses = ["PENDING", "PENDING", "READY"].into_iter();
/// let call = |_| {
///     clock.advance(Duration::from_secs(5)); // the duration of the request
///     Ok::<_, ErrorMetadata>(json!({"Status": statuses.next()}))
/// };
///
/// let options = WaitOptions::new(Duration::from_secs(3_600)).max_delay(Duration::from_secs(60));
/// let outcome = Driver::new(clock.clone()).wait_blocking(&ready, call, options)?;
/// assert_eq!(outcome.report.attempts, 3);
/// assert_eq!(clock.sleeps(), [Duration::from_secs(60); 2]);
/// assert_eq!(clock.now(), Duration::from_secs(5 + 60 + 5 + 60 + 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Example: a call that never resolves
///
/// ```
/// use std::future::pending;
/// use std::time::Duration;
/// use serde_json::Value;
/// use smithy_waiters::testing::FakeClock;
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
///
/// # async_io::block_on(async {
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
/// let clock = FakeClock::new();
/// let call = |_| {
///     clock.advance(Duration::from_secs(3_600));
///     pending::<Result<Value, ErrorMetadata>>()
/// };
/// let options = WaitOptions::new(Duration::from_secs(3_600));
/// let error = Driver::new(clock.clone()).wait(&ready, call, options).await.unwrap_err();
/// assert_eq!(error.code(), "timed_out");
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// # })?;
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Default)]
pub struct FakeClock {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    now: Duration,
    sleeps: Vec<Duration>,
    sleepers: Vec<Sleeper>,
    last_id: u64,
    jumps: u64,
}

/// A sleep in progress.
struct Sleeper {
    id: u64,
    until: Duration,
    waker: Waker,
}

impl FakeClock {
    /// Creates a clock at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the time since the clock was created.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.state().now
    }

    /// Returns the duration of each sleep on this clock, in order. The pauses of a wait are among them.
    #[must_use]
    pub fn sleeps(&self) -> Vec<Duration> {
        self.state().sleeps.clone()
    }

    /// Advances the clock by `duration` and wakes the sleeps that end by then.
    ///
    /// Use it in a call to simulate its duration, or to let a call that never resolves reach its deadline.
    pub fn advance(&self, duration: Duration) {
        let mut state = self.state();
        let to = state.now.saturating_add(duration);
        state.pass(to);
    }

    /// Resolves after `duration` on this clock.
    pub fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send + use<> {
        self.state().sleeps.push(duration);
        self.start_sleep(duration, true)
    }

    fn start_sleep(&self, duration: Duration, advances_clock: bool) -> Sleep {
        let mut state = self.state();
        state.last_id = state.last_id.saturating_add(1);
        Sleep {
            clock: self.clone(),
            id: state.last_id,
            until: state.now.saturating_add(duration),
            advances_clock,
            turns: 0,
            jumps: state.jumps,
        }
    }

    /// Locks the state. A poisoned lock is usable: the test that panicked has already failed.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runtime for FakeClock {
    fn now(&self) -> Duration {
        Self::now(self)
    }

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        Self::sleep(self, duration)
    }

    fn alarm(&self, duration: Duration) -> impl Future<Output = ()> {
        self.start_sleep(duration, false)
    }
}

impl BlockingRuntime for FakeClock {
    fn now(&self) -> Duration {
        Self::now(self)
    }

    fn sleep(&self, duration: Duration) {
        self.state().sleeps.push(duration);
        self.advance(duration);
    }
}

impl fmt::Debug for FakeClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("FakeClock")
            .field("now", &state.now)
            .field("sleeps", &state.sleeps)
            .finish_non_exhaustive()
    }
}

impl State {
    /// Advances the clock to `to`.
    fn pass(&mut self, to: Duration) {
        self.now = self.now.max(to);
        for sleeper in self.sleepers.iter().filter(|sleeper| sleeper.until <= to) {
            sleeper.waker.wake_by_ref();
        }
    }

    /// Advances the clock to the end of the earliest sleep.
    fn jump(&mut self) {
        self.jumps = self.jumps.saturating_add(1);
        if let Some(first) = self.sleepers.iter().map(|sleeper| sleeper.until).min() {
            self.pass(first);
        }
    }

    fn enter(&mut self, id: u64, until: Duration, waker: &Waker) {
        match self.sleepers.iter_mut().find(|sleeper| sleeper.id == id) {
            Some(sleeper) => sleeper.waker.clone_from(waker),
            None => self.sleepers.push(Sleeper {
                id,
                until,
                waker: waker.clone(),
            }),
        }
    }
}

/// A sleep, or an alarm at a deadline.
struct Sleep {
    clock: FakeClock,
    id: u64,
    until: Duration,
    /// `true` for a sleep, which advances the clock; `false` for an alarm.
    advances_clock: bool,
    turns: u32,
    /// The number of jumps at the last poll. After a jump by another sleeper, the tasks that it woke run first.
    jumps: u64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let mut state = this.clock.state();
        if state.now >= this.until {
            return Poll::Ready(());
        }
        state.enter(this.id, this.until, context.waker());
        if !this.advances_clock {
            return Poll::Pending;
        }
        if this.jumps != state.jumps {
            (this.jumps, this.turns) = (state.jumps, 0);
        }
        if this.turns < TURNS {
            this.turns = this.turns.saturating_add(1);
        } else {
            state.jump();
        }
        drop(state);
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        let id = self.id;
        self.clock
            .state()
            .sleepers
            .retain(|sleeper| sleeper.id != id);
    }
}
