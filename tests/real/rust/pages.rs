//! Reads a thousand items with `Scan` and `Query`, and compares them with those of the SDK's own paginator.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};
use smithy_waiters::Viewed;
use smithy_waiters::driver::{Retry, TokioRuntime};
use smithy_waiters::operation::Operation;
use smithy_waiters::paginator::{Pages, Paginator};
use smithy_waiters::retry::{Backoff, RetryOptions, RetryQuota, StandardRetryStrategy};

use crate::services::Services;

type Key = HashMap<String, AttributeValue>;

/// A page with its items and the members that the paginator reads.
type Page = Viewed<Vec<Key>>;

fn page(items: Option<Vec<Key>>, last: Option<Key>) -> Page {
    let last = last.map(|key| {
        let member = |(name, value): (&String, &AttributeValue)| (name.clone(), to_json(value));
        key.iter().map(member).collect::<Value>()
    });
    Viewed::new(
        items.unwrap_or_default(),
        |_| json!({"LastEvaluatedKey": last}),
    )
}

fn to_json(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::N(number) => json!({"N": number}),
        AttributeValue::S(text) => json!({"S": text}),
        other => json!({"other": format!("{other:?}")}),
    }
}

fn key(token: Option<Value>) -> Option<Key> {
    let members = token?.as_object().unwrap().clone().into_iter();
    let value = |value: Value| match (value["N"].as_str(), value["S"].as_str()) {
        (Some(number), _) => AttributeValue::N(number.to_owned()),
        (_, text) => AttributeValue::S(text.unwrap().to_owned()),
    };
    Some(
        members
            .map(|(name, member)| (name, value(member)))
            .collect(),
    )
}

const PAGE_SIZE: i32 = 90;

/// Reads all pages of an operation with retries, and returns the items, the number of pages and the remaining quota.
macro_rules! read_pages {
    ($services:expr, $name:literal, $request:expr) => {{
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model.json");
        let model = std::fs::read_to_string(model).unwrap();
        let paginator = Paginator::from_model(&model, $name, None).unwrap();
        let operation = Operation::from_model(&model, $name, None).unwrap();
        let options = RetryOptions::default().backoff(Backoff::Fixed(Duration::from_millis(1)));
        let strategy = StandardRetryStrategy::new(&options, 1).unwrap();
        let faulty = $services.client("proxy");
        let call = async |token: Option<Value>| {
            let token = key(token);
            let request = || async {
                let request = $request(&faulty).limit(PAGE_SIZE);
                let sent = request.set_exclusive_start_key(token.clone()).send().await;
                sent.map(|output| page(output.items, output.last_evaluated_key))
            };
            let retry = Retry::new(&strategy, TokioRuntime::new());
            let page = retry
                .operation(&operation, &json!({}))
                .call(|_| request())
                .await;
            page.map_err(|error| error.to_string())
        };
        let mut pages = Pages::new(&paginator, |token| call(token));
        let (mut items, mut count) = (Vec::new(), 0_u32);
        while let Some(page) = pages.next_page().await {
            items.extend(page.unwrap().into_inner());
            count += 1;
        }
        (items, count, strategy.quota().map(RetryQuota::available))
    }};
}

/// The faults of the proxy, which the retries recover from.
fn faults() -> Value {
    json!([{"status": 503}, null, {"status": 429}, null, "reset", null, "lost", null, {"status": 500}, {"status": 502}, null])
}

#[tokio::test]
#[ignore = "the services are real: cargo xtask test --only rust-real-use"]
async fn a_thousand_items_get_through() {
    let services = Services::start(0);
    let direct = services.client("service");

    services.send("/-/script", &faults());
    let (items, count, available) = read_pages!(services, "Scan", |client: &Client| client
        .scan()
        .table_name("orders"));
    let own = direct
        .scan()
        .table_name("orders")
        .limit(PAGE_SIZE)
        .into_paginator();
    let own: Vec<Key> = own.items().send().collect::<Result<_, _>>().await.unwrap();
    assert_eq!((items.len(), count), (1000, 12));
    assert_eq!(items, own);
    // Six retries cost 5 tokens each, and each page returns 1.
    assert_eq!(available, Some(500 - 6 * 5 + 12));

    services.send("/-/script", &faults());
    let query = |client: &Client| {
        let request = client
            .query()
            .table_name("orders")
            .key_condition_expression("customer = :customer");
        request.expression_attribute_values(":customer", AttributeValue::S("ada".to_owned()))
    };
    let (items, count, _) = read_pages!(services, "Query", query);
    let own = query(&direct).limit(PAGE_SIZE).into_paginator();
    let own: Vec<Key> = own.items().send().collect::<Result<_, _>>().await.unwrap();
    assert_eq!((items.len(), count), (1000, 12));
    assert_eq!(items, own);

    let arrived = services.send("/-/arrived", &json!({}));
    let arrived = arrived.as_array().unwrap();
    assert_eq!(arrived.len(), 12 + 6);
    // Each failed request is repeated unchanged.
    for pair in arrived.windows(2) {
        if let [one, next] = pair
            && !one["fault"].is_null()
        {
            assert_eq!(one["body"], next["body"]);
        }
    }
}
