//! Suites of small models.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use serde_json::{Value as Json, json};
use smithy_waiters_conformance::{Case, Origin, Suite, WAITER_TESTS, smithy, suites};
use smithy_waiters_model::{Sources, read};

/// Returns the model of an operation with waiters and the members of its output.
fn model(service: &str, waiters: &str, output: &str, shapes: &str) -> String {
    format!(
        "$version: \"2\"\nnamespace example\nuse aws.protocols#awsQuery\nuse aws.protocols#restXml\n\
         use smithy.waiters#waitable\n{service}\n@waitable({waiters})\n\
         operation GetJob {{ input := {{ @required id: String }}, output := {{ {output} }}, errors: [Gone] }}\n\
         @error(\"client\") @httpError(410) structure Gone {{}}\n{shapes}"
    )
}

fn derive(text: &str) -> Vec<Suite> {
    let mut sources = Sources::default();
    assert!(sources.add("model.smithy", text));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let suites = suites(&model, &Origin::default());
    for case in suites.iter().flat_map(|suite| &suite.cases) {
        let clause = json!(case)["clause"].clone();
        let is_page = clause.as_str().unwrap().starts_with("https://");
        assert!(is_page, "{}: {clause}", case.id);
        let is_of_projections =
            clause == "https://jmespath.org/specification.html#list-wildcard-expressions";
        let has_null = case.id.ends_with(".item-without-member");
        assert_eq!(is_of_projections, has_null, "{}", case.id);
    }
    suites
}

/// Returns a waiter with acceptors that lead to success.
fn waiter(name: &str, matchers: &[&str]) -> String {
    let acceptors = matchers.iter();
    let acceptors: Vec<String> = acceptors
        .map(|matcher| format!("{{state: \"success\", matcher: {matcher}}}"))
        .collect();
    format!("{name}: {{acceptors: [{}]}}", acceptors.join(", "))
}

fn path(path: &str, expected: &str, comparator: &str) -> String {
    format!(
        "{{output: {{path: \"{path}\", expected: \"{expected}\", comparator: \"{comparator}\"}}}}"
    )
}

fn case<'s>(suite: &'s Suite, id: &str) -> &'s Case {
    suite.cases.iter().find(|case| case.id == id).unwrap()
}

#[test]
fn a_model_without_a_service_has_values_only() {
    let waiters = waiter(
        "JobDone",
        &[
            &path("status", "DONE", "stringEquals"),
            "{errorType: \"Gone\"}",
        ],
    );
    let suites = derive(&model("", &waiters, "status: String", ""));
    let [suite] = &suites[..] else {
        panic!("{suites:?}")
    };
    assert_eq!(suite.service.protocol, None);
    assert_eq!(
        suite.waiters["JobDone"].params,
        *json!({"id": "conformance"}).as_object().unwrap()
    );
    assert!(suite.cases.iter().all(|case| case.answer.http.is_none()));
    let names: Vec<&str> = suite.cases.iter().map(|case| &*case.id).collect();
    assert_eq!(
        names,
        [
            "example.JobDone.a0.match",
            "example.JobDone.a0.other-value",
            "example.JobDone.a0.other-case",
            "example.JobDone.a1.match",
            "example.JobDone.a1.longer-code",
            "example.JobDone.empty-output",
            "example.JobDone.unmatched-error",
        ]
    );
    let roles: Vec<&String> = suite.waiters["JobDone"].answers.keys().collect();
    assert_eq!(roles, ["denied", "pending", "ready", "throttled"]);
}

