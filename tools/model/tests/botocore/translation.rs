//! The conversion of shapes, matchers and paginators.

use serde_json::{Value, json};

use crate::{NAMESPACE, model, service, waiters};

fn shape(ast: &Value, name: &str) -> Value {
    ast["shapes"][format!("{NAMESPACE}#{name}")].clone()
}

#[test]
fn shapes_have_their_traits() {
    let (ast, events) = model(&service(), &[]);
    assert_eq!(events, Vec::<String>::new());
    assert_eq!(
        shape(&ast, "JobQueue"),
        json!({"type": "service", "version": "2026-01-01", "operations": [{"target": "com.amazonaws.jobqueue#GetJob"}],
            "traits": {"aws.api#service": {"sdkId": "Job Queue"}, "smithy.api#title": "AWS Job Queue"}})
    );
    assert_eq!(
        shape(&ast, "GetJob"),
        json!({"type": "operation", "input": {"target": "com.amazonaws.jobqueue#GetJobRequest"},
            "output": {"target": "com.amazonaws.jobqueue#GetJobResponse"},
            "errors": [{"target": "com.amazonaws.jobqueue#Gone"}, {"target": "com.amazonaws.jobqueue#Missing"},
                {"target": "com.amazonaws.jobqueue#Busy"}],
            "traits": {"smithy.api#readonly": {}}})
    );
    let text = json!("com.amazonaws.jobqueue#Text");
    assert_eq!(
        shape(&ast, "GetJobRequest")["members"],
        json!({"id": {"target": text, "traits": {"smithy.api#idempotencyToken": {}, "smithy.api#required": {}}},
            "token": {"target": text, "traits": {"smithy.api#documentation": "Where to go on."}},
            "limit": {"target": "com.amazonaws.jobqueue#Number"}})
    );
    assert_eq!(
        shape(&ast, "Status"),
        json!({"type": "enum", "members": {"DONE": {"target": "smithy.api#Unit"},
            "t2_micro": {"target": "smithy.api#Unit", "traits": {"smithy.api#enumValue": "t2.micro"}}}})
    );
    let traits = |name: &str| shape(&ast, name)["traits"].clone();
    assert_eq!(traits("GetJobRequest"), json!({"smithy.api#input": {}}));
    assert_eq!(traits("Text"), json!({"smithy.api#sensitive": {}}));
    assert_eq!(
        shape(&ast, "Steps"),
        json!({"type": "list", "member": {"target": text}})
    );
    assert_eq!(shape(&ast, "Choice")["type"], json!("union"));
    assert_eq!(shape(&ast, "Anything")["type"], json!("document"));
    assert_eq!(
        traits("Gone"),
        json!({"smithy.api#error": "client", "smithy.api#httpError": 404})
    );
    assert_eq!(
        traits("Missing"),
        json!({"smithy.api#error": "client", "smithy.api#httpError": 404,
            "aws.protocols#awsQueryError": {"code": "Job.Missing", "httpResponseCode": 404}})
    );
    assert_eq!(
        traits("Busy"),
        json!({"smithy.api#error": "server", "smithy.api#retryable": {"throttling": true}})
    );
}

#[test]
fn a_shape_that_is_called_as_an_operation_or_as_the_service() {
    let mut service = service();
    let shapes = service["shapes"].as_object_mut().unwrap();
    shapes.insert(
        "GetJob".to_owned(),
        json!({"type": "list", "member": {"shape": "JobQueue"}}),
    );
    shapes.insert(
        "JobQueue".to_owned(),
        json!({"type": "structure", "members": {}}),
    );
    let (ast, events) = model(&service, &[]);
    assert_eq!(events, Vec::<String>::new());
    assert_eq!(
        shape(&ast, "GetJobShape")["member"]["target"],
        "com.amazonaws.jobqueue#JobQueue"
    );
    assert_eq!(shape(&ast, "JobQueueService")["type"], "service");
}

/// Returns the matchers for a matcher of botocore, and the events.
fn matchers(acceptor: &Value) -> (Value, Vec<String>) {
    let mut acceptor = acceptor.clone();
    acceptor["state"] = json!("retry");
    let (ast, events) = model(
        &service(),
        &[("waiters-2.json", &waiters(&json!([acceptor])))],
    );
    let traits = shape(&ast, "GetJob")["traits"].clone();
    let waiter = traits["smithy.waiters#waitable"]["JobDone"].clone();
    if waiter.is_null() {
        return (Value::Null, events);
    }
    assert_eq!(waiter["minDelay"], 5);
    let acceptors = waiter["acceptors"].as_array().unwrap().iter();
    let matchers = acceptors.map(|acceptor| {
        assert_eq!(acceptor["state"], "retry");
        acceptor["matcher"].clone()
    });
    (matchers.collect(), events)
}

