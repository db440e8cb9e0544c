//! Responses of every kind: parsed JSON, derived types and serde types have the same verdict.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde_json::json;
use smithy_waiters::value::Value;
use smithy_waiters::{
    CompiledExpression, Observation, ReasonCode, Response, SearchResult, Serialized, State, View,
    Viewed, Waiter,
};

#[derive(Clone, Debug, Response, Serialize)]
#[serde(rename_all = "PascalCase")]
struct DescribeStacksOutput {
    stacks: Vec<Stack>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Clone, Debug, Response, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Stack {
    stack_status: StackStatus,
    outputs: BTreeMap<String, Option<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<Box<Self>>,
}

#[derive(Clone, Copy, Debug, Response, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum StackStatus {
    CreateComplete,
    CreateInProgress,
}

fn stacks(statuses: &[StackStatus]) -> DescribeStacksOutput {
    let stack = |status: &StackStatus| Stack {
        stack_status: *status,
        outputs: [("Port".to_owned(), Some(80)), ("Url".to_owned(), None)].into(),
        parent: None,
    };
    DescribeStacksOutput {
        stacks: statuses.iter().map(stack).collect(),
        next_token: None,
    }
}

fn search(path: &str, response: &impl Response) -> String {
    let found = CompiledExpression::new(path)
        .unwrap()
        .search(response.view());
    match found.unwrap() {
        SearchResult::Host(value) => format!("{value:?}"),
        SearchResult::Array(items) => format!("{items:?}"),
        found => format!("{found:?}"),
    }
}

#[test]
fn a_derived_response_reads_as_its_json() {
    let complete = Waiter::from_json(
        r#"{"acceptors": [
            {"state": "success", "matcher": {"output": {"path": "Stacks[].StackStatus",
                "comparator": "allStringEquals", "expected": "CREATE_COMPLETE"}}},
            {"state": "failure", "matcher": {"output": {"path": "length(keys(Stacks[0])) != `2`",
                "comparator": "booleanEquals", "expected": "true"}}},
            {"state": "failure", "matcher": {"output": {"path": "Stacks[?Outputs.Port != `80`] || NextToken",
                "comparator": "stringEquals", "expected": ""}}}]}"#,
    )
    .unwrap();
    let cases = [
        (vec![StackStatus::CreateComplete; 3], State::Success),
        (
            vec![StackStatus::CreateComplete, StackStatus::CreateInProgress],
            State::Retry,
        ),
    ];
    for (statuses, expected) in cases {
        let output = stacks(&statuses);
        let (json, serialized) = (json!(output), Serialized::new(&output));
        for view in [output.view(), json.view(), serialized.view()] {
            let verdict = complete.evaluate(View::Null, Observation::Response(view));
            assert_eq!(verdict.state(), expected);
        }
    }
    let output = stacks(&[StackStatus::CreateInProgress]);
    assert_eq!(
        search(
            "[sort(keys(Stacks[0])), sort(keys(Stacks[0].Outputs))]",
            &output
        ),
        r#"[Array([String("Outputs"), String("StackStatus")]), Array([String("Port"), String("Url")])]"#
    );
}

#[test]
fn the_standard_library_is_read_by_the_data_model() {
    #[derive(Response)]
    struct All<'a, T> {
        text: Cow<'a, str>,
        generic: T,
        slice: &'a [i64],
        list: VecDeque<bool>,
        set: BTreeSet<u8>,
        map: HashMap<String, f32>,
        shared: Arc<str>,
        created: Option<SystemTime>,
        json: serde_json::Value,
        pair: [Id; 2],
        #[waiter(skip)]
        _other: Duration,
    }
    #[derive(Response)]
    struct Id(u64);
    #[derive(Response)]
    struct Nothing;

    let all = All {
        text: "t".into(),
        generic: Nothing,
        slice: &[-1, 2],
        list: [true].into(),
        set: [2, 1].into(),
        map: [("a".to_owned(), 0.5)].into(),
        shared: "s".into(),
        created: Some(SystemTime::UNIX_EPOCH - Duration::from_millis(250)),
        json: json!({"deep": [null, 9_007_199_254_740_993_u64]}),
        pair: [Id(1), Id(2)],
        _other: Duration::ZERO,
    };
    assert_eq!(
        format!("{:?}", all.view()),
        r#"{"created":-0.25,"generic":{},"json":{"deep":[null,9007199254740992]},"list":[true],"map":{"a":0.5},"pair":[1,2],"set":[1,2],"shared":"s","slice":[-1,2],"text":"t"}"#
    );
    assert_eq!(search("set[-1]", &all), "2");
    assert_eq!(search("length(@)", &all), "Number(10.0)");
    assert_eq!(search("slice[?@ > `0`]", &all), "[Host(2)]");
}