#[test]
fn acceptors_that_no_answer_reaches_are_named() {
    let waiters = [
        waiter(
            "Impossible",
            &[&path(
                "status == 'A' && status == 'B'",
                "true",
                "booleanEquals",
            )],
        ),
        waiter("Sorted", &[&path("sort(names)[0]", "A", "stringEquals")]),
        waiter("Unknown", &[&path("state", "A", "stringEquals")]),
        waiter("Number", &[&path("count", "3", "stringEquals")]),
        waiter(
            "Shadowed",
            &["{success: true}", &path("status", "A", "stringEquals")],
        ),
        waiter("Twice", &["{success: true}", "{success: true}"]),
    ];
    let suites = derive(&model(
        "",
        &waiters.join("\n"),
        "status: String, names: Names, count: Integer",
        "list Names { member: String }",
    ));
    let named: Vec<(&str, usize, &str)> = suites[0]
        .not_covered
        .iter()
        .map(|one| (&*one.waiter, one.acceptor, &*one.reason))
        .collect();
    let none = "no output was found for which the path gives the expected value and no earlier acceptor matches";
    assert_eq!(
        named,
        [
            ("Impossible", 0, none),
            (
                "Sorted",
                0,
                "the path uses the function `sort`, for which this program derives no answers"
            ),
            ("Unknown", 0, none),
            ("Number", 0, none),
            ("Shadowed", 1, none),
            ("Twice", 1, "acceptor 0 matches all of its answers"),
        ]
    );
    let text: Json = serde_json::from_str(&suites[0].to_text().unwrap()).unwrap();
    let last = json!({"waiter": "Twice", "acceptor": 1, "reason": named[5].2});
    assert_eq!(text["notCovered"][5], last);
}

#[test]
fn recursive_shapes_and_sparse_lists_have_finite_answers() {
    let waiters = [
        waiter(
            "Nested",
            &[&path("root.next.next.state", "DONE", "stringEquals")],
        ),
        waiter("Sparse", &[&path("marks", "DONE", "allStringEquals")]),
        waiter(
            "Counted",
            &[&path("length(tree) == `2`", "true", "booleanEquals")],
        ),
    ];
    let shapes = "structure Node { state: String, next: Node, nodes: Nodes }\nlist Nodes { member: Node }\n\
                  @sparse list Marks { member: String }";
    let suites = derive(&model(
        "",
        &waiters.join("\n"),
        "root: Node, marks: Marks, tree: Nodes",
        shapes,
    ));
    let suite = &suites[0];
    assert!(suite.not_covered.is_empty(), "{:?}", suite.not_covered);
    let output = |id: &str| case(suite, id).answer.output.clone().unwrap();
    assert_eq!(
        output("example.Nested.a0.match"),
        json!({"root": {"next": {"next": {"state": "DONE"}}}})
    );
    assert_eq!(
        output("example.Sparse.a0.item-without-member"),
        json!({"marks": ["DONE", null]})
    );
    assert_eq!(
        case(suite, "example.Sparse.a0.item-without-member")
            .expect
            .state,
        "retry"
    );
    let two = json!({"tree": [{"state": "value"}, {"state": "value"}]});
    assert_eq!(output("example.Counted.a0.match"), two);
}

/// Another value is one that no acceptor expects, if there is one.
#[test]
fn another_value_of_an_enumeration_is_free() {
    let matchers = ["SMALL", "LARGE"].map(|value| path("size", value, "stringEquals"));
    let waiters = waiter("Sized", &matchers.each_ref().map(|text| &**text));
    let suites = derive(&model(
        "",
        &waiters,
        "size: Size",
        "enum Size { SMALL LARGE HUGE }",
    ));
    let case = case(&suites[0], "example.Sized.a0.other-value");
    assert_eq!(case.answer.output, Some(json!({"size": "HUGE"})));
}

#[test]
fn a_reason_has_the_value_that_was_compared() {
    let long = "x".repeat(200);
    for (expected, reason) in [("DONE", "`status` is \"DONE\": "), (&long, "xxx…: ")] {
        let waiters = waiter(
            "Done",
            &[
                "{errorType: \"Gone\"}",
                &path("status", expected, "stringEquals"),
            ],
        );
        let suites = derive(&model("", &waiters, "status: String", ""));
        let text = json!(case(&suites[0], "example.Done.a1.match"));
        assert!(text["reason"].as_str().unwrap().contains(reason), "{text}");
        assert!(
            text["clause"]
                .as_str()
                .unwrap()
                .ends_with("#pathcomparator-enum"),
            "{text}"
        );
    }
}

