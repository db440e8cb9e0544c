//! Waits for a table with the AWS SDK.

use anyhow::Result;
use serde_json::json;
use smithy_waiters::Driver;
use smithy_waiters::driver::TokioRuntime;

use crate::control;
use crate::job::WaitJob;
use crate::journal::Journal;
use crate::table::{connect, view};

/// Runs the job's wait after the parent's line that starts it.
#[tokio::main(flavor = "current_thread")]
pub(crate) async fn run(job: &WaitJob) -> Result<()> {
    let client = connect(&job.endpoint);
    let waiter = job.waiter()?;
    control::wait_for_start()?;

    let journal = Journal::default();
    let describe_table = async || {
        let request = client.describe_table().table_name(&job.table);
        request.send().await.map(view)
    };
    let call = |attempt| journal.watch(attempt, describe_table());
    let result = Driver::new(TokioRuntime::new())
        .input(&json!({"TableName": job.table}))
        .on_attempt(|progress| journal.attempt(&progress))
        .wait(&waiter, call, job.options())
        .await;
    journal.end(result)
}
