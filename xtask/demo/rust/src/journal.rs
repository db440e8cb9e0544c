//! What a wait does, told to the parent as it happens. All times are milliseconds.

use std::cell::RefCell;

use anyhow::Result;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use serde_json::json;
use smithy_waiters::{Attempt, FailureKind, Outcome, Progress, WaitReport, WaiterError};

use crate::control::say;
use crate::table::{DescribeResult, Failure, Table, status};

/// Tells of one wait.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    seen: RefCell<Option<String>>,
}

impl Journal {
    /// The call, told of when it starts; what it gives is kept for people.
    pub(crate) async fn watch(
        &self,
        attempt: Attempt,
        call: impl Future<Output = DescribeResult>,
    ) -> DescribeResult {
        say(&json!({"event": "call", "attempt": attempt.number}));
        let described = call.await;
        self.seen.replace(observation(&described));
        described
    }

    /// An attempt that has just ended.
    pub(crate) fn attempt(&self, progress: &Progress<'_>) {
        let attempt = progress.attempt;
        say(&json!({
            "event": "attempt",
            "attempt": attempt.attempt,
            "started": attempt.started_ms,
            "took": attempt.ended_ms.saturating_sub(attempt.started_ms),
            "seen": self.seen.take(),
            "state": attempt.state,
            "acceptor": attempt.acceptor,
            "delay": attempt.delay_ms,
            "nextIsLast": attempt.next_is_last,
            "remaining": u64::try_from(progress.remaining.as_millis()).ok(),
        }));
    }

    /// How the wait ends.
    ///
    /// # Errors
    ///
    /// When it did not begin.
    pub(crate) fn end(
        &self,
        ended: Result<Outcome<Table, Failure>, WaiterError<Table, Failure>>,
    ) -> Result<()> {
        match ended {
            Ok(outcome) => tell(&outcome.report),
            Err(WaiterError::Failure(failure)) => tell(&failure.report),
            Err(other) => return Err(other.into()),
        }
        Ok(())
    }
}

fn tell(report: &WaitReport) {
    say(&json!({
        "event": "end",
        "code": report.kind.map_or("success", FailureKind::code),
        "acceptor": report.acceptor,
        "acceptorText": report.acceptor_text,
        "attempts": report.attempts,
        "elapsed": report.elapsed_ms,
        "explanation": report.explain(),
    }));
}

/// The state of the table, or the error's name.
fn observation(described: &DescribeResult) -> Option<String> {
    match described {
        Ok(output) => status(output.inner()).map(ToOwned::to_owned),
        Err(error) => error.code().map(ToOwned::to_owned),
    }
}
