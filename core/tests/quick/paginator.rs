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
use smithy_waiters::paginator::Paginator;

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
                let paginator = Paginator::from_model_value(&model, id, None).unwrap();
                check_json(&paginator);
                count += 1;
            }
        }
    }
    println!("{count} paginators of real models");
    assert_eq!(count, 571);
}

/// The JSON text of a paginator creates an equal one.
fn check_json(paginator: &Paginator) {
    let text = paginator.to_json();
    assert_eq!(Paginator::from_json(&text).unwrap().to_json(), text);
}

#[test]
fn a_paginator_is_created_from_its_own_json() {
    check_json(&paginator());
}

fn paginator() -> Paginator {
    Paginator::from_json(
        r#"{"inputToken": "Token", "outputToken": "Next", "items": "Items", "pageSize": "Max"}"#,
    )
    .unwrap()
}

mod walks {
    use super::*;
    use std::collections::HashMap;

    use smithy_waiters::paginator::{Pages, Paging, RepeatedToken, Tokens};

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
    fn a_repeated_token_is_reported_once() {
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
    fn an_empty_token_is_ignored() {
        let mut tokens = Tokens::new("Next").start_token(String::new());
        assert_eq!(tokens.due(), Some(Ok(None)), "from the first page");
        tokens.follow(Some(String::new()), None);
        assert_eq!(tokens.due(), None);
        let mut tokens = Tokens::<HashMap<String, u8>>::new("Next");
        tokens.follow(Some(HashMap::new()), Some(true));
        assert_eq!(tokens.due(), None);
    }

    #[test]
    fn a_page_that_is_not_truncated_is_the_last() {
        let mut tokens = Tokens::new("Next");
        tokens.follow(Some(7), Some(false));
        assert_eq!(tokens.due(), None);
        let paging = Paging::default().stop_when_not_truncated(false);
        let mut tokens = Tokens::new("Next").paging(paging);
        tokens.follow(Some(7), Some(false));
        assert_eq!(tokens.due(), Some(Ok(Some(7))));
    }
}
