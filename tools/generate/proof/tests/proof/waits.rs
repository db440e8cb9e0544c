//! Whole waits by the generated builders.

use std::cell::Cell;
use std::time::Duration;

use aws_sdk_s3::primitives::ByteStream;
use serde_json::json;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, FailureKind, TransientErrors, WaitOptions, WaiterError};
use smithy_waiters_generate_proof::dynamodb::WaitUntil as _;
use smithy_waiters_generate_proof::{ecs, s3};

use crate::wire::{self, Replies, Reply};

const FIVE_MINUTES: Duration = Duration::from_secs(300);

fn table(status: &str) -> Reply {
    Reply::json(&json!({"Table": {"TableStatus": status}}))
}

#[tokio::test]
async fn a_table_is_waited_for_with_the_delays_of_the_model() {
    let replies = Replies::default();
    let missing = Reply::json_error("com.amazonaws.dynamodb#ResourceNotFoundException");
    replies.set(vec![missing, table("CREATING"), table("ACTIVE")]);
    let client = wire::dynamodb(&replies);
    let clock = FakeClock::new();
    let waiter = client.wait_until_table_exists().table_name("orders");
    let outcome = waiter
        .wait_on(Driver::new(clock.clone()), FIVE_MINUTES)
        .await
        .unwrap();
    assert_eq!(
        (outcome.report.attempts, outcome.report.acceptor),
        (3, Some(0))
    );
    assert!(outcome.result.unwrap().table.is_some());
    let sleeps = clock.sleeps();
    assert!(
        sleeps.iter().all(|sleep| *sleep >= Duration::from_secs(20)),
        "{sleeps:?}"
    );
    assert_eq!(replies.asked(), 3);
}

/// As the SDK's own waiters do: the feature `B` of the user agent.
#[tokio::test]
async fn the_requests_of_waits_are_marked_as_such() {
    let replies = Replies::default();
    replies.set(vec![table("ACTIVE")]);
    let client = wire::dynamodb(&replies);
    let features = || -> Vec<String> {
        let agent = replies.agents().pop().unwrap();
        let features = agent.split(' ').find_map(|part| part.strip_prefix("m/"));
        let features = features.unwrap_or_default().split(',');
        features.map(str::to_owned).collect()
    };
    let waiter = client.wait_until_table_exists().table_name("orders");
    waiter.wait(FIVE_MINUTES).await.unwrap();
    let ours = features();
    aws_sdk_dynamodb::client::Waiters::wait_until_table_exists(&client)
        .table_name("orders")
        .wait(FIVE_MINUTES)
        .await
        .unwrap();
    let theirs = features();
    client
        .describe_table()
        .table_name("orders")
        .send()
        .await
        .unwrap();
    for (features, marks) in [(&ours, 1), (&theirs, 1), (&features(), 0)] {
        let marked = features.iter().filter(|id| *id == "B").count();
        assert_eq!(marked, marks, "{features:?}");
    }
}

#[tokio::test]
async fn a_success_may_be_an_error() {
    let replies = Replies::default();
    replies.set(vec![
        table("DELETING"),
        Reply::json_error("ResourceNotFoundException"),
    ]);
    let client = wire::dynamodb(&replies);
    let waiter = client.wait_until_table_not_exists().table_name("orders");
    let outcome = waiter
        .wait_on(Driver::new(FakeClock::new()), FIVE_MINUTES)
        .await
        .unwrap();
    let error = outcome.result.unwrap_err().into_service_error();
    assert!(
        error.is_resource_not_found_exception(),
        "the SDK's own type"
    );
}

/// A stream is sent once: each attempt has a request of its own.
#[tokio::test]
async fn a_stream_is_made_for_each_attempt() {
    use s3::WaitUntil as _;
    let replies = Replies::default();
    replies.set(vec![
        Reply::xml_error("EncryptionTypeMismatch"),
        Reply::empty(),
    ]);
    let client = wire::s3(&replies);
    let made = Cell::new(0);
    let waiter = client.wait_until_object_stored(|request| {
        made.set(made.get() + 1);
        let body = ByteStream::from_static(b"text");
        request.bucket("b").key("k").body(body)
    });
    let outcome = waiter.wait_on(Driver::new(FakeClock::new()), FIVE_MINUTES);
    assert_eq!(outcome.await.unwrap().report.attempts, 2);
    assert_eq!((made.get(), replies.asked()), (2, 2));
}