#[test]
fn the_order_of_acceptors_has_an_answer_that_several_match() {
    let acceptors = ["failure", "success"].map(|state| {
        let expected = if state == "failure" { "FAILED" } else { "DONE" };
        format!(
            "{{state: \"{state}\", matcher: {}}}",
            path("steps[].status", expected, "anyStringEquals")
        )
    });
    let waiters = format!("Ordered: {{acceptors: [{}]}}", acceptors.join(", "));
    let shapes = "list Steps { member: Step }\nstructure Step { status: String }";
    let suites = derive(&model("", &waiters, "steps: Steps", shapes));
    let both = case(&suites[0], "example.Ordered.a0.before-a1");
    assert_eq!(both.expect.state, "failure");
    let statuses = json!({"steps": [{"status": "FAILED"}, {"status": "DONE"}]});
    assert_eq!(both.answer.output, Some(statuses));
}

#[test]
fn earlier_acceptors_are_made_to_miss() {
    let matchers = [
        path("status || 'NONE'", "NONE", "stringEquals"),
        path("status != 'UP'", "true", "booleanEquals"),
        path("id", "A", "stringEquals"),
    ];
    let waiters = waiter("Late", &matchers.each_ref().map(|text| &**text));
    let suites = derive(&model("", &waiters, "id: String, status: String", ""));
    let late = case(&suites[0], "example.Late.a2.match");
    let output = json!({"id": "A", "status": "UP"});
    assert_eq!(late.answer.output, Some(output));
}

#[test]
fn bytes_follow_the_protocol_of_the_service() {
    let waiters = waiter(
        "Done",
        &[
            &path("steps[].status", "DONE", "allStringEquals"),
            "{errorType: \"Gone\"}",
        ],
    );
    let shapes = "list Steps { @xmlName(\"step\") member: Step }\nstructure Step { @xmlName(\"Status\") status: String }";
    let output = "steps: Steps, @httpHeader(\"X-Started\") started: Timestamp";
    let body = |service: &str, id: &str| {
        let suites = derive(&model(service, &waiters, output, shapes));
        let http = case(&suites[0], id).answer.http.clone().unwrap();
        (http.status, http.body.unwrap())
    };
    let service = |protocol: &str| {
        format!(
            "@{protocol} @xmlNamespace(uri: \"urn:jobs\") service Jobs {{ operations: [GetJob] }}"
        )
    };
    let (status, text) = body(&service("awsQuery"), "jobs.Done.a0.match");
    assert_eq!(status, 200);
    assert!(
        text.contains(
            "<GetJobResult><steps><step><Status>DONE</Status></step></steps></GetJobResult>"
        ),
        "{text}"
    );
    // The form of an error on the wire, whose clause is that of the protocol.
    let json = body(
        &service("aws.protocols#awsJson1_1"),
        "jobs.Done.a1.with-uri",
    );
    assert!(json.1.contains("Gone:http://"), "{}", json.1);
    let (status, text) = body(&service("restXml"), "jobs.Done.a0.match");
    assert_eq!(status, 200);
    assert!(
        text.contains("<steps><step><Status>DONE</Status></step></steps></GetJob"),
        "{text}"
    );
    let (status, text) = body(&service("restXml"), "jobs.Done.a1.match");
    assert_eq!(status, 410);
    assert!(
        text.contains(
            "<ErrorResponse xmlns=\"urn:jobs\"><Error><Type>Sender</Type><Code>Gone</Code>"
        ),
        "{text}"
    );
}

/// Numbers in the shortest form, blobs as bytes, timestamps with their tag.
#[test]
fn bytes_of_cbor() {
    let waiters = waiter(
        "Done",
        &[
            &path(
                "count == `-300` && when > `1` && data == 'dmFsdWU='",
                "true",
                "booleanEquals",
            ),
            "{errorType: \"Gone\"}",
        ],
    );
    let service = "@smithy.protocols#rpcv2Cbor service Jobs { operations: [GetJob] }";
    let suites = derive(&model(
        service,
        &waiters,
        "count: Integer, data: Blob, when: Timestamp",
        "",
    ));
    let [one, error] = ["a0", "a1"]
        .map(|acceptor| json!(case(&suites[0], &format!("jobs.Done.{acceptor}.match"))));
    // {"count": -300, "data": 'value', "when": 1(2)}
    assert_eq!(
        one["answer"]["http"]["bodyBase64"], "o2Vjb3VudDkBK2RkYXRhRXZhbHVlZHdoZW7BAg==",
        "{one}"
    );
    assert_eq!(
        error["answer"]["http"]["headers"]["smithy-protocol"],
        "rpc-v2-cbor"
    );
}

