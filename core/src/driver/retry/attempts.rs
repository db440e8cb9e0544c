//! The attempts of one request: what both drivers do with what comes of the calls.

use std::time::Duration;

use super::policy::Judgement;
use super::{Held, RetryEnd, RetryError, RetryProgress};
use crate::driver::{Attempt, OperationError};
use crate::options::TEN_YEARS_MS;
use crate::retry::{FailureInfo, RetryStrategy};

/// The time that the attempts have together where the caller gives none: ten years.
const LONGEST: Duration = Duration::from_millis(TEN_YEARS_MS);

/// The attempts of one request.
pub(super) struct Attempts<S: RetryStrategy, T, E> {
    held: Held<S>,
    /// Before the next attempt; the first may have one too.
    delay: Duration,
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

impl<S: RetryStrategy, T, E: OperationError> Attempts<S, T, E> {
    pub(super) fn new(strategy: S, max_time: Option<Duration>) -> Self {
        let mut held = Held::new(strategy);
        Self {
            delay: held.acquire(),
            held,
            max_time: max_time.unwrap_or(LONGEST),
            attempts: 0,
            last: None,
        }
    }

    /// The delay before the next attempt.
    pub(super) const fn delay(&self) -> Duration {
        self.delay
    }

    /// The next attempt, where the time is not over.
    pub(super) fn begin(&mut self, spent: Duration) -> Option<Attempt> {
        let remaining = self.max_time.saturating_sub(spent);
        if remaining.is_zero() {
            return None;
        }
        self.held.begin();
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
        let (next, known) = match judgement {
            Judgement::Success => {
                self.held.succeed();
                return Some(Ok(()));
            }
            Judgement::Failed(known) => (Err(RetryEnd::Failed), known),
            Judgement::Again(known) => {
                let next = self.refresh(&known.info, spent);
                (next.map_err(|end| end.of(known)), known)
            }
        };
        if let Some(on_failure) = on_failure {
            on_failure(RetryProgress {
                attempt: self.attempts,
                error: self.error(),
                failure: &known.info,
                next,
                note: known.note.as_ref(),
                elapsed: spent,
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

    /// The error of the newest attempt, where it was one.
    fn error(&self) -> Option<&dyn OperationError> {
        let error = self.last.as_ref()?.as_ref().err()?;
        Some(error)
    }

    /// The delay before the next attempt, where there is one.
    fn refresh(&mut self, info: &FailureInfo, spent: Duration) -> Result<Duration, RetryEnd> {
        self.delay = self.held.refresh(info)?;
        if spent.saturating_add(self.delay) >= self.max_time {
            return Err(RetryEnd::OutOfTime);
        }
        Ok(self.delay)
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
