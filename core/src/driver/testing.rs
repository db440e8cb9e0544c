//! For the tests of programs that wait: a clock on which a wait of a day takes no time.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::driver::{BlockingRuntime, Runtime};

/// How often a sleep lets everything else run that is ready to, before the time passes.
const TURNS: u32 = 16;

/// A clock that stands still but for its sleeps: as soon as nothing else is ready to run, it jumps to the end of the
/// sleep that is over first.
///
/// Give it to a [`Driver`](crate::Driver), asynchronous on any executor or blocking. Calls take no time on it, unless they
/// [`advance`](Self::advance) it or [`sleep`](Self::sleep) on it. A clone is the same clock.
///
/// Deadlines let no time pass by themselves: a call that never answers reaches its own by [`advance`](Self::advance).
///
/// # Example: a program's own wait
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
///     clock.advance(Duration::from_secs(5)); // what the request takes
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
/// # Example: a call that never answers
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
    made: u64,
    jumps: u64,
}

/// Somebody who waits for a moment.
struct Sleeper {
    id: u64,
    until: Duration,
    waker: Waker,
}

impl FakeClock {
    /// A clock at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The time that has passed since the clock was made.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.state().now
    }

    /// Every sleep that was asked for, in order: the pauses of a wait, and whatever else slept on it.
    #[must_use]
    pub fn sleeps(&self) -> Vec<Duration> {
        self.state().sleeps.clone()
    }

    /// Lets so much time pass at once, and wakes up those whose sleep is over by then: so a call takes its time, and so
    /// a call that never answers reaches its deadline.
    pub fn advance(&self, duration: Duration) {
        let mut state = self.state();
        let to = state.now.saturating_add(duration);
        state.pass(to);
    }

    /// Ends after so much time on this clock.
    pub fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send + use<> {
        self.state().sleeps.push(duration);
        self.nap(duration, true)
    }

    fn nap(&self, duration: Duration, passes: bool) -> Nap {
        let mut state = self.state();
        state.made = state.made.saturating_add(1);
        Nap {
            clock: self.clone(),
            id: state.made,
            until: state.now.saturating_add(duration),
            passes,
            turns: 0,
            jumps: state.jumps,
        }
    }

    /// A test that failed while it held the clock has failed already.
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
        self.nap(duration, false)
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
    /// Moves on to a moment.
    fn pass(&mut self, to: Duration) {
        self.now = self.now.max(to);
        for sleeper in self.sleepers.iter().filter(|sleeper| sleeper.until <= to) {
            sleeper.waker.wake_by_ref();
        }
    }

    /// Moves on to the end of the sleep that is over first.
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

/// A sleep, or an alarm.
struct Nap {
    clock: FakeClock,
    id: u64,
    until: Duration,
    /// Whether it lets the time pass.
    passes: bool,
    turns: u32,
    /// The jumps that it has seen: after one by another sleeper those whom that woke go first.
    jumps: u64,
}

impl Future for Nap {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let mut state = this.clock.state();
        if state.now >= this.until {
            return Poll::Ready(());
        }
        state.enter(this.id, this.until, context.waker());
        if !this.passes {
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

impl Drop for Nap {
    fn drop(&mut self) {
        let id = self.id;
        self.clock
            .state()
            .sleepers
            .retain(|sleeper| sleeper.id != id);
    }
}
