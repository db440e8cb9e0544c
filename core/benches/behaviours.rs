//! Benchmarks of a retried request and of a page, driven by their state machines.
//!
//! `cargo bench -p smithy-waiters --bench behaviours --features response` prints one JSON object for each case, with
//! times in nanoseconds.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark with its own data"
)]

mod timing;

use std::hint::black_box;

use serde_json::{Value, json};
use smithy_waiters::paginator::{Paginator, Paging, WalkStep};
use smithy_waiters::retry::{
    FailedAttempt, Request, RequestEvent, RequestFailure, RequestOptions, RequestStep, RetryCosts,
    RetryOptions, StandardRetryStrategy,
};
use timing::{Contestant, medians};

fn main() {
    println!("{}", request());
    for items in [10, 10_000] {
        println!("{}", page(items));
    }
}

/// A request that fails once: its token, the classification, the decision and the success.
fn request() -> Value {
    let costs = RetryCosts {
        success: 5,
        ..RetryCosts::default()
    };
    let options = RetryOptions::default().costs(costs);
    let strategy = StandardRetryStrategy::new(&options, 1).unwrap();
    let run = || {
        let (mut request, mut token) = (Request::new(RequestOptions::default()), None);
        let mut take = |request: &mut Request, mut step: RequestStep, now| {
            while let Some(event) = step.strategy_event(&strategy, &mut token) {
                step = request.handle(event, now).unwrap();
            }
            step
        };
        let step = request.poll(0);
        take(&mut request, step, 0);
        let throttled = RequestFailure::default()
            .status(black_box(429))
            .code("ThrottlingException")
            .retry_after("3");
        let failure = request.classify(FailedAttempt::Error(throttled));
        let step = request.handle(RequestEvent::Retry(&failure), 20).unwrap();
        let step = take(&mut request, step, 20);
        assert_eq!(step, RequestStep::Sleep { until_ms: 3_020 });
        request.poll(3_020);
        let step = request.handle(RequestEvent::Success, 3_040).unwrap();
        black_box(take(&mut request, step, 3_040));
    };
    timed("retried request", "", Box::new(run))
}

/// The step after a page, and the page's items.
fn page(items: usize) -> Value {
    let definition =
        json!({"inputToken": "T", "outputToken": "Result.Next", "items": "Result.Items"});
    let paginator = Paginator::from_value(&definition).unwrap();
    let items: Vec<Value> = (0..items)
        .map(|id| json!({"Id": id, "Name": "x"}))
        .collect();
    let size = format!("{} items", items.len());
    let pages = ["token-1", "token-2"]
        .map(|token| json!({"Result": {"Next": token, "Items": items}, "IsTruncated": true}));
    let mut walk = paginator.walk(Paging::default());
    walk.begin::<&Value>(None, None).unwrap();
    let mut turn = pages.iter().cycle();
    let run = || {
        let page = black_box(turn.next().unwrap());
        let step = walk.handle(page).unwrap();
        assert!(matches!(step, WalkStep::Call { token: Some(_), .. }));
        black_box(paginator.items(page).unwrap());
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