/// Members of an output, a path over them, and what the response has for them.
const PARTS: &str = r#"
restXml | when: Timestamp | when > `1` | <when>1970-01-01T00:00:02Z</when>
restXml | @timestampFormat("http-date") when: Timestamp | when > `1` | <when>Thu, 01 Jan 1970 00:00:02 GMT</when>
restXml | @timestampFormat("epoch-seconds") when: Timestamp | when > `1` | <when>2</when>
restXml | status: String | status == '<a & "b">' | <status>&lt;a &amp; &quot;b&quot;&gt;</status>
restXml | flag: Boolean, count: Integer, data: Blob | flag && count == `3` && data == 'dmFsdWU=' | <count>3</count><data>dmFsdWU=</data><flag>true</flag>
restXml | @xmlFlattened steps: Steps | steps[0].name == 'A' | <steps><name>A</name></steps>
restXml | @xmlFlattened byName: ByName | byName.*.name == ['A'] | <byName><key>key0</key><value><name>A</name></value></byName>
restXml | byName: ByName | byName.*.name == ['A'] | <byName><entry><key>key0</key><value><name>A</name></value></entry></byName>
restXml | thing: Thing | thing.kind == 'A' && thing.name == 'B' | <thing kind="A"><name>B</name></thing>
restXml | @httpPayload thing: Thing | thing.name == 'A' | <Thing><name>A</name></Thing>
restXml | @httpPayload @xmlName("It") thing: Thing | thing.name == 'A' | <It><name>A</name></It>
restXml | @httpPayload data: Blob | data == 'dmFsdWU=' | content-type: application/octet-stream 200 dmFsdWU=
restXml | @httpPayload image: Image | image == 'dmFsdWU=' | content-type: image/png 200 dmFsdWU=
restXml | @httpPayload status: String | status == 'A' | content-type: text/plain 200 A
restJson1 | @httpPayload thing: Thing | thing.name == 'A' | {"name":"A"}
restJson1 | @httpPayload doc: Document | doc == `3` | 3
restJson1 | @jsonName("Named") status: String, when: Timestamp | status == 'A' && when > `1` | {"Named":"A","when":2}
restJson1 | @httpHeader("X-When") when: Timestamp | when > `1` | x-when: Thu, 01 Jan 1970 00:00:02 GMT
restJson1 | @httpHeader("X-Count") count: Integer | count == `3` | x-count: 3
restJson1 | @httpHeader("X-Names") names: Names | names == ['A'] | x-names: A
restJson1 | @httpPrefixHeaders("X-Of-") tags: Tags | tags.a == 'A' | x-of-a: A
restJson1 | @httpResponseCode code: Integer | code == `202` | 202
awsJson1_1 | @jsonName("Named") status: String, when: Timestamp | status == 'A' && when > `1` | {"status":"A","when":2}
awsQuery | steps: Steps, status: String | steps[0].name == 'A' | <GetJobResult><steps><member><name>A</name></member></steps></GetJobResult>
ec2Query | steps: Steps, status: String | steps[0].name == 'A' | <steps><member><name>A</name></member></steps>
"#;

#[test]
fn each_member_has_its_form_and_its_place() {
    let shapes = "list Steps { member: Thing }
                  structure Thing { @xmlAttribute kind: String, name: String }
                  list Names { member: String }
                  map ByName { key: String, value: Thing }
                  map Tags { key: String, value: String }
                  @mediaType(\"image/png\") blob Image";
    for part in PARTS.trim().lines() {
        let [protocol, output, text, expected] = part.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{part}")
        };
        let service = format!("@aws.protocols#{protocol} service Jobs {{ operations: [GetJob] }}");
        let text = text.replace('"', "\\\"");
        let waiters = waiter("Done", &[&path(&text, "true", "booleanEquals")]);
        let suites = derive(&model(&service, &waiters, output, shapes));
        let http = case(&suites[0], "jobs.Done.a0.match")
            .answer
            .http
            .clone()
            .unwrap();
        let headers = http.headers.iter();
        let headers = headers.map(|(name, value)| format!("{name}: {value}"));
        let body = http.body.or(http.body_base64).unwrap_or_default();
        // The lines around the members are those of the protocol.
        let body = body
            .split_once("<GetJobOutput>")
            .map_or(&*body, |(_, rest)| rest);
        let found = headers.chain([http.status.to_string(), body.to_owned()]);
        let found = found.collect::<Vec<_>>().join(" ");
        assert!(found.contains(expected), "{part}\n{found}");
    }
}

