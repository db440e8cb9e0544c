//! The AST of valid models.

use serde_json::json;
use smithy_waiters_model::{Member, Sources, Trait, id, read};

use crate::{model, shapes};

#[test]
fn an_inline_structure_has_traits_of_its_own() {
    let shapes =
        shapes("operation Get { input := @input {}, output := @tags([\"a\"]) { value: Blob } }");
    let traits = |name: &str| shapes[name]["traits"].clone();
    assert_eq!(traits("ns#GetInput"), json!({"smithy.api#input": {}}));
    let output = json!({"smithy.api#output": {}, "smithy.api#tags": ["a"]});
    assert_eq!(traits("ns#GetOutput"), output);
}

#[test]
fn names_are_absolute_by_use_namespace_and_prelude() {
    let one = "$version: \"2\"\nnamespace one\nuse two#Shared\nuse two#mark\nstructure S { a: Shared, b: Own, c: String, d: Long }\n@tags([String, Shared$member]) string Own\nstructure String {}\n@mark string T\napply Shared$member @required";
    let two = "$version: \"2\"\nnamespace two\nlist Shared { member: Integer }\n@trait list mark { member: Integer }";
    let (ast, events) = model(&[("one.smithy", one), ("two.smithy", two)]);
    assert_eq!(events, Vec::<String>::new());
    let members = &ast["shapes"]["one#S"]["members"];
    let targets = ["a", "b", "c", "d"].map(|name| members[name]["target"].as_str().unwrap());
    assert_eq!(
        targets,
        ["two#Shared", "one#Own", "one#String", "smithy.api#Long"]
    );
    let ids = json!(["one#String", "two#Shared$member"]);
    assert_eq!(ast["shapes"]["one#Own"]["traits"]["smithy.api#tags"], ids);
    // A trait without a value has the empty value of its type.
    assert_eq!(ast["shapes"]["one#T"]["traits"], json!({"two#mark": []}));
    assert_eq!(
        ast["shapes"]["two#Shared"]["member"]["traits"],
        json!({"smithy.api#required": {}})
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
            "metadata a = [1]\nmetadata same = {x: 1, y: null, z: [true, \"a\"]}\nmetadata two = 1\nmetadata parts = {x: 1}",
        ),
        (
            "b.json",
            r#"{"smithy": "2.0", "metadata": {"a": [2], "same": {"z": [true, "a"], "x": 1.0, "y": null}, "two": 2, "parts": {"y": 1}}, "shapes": {}}"#,
        ),
    ]);
    assert_eq!(ast["metadata"]["a"], json!([1, 2]));
    assert_eq!(
        events,
        [
            "b.json:1:91 conflicting values of the metadata `two`",
            "b.json:1:101 conflicting values of the metadata `parts`",
        ]
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

#[test]
fn waiters_that_are_left_out_leave_no_empty_trait() {
    let operation = |name: &str, waiters: &[&str]| {
        let waiters = waiters.iter().map(|name| {
            format!("{name}: {{acceptors: [{{state: \"success\", matcher: {{success: true}}}}]}}")
        });
        let waiters = waiters.collect::<Vec<_>>().join(", ");
        format!("@waitable({waiters}) operation {name} {{}}\n")
    };
    let text = [
        operation("A", &["One"]),
        operation("B", &["One", "Two"]),
        operation("C", &["Two"]),
        operation("D", &[]),
    ]
    .concat();
    let mut sources = Sources::default();
    sources.add(
        "a.smithy",
        format!("$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n{text}"),
    );
    let mut model = read(&sources);
    assert_eq!(
        model.exclude_waiters(&sources, &["One", "Three"]),
        ["Three"]
    );
    assert_eq!(
        model.waiter_names().into_iter().collect::<Vec<_>>(),
        ["Two"]
    );
    let has = |name: &str| {
        model
            .shape(&format!("ns#{name}"))
            .unwrap()
            .has_trait("smithy.waiters#waitable")
    };
    assert_eq!(["A", "B", "C", "D"].map(has), [false, true, true, true]);
}

#[test]
fn what_comes_of_mixins_is_in_order() {
    let text = r#"$version: "2"
namespace ns
structure Last with [Middle, Other] {
    @documentation("own")
    own: String
    @documentation("own")
    $a
}
@mixin
@deprecated @tags(["middle"])
structure Middle with [First] { @documentation("middle") m: Integer, $b }
@mixin(localTraits: [ns#local, "tags", sensitive])
@local @tags(["first"]) @documentation("first") @sensitive @internal
structure First { @required @documentation("first") a: String, @required b: Long }
@mixin
@documentation("other") @internal
structure Other with [First] { @deprecated b: Long, o: Long }
@trait structure local {}
apply Last$m @documentation("applied")
"#;
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let traits = |traits: &[Trait<'_>]| {
        let shown = |applied: &Trait<'_>| {
            let name = id::name(applied.id);
            let value = applied.value.as_str().map_or("", |text| text);
            let inherited = if applied.inherited { "^" } else { "" };
            format!(" {inherited}{name}{value}")
        };
        traits.iter().map(shown).collect::<String>()
    };
    let shown = |name: &str| {
        let shape = model.shape(&format!("ns#{name}")).unwrap();
        let member = |member: &Member<'_>| {
            let inherited = if member.inherited { "^" } else { "" };
            let target = id::name(member.target);
            format!(
                "{inherited}{}: {target}{}",
                member.name,
                traits(&member.traits)
            )
        };
        let members = shape.members.iter().map(member);
        let all: Vec<String> = std::iter::once(traits(&shape.traits).trim().to_owned())
            .chain(members)
            .collect();
        all.join(", ")
    };
    let all = ["Middle", "Other", "Last"].map(shown);
    // Of two mixins, the later one takes precedence.
    assert_eq!(
        all,
        [
            "mixin deprecated tags ^documentationfirst ^internal, ^a: String ^required ^documentationfirst, m: Integer documentationmiddle, b: Long ^required",
            "mixin documentationother internal, ^a: String ^required ^documentationfirst, b: Long deprecated ^required, o: Long",
            "^deprecated ^tags ^documentationother ^internal, ^m: Integer documentationapplied, ^b: Long ^required ^deprecated, ^o: Long, own: String documentationown, a: String documentationown ^required",
        ]
    );
}

#[test]
fn a_text_block_ends_at_quotes_without_an_escape() {
    let (ast, events) = model(&[("a.smithy", "metadata a = \"\"\"\n a \\\"\"\" b\"\"\"")]);
    assert_eq!(events, Vec::<String>::new());
    assert_eq!(ast["metadata"]["a"], "a \"\"\" b");
}
