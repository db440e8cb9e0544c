//! Reports the progress of a wait to the parent. All times are in milliseconds.

use std::cell::RefCell;

use anyhow::Result;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use serde_json::json;
use smithy_waiters::{Attempt, FailureKind, Outcome, Progress, WaitReport, WaiterError};

use crate::control::send;
use crate::table::{DescribeResult, Failure, Table, status};

/// Reports the progress of a wait.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    seen: RefCell<Option<String>>,
}

impl Journal {
    /// Reports the start of a call, and stores its observation for [`attempt`](Self::attempt).
    pub(crate) async fn watch(
        &self,
        attempt: Attempt,
        call: impl Future<Output = DescribeResult>,
    ) -> DescribeResult {
        send(&json!({"event": "call", "attempt": attempt.number}));
        let result = call.await;
        self.seen.replace(observation(&result));
        result
    }

    /// Reports an attempt that has ended.
    pub(crate) fn attempt(&self, progress: &Progress<'_>) {
        let attempt = progress.attempt;
        send(&json!({
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

    /// Reports the end of the wait.
    ///
    /// # Errors
    ///
    /// Fails if the wait did not start.
    pub(crate) fn end(
        &self,
        result: Result<Outcome<Table, Failure>, WaiterError<Table, Failure>>,
    ) -> Result<()> {
        match result {
            Ok(outcome) => report_end(&outcome.report),
            Err(WaiterError::Failure(failure)) => report_end(&failure.report),
            Err(other) => return Err(other.into()),
        }
        Ok(())
    }
}

fn report_end(report: &WaitReport) {
    send(&json!({
        "event": "end",
        "code": report.kind.map_or("success", FailureKind::code),
        "acceptor": report.acceptor,
        "acceptorText": report.acceptor_text,
        "attempts": report.attempts,
        "elapsed": report.elapsed_ms,
        "explanation": report.explain(),
    }));
}

/// Returns the state of the table or the name of the error.
fn observation(result: &DescribeResult) -> Option<String> {
    match result {
        Ok(output) => status(output.inner()).map(ToOwned::to_owned),
        Err(error) => error.code().map(ToOwned::to_owned),
    }
}