#[test]
fn a_path_is_compared_as_smithy_can() {
    let of = |matcher: &str, expected: Value| {
        let (found, events) =
            matchers(&json!({"matcher": matcher, "argument": "a.b || c", "expected": expected}));
        assert_eq!(events, Vec::<String>::new());
        let output = found[0]["output"].clone();
        let member = |name: &str| output[name].as_str().unwrap().to_owned();
        (member("path"), member("comparator"), member("expected"))
    };
    let is = |path: &str, comparator: &str, expected: &str| {
        (path.to_owned(), comparator.to_owned(), expected.to_owned())
    };
    assert_eq!(of("path", json!("x")), is("a.b || c", "stringEquals", "x"));
    assert_eq!(
        of("pathAll", json!("x")),
        is("a.b || c", "allStringEquals", "x")
    );
    assert_eq!(
        of("pathAny", json!("x")),
        is("a.b || c", "anyStringEquals", "x")
    );
    assert_eq!(
        of("path", json!(false)),
        is("a.b || c", "booleanEquals", "false")
    );
    let compared = |path: &str| is(path, "booleanEquals", "true");
    assert_eq!(of("path", json!(3)), compared("(a.b || c) == `3`"));
    assert_eq!(of("path", json!(null)), compared("(a.b || c) == `null`"));
    assert_eq!(
        of("path", json!({"a": "`"})),
        compared("(a.b || c) == `{\"a\":\"\\`\"}`")
    );
    assert_eq!(
        of("pathAny", json!(1.5)),
        compared("!!((a.b || c)[?@ == `1.5`])")
    );
    assert_eq!(
        of("pathAll", json!(true)),
        compared("(a.b || c) && length((a.b || c)[?@ == `true`]) == length(a.b || c)")
    );
}

#[test]
fn an_error_is_matched_by_its_code_or_by_being_there() {
    let of = |expected: Value| {
        let (found, events) = matchers(&json!({"matcher": "error", "expected": expected}));
        assert_eq!(events, Vec::<String>::new());
        found
    };
    assert_eq!(of(json!("Gone")), json!([{"errorType": "Gone"}]));
    assert_eq!(of(json!(true)), json!([{"success": false}]));
    assert_eq!(of(json!(false)), json!([{"success": true}]));
}

#[test]
fn a_status_is_a_success_or_the_errors_that_have_it() {
    let of = |status: u16| matchers(&json!({"matcher": "status", "expected": status}));
    assert_eq!(of(200), (json!([{"success": true}]), Vec::new()));
    let note = |status: u16, codes: &str| {
        vec![format!(
            "job/waiters-2.json NOTE SmithyWaiters.Botocore.Approximate: `waiters.JobDone.acceptors.0.expected` is the status \
             {status}: Smithy matches errors by name, here {codes}"
        )]
    };
    assert_eq!(
        of(404),
        (
            json!([{"errorType": "Gone"}, {"errorType": "Job.Missing"}]),
            note(404, "`Gone`, `Job.Missing`")
        )
    );
    assert_eq!(of(500), (json!([{"errorType": "500"}]), note(500, "`500`")));
}

#[test]
fn a_head_request_has_errors_without_a_body() {
    let mut service = service();
    service["operations"]["GetJob"]["http"]["method"] = json!("HEAD");
    let acceptors = json!([{"state": "retry", "matcher": "status", "expected": 404}]);
    let (ast, _) = model(&service, &[("waiters-2.json", &waiters(&acceptors))]);
    let waitable = &shape(&ast, "GetJob")["traits"]["smithy.waiters#waitable"];
    let acceptors = waitable["JobDone"]["acceptors"].as_array().unwrap().iter();
    let codes = acceptors.map(|acceptor| acceptor["matcher"]["errorType"].as_str().unwrap());
    assert_eq!(
        codes.collect::<Vec<_>>(),
        ["Gone", "Job.Missing", "404", "NotFound"]
    );
}

