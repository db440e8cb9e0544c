//! The AST of valid models.

use serde_json::{Value, json};
use smithy_waiters_model::{Sources, read};

use crate::{model, shapes};

#[test]
fn every_kind_of_shape_is_read() {
    let shapes = shapes(
        r#"
        blob B
        intEnum I {
            A = 1
            B = 2
        }
        enum E {
            A
            @deprecated
            B = "b"
        }
        list L { member: E }
        map M { key: String, value: L }
        union U { one: M, two: Unit }
        structure S {
            @required
            a: String = "x"
            b: Integer = 1
        }
        resource R {
            identifiers: { id: String }
            properties: { p: S }
            create: O
            operations: [O]
            collectionOperations: [O]
        }
        service V {
            version: "1"
            resources: [R]
            rename: { "ns#S": "T" }
        }
        operation O { input: S, errors: [X] }
        @error("client")
        structure X {}
        "#,
    );
    assert_eq!(
        shapes["ns#I"]["members"]["B"]["traits"]["smithy.api#enumValue"],
        json!(2)
    );
    assert_eq!(
        shapes["ns#E"]["members"]["A"]["traits"],
        json!({"smithy.api#enumValue": "A"})
    );
    assert_eq!(
        shapes["ns#L"],
        json!({"type": "list", "member": {"target": "ns#E"}})
    );
    assert_eq!(shapes["ns#M"]["value"]["target"], "ns#L");
    assert_eq!(
        shapes["ns#S"]["members"]["a"]["traits"],
        json!({"smithy.api#required": {}, "smithy.api#default": "x"})
    );
    assert_eq!(
        shapes["ns#R"],
        json!({
            "type": "resource",
            "identifiers": {"id": {"target": "smithy.api#String"}},
            "properties": {"p": {"target": "ns#S"}},
            "create": {"target": "ns#O"},
            "operations": [{"target": "ns#O"}],
            "collectionOperations": [{"target": "ns#O"}],
        })
    );
    assert_eq!(shapes["ns#V"]["rename"], json!({"ns#S": "T"}));
    assert_eq!(
        shapes["ns#O"],
        json!({
            "type": "operation",
            "input": {"target": "ns#S"},
            "output": {"target": "smithy.api#Unit"},
            "errors": [{"target": "ns#X"}],
        })
    );
}

#[test]
fn inline_input_and_output_are_structures() {
    let shapes = shapes(
        r#"
        @mixin
        structure Paged { token: String }
        operation Get {
            input := with [Paged] {
                /// The name.
                @required
                name: String
            }
            /// What comes back.
            output := @tags(["a"]) { value: Blob }
        }
        "#,
    );
    assert_eq!(shapes["ns#Get"]["input"]["target"], "ns#GetInput");
    let input = &shapes["ns#GetInput"];
    assert_eq!(input["mixins"], json!([{"target": "ns#Paged"}]));
    assert_eq!(input["traits"], json!({"smithy.api#input": {}}));
    assert_eq!(
        input["members"],
        json!({"name": {"target": "smithy.api#String", "traits": {
            "smithy.api#required": {}, "smithy.api#documentation": "The name."
        }}})
    );
    assert_eq!(
        shapes["ns#GetOutput"]["traits"]["smithy.api#tags"],
        json!(["a"])
    );
}

#[test]
fn suffixes_of_inline_shapes_can_be_chosen() {
    let text = "$version: \"2\"\n$operationInputSuffix: \"Request\"\nnamespace ns\noperation A { input := {} }";
    let (ast, events) = model(&[("a.smithy", text)]);
    assert_eq!(events, Vec::<String>::new());
    assert!(ast["shapes"].get("ns#ARequest").is_some());
}

