//! Walks over pages: the properties of a paginator, and pages and items as futures and streams.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use std::cell::RefCell;
use std::future::ready;

use serde_json::{Value as Json, json};
use smithy_waiters::paginator::{Entry, PageError, PageSizeKind, Pages, Paginator};

fn paginator() -> Paginator {
    Paginator::from_json(
        r#"{"inputToken": "T", "outputToken": "R.T", "items": "R.Rows", "pageSize": "Max"}"#,
    )
    .unwrap()
}

#[test]
fn the_properties_of_a_model_can_be_set() {
    let one = paginator();
    assert_eq!((one.truncates(), one.page_size_kind()), (None, None));
    let other = one.with_model(Some(true), Some(PageSizeKind::String));
    assert_eq!(other.truncates(), Some(true));
    assert_eq!(other.page_size_kind(), Some(PageSizeKind::String));
    let other = other.with_model(Some(false), Some(PageSizeKind::Integer));
    assert_eq!(other.truncates(), Some(false));
    assert_eq!(other.page_size_kind(), Some(PageSizeKind::Integer));
}

#[test]
fn a_paginator_reads_these_members() {
    let paginator = paginator();
    let mut names: Vec<&str> = paginator.names().iter().map(|name| &**name).collect();
    names.sort_unstable();
    assert_eq!(names, ["IsTruncated", "R", "Rows", "T"]);
}

#[test]
fn items_are_a_list_or_a_map() {
    let paginator = paginator();
    for (page, items) in [
        (json!({"R": {"Rows": [1, 2]}}), Some(json!([1, 2]))),
        (json!({"R": {"Rows": {"a": 1}}}), Some(json!({"a": 1}))),
        (json!({"R": {"Rows": null}}), None),
        (json!({"R": {}}), None),
        (json!({}), None),
    ] {
        assert_eq!(paginator.items(&page).unwrap(), items.as_ref(), "{page}");
    }
    let without = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T"}"#).unwrap();
    assert_eq!(without.items(&json!({"R": {"Rows": [1]}})).unwrap(), None);
}

/// The results of calls: a page with a token, a failure, the same page, and the last page.
fn results(call: usize) -> Result<Json, &'static str> {
    match call {
        0 => Ok(json!({"R": {"T": "a", "Rows": [1, 2]}})),
        1 => Err("lost"),
        2 => Ok(json!({"R": {"T": "b", "Rows": []}})),
        _ => Ok(json!({"R": {"Rows": [3]}})),
    }
}

/// The tokens of the calls that `results` answers.
const TOKENS: [Option<&str>; 4] = [None, Some("a"), Some("a"), Some("b")];

/// Requests pages and notes their tokens.
#[derive(Default)]
struct Calls(RefCell<Vec<Option<String>>>);

impl Calls {
    fn next(&self, token: Option<Json>) -> Result<Json, &'static str> {
        let mut calls = self.0.borrow_mut();
        calls.push(token.map(|token| token.as_str().unwrap().to_owned()));
        results(calls.len() - 1)
    }

    fn tokens(&self) -> Vec<Option<String>> {
        self.0.borrow().clone()
    }
}