#[test]
fn a_pause_longer_than_smithys_longest_is_both_bounds() {
    let mut long = waiters(&json!([{"state": "success", "matcher": "error", "expected": false}]));
    long["waiters"]["JobDone"]["delay"] = json!(300);
    long["waiters"]["JobDone"]["description"] = json!("Wait for it.");
    let (ast, _) = model(&service(), &[("waiters-2.json", &long)]);
    assert_eq!(
        shape(&ast, "GetJob")["traits"]["smithy.waiters#waitable"],
        json!({"JobDone": {"documentation": "Wait for it.", "acceptors": [{"state": "success", "matcher": {"success": true}}],
            "minDelay": 300, "maxDelay": 300}})
    );
}

/// Returns the trait `paginated` for a paginator, and the events.
fn paginated(paginator: &Value) -> (Value, Vec<String>) {
    let paginators = json!({"pagination": {"GetJob": paginator}});
    let (ast, events) = model(&service(), &[("paginators-1.json", &paginators)]);
    let traits = shape(&ast, "GetJob")["traits"].clone();
    (traits["smithy.api#paginated"].clone(), events)
}

#[test]
fn a_paginator_names_tokens_items_and_a_page_size() {
    let (found, events) = paginated(
        &json!({"input_token": "token", "output_token": "token", "limit_key": "limit",
        "result_key": "steps", "non_aggregate_keys": ["count"]}),
    );
    assert_eq!(
        (found, events),
        (
            json!({"inputToken": "token", "outputToken": "token", "items": "steps", "pageSize": "limit"}),
            Vec::new()
        )
    );
}

#[test]
fn what_a_paginator_of_smithy_lacks_is_noted() {
    let note = |text: &str| {
        format!("job/paginators-1.json NOTE SmithyWaiters.Botocore.Approximate: {text}")
    };
    let (found, events) = paginated(
        &json!({"input_token": "token", "output_token": "token", "limit_key": "id",
        "result_key": ["count", "steps"], "more_results": "more"}),
    );
    assert_eq!(
        found,
        json!({"inputToken": "token", "outputToken": "token", "items": "steps"})
    );
    assert_eq!(
        events,
        [
            note(
                "`pagination.GetJob.result_key` should be one list or map: Smithy's `items` is `steps`"
            ),
            note(
                "`pagination.GetJob.limit_key` is ignored: a page size in Smithy must be an integer"
            ),
            note(
                "`pagination.GetJob.more_results` is ignored: in Smithy, a page without a token is the last one"
            ),
        ]
    );
}

#[test]
fn a_token_that_is_no_single_path_makes_no_paginator() {
    let warning = |got: &str| {
        vec![format!(
            "job/paginators-1.json WARNING SmithyWaiters.Botocore.NotExpressible: `pagination.GetJob.output_token` must be the path \
             of one string or map, got {got}"
        )]
    };
    for (token, got) in [
        (json!(["token", "status"]), "an array"),
        (json!("steps[-1]"), "`steps[-1]`"),
        (json!("count"), "`count`"),
    ] {
        let found = paginated(&json!({"input_token": "token", "output_token": token}));
        assert_eq!(found, (Value::Null, warning(got)));
    }
}

#[test]
fn a_body_that_is_streamed_where_it_is_used_is_streamed() {
    let mut service = service();
    service["shapes"]["Body"] = json!({"type": "blob"});
    service["shapes"]["GetJobResponse"]["members"]["body"] =
        json!({"shape": "Body", "streaming": true});
    service["shapes"]["GetJobResponse"]["payload"] = json!("body");
    let (ast, events) = model(&service, &[]);
    assert_eq!(events, Vec::<String>::new());
    assert_eq!(
        shape(&ast, "Body")["traits"],
        json!({"smithy.api#streaming": {}})
    );
}