#[test]
fn node_values_are_what_they_say() {
    let shapes = shapes(
        r#"
        @trait
        structure t {}
        @t(a: [1, -2.5e3, true, null], "b c": {d: "\u00e9\n", e: String, f: ns#t$x}, g: """
            one
              two
            """)
        string S
        @t
        string T
        "#,
    );
    assert_eq!(
        shapes["ns#S"]["traits"]["ns#t"],
        json!({
            "a": [1, -2500.0, true, null],
            "b c": {"d": "é\n", "e": "smithy.api#String", "f": "ns#t$x"},
            "g": "one\n  two\n",
        })
    );
    assert_eq!(shapes["ns#T"]["traits"], json!({"ns#t": {}}));
}

#[test]
fn names_are_absolute_by_use_namespace_and_prelude() {
    let one = "$version: \"2\"\nnamespace one\nuse two#Shared\nuse two#mark\nstructure S { a: Shared, b: Own, c: String, d: Long }\nstring Own\nstructure String {}\n@mark string T\napply Shared$member @required";
    let two = "$version: \"2\"\nnamespace two\nlist Shared { member: Integer }\n@trait list mark { member: Integer }";
    let (ast, events) = model(&[("one.smithy", one), ("two.smithy", two)]);
    assert_eq!(events, Vec::<String>::new());
    let members = &ast["shapes"]["one#S"]["members"];
    let targets = ["a", "b", "c", "d"].map(|name| members[name]["target"].as_str().unwrap());
    assert_eq!(
        targets,
        ["two#Shared", "one#Own", "one#String", "smithy.api#Long"]
    );
    // A trait without a value has the empty value of its type.
    assert_eq!(ast["shapes"]["one#T"]["traits"], json!({"two#mark": []}));
    assert_eq!(
        ast["shapes"]["two#Shared"]["member"]["traits"],
        json!({"smithy.api#required": {}})
    );
}

#[test]
fn traits_are_applied_from_elsewhere() {
    let shapes = shapes(
        r#"
        @tags(["a"])
        structure S { m: String }
        apply S @tags(["b"])
        apply S$m { @required @documentation("said") }
        "#,
    );
    assert_eq!(
        shapes["ns#S"]["traits"]["smithy.api#tags"],
        json!(["a", "b"])
    );
    assert_eq!(
        shapes["ns#S"]["members"]["m"]["traits"],
        json!({"smithy.api#required": {}, "smithy.api#documentation": "said"})
    );
}

#[test]
fn mixins_give_members_and_traits() {
    let text = r#"$version: "2"
namespace ns
@mixin(localTraits: [internal])
@tags(["a"]) @internal
structure A { @required a: String }
@mixin
structure B with [A] { b: String }
structure C with [B] { c: String, $b }
apply C$a @documentation("of C")
"#;
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let shape = model.shape("ns#C").unwrap();
    let members: Vec<&str> = shape.members.iter().map(|member| member.name).collect();
    assert_eq!(members, ["a", "c", "b"]);
    assert!(shape.member("a").unwrap().has_trait("smithy.api#required"));
    assert!(
        shape
            .member("a")
            .unwrap()
            .has_trait("smithy.api#documentation")
    );
    assert_eq!(shape.member("b").unwrap().target, "smithy.api#String");
    assert!(shape.has_trait("smithy.api#tags"));
    assert!(!shape.has_trait("smithy.api#internal") && !shape.has_trait("smithy.api#mixin"));
    // Members from mixins are not written as the shape's own members, and are unchanged after a round trip.
    let ast: Value = serde_json::from_str(&model.to_ast()).unwrap();
    assert_eq!(ast["shapes"]["ns#C$a"]["type"], "apply");
    assert!(ast["shapes"]["ns#C"].get("traits").is_none());
    let (again, events) = self::model(&[("a.json", &ast.to_string())]);
    assert_eq!((again, events), (ast, Vec::new()));
}

#[test]
fn a_resource_gives_targets() {
    let shapes = shapes(
        r#"
        resource R { identifiers: { id: Id }, properties: { size: Long } }
        string Id
        structure S for R { $id, $size, own: String }
        "#,
    );
    let members = &shapes["ns#S"]["members"];
    assert_eq!(members["id"]["target"], "ns#Id");
    assert_eq!(members["size"]["target"], "smithy.api#Long");
}

#[test]
fn version_1_is_read() {
    let text = r#"
namespace ns
// Sets and enum traits are features of 1.0.
set S { member: String }
@enum([{value: "a"}, {value: "b", name: "B"}])
string E
structure T { plain: E, boxed: PrimitiveLong, }
operation O { input: T, output: T, errors: [], }
"#;
    let (ast, events) = model(&[("a.smithy", text)]);
    assert_eq!(events, Vec::<String>::new());
    assert_eq!(ast["shapes"]["ns#S"]["type"], "set");
    assert_eq!(ast["shapes"]["ns#T"]["members"]["plain"]["target"], "ns#E");
}

#[test]
fn version_1_of_the_ast_is_read() {
    let text = r#"{"smithy": "1.0", "shapes": {
        "ns#S": {"type": "set", "member": {"target": "smithy.api#String"}},
        "ns#S$member": {"type": "apply", "traits": {"smithy.api#documentation": "said"}}
    }}"#;
    let (ast, events) = model(&[("a.json", text)]);
    assert_eq!(events, Vec::<String>::new());
    let traits = &ast["shapes"]["ns#S"]["member"]["traits"];
    assert_eq!(*traits, json!({"smithy.api#documentation": "said"}));
}

#[test]
fn metadata_of_several_texts_is_one() {
    let (ast, events) = model(&[
        (
            "a.smithy",
            "metadata a = [1]\nmetadata same = {x: 1}\nmetadata two = 1",
        ),
        (
            "b.json",
            r#"{"smithy": "2.0", "metadata": {"a": [2], "same": {"x": 1}, "two": 2}, "shapes": {}}"#,
        ),
    ]);
    assert_eq!(ast["metadata"]["a"], json!([1, 2]));
    assert_eq!(
        events,
        ["b.json:1:60 conflicting values of the metadata `two`"]
    );
}

#[test]
fn what_a_resource_takes_from_mixins_gives_targets() {
    let (ast, events) = model(&[(
        "a.smithy",
        "$version: \"2\"\nnamespace ns\n@mixin\nresource Base { identifiers: { id: Integer } }\n@mixin\nresource More with [Base] { properties: { size: Long } }\nresource R with [More] {}\nstructure S for R { $id, $size }",
    )]);
    assert_eq!(events, Vec::<String>::new());
    let members = &ast["shapes"]["ns#S"]["members"];
    assert_eq!(members["id"]["target"], "smithy.api#Integer");
    assert_eq!(members["size"]["target"], "smithy.api#Long");
}
