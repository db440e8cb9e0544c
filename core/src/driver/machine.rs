//! The loop over the steps of a machine: of waits and of requests, asynchronous and blocking.

use std::future::Future;

use super::attempt::Attempt;
use super::clock::{Clock, Host, remaining};

/// The next thing to do for a machine.
pub(super) enum Due<R> {
    /// The attempt of this number, with its deadline in milliseconds.
    Call(u64, Option<u64>),
    /// A pause until this time in milliseconds.
    Sleep(u64),
    Done(R),
}

/// A machine in progress, with the host's own state.
///
/// The report is a parameter and not an associated type: the compiler cannot prove that a future is `Send` if it holds a
/// projection.
pub(super) trait Machine<T, E, R> {
    /// Returns the step that is due.
    fn poll(&mut self, clock: &Clock<impl Host>) -> Due<R>;

    /// Takes the result of a call, or `None` for a call that was cut by the caller or at its deadline.
    fn call_ended(&mut self, result: Option<Result<T, E>>, clock: &Clock<impl Host>) -> Due<R>;
}

/// Takes the steps of a machine to its end.
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
