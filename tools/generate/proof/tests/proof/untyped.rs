//! A definition without a model: the wait is the engine's, on responses of any type.

use std::time::Duration;

use serde_json::json;
use smithy_waiters::ErrorMetadata;
use smithy_waiters_generate_proof::untyped::{job_done, job_is_ours};

#[tokio::test]
async fn a_job_is_done() {
    let call = async |_| Ok::<_, ErrorMetadata<'_>>(json!({"status": "DONE"}));
    let outcome = job_done::wait_until_job_done(call, Duration::from_secs(10))
        .await
        .unwrap();
    assert_eq!(outcome.report.attempts, 1);
    assert_eq!(job_done::job_done().name(), Some("JobDone"));
}

/// A matcher may look at the request: it is given one.
#[tokio::test]
async fn a_job_is_the_one_that_was_asked_for() {
    let call = async |_| Ok::<_, ErrorMetadata<'_>>(json!({"id": 7}));
    let input = json!({"id": 7});
    let outcome = job_is_ours::wait_until_job_is_ours(&input, call, Duration::from_secs(10))
        .await
        .unwrap();
    assert_eq!(outcome.report.attempts, 1);
}