fn rows(page: Result<Json, PageError<&'static str>>) -> Result<Json, &'static str> {
    match page {
        Ok(page) => Ok(page["R"]["Rows"].clone()),
        Err(PageError::Call(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

/// The rows of the pages that `results` returns.
fn expected_rows() -> [Result<Json, &'static str>; 4] {
    [
        Ok(json!([1, 2])),
        Err("lost"),
        Ok(json!([])),
        Ok(json!([3])),
    ]
}

fn item(item: Result<Entry, PageError<&'static str>>) -> Result<Json, &'static str> {
    match item {
        Ok(item) => Ok(item.value),
        Err(PageError::Call(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

/// The items of these pages.
fn expected_items() -> [Result<Json, &'static str>; 4] {
    [Ok(json!(1)), Ok(json!(2)), Err("lost"), Ok(json!(3))]
}

#[tokio::test]
async fn awaited_pages_follow_the_tokens_and_repeat_a_failed_call() {
    let (paginator, calls) = (paginator(), Calls::default());
    let mut pages = Pages::new(&paginator, |token| ready(calls.next(token)));
    let mut seen = Vec::new();
    while let Some(page) = pages.next_page().await {
        seen.push(rows(page));
    }
    assert_eq!(seen, expected_rows());
    assert_eq!(calls.tokens(), TOKENS.map(|token| token.map(str::to_owned)));
    assert!(pages.next_page().await.is_none());
    assert_eq!(calls.tokens().len(), 4);
}

#[tokio::test]
async fn an_awaited_walk_ends_with_one_error() {
    let paginator = paginator();
    let page = || ready(Ok::<_, ()>(json!({"R": {"T": 7, "Rows": [1]}})));
    let mut pages = Pages::new(&paginator, |_| page());
    assert!(matches!(pages.next_page().await, Some(Ok(_))));
    let Some(Err(PageError::Pagination(error))) = pages.next_page().await else {
        panic!("an error follows")
    };
    assert_eq!(error.code(), "invalid_token");
    assert!(pages.next_page().await.is_none());
}

#[tokio::test]
async fn awaited_items_are_those_of_all_pages_up_to_a_limit() {
    let paginator = paginator();
    for (most, count, expected_calls) in [(0, 0, 0), (2, 2, 1), (3, 4, 4), (9, 4, 4)] {
        let calls = Calls::default();
        let pages = Pages::new(&paginator, |token| ready(calls.next(token)));
        let mut items = pages.items().unwrap().max_items(most);
        let mut seen = Vec::new();
        while let Some(next) = items.next_item().await {
            seen.push(item(next));
        }
        assert_eq!(seen, expected_items().get(..count).unwrap(), "{most}");
        assert_eq!(calls.tokens().len(), expected_calls, "{most}");
    }
}

#[test]
fn items_continue_after_a_failed_call() {
    let (paginator, calls) = (paginator(), Calls::default());
    let pages = Pages::new(&paginator, |token| calls.next(token));
    let items = pages.items().unwrap();
    assert_eq!(items.map(item).collect::<Vec<_>>(), expected_items());
    assert_eq!(calls.tokens(), TOKENS.map(|token| token.map(str::to_owned)));
}

#[cfg(feature = "stream")]
mod streams {
    use super::*;
    use std::cell::Cell;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use smithy_waiters::paginator::{Stream, unfold};

    /// A future that is pending once.
    struct Late<T>(Cell<bool>, Option<T>);

    impl<T: Unpin> Future for Late<T> {
        type Output = T;

        fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
            if self.0.replace(true) {
                return Poll::Ready(self.1.take().unwrap());
            }
            Poll::Pending
        }
    }

    fn late<T>(value: T) -> Late<T> {
        Late(Cell::new(false), Some(value))
    }

    /// Returns the items of a stream of which each call is pending once.
    fn all<T>(mut stream: impl Stream<Item = T> + Unpin) -> Vec<T> {
        let mut context = Context::from_waker(Waker::noop());
        let (mut items, mut pending) = (Vec::new(), 0);
        loop {
            match Pin::new(&mut stream).poll_next(&mut context) {
                Poll::Ready(Some(item)) => items.push(item),
                Poll::Ready(None) => break,
                Poll::Pending => pending += 1,
            }
            assert!(pending <= 8, "the stream does not end");
        }
        assert!(pending > 0);
        // A stream that has ended stays so.
        let again = Pin::new(&mut stream).poll_next(&mut context);
        assert!(matches!(again, Poll::Ready(None)));
        items
    }

    #[test]
    fn pages_are_a_stream() {
        let (paginator, calls) = (paginator(), Calls::default());
        let pages = Pages::new(&paginator, |token| late(calls.next(token)));
        let seen = all(pages.into_stream()).into_iter().map(rows);
        assert_eq!(seen.collect::<Vec<_>>(), expected_rows());
        assert_eq!(calls.tokens().len(), 4);
    }

    #[test]
    fn items_are_a_stream() {
        let (paginator, calls) = (paginator(), Calls::default());
        let pages = Pages::new(&paginator, |token| late(calls.next(token)));
        let items = pages.items().unwrap().max_items(2).into_stream();
        let seen = all(items).into_iter().map(item).collect::<Vec<_>>();
        assert_eq!(seen, expected_items().get(..2).unwrap());
        assert_eq!(calls.tokens().len(), 1);
    }

    #[test]
    fn a_stream_ends_with_its_state() {
        let next = |left: u8| late(left.checked_sub(1).map(|rest| (left, rest)));
        assert_eq!(all(unfold(3, next)), [3, 2, 1]);
    }
}
