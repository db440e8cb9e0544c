//! Spans and events of a wait for `tracing`, with the target `smithy_waiters`. Without the feature, nothing is
//! recorded.
//!
//! - a span `wait` at level INFO for the whole wait, in which the calls run
//! - an event after each attempt: at INFO if its result is new or if the latest such event is 30 s old, otherwise at DEBUG
//! - an event at WARN for each hint
//! - an event at the end: at INFO for a success, at WARN for a failure, at DEBUG if the future was dropped

#[cfg(not(feature = "tracing"))]
pub(super) use no_spans::Trace;
#[cfg(feature = "tracing")]
pub(super) use spans::Trace;

#[cfg(feature = "tracing")]
mod spans {
    use std::future::Future;
    use std::time::Duration;

    use tracing::{Instrument, Span, debug, info, info_span, warn};

    use crate::definition::State;
    use crate::millis::whole_millis;
    use crate::wait::{EndedAttempt, Level, Wait, WaitReport};

    /// The target of all spans and events. It is stable: it doesn't depend on the module.
    const TARGET: &str = "smithy_waiters";

    /// The span of a wait.
    #[derive(Debug)]
    pub(crate) struct Trace {
        span: Span,
        attempts: u64,
        ended: bool,
    }

    impl Trace {
        pub(crate) fn new(wait: &Wait) -> Self {
            let (waiter, label, max_wait_ms) =
                (wait.waiter().name(), wait.label(), wait.deadline_ms());
            Self {
                span: info_span!(target: TARGET, "wait", waiter, label, max_wait_ms),
                attempts: 0,
                ended: false,
            }
        }

        pub(crate) fn span(&self) -> CallSpan {
            CallSpan(self.span.clone())
        }

        pub(crate) fn attempt(&mut self, wait: &Wait, attempt: &EndedAttempt, remaining: Duration) {
            self.attempts = attempt.number;
            for hint in wait.hints() {
                warn!(target: TARGET, parent: &self.span, code = hint.code().as_str(), "{hint}");
            }
            // The level of an event is part of its static data.
            macro_rules! event {
                ($level:expr) => {
                    tracing::event!(
                        target: TARGET,
                        parent: &self.span,
                        $level,
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
                        reason = wait.latest_reason().as_deref(),
                        values = wait.latest_values().as_deref(),
                        "attempt"
                    )
                };
            }
            match attempt.level {
                Level::Debug => event!(tracing::Level::DEBUG),
                Level::Info => event!(tracing::Level::INFO),
            }
        }

        pub(crate) fn end(&mut self, report: &WaitReport) {
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
                    info!(target: TARGET, parent: &self.span, attempts, elapsed_ms, acceptor, "{message}");
                }
                Some(kind) => {
                    warn!(target: TARGET, parent: &self.span, kind, attempts, elapsed_ms, acceptor, "{message}");
                }
            }
        }
    }

    /// The span in which the calls of a wait run.
    #[derive(Debug)]
    pub(crate) struct CallSpan(Span);

    impl CallSpan {
        pub(crate) fn wrap<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
            future.instrument(self.0)
        }
    }

    /// Records that the wait was cancelled by dropping its future.
    impl Drop for Trace {
        fn drop(&mut self) {
            if !self.ended {
                debug!(target: TARGET, parent: &self.span, attempts = self.attempts, "dropped");
            }
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod no_spans {
    use std::time::Duration;

    use crate::wait::{EndedAttempt, Wait, WaitReport};

    /// A trace that records nothing.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Trace;

    impl Trace {
        pub(crate) const fn new(_: &Wait) -> Self {
            Self
        }

        pub(crate) const fn span(self) -> Self {
            self
        }

        pub(crate) fn wrap<F>(self, future: F) -> F {
            future
        }

        pub(crate) const fn attempt(self, _: &Wait, _: &EndedAttempt, _: Duration) {}

        pub(crate) const fn end(self, _: &WaitReport) {}
    }
}
