//! The ends of a wait and their exit codes.

use smithy_waiters::{FailureKind, Outcome, WaiterError};

use super::call::CallError;
use super::interrupt::Interrupt;
use serde_json::Value as Json;

/// The result of the driver.
pub(super) type WaitResult = Result<Outcome<Json, CallError>, WaiterError<Json, CallError>>;

/// The end of one wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The engine's code, or `success`.
    pub(super) code: &'static str,
    pub(super) exit: u8,
}

pub(super) const SUCCESS: End = End {
    code: "success",
    exit: 0,
};

const TIME_IS_OVER: u8 = 124;

impl End {
    pub(super) fn of(result: &WaitResult, interrupt: &Interrupt, is_once: bool) -> Self {
        let failure = match result {
            Ok(_) => return SUCCESS,
            Err(WaiterError::Failure(failure)) => failure,
            Err(error) => {
                return Self {
                    code: error.code(),
                    exit: 2,
                };
            }
        };
        let code = failure.kind.code();
        match failure.kind {
            FailureKind::TooManyAttempts if is_once => Self {
                code: "not_yet",
                exit: TIME_IS_OVER,
            },
            FailureKind::TimedOut | FailureKind::TooManyAttempts => Self {
                code,
                exit: TIME_IS_OVER,
            },
            FailureKind::Cancelled => Self {
                code,
                exit: interrupt.exit_code().unwrap_or(1),
            },
            FailureKind::UnmatchedError => {
                let exit = failure.error.as_ref().and_then(|error| error.exit);
                Self {
                    code,
                    exit: exit.unwrap_or(3),
                }
            }
            FailureKind::Unreachable | FailureKind::NeverFound => Self { code, exit: 3 },
            _ => Self { code, exit: 1 },
        }
    }

    /// Returns the end in words.
    pub(super) fn words(self) -> String {
        match self.code {
            "cancelled" => "interrupted".to_owned(),
            "failure_state" => "failed".to_owned(),
            "unmatched_error" => "the call failed for good".to_owned(),
            code => code.replace('_', " "),
        }
    }

    /// Returns the exit code of several waits. A wait that could not read its resource comes before one that read a
    /// failure, and both before a timeout.
    pub(super) fn of_all(ends: &[Self]) -> u8 {
        let rank = |exit: &u8| match exit {
            0 => 0,
            &TIME_IS_OVER => 1,
            1 => 2,
            3 => 4,
            128.. => 5,
            // The command cannot be run.
            _ => 3,
        };
        ends.iter()
            .map(|end| end.exit)
            .max_by_key(rank)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{End, TIME_IS_OVER};

    #[test]
    fn the_worst_end_is_that_of_several_waits() {
        for (exits, expected) in [
            (&[][..], 0),
            (&[0, 0], 0),
            (&[0, TIME_IS_OVER, 0], TIME_IS_OVER),
            (&[TIME_IS_OVER, 1, 0], 1),
            (&[1, 127, TIME_IS_OVER], 127),
            (&[127, 3, 1, TIME_IS_OVER], 3),
            (&[130, 3, 1], 130),
        ] {
            let ends = exits.iter().map(|exit| End {
                code: "",
                exit: *exit,
            });
            let ends: Vec<End> = ends.collect();
            assert_eq!(End::of_all(&ends), expected, "{exits:?}");
        }
    }
}