/// The SDK would retry a throttle by itself; the wait does.
#[tokio::test]
async fn the_sdks_own_retries_are_off() {
    let replies = Replies::default();
    let throttle = || Reply::json_error("ThrottlingException");
    replies.set(vec![throttle(), table("ACTIVE")]);
    let client = wire::dynamodb(&replies);
    let waiter = client.wait_until_table_exists().table_name("orders");
    let outcome = waiter.wait_on(Driver::new(FakeClock::new()), FIVE_MINUTES);
    assert_eq!(outcome.await.unwrap().report.attempts, 2);

    let replies = Replies::default();
    replies.set(vec![throttle()]);
    let client = wire::dynamodb(&replies);
    let waiter = client.wait_until_table_exists().table_name("orders");
    let strict = WaitOptions::new(FIVE_MINUTES).transient_errors(TransientErrors::Fail);
    let ended = waiter.wait_on(Driver::new(FakeClock::new()), strict).await;
    let Err(WaiterError::Failure(failure)) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(failure.kind, FailureKind::UnmatchedError);
    assert_eq!(replies.asked(), 1);
}

#[tokio::test]
async fn options_are_the_callers() {
    let replies = Replies::default();
    replies.set(vec![table("CREATING")]);
    let client = wire::dynamodb(&replies);
    let clock = FakeClock::new();
    let second = Duration::from_secs(1);
    let options = WaitOptions::new(FIVE_MINUTES)
        .min_delay(second)
        .max_delay(second)
        .max_attempts(4);
    let waiter = client.wait_until_table_exists().table_name("orders");
    let ended = waiter.wait_on(Driver::new(clock.clone()), options).await;
    let Err(WaiterError::Failure(failure)) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(failure.kind, FailureKind::TooManyAttempts);
    assert_eq!(clock.sleeps(), [second; 3]);
    let status = failure
        .response
        .and_then(|response| response.table?.table_status);
    assert_eq!(status.unwrap().as_str(), "CREATING");
}

#[tokio::test]
async fn a_failure_state_ends_a_wait() {
    use ecs::WaitUntil as _;
    let replies = Replies::default();
    replies.set(vec![Reply::json(
        &json!({"failures": [{"reason": "MISSING"}]}),
    )]);
    let client = wire::ecs(&replies);
    let waiter = client
        .wait_until_services_stable()
        .cluster("c")
        .services("a")
        .services("b");
    let ended = waiter
        .wait_on(Driver::new(FakeClock::new()), FIVE_MINUTES)
        .await;
    let Err(WaiterError::Failure(failure)) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(
        (failure.kind, failure.report.acceptor),
        (FailureKind::FailureState, Some(0))
    );
}

/// On tokio, as most people call it: without a sleep, since the bucket is there.
#[tokio::test]
async fn a_bucket_is_there() {
    use s3::WaitUntil as _;
    let replies = Replies::default();
    replies.set(vec![Reply::empty()]);
    let client = wire::s3(&replies);
    let outcome = client
        .wait_until_bucket_exists()
        .bucket("b")
        .wait(FIVE_MINUTES)
        .await
        .unwrap();
    assert_eq!(outcome.report.attempts, 1);
}

/// A matcher may look at the request.
#[tokio::test]
async fn a_backup_is_the_one_that_was_asked_for() {
    let replies = Replies::default();
    let backup = |arn: &str, status: &str| {
        let details = json!({
            "BackupArn": arn, "BackupName": "b", "BackupStatus": status,
            "BackupType": "USER", "BackupCreationDateTime": 1,
        });
        Reply::json(&json!({"BackupDescription": {"BackupDetails": details}}))
    };
    replies.set(vec![
        backup("a", "CREATING"),
        backup("b", "AVAILABLE"),
        backup("a", "AVAILABLE"),
    ]);
    let client = wire::dynamodb(&replies);
    let waiter = client.wait_until_backup_available().backup_arn("a");
    let outcome = waiter
        .wait_on(Driver::new(FakeClock::new()), FIVE_MINUTES)
        .await
        .unwrap();
    assert_eq!(outcome.report.attempts, 3);
}

#[tokio::test]
async fn a_failure_has_the_message_that_the_model_names() {
    let replies = Replies::default();
    let details = json!({
        "BackupArn": "a", "BackupName": "b", "BackupStatus": "DELETED",
        "BackupType": "USER", "BackupCreationDateTime": 1,
    });
    let table = json!({
        "TableName": "the table of yesterday", "TableId": "t", "KeySchema": [],
        "TableCreationDateTime": 1, "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
    });
    let backup = json!({"BackupDetails": details, "SourceTableDetails": table});
    replies.set(vec![Reply::json(&json!({"BackupDescription": backup}))]);
    let client = wire::dynamodb(&replies);
    let waiter = client.wait_until_backup_available().backup_arn("a");
    let ended = waiter
        .wait_on(Driver::new(FakeClock::new()), FIVE_MINUTES)
        .await;
    let message = ended.unwrap_err().to_string();
    assert!(message.contains("the table of yesterday"), "{message}");
}
