//! Paginators of real models, and walks over pages.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a panic fails the test"
)]

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use smithy_waiters::operation::Operation;
use smithy_waiters::paginator::{
    PageSizeKind, PaginationError, Paginator, Paging, RepeatedToken, WalkStep,
};

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/data/aws-models");

#[test]
fn every_paginated_operation_of_the_real_models_has_a_paginator() {
    let Ok(entries) = fs::read_dir(Path::new(MODELS)) else {
        println!("SKIPPED: AWS's models; `cargo xtask data` fetches them");
        return;
    };
    let mut count = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        let model: Json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for (id, shape) in model["shapes"].as_object().unwrap() {
            let is_operation = shape["type"] == "operation";
            if !is_operation {
                continue;
            }
            Operation::from_model_value(&model, id, None).unwrap();
            if shape["traits"].get("smithy.api#paginated").is_some() {
                Paginator::from_model_value(&model, id, None).unwrap();
                count += 1;
            }
        }
    }
    println!("{count} paginators of real models");
    assert_eq!(count, 571);
}

/// Returns the step after a page that was requested with a token.
fn after<'j>(
    page: &'j Json,
    token: Option<&'j Json>,
    paging: Paging,
) -> Result<WalkStep<&'j Json>, PaginationError> {
    let mut walk = paginator().walk(paging);
    walk.begin(token, None).unwrap();
    walk.handle(page)
}

/// Returns the step that requests the second page.
const fn second(token: &Json) -> WalkStep<&Json> {
    WalkStep::Call {
        page: 2,
        token: Some(token),
    }
}

fn paginator() -> Paginator {
    Paginator::from_json(
        r#"{"inputToken": "Token", "outputToken": "Next", "items": "Items", "pageSize": "Max"}"#,
    )
    .unwrap()
}

#[test]
fn what_is_empty_is_no_token() {
    for page in [
        json!({}),
        json!({"Next": null}),
        json!({"Next": ""}),
        json!({"Next": {}}),
        json!({"Next": []}),
    ] {
        assert_eq!(after(&page, None, Paging::default()), Ok(WalkStep::Done));
    }
}

#[test]
fn what_is_neither_a_string_nor_a_map_is_no_token_either_but_an_error() {
    for (token, got) in [
        (json!(5), "5"),
        (json!(true), "a boolean"),
        (json!(["a"]), "an array"),
    ] {
        let page = json!({"Next": token});
        let error = after(&page, None, Paging::default()).unwrap_err();
        assert_eq!(error.code(), "invalid_token");
        assert_eq!(
            error.to_string(),
            format!("the continuation token `Next` must be a string or a map, got {got}")
        );
    }
}

#[test]
fn tokens_are_the_same_by_value() {
    let page = json!({"Next": {"id": {"S": "a"}, "sort": {"N": "1"}}});
    let same = json!({"sort": {"N": "1"}, "id": {"S": "a"}});
    let next = |paging: Paging| after(&page, Some(&same), paging);
    assert!(matches!(
        next(Paging::default()),
        Err(PaginationError::RepeatedToken { .. })
    ));
    assert_eq!(
        next(Paging::default().repeated_token(RepeatedToken::Stop)),
        Ok(WalkStep::Done)
    );
    assert_eq!(
        next(Paging::default().repeated_token(RepeatedToken::Continue)),
        Ok(second(&page["Next"]))
    );
}

#[test]
fn a_page_that_is_not_truncated_is_the_last() {
    let page = json!({"Next": "0", "IsTruncated": false});
    let next = |paging: Paging| after(&page, None, paging);
    assert_eq!(next(Paging::default()), Ok(WalkStep::Done));
    assert_eq!(
        next(Paging::default().stop_when_not_truncated(false)),
        Ok(second(&page["Next"]))
    );
    let truncated = json!({"Next": "0", "IsTruncated": true});
    assert_eq!(
        after(&truncated, None, Paging::default()),
        Ok(second(&truncated["Next"]))
    );
    let no_flag = json!({"Next": "0", "IsTruncated": "false"});
    assert_eq!(
        after(&no_flag, None, Paging::default()),
        Ok(second(&no_flag["Next"]))
    );
}

