//! A request with its strategy and the token that the strategy issued last.

use super::{Request, RequestEvent, RequestOptions, RequestStep, RetryStrategy};
use crate::error::StateError;

/// A request whose steps of the strategy are taken. If it is dropped in a pause, its token is released.
#[derive(Debug)]
pub struct LeasedRequest<S: RetryStrategy> {
    /// The state machine, for reading and for the steps that the host takes.
    pub request: Request,
    strategy: Option<S>,
    token: Option<S::Token>,
}

impl<S: RetryStrategy> LeasedRequest<S> {
    /// Creates the request. Without a strategy, the host takes its steps.
    pub fn new(strategy: Option<S>, options: RequestOptions) -> Self {
        Self {
            request: Request::new(options),
            strategy,
            token: None,
        }
    }

    /// Returns the current step, as [`Request::poll`].
    pub fn poll(&mut self, now_ms: u64) -> RequestStep {
        let step = self.request.poll(now_ms);
        // The events of the strategy's own steps are in order.
        self.with_strategy(step, now_ms)
            .unwrap_or_else(|_| self.request.poll(now_ms))
    }

    /// Handles an event, as [`Request::handle`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Request::handle`].
    pub fn handle(
        &mut self,
        event: RequestEvent<'_>,
        now_ms: u64,
    ) -> Result<RequestStep, StateError> {
        let step = self.request.handle(event, now_ms)?;
        self.with_strategy(step, now_ms)
    }

    fn with_strategy(
        &mut self,
        mut step: RequestStep,
        now_ms: u64,
    ) -> Result<RequestStep, StateError> {
        let Some(strategy) = &self.strategy else {
            return Ok(step);
        };
        while let Some(event) = step.strategy_event(strategy, &mut self.token) {
            step = self.request.handle(event, now_ms)?;
        }
        Ok(step)
    }
}

impl<S: RetryStrategy> Drop for LeasedRequest<S> {
    fn drop(&mut self) {
        // This event is valid at any time.
        let _ = self.handle(RequestEvent::Cancelled, 0);
    }
}
