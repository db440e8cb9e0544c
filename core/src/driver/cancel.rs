//! How a caller ends a wait or a request that is under way.

use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Duration;

use super::race::first;

/// Ends waits and requests from anywhere: another thread, a handler of Ctrl-C, a hook. A clone is the same token.
///
/// [`Driver::cancelled_by`] and [`Retry::cancelled_by`] take it. It is looked at before each call and ends the pause between
/// two of them at once. An asynchronous call is dropped; a *blocking* one cannot be interrupted, so the wait or the request ends
/// when it returns: give the token to what can look at [`is_cancelled`](Self::is_cancelled) itself.
///
/// An asynchronous wait needs none to be ended: dropping its future is enough. With a token it says what it saw.
///
/// [`Driver::cancelled_by`]: super::Driver::cancelled_by
/// [`Retry::cancelled_by`]: super::Retry::cancelled_by
///
/// # Example: a blocking wait that another thread ends
///
/// ```
/// use std::thread;
/// use std::time::Duration;
/// use serde_json::{Value, json};
/// use smithy_waiters::driver::{CancelToken, StdRuntime};
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
///
/// let ready = Waiter::named("Ready", r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Status", "comparator": "stringEquals", "expected": "READY"}}}]}"#)?;
/// let token = CancelToken::new();
///
/// let waiting = thread::spawn({
///     let token = token.clone();
///     move || {
///         let call = |_| Ok::<Value, ErrorMetadata>(json!({"Status": "PENDING"}));
///         let driver = Driver::new(StdRuntime::new()).cancelled_by(&token);
///         driver.wait_blocking(&ready, call, WaitOptions::new(Duration::from_secs(3_600)))
///     }
/// });
/// token.cancel(); // where: ctrlc::set_handler(move || token.cancel())
/// assert_eq!(waiting.join().unwrap().unwrap_err().code(), "cancelled");
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    cancelled: bool,
    /// The futures that wait for it.
    wakers: BTreeMap<u64, Waker>,
    made: u64,
}

impl CancelToken {
    /// A token that nobody has cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends what this token was given to, for good; once more does nothing.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.cancelled = true;
        let wakers = mem::take(&mut state.wakers);
        // Who is woken may look at the token at once.
        drop(state);
        self.0.changed.notify_all();
        wakers.into_values().for_each(Waker::wake);
    }

    /// Whether somebody has.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    /// Blocks the thread for so long, less where the token is cancelled; says whether it is. What a
    /// [`BlockingRuntime`](super::BlockingRuntime) whose time is the system's calls.
    // There a thread cannot block.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn wait_timeout(&self, duration: Duration) -> bool {
        let state = self.state();
        let waited = self
            .0
            .changed
            .wait_timeout_while(state, duration, |state| !state.cancelled);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.cancelled
    }

    /// Ends once the token is cancelled.
    fn cancelled(&self) -> impl Future<Output = ()> {
        let mut state = self.state();
        state.made = state.made.saturating_add(1);
        let place = Place {
            token: self,
            id: state.made,
        };
        drop(state);
        poll_fn(move |context| {
            let mut state = place.token.state();
            if state.cancelled {
                return Poll::Ready(());
            }
            state.wakers.insert(place.id, context.waker().clone());
            Poll::Pending
        })
    }

    /// Nothing in here panics while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelToken")
            .field("is_cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// What the future gives, or nothing once the caller cancels; the future is asked first.
pub(super) async fn unless_cancelled<F: Future>(
    token: Option<&CancelToken>,
    future: F,
) -> Option<F::Output> {
    match token {
        None => Some(future.await),
        Some(token) => first(pin!(future), token.cancelled()).await,
    }
}

/// A future's place among those that a token wakes.
struct Place<'t> {
    token: &'t CancelToken,
    id: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.token.state().wakers.remove(&self.id);
    }
}