#[test]
fn a_trait_that_leads_nowhere_is_refused() {
    let model = |paginated: Json, token: &str| {
        json!({"shapes": {
            "a#S": {"type": "service", "version": "1", "operations": [{"target": "a#List"}],
                    "traits": {"smithy.api#paginated": {"inputToken": "token", "outputToken": "next"}}},
            "a#List": {"type": "operation", "input": {"target": "a#In"}, "output": {"target": "a#Out"},
                       "traits": {"smithy.api#paginated": paginated}},
            "a#In": {"type": "structure", "members": {"token": {"target": token}, "max": {"target": "smithy.api#Integer"}, "flag": {"target": "smithy.api#Boolean"}}},
            "a#Out": {"type": "structure", "mixins": [{"target": "a#Mixin"}], "members": {"next": {"target": token}}},
            "a#Mixin": {"type": "structure", "members": {"items": {"target": "a#Items"}, "IsTruncated": {"target": "smithy.api#Boolean"}}},
            "a#Items": {"type": "list", "member": {"target": "smithy.api#String"}}}})
    };
    let read = |paginated: Json, token: &str| {
        Paginator::from_model_value(&model(paginated, token), "List", None)
            .map_err(|error| (error.code, error.path))
            .map(|_| ())
    };
    let text = "smithy.api#String";
    let place = "shapes.a#List.traits.smithy.api#paginated";
    assert_eq!(
        read(json!({"items": "items", "pageSize": "max"}), text),
        Ok(())
    );
    assert_eq!(
        read(json!({"items": "nowhere"}), text),
        Err(("unknown_member", format!("{place}.items")))
    );
    assert_eq!(
        read(json!({"outputToken": "next.deeper"}), text),
        Err(("unknown_member", format!("{place}.outputToken")))
    );
    assert_eq!(
        read(json!({}), "smithy.api#Integer"),
        Err(("wrong_target", format!("{place}.inputToken")))
    );
    assert_eq!(
        read(json!({"items": "items", "pageSize": "flag"}), text),
        Err(("wrong_target", format!("{place}.pageSize")))
    );
    assert_eq!(
        read(json!({"items": "a..b"}), text),
        Err(("invalid_path", format!("{place}.items")))
    );
}

#[test]
fn the_type_of_the_page_size_is_the_models() {
    let kind = |size: &str| {
        let model = json!({"shapes": {
            "a#List": {"type": "operation", "input": {"target": "a#In"}, "output": {"target": "a#Out"}, "traits": {
                "smithy.api#paginated": {"inputToken": "t", "outputToken": "t", "pageSize": "max"}}},
            "a#In": {"type": "structure", "members": {
                "t": {"target": "smithy.api#String"}, "max": {"target": size}}},
            "a#Out": {"type": "structure", "members": {"t": {"target": "smithy.api#String"}}}}});
        Paginator::from_model_value(&model, "List", None)
            .unwrap()
            .page_size_kind()
    };
    assert_eq!(kind("smithy.api#Integer"), Some(PageSizeKind::Integer));
    assert_eq!(kind("smithy.api#String"), Some(PageSizeKind::String));
    assert_eq!(paginator().page_size_kind(), None);
}

#[test]
fn a_token_is_kept_up_to_64_kib() {
    let page = |length: usize| json!({"Next": "x".repeat(length - 2)});
    let (longest, too_long) = (page(64 * 1024), page(64 * 1024 + 1));
    assert!(after(&longest, None, Paging::default()).is_ok());
    let repeated = after(&longest, Some(&longest["Next"]), Paging::default());
    assert_eq!(repeated.unwrap_err().code(), "repeated_token");
    let error = after(&too_long, None, Paging::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the continuation token `Next` is longer than 64 KiB"
    );
    let mut walk = paginator().walk(Paging::default());
    let error = walk.begin(Some(&too_long["Next"]), None).unwrap_err();
    assert_eq!(
        (error.code, &*error.option),
        ("invalid_option", "startToken")
    );
}

#[test]
fn a_token_of_the_input_counts_for_repeats() {
    let (input, page) = (json!({"Token": "a"}), json!({"Next": "a"}));
    let mut walk = paginator().walk(Paging::default());
    let first = walk.begin(None, Some(&input)).unwrap();
    assert_eq!(
        first,
        WalkStep::Call {
            page: 1,
            token: None
        }
    );
    assert_eq!(walk.handle(&page).unwrap_err().code(), "repeated_token");
    assert_eq!(walk.handle(&page), Ok(WalkStep::Done));
}

