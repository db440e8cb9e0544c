//! Replays a recorded wait: the same responses with the same durations, in virtual time and without a service.

use std::time::Duration;

use anyhow::Result;
use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::describe_table::{DescribeTableError, DescribeTableOutput};
use aws_sdk_dynamodb::types::TableDescription;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use smithy_waiters::Driver;
use smithy_waiters::driver::TokioRuntime;

use crate::control;
use crate::job::{Answer, RecordedError, ReplayJob};
use crate::journal::Journal;
use crate::table::{DescribeResult, Failure, view};

/// Replays the responses of the job. Tokio's paused clock advances to the next timer when the program is idle.
#[tokio::main(flavor = "current_thread", start_paused = true)]
pub(crate) async fn run(job: &ReplayJob) -> Result<()> {
    let waiter = job.waiter()?;
    control::wait_for_start()?;

    let mut answers = job.script.iter();
    let journal = Journal::default();
    let call = |attempt| journal.watch(attempt, replay_answer(answers.next().cloned()));
    let result = Driver::new(TokioRuntime::new())
        .on_attempt(|progress| journal.attempt(&progress))
        .wait(&waiter, call, job.options())
        .await;
    journal.end(result)
}

async fn replay_answer(answer: Option<Answer>) -> DescribeResult {
    let answer = answer.ok_or_else(|| SdkError::construction_failure("the recording is over"))?;
    tokio::time::sleep(Duration::from_millis(answer.took)).await;
    match answer.error {
        Some(error) => Err(service_error(error)),
        None => Ok(view(output(&answer))),
    }
}

fn output(answer: &Answer) -> DescribeTableOutput {
    let status = answer
        .response
        .as_ref()
        .and_then(|response| response.pointer("/Table/TableStatus")?.as_str());
    let table = TableDescription::builder().set_table_status(status.map(Into::into));
    DescribeTableOutput::builder().table(table.build()).build()
}

fn service_error(error: RecordedError) -> Failure {
    let metadata = ErrorMetadata::builder()
        .code(error.code)
        .message(error.message)
        .build();
    let error = DescribeTableError::generic(metadata);
    match StatusCode::try_from(400) {
        Ok(status) => SdkError::service_error(error, HttpResponse::new(status, SdkBody::empty())),
        Err(invalid) => SdkError::construction_failure(invalid),
    }
}
