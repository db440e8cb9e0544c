//! The attempts of one request: what both drivers do with what comes of the calls.

use std::mem;
use std::time::Duration;

use super::policy::Judgement;
use super::{RetryEnd, RetryError, RetryProgress};
use crate::driver::Attempt;
use crate::options::TEN_YEARS_MS;
use crate::retry::{Classified, FailureInfo, RetryRefusal, RetryStrategy, RetryToken};

/// The time that the attempts have together where the caller gives none: ten years.
const LONGEST: Duration = Duration::from_millis(TEN_YEARS_MS);

/// The attempts of one request.
pub(super) struct Attempts<S: RetryStrategy, T, E> {
    strategy: S,
    /// Nothing where the strategy gave none: the request is then sent once.
    token: Result<S::Token, RetryRefusal>,
    max_time: Duration,
    attempts: u64,
    last: Option<Result<T, E>>,
}

/// A request that is not made again.
pub(super) struct Finished<T, E> {
    last: Option<Result<T, E>>,
    attempts: u64,
    end: Result<(), RetryEnd>,
}

impl<S: RetryStrategy, T, E> Attempts<S, T, E> {
    pub(super) fn new(strategy: S, max_time: Option<Duration>) -> Self {
        Self {
            token: strategy.acquire_initial_token(),
            strategy,
            max_time: max_time.unwrap_or(LONGEST),
            attempts: 0,
            last: None,
        }
    }

    /// The delay before the next attempt; the first may have one too.
    pub(super) fn delay(&self) -> Duration {
        self.token
            .as_ref()
            .map_or(Duration::ZERO, RetryToken::delay)
    }

    /// The next attempt, where the time is not over.
    pub(super) fn begin(&mut self, spent: Duration) -> Option<Attempt> {
        let remaining = self.max_time.saturating_sub(spent);
        if remaining.is_zero() {
            if let Ok(token) = self.take_token() {
                self.strategy.release_token(token);
            }
            return None;
        }
        self.attempts = self.attempts.saturating_add(1);
        Some(Attempt {
            number: self.attempts,
            remaining,
        })
    }

    /// Keeps what came of an attempt, and says how the request ends, where it does.
    pub(super) fn conclude(
        &mut self,
        result: Result<T, E>,
        judgement: &Judgement,
        spent: Duration,
        on_failure: Option<&mut impl FnMut(RetryProgress<'_>)>,
    ) -> Option<Result<(), RetryEnd>> {
        self.last = Some(result);
        let (next, note) = match judgement {
            Judgement::Success => {
                self.succeed();
                return Some(Ok(()));
            }
            Judgement::Failed => (Err(RetryEnd::Failed), None),
            Judgement::Again(Classified { info, note, .. }) => {
                let next = self.refresh(info, spent);
                (next.map_err(|end| end.noted(*note)), note.as_ref())
            }
        };
        if let Some(on_failure) = on_failure {
            on_failure(RetryProgress {
                attempt: self.attempts,
                next,
                note,
            });
        }
        next.err().map(Err)
    }

    pub(super) fn give_up(self, end: RetryEnd) -> Finished<T, E> {
        self.finish(Err(end))
    }

    pub(super) fn finish(self, end: Result<(), RetryEnd>) -> Finished<T, E> {
        Finished {
            last: self.last,
            attempts: self.attempts,
            end,
        }
    }

    fn succeed(&mut self) {
        if let Ok(token) = self.take_token() {
            // The request has succeeded, whatever the strategy makes of it.
            let _ = self.strategy.record_success(token);
        }
    }

    /// The delay before the next attempt, where there is one.
    fn refresh(&mut self, info: &FailureInfo, spent: Duration) -> Result<Duration, RetryEnd> {
        let token = self.take_token().map_err(RetryEnd::Refused)?;
        let token = self.strategy.refresh_retry_token(token, info)?;
        let delay = token.delay();
        if spent.saturating_add(delay) >= self.max_time {
            self.strategy.release_token(token);
            return Err(RetryEnd::OutOfTime);
        }
        self.token = Ok(token);
        Ok(delay)
    }

    fn take_token(&mut self) -> Result<S::Token, RetryRefusal> {
        mem::replace(&mut self.token, Err(RetryRefusal::NotRetryable))
    }
}

impl<T, E> Finished<T, E> {
    /// What the request gave, by a policy's word.
    pub(super) fn result(self) -> Result<Result<T, E>, RetryError<E, T>> {
        match (self.last, self.end) {
            (Some(result), Ok(())) => Ok(result),
            (last, end) => Err(RetryError::new(last, self.attempts, end)),
        }
    }

    /// The response, where only that is a success.
    pub(super) fn response(self) -> Result<T, RetryError<E>> {
        match (self.last, self.end) {
            (Some(Ok(response)), Ok(())) => Ok(response),
            (last, end) => {
                let last = last.and_then(Result::err).map(Err);
                Err(RetryError::new(last, self.attempts, end))
            }
        }
    }
}
