//! What a retry decision and a page cost.
//!
//! `cargo bench -p smithy-waiters --bench behaviours --features response`: prints one JSON object a case, times in nanoseconds.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark on data of its own"
)]

mod timing;

use std::hint::black_box;

use serde_json::{Value, json};
use smithy_waiters::paginator::{NextPage, Paginator, Paging};
use smithy_waiters::retry::{
    RequestFailure, RetryOptions, RetryStrategy, RetryToken, StandardRetryStrategy,
};
use timing::{Contestant, medians};

fn main() {
    println!("{}", decision());
    println!("{}", classification());
    for items in [10, 10_000] {
        println!("{}", page(items));
    }
}

/// One request that fails once: its token, the decision, the success.
fn decision() -> Value {
    let options = RetryOptions::default().success_refund(5);
    let strategy = StandardRetryStrategy::new(&options, 1).unwrap();
    let unavailable = RequestFailure::default().status(503).classify().info;
    let run = || {
        let token = strategy.acquire_initial_token().unwrap();
        let token = strategy.refresh_retry_token(token, black_box(&unavailable));
        let token = token.unwrap();
        black_box(token.delay());
        strategy.record_success(token).unwrap();
    };
    timed("retry decision", "", Box::new(run))
}

/// What a throttled response means.
fn classification() -> Value {
    let run = || {
        let failure = RequestFailure::default()
            .status(black_box(429))
            .code("ThrottlingException")
            .retry_after("3");
        black_box(failure.classify());
    };
    timed("retry classification", "", Box::new(run))
}

/// What follows a page, and where its items are.
fn page(items: usize) -> Value {
    let definition =
        json!({"inputToken": "T", "outputToken": "Result.Next", "items": "Result.Items"});
    let paginator = Paginator::from_value(&definition).unwrap();
    let items: Vec<Value> = (0..items)
        .map(|id| json!({"Id": id, "Name": "x"}))
        .collect();
    let size = format!("{} items", items.len());
    let page = json!({"Result": {"Next": "token-2", "Items": items}, "IsTruncated": true});
    let token = json!("token-1");
    let run = || {
        let next = paginator.next(black_box(&page), Some(&token), &Paging::default());
        assert!(matches!(next, Ok(NextPage::Token(_))));
        black_box(paginator.items(&page).unwrap());
    };
    timed("page", &size, Box::new(run))
}

fn timed<'a>(case: &str, size: &str, run: Box<dyn FnMut() + 'a>) -> Value {
    let contestants: Vec<Contestant<'_>> = vec![("engine", run)];
    let mut result = json!({"case": case, "size": size});
    for (name, time) in medians(contestants) {
        result[name] = time.into();
    }
    result
}