#[test]
fn unions_show_the_member_that_is_set() {
    #[derive(Response)]
    enum Validation {
        Dns(Vec<String>),
        #[waiter(rename = "HTTP")]
        Http(#[waiter(blob)] Vec<u8>),
        None,
        #[waiter(transparent)]
        Unknown(serde_json::Value),
    }
    let shown = [
        Validation::Dns(vec!["a".into()]),
        Validation::Http(b"abc".to_vec()),
        Validation::None,
        Validation::Unknown(json!({"New": 1})),
    ]
    .map(|value| format!("{:?}", value.view()));
    assert_eq!(
        shown,
        [
            r#"{"Dns":["a"]}"#,
            r#"{"HTTP":"YWJj"}"#,
            r#"{"None":{}}"#,
            r#"{"New":1}"#
        ]
    );
    assert_eq!(
        search("HTTP", &Validation::Http(b"abc".to_vec())),
        r#""YWJj""#
    );
    assert_eq!(search("HTTP", &Validation::None), "Null");
}

#[test]
fn a_response_that_serde_cannot_convert_is_an_evaluation_error() {
    let waiter = Waiter::from_json(
        r#"{"acceptors": [{"state": "success", "matcher": {"output": {
            "path": "a", "comparator": "stringEquals", "expected": "b"}}}]}"#,
    )
    .unwrap();
    let response = Serialized::new(BTreeMap::from([((1, 2), 3)]));
    let seen = Observation::Response(response.view());
    let verdict = waiter.evaluate(View::Null, seen.clone());
    assert_eq!((verdict.state(), verdict.acceptor()), (State::Retry, None));
    let reasons = waiter.reasons(View::Null, seen);
    let reason = reasons.first().unwrap();
    assert_eq!(reason.code, ReasonCode::EvaluationError);
    assert_eq!(
        reason.text,
        "a could not be evaluated: the response cannot be converted to JSON: key must be a string"
    );
    assert_eq!(response.into_inner(), BTreeMap::from([((1, 2), 3)]));
}

#[test]
fn a_response_is_converted_once_and_given_back() {
    struct Counted(std::cell::Cell<u32>);
    impl Serialize for Counted {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.0.set(self.0.get().wrapping_add(1));
            serializer.serialize_str("done")
        }
    }
    let response = Serialized::new(Counted(0.into()));
    assert_eq!(response.inner().0.get(), 0);
    for _ in 0..3 {
        assert_eq!(response.view().text().unwrap(), "done");
    }
    assert_eq!(response.into_inner().0.get(), 1);

    let viewed = Viewed::new(7, |number| json!({ "n": number }));
    assert_eq!(search("n", &viewed), "7");
    assert_eq!((*viewed.inner(), viewed.into_inner()), (7, 7));
}

#[derive(Response, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Names {
    e_tag: u8,
    #[serde(rename(serialize = "ARN", deserialize = "arn"))]
    arn: u8,
    #[serde(skip_serializing)]
    hidden: u8,
    #[serde(default, alias = "older", skip_serializing_if = "Option::is_none")]
    newer: Option<u8>,
    state: Shape,
    other: Shape,
}

#[derive(Response, Serialize)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
enum Shape {
    EC2Instance,
    #[serde(untagged)]
    Unknown(String),
}

#[test]
fn derived_names_are_those_that_serde_serialises() {
    let names = Names {
        e_tag: 1,
        arn: 2,
        hidden: 3,
        newer: Some(4),
        state: Shape::EC2Instance,
        other: Shape::Unknown("new".to_owned()),
    };
    let serialised = serde_json::to_value(&names).unwrap();
    assert_eq!(format!("{:?}", names.view()), serialised.to_string());
    assert_eq!(names.hidden, 3);
}

#[test]
fn a_field_is_left_out_by_its_condition_and_names_of_the_caller_do_not_clash() {
    fn name(name: &str) -> String {
        name.to_uppercase()
    }

    fn is_secret(value: &str) -> bool {
        value == "hunter2"
    }

    #[derive(Response, serde::Serialize)]
    struct Account {
        #[serde(skip_serializing_if = "is_secret")]
        password: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        #[serde(serialize_with = "serde_name")]
        #[waiter(with = name)]
        owner: String,
    }

    fn serde_name<S: serde::Serializer>(owner: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&name(owner))
    }

    let account = |password: &str, tags: Vec<String>| Account {
        password: password.into(),
        tags,
        owner: "me".into(),
    };
    for one in [
        account("hunter2", Vec::new()),
        account("other", vec!["a".into()]),
    ] {
        let expected = serde_json::to_value(&one).unwrap().to_string();
        assert_eq!(format!("{:?}", one.view()), expected);
    }
}

#[test]
fn types_of_the_standard_library_are_values() {
    let blob = Cow::Borrowed(b"hi".as_slice());
    for (view, json) in [
        (().view(), "null"),
        (View::blob(&blob), "\"aGk=\""),
        (Cow::Borrowed("hi").view(), "\"hi\""),
        (Some(1).view(), "1"),
    ] {
        assert_eq!(format!("{view:?}"), json);
    }
}

/// A projection over it does not have no items.
#[test]
fn items_of_what_cannot_be_read_are_an_error() {
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no value"))
        }
    }
    let broken = Serialized::new(Broken);
    for path in [
        "[].name",
        "[*].name",
        "[?name]",
        "*.name",
        "[0]",
        "[:1]",
        "length(@)",
        "sort(@)",
        "name",
    ] {
        let error = CompiledExpression::new(path)
            .unwrap()
            .search(broken.view())
            .unwrap_err();
        assert!(error.to_string().contains("no value"), "{path}: {error}");
    }
}
