//! Paginators of real models, and walks over pages.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of a test: what is not as expected fails it"
)]

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use smithy_waiters::operation::Operation;
use smithy_waiters::paginator::{NextPage, PaginationError, Paginator, Paging, RepeatedToken};

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/aws-models");

#[test]
fn every_paginated_operation_of_the_real_models_has_a_paginator() {
    let Ok(entries) = fs::read_dir(Path::new(MODELS)) else {
        println!("SKIPPED: the real models are not there");
        return;
    };
    let mut count = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".events.json")
            || path.extension().is_none_or(|extension| extension != "json")
        {
            continue;
        }
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
    assert_eq!(count, 536);
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
        assert_eq!(
            paginator().next(&page, None, &Paging::default()),
            Ok(NextPage::Done),
            "{page}"
        );
    }
}

#[test]
fn what_is_neither_a_string_nor_a_map_is_no_token_either_but_an_error() {
    for (token, got) in [
        (json!(5), "number 5"),
        (json!(true), "boolean true"),
        (json!(["a"]), "array"),
    ] {
        let page = json!({"Next": token});
        let error = paginator()
            .next(&page, None, &Paging::default())
            .unwrap_err();
        assert_eq!(error.code(), "invalid_token");
        assert!(
            error
                .to_string()
                .contains("`Next` must be a string or a map"),
            "{error}"
        );
        let _ = got;
    }
}

#[test]
fn tokens_are_the_same_by_value() {
    let page = json!({"Next": {"id": {"S": "a"}, "sort": {"N": "1"}}});
    let same = json!({"sort": {"N": "1"}, "id": {"S": "a"}});
    let next = |paging: Paging| paginator().next(&page, Some(&same), &paging);
    assert!(matches!(
        next(Paging::default()),
        Err(PaginationError::RepeatedToken { .. })
    ));
    assert_eq!(
        next(Paging::default().repeated_token(RepeatedToken::Stop)),
        Ok(NextPage::Done)
    );
    assert_eq!(
        next(Paging::default().repeated_token(RepeatedToken::Continue)),
        Ok(NextPage::Token(&page["Next"]))
    );
}

#[test]
fn a_page_that_is_not_truncated_is_the_last() {
    let page = json!({"Next": "0", "IsTruncated": false});
    let next = |paging: Paging| paginator().next(&page, None, &paging);
    assert_eq!(next(Paging::default()), Ok(NextPage::Done));
    assert_eq!(
        next(Paging::default().stop_when_not_truncated(false)),
        Ok(NextPage::Token(&page["Next"]))
    );
    let truncated = json!({"Next": "0", "IsTruncated": true});
    assert_eq!(
        paginator().next(&truncated, None, &Paging::default()),
        Ok(NextPage::Token(&truncated["Next"]))
    );
    let no_flag = json!({"Next": "0", "IsTruncated": "false"});
    assert_eq!(
        paginator().next(&no_flag, None, &Paging::default()),
        Ok(NextPage::Token(&no_flag["Next"]))
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
            "a#In": {"type": "structure", "members": {"token": {"target": token}, "max": {"target": "smithy.api#Integer"}}},
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
        read(json!({"pageSize": "token"}), text),
        Err(("wrong_target", format!("{place}.pageSize")))
    );
    assert_eq!(
        read(json!({"items": "a..b"}), text),
        Err(("invalid_path", format!("{place}.items")))
    );
}

#[cfg(feature = "response")]
mod walks {
    use super::*;
    use smithy_waiters::paginator::{PageError, Pages};

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
}