#[test]
fn integers_that_no_double_holds_are_different_tokens() {
    let token = |id: u64| json!({ "Id": id });
    let (page, other) = (json!({"Next": token((1 << 53) + 1)}), token(1 << 53));
    assert_eq!(
        after(&page, Some(&other), Paging::default()),
        Ok(second(&page["Next"]))
    );
}

#[cfg(feature = "response")]
mod walks {
    use super::*;
    use std::collections::HashMap;

    use smithy_waiters::paginator::{PageError, Pages, RepeatedToken, Tokens};

    #[test]
    fn nothing_is_sent_before_the_first_page_is_asked_for_nor_ahead() {
        let paginator = paginator();
        let calls = std::cell::Cell::new(0);
        let mut pages = Pages::new(&paginator, |_| {
            calls.set(calls.get() + 1);
            Ok::<_, String>(json!({"Next": calls.get().to_string()}))
        });
        assert_eq!(calls.get(), 0);
        assert_eq!(pages.next(), Some(Ok(json!({"Next": "1"}))));
        assert_eq!(calls.get(), 1);
        assert_eq!(pages.token(), Some(&json!("1")));
    }

    #[test]
    fn a_call_that_failed_can_be_made_again_for_the_same_page() {
        let paginator = paginator();
        let mut seen = Vec::new();
        let mut pages = Pages::new(&paginator, |token: Option<Json>| {
            seen.push(token);
            match seen.len() {
                1 => Ok(json!({"Next": "a"})),
                2 => Err("lost".to_owned()),
                _ => Ok(json!({})),
            }
        });
        assert!(matches!(pages.next(), Some(Ok(_))));
        assert_eq!(pages.next(), Some(Err(PageError::Call("lost".to_owned()))));
        assert!(matches!(pages.next(), Some(Ok(_))));
        assert_eq!(pages.next(), None);
        assert_eq!(seen, [None, Some(json!("a")), Some(json!("a"))]);
    }

    #[test]
    fn a_page_that_cannot_be_gone_on_from_is_given_all_the_same() {
        let paginator = paginator();
        let mut pages = Pages::new(&paginator, |_| Ok::<_, String>(json!({"Next": 7})));
        assert_eq!(pages.next(), Some(Ok(json!({"Next": 7}))));
        let Some(Err(PageError::Pagination(error))) = pages.next() else {
            panic!("an error follows")
        };
        assert_eq!(error.code(), "invalid_token");
        assert_eq!(pages.next(), None);
    }

    #[test]
    fn a_token_that_comes_back_is_said_once() {
        let mut tokens = Tokens::new("Next");
        tokens.follow(Some(7), None);
        tokens.follow(Some(7), None);
        let error = tokens.due().unwrap().unwrap_err();
        assert_eq!(error.code(), "repeated_token");
        assert_eq!(tokens.due(), None);
    }

    #[test]
    fn a_token_that_comes_back_may_be_an_end_or_none() {
        let paging = |repeated| Paging::default().repeated_token(repeated);
        let mut tokens = Tokens::new("Next")
            .paging(paging(RepeatedToken::Stop))
            .start_token(7);
        tokens.follow(Some(7), None);
        assert_eq!(tokens.due(), None);
        let mut tokens = Tokens::new("Next")
            .paging(paging(RepeatedToken::Continue))
            .start_token(7);
        tokens.follow(Some(7), None);
        assert_eq!(tokens.due(), Some(Ok(Some(7))));
    }

    #[test]
    fn an_empty_token_is_none() {
        let mut tokens = Tokens::new("Next").start_token(String::new());
        assert_eq!(tokens.due(), Some(Ok(None)), "from the first page");
        tokens.follow(Some(String::new()), None);
        assert_eq!(tokens.due(), None);
        let mut tokens = Tokens::<HashMap<String, u8>>::new("Next");
        tokens.follow(Some(HashMap::new()), Some(true));
        assert_eq!(tokens.due(), None);
    }

    #[test]
    fn what_is_not_truncated_is_over() {
        let mut tokens = Tokens::new("Next");
        tokens.follow(Some(7), Some(false));
        assert_eq!(tokens.due(), None);
        let paging = Paging::default().stop_when_not_truncated(false);
        let mut tokens = Tokens::new("Next").paging(paging);
        tokens.follow(Some(7), Some(false));
        assert_eq!(tokens.due(), Some(Ok(Some(7))));
    }
}
