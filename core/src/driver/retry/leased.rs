//! A request with its strategy and the token that the strategy issued last.

use crate::retry::{Request, RequestEvent, RequestOptions, RequestStep, RetryStrategy};

/// A request whose steps of the strategy are taken. If it is dropped in a pause, its token is released.
pub(super) struct LeasedRequest<S: RetryStrategy> {
    request: Request,
    strategy: S,
    token: Option<S::Token>,
}

impl<S: RetryStrategy> LeasedRequest<S> {
    pub(super) fn new(strategy: S, options: RequestOptions) -> Self {
        Self {
            request: Request::new(options),
            strategy,
            token: None,
        }
    }

    /// Returns the state machine, for reading.
    pub(super) const fn request(&self) -> &Request {
        &self.request
    }

    pub(super) fn poll(&mut self, now_ms: u64) -> RequestStep {
        let step = self.request.poll(now_ms);
        self.with_strategy(step, now_ms)
    }

    pub(super) fn handle(&mut self, event: RequestEvent<'_>, now_ms: u64) -> RequestStep {
        let step = self.take(event, now_ms);
        self.with_strategy(step, now_ms)
    }

    fn with_strategy(&mut self, mut step: RequestStep, now_ms: u64) -> RequestStep {
        while let Some(event) = step.strategy_event(&self.strategy, &mut self.token) {
            step = self.take(event, now_ms);
        }
        step
    }

    fn take(&mut self, event: RequestEvent<'_>, now_ms: u64) -> RequestStep {
        // The request rejects events that are out of order. The driver sends none, and polling repeats the current step.
        let step = self.request.handle(event, now_ms);
        step.unwrap_or_else(|_| self.request.poll(now_ms))
    }
}

impl<S: RetryStrategy> Drop for LeasedRequest<S> {
    fn drop(&mut self) {
        self.handle(RequestEvent::Cancelled, 0);
    }
}