#[test]
fn an_input_has_a_value_of_each_member_that_is_required() {
    let kinds = [
        ("Boolean", json!(true)),
        ("Blob", json!("dmFsdWU=")),
        ("Document", json!({})),
        ("Timestamp", json!(1)),
        ("Double", json!(1)),
        ("Names", json!(["conformance"])),
        ("Tags", json!({"conformance": "conformance"})),
        ("Thing", json!({"must": 1})),
        ("Either", json!({"one": "conformance"})),
        ("Size", json!("small")),
        ("Level", json!(7)),
        ("Small", json!(2.5)),
        (
            "Exact",
            json!("conformance-conformance-conformance-conformance-00"),
        ),
        ("Short", json!("conformance")),
    ];
    let members = kinds.iter().enumerate();
    let members: Vec<String> = members
        .map(|(index, (kind, _))| format!("@required m{index}: {kind}"))
        .collect();
    let shapes = "list Names { member: String }
                  map Tags { key: String, value: String }
                  union Either { one: String, two: Integer }
                  structure Thing { may: String, @required must: Integer }
                  enum Size { SMALL = \"small\"\n}
                  intEnum Level { SEVEN = 7\n}
                  @range(min: 2.5) double Small
                  @length(min: 50) string Exact
                  @length(min: 11) string Short";
    let text = model("", &waiter("Done", &["{success: true}"]), "", shapes);
    let text = text.replace("@required id: String", &members.join(", "));
    let params = json!(derive(&text)[0].waiters["Done"].params);
    for (index, (kind, value)) in kinds.iter().enumerate() {
        assert_eq!(params[format!("m{index}")], *value, "{kind}");
    }
}

#[test]
fn a_suite_is_also_smithy() {
    let waiters = waiter(
        "Done",
        &[
            &path("status", "DONE", "stringEquals"),
            "{errorType: \"Gone\"}",
        ],
    );
    let text = model(
        "@restXml service Jobs { operations: [GetJob] }",
        &waiters,
        "status: String",
        "",
    );
    let mut sources = Sources::default();
    assert!(sources.add("model.smithy", &*text));
    let own = read(&sources);
    let suites = suites(&own, &Origin::default());
    let tests = smithy(&own, &suites[0]);
    // The model with its tests is a model.
    let mut sources = Sources::default();
    for (name, text) in [
        ("model.smithy", &*text),
        ("tests.smithy", &tests),
        ("trait.smithy", WAITER_TESTS),
    ] {
        assert!(sources.add(name, text));
    }
    let both = read(&sources);
    assert!(both.events().is_empty(), "{:?}", both.events());
    let count = |shape: &str, id: &str| {
        both.shape(shape)
            .unwrap()
            .find_trait(id)
            .unwrap()
            .value
            .elements()
            .len()
    };
    assert_eq!(
        count("example#GetJob", "smithy.test#waiterTests"),
        suites[0].cases.len()
    );
    assert_eq!(count("example#Gone", "smithy.test#httpResponseTests"), 1);
    let proposal = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/PROPOSAL.md");
    assert!(
        std::fs::read_to_string(proposal)
            .unwrap()
            .contains(WAITER_TESTS)
    );
}

#[test]
fn the_file_is_deterministic_json() {
    let waiters = waiter("Done", &[&path("status", "DONE", "stringEquals")]);
    let text = model("", &waiters, "status: String", "");
    let files: Vec<String> = (0..2)
        .map(|_| derive(&text)[0].to_text().unwrap())
        .collect();
    assert_eq!(files[0], files[1]);
    let json: Json = serde_json::from_str(&files[0]).unwrap();
    assert_eq!(json["suite"], "example");
}