#[test]
fn a_shape_has_the_traits_of_its_only_use() {
    let reference = |name: &str| json!({"shape": name});
    let operation = |input: &str, output: &str, error: &str| json!({"input": reference(input), "output": reference(output), "errors": [reference(error)]});
    let structure = |members: Value| json!({"type": "structure", "members": members});
    let used = [
        ("In", Some("input")),
        ("Out", Some("output")),
        ("Both", None),
        ("Error", None),
        ("OutAndError", None),
        ("InAndElement", None),
        ("InAndKey", None),
        ("InAndValue", None),
        ("OutAndMember", None),
        ("Unused", None),
    ];
    let mut shapes: serde_json::Map<String, Value> = used
        .map(|(name, _)| (name.to_owned(), structure(json!({}))))
        .into_iter()
        .collect();
    let streams = json!({"shape": "Body", "streaming": true});
    shapes.insert(
        "List".to_owned(),
        json!({"type": "list", "member": reference("InAndElement")}),
    );
    let map =
        json!({"type": "map", "key": reference("InAndKey"), "value": reference("InAndValue")});
    shapes.insert("Map".to_owned(), map);
    let members = json!({"member": reference("OutAndMember"), "body": streams, "marked": {"shape": "Marked", "streaming": true}});
    shapes.insert("Members".to_owned(), structure(members));
    shapes.insert("Body".to_owned(), json!({"type": "blob"}));
    shapes.insert(
        "Marked".to_owned(),
        json!({"type": "blob", "streaming": true}),
    );
    let mut service = service();
    service["shapes"] = shapes.into();
    service["operations"] = json!({
        "A": operation("In", "Out", "Error"),
        "B": operation("Both", "Both", "OutAndError"),
        "C": operation("InAndElement", "OutAndError", "Error"),
        "D": operation("InAndKey", "OutAndMember", "Error"),
        "E": {"input": reference("InAndValue")},
    });
    let (ast, _) = model(&service, &[]);
    let traits = |name: &str| shape(&ast, name)["traits"].clone();
    for (name, side) in used {
        let expected = side.map_or(
            Value::Null,
            |side| json!({format!("smithy.api#{side}"): {}}),
        );
        assert_eq!(traits(name), expected, "{name}");
    }
    let streaming = json!({"smithy.api#streaming": {}});
    assert_eq!(
        (traits("Body"), traits("Marked")),
        (streaming.clone(), streaming)
    );
}

#[test]
fn types_and_members_of_shapes_depend_on_their_flags() {
    let mut service = service();
    let members = json!({"a": {"shape": "Text"}, "b": {"shape": "Text"}});
    service["shapes"]["Events"] =
        json!({"type": "structure", "eventstream": true, "required": ["a"], "members": members});
    service["shapes"]["Names"] = json!({"type": "string", "enum": ["a.b", "a-b"]});
    service["shapes"]["Numbers"] = json!({"type": "string", "enum": ["a", "1"]});
    service["shapes"]["Underscores"] = json!({"type": "string", "enum": ["_a", "b c"]});
    service["shapes"]["Odd"] = json!({"type": "string", "enum": ["a", 1]});
    service["shapes"]["Sparse"] = json!({"type": "map", "key": {"shape": "Text"}, "value": {"shape": "Text"}, "sparse": true});
    service["shapes"]["Failed"] = json!({"type": "structure", "members": {}, "exception": true,
        "error": {"httpStatusCode": 500}, "deprecated": true, "deprecatedSince": "1"});
    service["shapes"]["Call"] = json!({"type": "operation"});
    let (ast, events) = model(&service, &[]);
    assert_eq!(
        events,
        [
            "job/service-2.json ERROR SmithyWaiters.Botocore: `shapes.Call.type` must be a shape type, got `operation`"
        ]
    );
    let text = json!({"target": "com.amazonaws.jobqueue#Text"});
    assert_eq!(
        shape(&ast, "Events"),
        json!({"type": "union", "members": {"a": text, "b": text}, "traits": {"smithy.api#streaming": {}}})
    );
    for name in ["Names", "Numbers", "Odd"] {
        assert_eq!(shape(&ast, name), json!({"type": "string"}), "{name}");
    }
    assert_eq!(
        shape(&ast, "Underscores")["members"],
        json!({"_a": {"target": "smithy.api#Unit"},
            "b_c": {"target": "smithy.api#Unit", "traits": {"smithy.api#enumValue": "b c"}}})
    );
    assert_eq!(
        shape(&ast, "Sparse"),
        json!({"type": "map", "key": text, "value": text, "traits": {"smithy.api#sparse": {}}})
    );
    assert_eq!(
        shape(&ast, "Failed")["traits"],
        json!({"smithy.api#error": "server", "smithy.api#httpError": 500, "smithy.api#deprecated": {"since": "1"}})
    );
}

#[test]
fn an_operation_has_all_of_its_waiters() {
    let mut both = waiters(&json!([{"state": "success", "matcher": "error", "expected": false}]));
    both["waiters"]["JobGone"] = both["waiters"]["JobDone"].clone();
    let (ast, events) = model(&service(), &[("waiters-2.json", &both)]);
    assert_eq!(events, Vec::<String>::new());
    let waitable = shape(&ast, "GetJob")["traits"]["smithy.waiters#waitable"].clone();
    let names: Vec<&String> = waitable.as_object().unwrap().keys().collect();
    assert_eq!(names, ["JobDone", "JobGone"]);
}
