//! A wait for a table, with the AWS SDK.

use anyhow::Result;
use serde_json::json;
use smithy_waiters::Driver;
use smithy_waiters::driver::TokioRuntime;

use crate::control;
use crate::job::WaitJob;
use crate::journal::Journal;
use crate::table::{connect, view};

/// Waits as the job says, once the parent gives the word.
#[tokio::main(flavor = "current_thread")]
pub(crate) async fn run(job: &WaitJob) -> Result<()> {
    let client = connect(&job.endpoint);
    let waiter = job.waiter()?;
    control::go()?;

    let journal = Journal::default();
    let describe_table = async || {
        let request = client.describe_table().table_name(&job.table);
        request.send().await.map(view)
    };
    let call = |attempt| journal.watch(attempt, describe_table());
    let ended = Driver::new(TokioRuntime::new())
        .input(&json!({"TableName": job.table}))
        .on_attempt(|progress| journal.attempt(&progress))
        .wait(&waiter, call, job.options())
        .await;
    journal.end(ended)
}
