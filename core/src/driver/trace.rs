//! What a wait tells of itself by `tracing`; nothing without the feature.
//!
//! - a span `wait`, at level INFO, for the time it takes; the calls run in it
//! - an event after each attempt, at DEBUG
//! - an event at its end: at INFO for a success, at WARN for a failure, at DEBUG where the future was dropped

#[cfg(feature = "tracing")]
pub(super) use traced::Trace;
#[cfg(not(feature = "tracing"))]
pub(super) use untraced::Trace;

#[cfg(feature = "tracing")]
mod traced {
    use std::future::Future;
    use std::time::Duration;

    use tracing::{Instrument, Span, debug, info, info_span, warn};

    use crate::attempt::EndedAttempt;
    use crate::millis::whole_millis;
    use crate::report::WaitReport;
    use crate::verdict::State;
    use crate::waiter::Waiter;

    /// A wait's span.
    #[derive(Debug)]
    pub(in crate::driver) struct Trace {
        span: Span,
        attempts: u64,
        ended: bool,
    }

    impl Trace {
        pub(in crate::driver) fn new(waiter: &Waiter, max_wait_ms: Option<u64>) -> Self {
            Self {
                span: info_span!("wait", waiter = waiter.name(), max_wait_ms),
                attempts: 0,
                ended: false,
            }
        }

        pub(in crate::driver) fn span(&self) -> Inside {
            Inside(self.span.clone())
        }

        pub(in crate::driver) fn attempt(&mut self, attempt: &EndedAttempt, remaining: Duration) {
            self.attempts = attempt.number;
            debug!(
                parent: &self.span,
                attempt = attempt.number,
                result = attempt.result.as_str(),
                state = attempt.state().map(State::as_str),
                acceptor = attempt.acceptor(),
                error = attempt.error(),
                started_ms = attempt.started,
                elapsed_ms = attempt.ended,
                remaining_ms = whole_millis(remaining),
                delay_ms = attempt.delay,
                next_is_last = attempt.next_is_last,
                "attempt"
            );
        }

        pub(in crate::driver) fn end(&mut self, report: &WaitReport) {
            self.ended = true;
            let WaitReport {
                attempts,
                elapsed_ms,
                acceptor,
                message,
                ..
            } = report;
            match report.kind.map(|kind| kind.code()) {
                None => {
                    info!(parent: &self.span, attempts, elapsed_ms, acceptor, "{message}");
                }
                Some(kind) => {
                    warn!(parent: &self.span, kind, attempts, elapsed_ms, acceptor, "{message}");
                }
            }
        }
    }

    /// Where a wait's calls run.
    #[derive(Debug)]
    pub(in crate::driver) struct Inside(Span);

    impl Inside {
        pub(in crate::driver) fn around<F: Future>(
            self,
            future: F,
        ) -> impl Future<Output = F::Output> {
            future.instrument(self.0)
        }
    }

    /// A wait that is not driven to its end was cancelled.
    impl Drop for Trace {
        fn drop(&mut self) {
            if !self.ended {
                debug!(parent: &self.span, attempts = self.attempts, "dropped");
            }
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod untraced {
    use std::time::Duration;

    use crate::attempt::EndedAttempt;
    use crate::report::WaitReport;
    use crate::waiter::Waiter;

    /// Records nothing.
    #[derive(Clone, Copy, Debug)]
    pub(in crate::driver) struct Trace;

    impl Trace {
        pub(in crate::driver) const fn new(_: &Waiter, _: Option<u64>) -> Self {
            Self
        }

        pub(in crate::driver) const fn span(self) -> Self {
            self
        }

        pub(in crate::driver) fn around<F>(self, future: F) -> F {
            future
        }

        pub(in crate::driver) const fn attempt(self, _: &EndedAttempt, _: Duration) {}

        pub(in crate::driver) const fn end(self, _: &WaitReport) {}
    }
}
