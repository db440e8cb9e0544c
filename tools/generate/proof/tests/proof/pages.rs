//! Pages by the generated paginators, and what the model says of errors and requests.

use std::future::poll_fn;
use std::pin::Pin;

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::json;
use smithy_waiters::operation::ErrorFault;
use smithy_waiters::paginator::{PageError, Stream as _};
use smithy_waiters_generate_proof::{dynamodb, ecs};

use crate::wire::{self, Replies, Reply};

#[tokio::test]
async fn pages_follow_their_tokens_to_the_end() {
    let replies = Replies::default();
    let page = |names: &[&str], last: Option<&str>| {
        let page = json!({"TableNames": names, "LastEvaluatedTableName": last});
        Reply::json(&page)
    };
    replies.set(vec![
        page(&["a"], Some("a")),
        page(&["b"], Some("b")),
        page(&[], None),
    ]);
    let client = wire::dynamodb(&replies);
    let mut pages = dynamodb::paginate_list_tables(client.list_tables().limit(1));
    let mut names = Vec::new();
    while let Some(page) = pages.next_page().await {
        names.extend(page.unwrap().table_names.unwrap_or_default());
    }
    assert_eq!(names, ["a", "b"]);
    assert_eq!(replies.asked(), 3);
    let asked = replies.bodies();
    let starts = |body: &&String| body.contains("ExclusiveStartTableName");
    assert_eq!(asked.iter().filter(starts).count(), 2, "{asked:?}");
}

#[tokio::test]
async fn pages_are_a_stream_too() {
    let replies = Replies::default();
    let page = |last: Option<&str>| {
        let page = json!({"TableNames": ["a"], "LastEvaluatedTableName": last});
        Reply::json(&page)
    };
    replies.set(vec![page(Some("a")), page(None)]);
    let client = wire::dynamodb(&replies);
    let mut pages = dynamodb::paginate_list_tables(client.list_tables()).into_stream();
    let mut count = 0;
    while let Some(page) = poll_fn(|context| Pin::new(&mut pages).poll_next(context)).await {
        assert!(page.is_ok());
        count += 1;
    }
    assert_eq!((count, replies.asked()), (2, 2));
}

/// DynamoDB's tokens are maps.
#[tokio::test]
async fn a_token_may_be_a_map_and_must_not_come_twice() {
    let replies = Replies::default();
    replies.set(vec![Reply::json(
        &json!({"Items": [], "LastEvaluatedKey": {"id": {"S": "x"}}}),
    )]);
    let client = wire::dynamodb(&replies);
    let mut pages = dynamodb::paginate_scan(client.scan().table_name("t"));
    let first = pages.next_page().await.unwrap().unwrap();
    let key = first.last_evaluated_key.unwrap();
    assert_eq!(key.get("id"), Some(&AttributeValue::S("x".to_owned())));
    assert!(pages.next_page().await.unwrap().is_ok());
    let ended = pages.next_page().await.unwrap();
    let is_repeated = |error: &PageError<_>| matches!(error, PageError::Pagination(error) if error.code() == "repeated_token");
    assert!(ended.as_ref().is_err_and(is_repeated), "{ended:?}");
    assert!(pages.next_page().await.is_none());
}

#[test]
fn errors_and_requests_are_as_modeled() {
    let throttled = dynamodb::modeled_error("ProvisionedThroughputExceededException").unwrap();
    assert_eq!(throttled.fault, ErrorFault::Client);
    assert_eq!(dynamodb::modeled_error("NoSuchError"), None);
    let server = ecs::modeled_error("ServerException").unwrap();
    assert_eq!(server.fault, ErrorFault::Server);
    let written = dynamodb::behaviour("TransactWriteItems").unwrap();
    assert_eq!(written.idempotency_token, Some("ClientRequestToken"));
    assert!(!written.idempotent);
    assert!(written.encodings.is_empty() && !written.streaming);
    assert_eq!(dynamodb::behaviour("NoSuchOperation"), None);
}
