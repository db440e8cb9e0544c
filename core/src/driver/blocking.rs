//! The blocking driver: the loop of the asynchronous driver, on futures that are always ready.

use std::future::ready;

use super::Driver;
use super::attempt::Attempt;
use super::error::OperationError;
use super::host::{BlockingHost, block_on};
use super::runtime::BlockingRuntime;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use super::runtime::StdRuntime;
use super::wait::{DefinitionMatcher, Outcome, PredicateMatcher, Progress, WaiterError, wait};
use crate::options::WaitOptions;
use crate::response::Response;
use crate::value::Value;
use crate::waiter::Waiter;

impl<R, I, H> Driver<R, I, H>
where
    R: BlockingRuntime,
    I: Value,
    H: FnMut(Progress<'_>),
{
    /// Waits on this thread.
    ///
    /// A blocking call cannot be interrupted: the wait ends when the call returns, and a result that arrives after the
    /// deadline is discarded. The call receives the [`remaining`](Attempt::remaining) time to use as its own timeout. A
    /// [`CancelToken`](super::CancelToken) ends a pause immediately, and ends the wait after the current call returns.
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
    pub fn wait_blocking<C, T, E>(
        self,
        waiter: &Waiter,
        mut call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> Result<T, E>,
        T: Response,
        E: OperationError,
    {
        let (host, matcher) = (BlockingHost(self.runtime), DefinitionMatcher(self.input));
        let call = |attempt| ready(call(attempt));
        block_on(wait(host, self.caller, (waiter, &options), matcher, call))
    }

    /// Waits on this thread until a predicate accepts a response of any type. See [`wait_until`](Self::wait_until).
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
    pub fn wait_until_blocking<P, C, T, E>(
        self,
        predicate: P,
        mut call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        P: FnMut(&T) -> bool,
        C: FnMut(Attempt) -> Result<T, E>,
        E: OperationError,
    {
        let (host, waiter) = (BlockingHost(self.runtime), Waiter::for_predicate());
        let (matcher, call) = (PredicateMatcher(predicate), |attempt| ready(call(attempt)));
        block_on(wait(host, self.caller, (&waiter, &options), matcher, call))
    }
}

// Threads cannot block on this target.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Waiter {
    /// Waits on this thread with the operating system's clock. See [`Driver::wait_blocking`].
    ///
    /// # Errors
    ///
    /// Returns [`WaiterError::Failure`] if the wait ends without success and [`WaiterError::Options`] if an option is
    /// invalid.
    pub fn wait_blocking<C, T, E>(
        &self,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> Result<T, E>,
        T: Response,
        E: OperationError,
    {
        Driver::new(StdRuntime::new()).wait_blocking(self, call, options)
    }
}
