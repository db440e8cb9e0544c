//! Cancellation of a wait or a request in progress.

use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::task::{Poll, Wake, Waker};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Duration;

use super::race::race;
use crate::sync::{Condvar, Mutex, MutexGuard};

/// Cancels waits and requests from elsewhere: from another thread, a Ctrl-C handler or a hook.
///
/// Pass the token to [`Driver::cancelled_by`] or [`Retry::cancelled_by`]. A clone is a handle to the same token.
/// Cancelling ends the pause between two calls immediately and prevents the next call. An asynchronous call in progress
/// is dropped. A blocking call cannot be interrupted, so the wait or the request ends when the call returns; a long
/// call can check [`is_cancelled`](Self::is_cancelled) itself.
///
/// Dropping the future of an asynchronous wait also cancels it, but without a report. With a token, the wait ends with
/// an error that contains the history.
///
/// [`Driver::cancelled_by`]: super::Driver::cancelled_by
/// [`Retry::cancelled_by`]: super::Retry::cancelled_by
///
/// # Example: cancelling a blocking wait from another thread
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
/// token.cancel(); // for example in ctrlc::set_handler(move || token.cancel())
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
    /// The wakers of the futures that wait for the cancellation, by the id of their [`WakerSlot`].
    wakers: BTreeMap<u64, Waker>,
    last_id: u64,
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels every wait and request that has this token. Further calls have no effect.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.cancelled = true;
        let wakers = mem::take(&mut state.wakers);
        // A woken task may lock the token again.
        drop(state);
        self.0.changed.notify_all();
        wakers.into_values().for_each(Waker::wake);
    }

    /// Returns `true` if the token is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    /// Blocks the thread for `duration` or until the token is cancelled. Returns `true` if the token is cancelled.
    ///
    /// A [`BlockingRuntime`](super::BlockingRuntime) that uses the system's clock can call this in
    /// [`sleep_unless`](super::BlockingRuntime::sleep_unless).
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

    /// Resolves when the token is cancelled.
    pub(super) fn cancelled(&self) -> impl Future<Output = ()> {
        let mut state = self.state();
        state.last_id = state.last_id.saturating_add(1);
        let slot = WakerSlot {
            token: self,
            id: state.last_id,
        };
        drop(state);
        poll_fn(move |context| {
            let mut state = slot.token.state();
            // Under the lock that also guards the wakers: a cancellation in between would wake nobody.
            if state.cancelled {
                return Poll::Ready(());
            }
            state.wakers.insert(slot.id, context.waker().clone());
            Poll::Pending
        })
    }

    /// Returns a waker that cancels the token.
    pub(super) fn waker(&self) -> Waker {
        Arc::clone(&self.0).into()
    }

    /// Locks the state. A poisoned lock is usable, because no code panics while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Shared {
    fn wake(self: Arc<Self>) {
        CancelToken(self).cancel();
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelToken")
            .field("is_cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// Returns the future's output, or `None` if the token is cancelled first. The future is polled first.
pub(super) async fn unless_cancelled<F: Future>(
    token: Option<&CancelToken>,
    future: F,
) -> Option<F::Output> {
    match token {
        None => Some(future.await),
        Some(token) => race(pin!(future), token.cancelled()).await,
    }
}

/// The entry of a future in [`State::wakers`], which is removed on drop.
struct WakerSlot<'t> {
    token: &'t CancelToken,
    id: u64,
}

impl Drop for WakerSlot<'_> {
    fn drop(&mut self) {
        // A token can live as long as the program, and each call adds a waker.
        self.token.state().wakers.remove(&self.id);
    }
}
