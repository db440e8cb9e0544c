//! Duplicate traits, shapes, members and metadata, in one text and in several.

use serde_json::json;
use smithy_waiters_model::{Severity, Sources, read};

use crate::{model, problems, shapes};

const HEAD: &str = "$version: \"2\"\nnamespace ns\n";

#[test]
fn a_trait_that_is_there_twice_is_a_conflict() {
    let idl =
        "/// one\n@documentation(\"two\")\nstring A\n@length(min: 1)\n@length(min: 2)\nstring B
structure C {\n@length(min: 1)\n@length(min: 1, max: 2)\na: String }\napply C$a @length(min: 3)\n";
    assert_eq!(
        problems(&format!("{HEAD}{idl}")),
        [
            "a.smithy:3:1 conflicting values of the trait `smithy.api#documentation`",
            "a.smithy:7:1 conflicting values of the trait `smithy.api#length`",
            "a.smithy:11:1 conflicting values of the trait `smithy.api#length`",
            "a.smithy:13:11 conflicting values of the trait `smithy.api#length`",
        ]
    );
    let ast = r#"{"smithy": "2.0", "shapes": {"ns#A": {"type": "string", "traits": {
        "smithy.api#length": {"min": 1},
        "smithy.api#length": {"min": 2}
    }}}}"#;
    assert_eq!(
        model(&[("a.json", ast)]).1,
        ["a.json:3:9 conflicting values of the trait `smithy.api#length`"]
    );
}

#[test]
fn a_trait_that_is_there_twice_and_is_the_same_or_a_list_is_one() {
    let shapes = shapes(
        "/// one\n@documentation(\"one\")\n@deprecated\n@deprecated\n@tags([\"a\"])\n@tags([\"b\"])\nstring A\napply A @tags([\"a\"])\n",
    );
    let traits = &shapes["ns#A"]["traits"];
    assert_eq!(traits["smithy.api#documentation"], "one");
    assert_eq!(traits["smithy.api#tags"], json!(["a", "b", "a"]));
    assert_eq!(traits["smithy.api#deprecated"], json!({}));
}

#[test]
fn the_traits_of_a_shape_that_is_there_twice_are_joined() {
    let one = "$version: \"2\"\nnamespace ns\n@tags([\"a\"])\nstructure A { @documentation(\"x\") b: String }\noperation O {}\nservice S { version: \"1\", operations: [O] }\n";
    let two = "$version: \"2\"\nnamespace ns\n@deprecated\n@tags([\"b\"])\nstructure A {\n @required\n b: String }\noperation O { errors: [] }\nservice S { operations: [O], version: \"1\" }\n";
    let mut sources = Sources::default();
    assert!(sources.add("one.smithy", one) && sources.add("two.smithy", two));
    let model = read(&sources);
    let said = model.events().iter().map(|event| {
        let position = sources.position(event.at).unwrap();
        assert_eq!(event.severity, Severity::Note);
        assert_eq!(event.id, "SmithyWaiters.Model.DuplicateDefinition");
        let shape = event.shape.clone().unwrap();
        (position.file, position.line, shape)
    });
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            ("two.smithy", 5, "ns#A".to_owned()),
            ("two.smithy", 8, "ns#O".to_owned()),
            ("two.smithy", 9, "ns#S".to_owned()),
        ]
    );
    let shape = model.shape("ns#A").unwrap();
    let ids = shape.traits.iter().map(|applied| applied.id);
    assert_eq!(
        ids.collect::<Vec<_>>(),
        ["smithy.api#tags", "smithy.api#deprecated"]
    );
    assert_eq!(shape.traits[0].value.elements().len(), 2);
    let ids = shape.members[0].traits.iter().map(|applied| applied.id);
    assert_eq!(
        ids.collect::<Vec<_>>(),
        ["smithy.api#documentation", "smithy.api#required"]
    );
}

#[test]
fn shapes_that_differ_are_a_conflict() {
    let one = format!(
        "{HEAD}structure A {{ a: String, b: String }}\nenum E {{\n A = \"a\"\n}}\noperation O {{}}\noperation P {{}}\nservice S {{ operations: [O, P] }}\n"
    );
    let differs = |text: &str| {
        let two = format!("{HEAD}{text}\n");
        model(&[("a.smithy", &one), ("b.smithy", &two)]).1
    };
    let conflict = ["b.smithy:3:1 conflicting definitions of the shape `ns#A`"];
    assert_eq!(differs("structure A { a: String }"), conflict);
    assert_eq!(differs("structure A { a: String, b: Integer }"), conflict);
    assert_eq!(differs("structure A { b: String, a: String }"), conflict);
    assert_eq!(differs("union A { a: String, b: String }"), conflict);
    assert_eq!(
        differs("enum E {\n A = \"b\"\n}"),
        ["b.smithy:3:1 conflicting definitions of the shape `ns#E`"]
    );
    for other in ["operations: [O]", "version: \"2\", operations: [O, P]"] {
        assert_eq!(
            differs(&format!("service S {{ {other} }}")),
            ["b.smithy:3:1 conflicting definitions of the shape `ns#S`"]
        );
    }
    assert_eq!(
        differs("operation O { input: A }"),
        ["b.smithy:3:1 conflicting definitions of the shape `ns#O`"]
    );
    for same in [
        "service S { operations: [P, O] }",
        "operation O { input: Unit }",
    ] {
        let found = differs(same).concat();
        assert!(!found.contains("conflicting"), "{found}");
    }
}

#[test]
fn the_same_text_twice_is_one() {
    let text = "metadata a = [1]\nnamespace ns\n@tags([\"a\"])\nstring A\n";
    let (ast, events) = model(&[("a.smithy", text), ("a.smithy", text)]);
    assert_eq!(events, Vec::<String>::new());
    assert_eq!(
        ast["shapes"]["ns#A"]["traits"]["smithy.api#tags"],
        json!(["a"])
    );
    assert_eq!(ast["metadata"]["a"], json!([1]));
}

#[test]
fn of_a_member_that_is_there_twice_the_last_counts_in_json_only() {
    assert_eq!(
        problems("metadata a = {b: 1, b: 2}"),
        ["a.smithy:1:21 duplicate member `b`"]
    );
    let text = r#"{"smithy": "2.0", "shapes": {"ns#A": {"type": "structure", "members": {
        "a": {"target": "smithy.api#String"},
        "a": {"target": "smithy.api#Integer"}
    }, "traits": {"ns#t": {"b": 1, "c": 2, "b": 3}}}}}"#;
    let (ast, events) = model(&[("a.json", text)]);
    assert_eq!(
        events,
        [
            "a.json:3:9 duplicate key `a`: the last value is used",
            "a.json:4:44 duplicate key `b`: the last value is used",
        ]
    );
    let shape = &ast["shapes"]["ns#A"];
    assert_eq!(shape["members"]["a"]["target"], "smithy.api#Integer");
    assert_eq!(shape["traits"]["ns#t"], json!({"b": 3, "c": 2}));
}
