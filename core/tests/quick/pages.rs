//! Walks over pages: limits on items, and unchanged tokens.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use serde_json::{Value as Json, json};
use smithy_waiters::ErrorMetadata;
use smithy_waiters::paginator::{PageError, Pages, Paginator};
use smithy_waiters::response::{Members, Visitor};
use smithy_waiters::{Response, View};

#[test]
fn items_of_all_pages_up_to_a_limit() {
    let paginator =
        Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "items": "Rows"}"#)
            .unwrap();
    let list = |calls: &Cell<u64>| {
        calls.set(calls.get() + 1);
        let rows = json!({"T": format!("t{}", calls.get()), "Rows": [1, 2]});
        Ok::<_, ErrorMetadata<'static>>(if calls.get() == 3 {
            json!({"Rows": [5]})
        } else {
            rows
        })
    };
    for (max_items, items, expected) in [(0, 0, 0), (2, 2, 1), (3, 3, 2), (5, 5, 3), (99, 5, 3)] {
        let calls = Cell::new(0);
        let walk = Pages::new(&paginator, |_| list(&calls)).items().unwrap();
        assert_eq!(walk.max_items(max_items).count(), items);
        assert_eq!(calls.get(), expected, "{max_items}");
    }
    let nowhere = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T"}"#).unwrap();
    let error = Pages::new(&nowhere, ()).items().unwrap_err();
    assert_eq!(error.code, "missing_member");
}

/// An output whose token is a number that doubles cannot represent.
struct Output(Token);

struct Token(u64);

impl Response for Token {
    fn view(&self) -> View<'_> {
        View::Object(self)
    }
}

impl Members for Token {
    fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
        to.member("Id", &self.0)
    }
}

impl Response for Output {
    fn view(&self) -> View<'_> {
        View::Object(self)
    }
}

impl Members for Output {
    fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
        to.member("Next", &self.0)
    }
}

#[test]
fn numbers_of_tokens_stay_as_they_are() {
    let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "Next"}"#).unwrap();
    let asked = RefCell::new(Vec::new());
    let call = |token: Option<Json>| {
        let next = (1 << 53) + asked.borrow().len() as u64;
        asked.borrow_mut().push(token.unwrap_or_default());
        Ok::<_, ErrorMetadata<'static>>(Output(Token(next)))
    };
    let walked = Pages::new(&paginator, call).take(3).filter_map(Result::ok);
    assert_eq!(walked.count(), 3);
    let expected = [
        json!(null),
        json!({"Id": 9_007_199_254_740_992_u64}),
        json!({"Id": 9_007_199_254_740_993_u64}),
    ];
    assert_eq!(asked.into_inner(), expected);
    let same = Pages::new(&paginator, |_| {
        Ok::<_, ErrorMetadata<'static>>(Output(Token(u64::MAX)))
    });
    let last = same.last().unwrap().map(|_| ()).unwrap_err();
    assert!(matches!(last, PageError::Pagination(error) if error.code() == "repeated_token"));
}

#[test]
fn a_token_has_at_most_128_levels() {
    let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T"}"#).unwrap();
    let code = |levels: usize| {
        let token = (0..levels).fold(json!("a"), |value, _| json!({ "a": value }));
        let call = |_| Ok::<_, ErrorMetadata<'static>>(json!({ "T": token }));
        match Pages::new(&paginator, call).last().unwrap().unwrap_err() {
            PageError::Pagination(error) => error.code(),
            error => panic!("{error:?}"),
        }
    };
    assert_eq!(code(128), "repeated_token");
    assert_eq!(code(129), "unreadable_page");
}
