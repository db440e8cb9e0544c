//! The blocking driver: the loop of the asynchronous driver, on futures that are ready at once.

use std::future::ready;

use super::Driver;
use super::attempt::Attempt;
use super::error::OperationError;
use super::host::{Blocking, block_on};
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
    /// A call that blocks cannot be cut: the wait ends when it returns, and what it gave after the deadline is not
    /// looked at. The call is told its [`remaining`](Attempt::remaining) time, to use as its own time limit. A [`CancelToken`](super::CancelToken)
    /// likewise ends the pause at once, but a call only when it returns.
    ///
    /// # Errors
    ///
    /// [`WaiterError::Failure`] with everything that is known of why, [`WaiterError::Options`] for options that do not
    /// hold.
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
        let (host, matcher) = (Blocking(self.runtime), DefinitionMatcher(self.input));
        let call = |attempt| ready(call(attempt));
        block_on(wait(host, self.caller, (waiter, &options), matcher, call))
    }

    /// Waits on this thread until a predicate accepts a response, as [`wait_until`](Self::wait_until) does.
    ///
    /// # Errors
    ///
    /// As [`wait_blocking`](Self::wait_blocking).
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
        let (host, waiter) = (Blocking(self.runtime), Waiter::of_predicate());
        let (matcher, call) = (PredicateMatcher(predicate), |attempt| ready(call(attempt)));
        block_on(wait(host, self.caller, (&waiter, &options), matcher, call))
    }
}

// There a thread cannot block.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Waiter {
    /// Waits on this thread, as [`Driver::wait_blocking`] does.
    ///
    /// # Errors
    ///
    /// As [`Driver::wait_blocking`].
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
