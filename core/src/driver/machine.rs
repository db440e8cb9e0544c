//! The loop over the steps of a wait or a request, asynchronous or blocking.

use std::future::Future;

use super::attempt::Attempt;
use super::clock::{Clock, Host, remaining};

/// The next action of a machine.
pub(super) enum Due<R> {
    /// A call for the attempt of this number, with its deadline in milliseconds.
    Call(u64, Option<u64>),
    /// A pause until this time in milliseconds.
    Sleep(u64),
    Done(R),
}

/// A wait or a request in progress, with the driver's state.
///
/// The report is a type parameter instead of an associated type, because the compiler cannot prove that a future is
/// `Send` if it contains a projection.
pub(super) trait Machine<T, E, R> {
    /// Returns the next action.
    fn poll(&mut self, clock: &Clock<impl Host>) -> Due<R>;

    /// Records the result of a call, or `None` if the call was interrupted at its deadline or cancelled, and returns
    /// the next action.
    fn call_ended(&mut self, result: Option<Result<T, E>>, clock: &Clock<impl Host>) -> Due<R>;
}

/// Runs a machine until it is done.
pub(super) async fn drive<H, M, R, C, F, T, E>(clock: &Clock<H>, machine: &mut M, mut call: C) -> R
where
    H: Host,
    M: Machine<T, E, R>,
    C: FnMut(Attempt) -> F,
    F: Future<Output = Result<T, E>>,
{
    let mut step = machine.poll(clock);
    loop {
        step = match step {
            Due::Call(attempt, deadline_ms) => {
                let remaining = remaining(deadline_ms, clock.now_ms());
                let called = call(Attempt::new(attempt, remaining));
                let result = H::call(clock, deadline_ms, called).await;
                machine.call_ended(result, clock)
            }
            Due::Sleep(until_ms) => {
                clock.sleep_until(until_ms).await;
                machine.poll(clock)
            }
            Due::Done(report) => return report,
        };
    }
}
