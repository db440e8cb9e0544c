//! What version 1.0 does not have yet, what 2.0 no longer has, and what no shape can lack.

use crate::{model, problems};

/// What is said of the same shapes in versions 1.0 and 2.0, without the file.
fn in_both(idl: &str) -> [Vec<String>; 2] {
    ["1.0", "2.0"].map(|version| {
        let found = problems(&format!("$version: \"{version}\"\nnamespace ns\n{idl}\n"));
        let of = |found: &String| {
            found
                .replace("a.smithy:", "")
                .replace(" needs `$version: \"2.0\"`", " …")
        };
        found.iter().map(of).collect()
    })
}

/// What 2.0 brought is an error in a text of 1.0.
fn is_new(idl: &str, expected: &[&str]) {
    let [one, two] = in_both(idl);
    assert_eq!(one, expected, "{idl}");
    assert_eq!(two, Vec::<String>::new(), "{idl}");
}

#[test]
fn what_is_new_in_2_is_an_error_in_1() {
    is_new(
        "operation O {\n  input := { a: String }\n}",
        &["4:9 `:=` …: without it the text is of version 1.0"],
    );
    is_new(
        "@mixin structure M {}\nstructure S with [M] {}",
        &[
            "3:1 a mixin …, and `M` is of version 1.0",
            "4:19 a mixin …, and `S` is of version 1.0",
        ],
    );
    is_new(
        "enum E {\n A\n}",
        &["3:1 a shape of the type `enum` …, and `E` is of version 1.0"],
    );
    is_new(
        "intEnum E {\n A = 1\n}",
        &["3:1 a shape of the type `intEnum` …, and `E` is of version 1.0"],
    );
    is_new(
        "structure S {\n a: String = \"x\"\n}",
        &["4:14 a default value …, and `S` is of version 1.0"],
    );
    is_new(
        "structure S for R { $a }\nresource R { identifiers: {a: String} }",
        &["3:17 a structure of a resource …, and `S` is of version 1.0"],
    );
    is_new(
        "resource R { properties: {a: String} }",
        &["3:14 a resource with properties …, and `R` is of version 1.0"],
    );
}

#[test]
fn what_2_no_longer_has_is_an_error_there() {
    for (idl, expected) in [
        (
            "set S { member: String }",
            "3:1 Smithy 2.0 has no sets: a list with the trait `uniqueItems` is one",
        ),
        (
            "structure S {\n @box\n a: Integer }",
            "4:2 Smithy 2.0 has no trait `box`: what has no default may be missing",
        ),
    ] {
        let [one, two] = in_both(idl);
        assert_eq!((one, two), (Vec::new(), vec![expected.to_owned()]), "{idl}");
    }
}

#[test]
fn a_text_without_a_version_is_of_version_1() {
    let found = problems("namespace ns\nenum E {\n A\n}\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("is of version 1.0"), "{found:?}");
}

#[test]
fn the_ast_has_versions_as_well() {
    let of = |version: &str| {
        let text = format!(
            r#"{{"smithy": "{version}", "shapes": {{
                "ns#E": {{"type": "enum", "members": {{"A": {{"target": "smithy.api#Unit"}}}}}},
                "ns#S": {{"type": "set", "member": {{"target": "smithy.api#String"}}}}
            }}}}"#
        );
        model(&[("a.json", &text)]).1
    };
    assert!(of("1.0")[0].starts_with("a.json:2:17 a shape of the type `enum` needs"));
    assert!(of("2.0")[0].starts_with("a.json:3:17 Smithy 2.0 has no sets"));
    assert_eq!((of("1").len(), of("2").len()), (1, 1));
    assert!(of("2.0.1")[0].contains("the version is `2.0.1`"));
}

#[test]
fn no_shape_lacks_its_members() {
    for (idl, expected) in [
        ("list L {}", "3:1 the list lacks its member `member`"),
        (
            "map M { key: String }",
            "3:1 the map lacks its member `value`",
        ),
        (
            "list L { member: String, key: String }",
            "3:26 a list has no member `key`: it has `member`",
        ),
    ] {
        let expected = vec![expected.to_owned()];
        assert_eq!(in_both(idl), [expected.clone(), expected], "{idl}");
    }
    let [_, two] = in_both("enum E {}");
    assert_eq!(two, ["3:1 the enum has no values"]);
    let [_, two] = in_both("@mixin list M { member: String }\nlist L with [M] {}");
    assert_eq!(two, Vec::<String>::new());
}

#[test]
fn the_parts_of_a_text_come_in_order() {
    let found = problems(
        "namespace ns\n$version: \"2.0\"\nstring A\nuse a#B\nmetadata a = 1\nnamespace other\n$version: \"2.0\"\n",
    );
    assert_eq!(
        found,
        [
            "a.smithy:2:1 a control statement comes before `namespace`, not after it",
            "a.smithy:4:1 `use` comes before a shape, not after it",
            "a.smithy:5:1 `metadata` comes before a shape, not after it",
            "a.smithy:6:1 `namespace` comes before a shape, not after it",
            "a.smithy:7:1 a control statement comes before a shape, not after it",
            "a.smithy:7:2 `$version` is there twice",
        ]
    );
    assert_eq!(
        problems("namespace one\nnamespace two\n"),
        ["a.smithy:2:1 a text has one namespace: put what follows into another file"]
    );
}

#[test]
fn a_structure_is_for_a_resource_before_it_has_mixins() {
    let [_, two] = in_both("structure A with [M] for R {}\n@mixin structure M {}\nresource R {}");
    assert_eq!(two, ["3:22 expected `{`, found `for`"]);
    let [_, two] = in_both("structure A with [] {}");
    assert_eq!(two, ["3:13 `with` names at least one mixin"]);
}

#[test]
fn names_in_the_ast_are_absolute() {
    let text = r#"{"smithy": "2.0", "shapes": {
        "S": {"type": "string"},
        "ns#S$a": {"type": "string"},
        "ns#S": {"type": "string", "traits": {"deprecated": {}}}
    }}"#;
    assert_eq!(
        model(&[("a.json", text)]).1,
        [
            "a.json:2:9 `S` is no absolute id of a shape, `namespace#Name`",
            "a.json:3:9 `ns#S$a` is a member: only `apply` names one here",
            "a.json:4:47 `deprecated` is no absolute id of a trait, `namespace#name`",
        ]
    );
}
